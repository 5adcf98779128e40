import { unknown as unknownText } from "../../schema/values.ts";
import { type Definition, effectOf } from "./definition.ts";
import type { Redactor } from "./secrets.ts";
import { type SourcePosition } from "./subject.ts";
import { type Fields, Unknown, type Value } from "./values.ts";

/** A secret in a state is an object with this key. */
const secretKey = "4dabf18193072939515e22adb298388d";
/** The text that `pulumi preview --json` shows instead of a secret. */
const secretPlaceholder = "[secret]";

interface Reading {
  readonly redactor: Redactor;
  readonly definition: Definition | undefined;
  /** The URNs that each input depends on. */
  readonly from: Readonly<Record<string, readonly string[]>>;
}

/** The inputs of a state, without private state, and with secrets replaced. */
export function inputsOf(raw: Readonly<Record<string, unknown>>, reading: Reading): Fields {
  const shown = Object.entries(raw).filter(([name, value]) => !name.startsWith("__") && value !== undefined);
  return Object.fromEntries(shown.map(([name, value]): [string, Value] => [name, valueOf(value, name, name, reading)]));
}

function valueOf(raw: unknown, path: string, name: string, reading: Reading): Value {
  if (raw === unknownText) return new Unknown(reading.from[path.split(/[.[]/, 1)[0] ?? ""]);
  if (raw === secretPlaceholder) return reading.redactor.notShown();
  if (isObject(raw) && secretKey in raw) return secretOf(raw, reading);
  if (reading.definition?.secrets.includes(path)) return raw === null ? null : reading.redactor.secret("defined", raw);
  if (typeof raw === "string") return textOf(raw, path, name, reading);
  if (typeof raw === "number" || typeof raw === "boolean" || raw === null) return raw;
  if (Array.isArray(raw)) return raw.map((item: unknown) => valueOf(item, `${path}[]`, name, reading));
  if (!isObject(raw)) return null;
  const inner = Object.entries(raw).filter(([, value]) => value !== undefined);
  return Object.fromEntries(inner.map(([key, value]): [string, Value] => [key, valueOf(value, `${path}.${key}`, key, reading)]));
}

/** A text is secret if it looks like a secret or, for inputs without a definition, if their names do. */
function textOf(raw: string, path: string, name: string, { redactor, definition }: Reading): Value {
  const known = definition !== undefined && effectOf(definition, path) !== undefined;
  const sign = redactor.signOf(known ? "" : name, raw);
  return sign === undefined ? raw : redactor.secret(sign, raw);
}

function secretOf(raw: object, { redactor }: Reading): Value {
  const plain: unknown = Reflect.get(raw, "value") ?? Reflect.get(raw, "plaintext");
  return plain === undefined || plain === secretPlaceholder ? redactor.notShown() : redactor.secret("marked", plain);
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a source position of Pulumi: `project:///network.ts#12,3`. */
export function positionOf(written: string | undefined): SourcePosition | undefined {
  const [, file, line, column] = /^project:\/\/\/(.+?)#(\d+)(?:,(\d+))?$/.exec(written ?? "") ?? [];
  if (file === undefined || file.includes("node_modules/") || file.split("/").includes("..")) return undefined;
  return { file: decoded(file), line: Number(line), column: column === undefined ? undefined : Number(column) };
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
