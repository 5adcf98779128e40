import { isProps, type Props, unknown as unknownText } from "../../schema/values.ts";
import { type Definition, effectOf } from "./definition.ts";
import { isScriptName, isSecretName, type Redactor } from "./secrets.ts";
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
  if (isProps(raw) && secretKey in raw) return secretOf(raw, reading);
  if (reading.definition?.secrets?.includes(path)) return raw === null ? null : reading.redactor.secret("defined", raw);
  if (typeof raw === "string") return textOf(raw, path, name, reading);
  // A password may be a number, too.
  if (typeof raw === "number") return isNamedSecret(path, name, reading) ? reading.redactor.secret("credential", String(raw)) : raw;
  if (typeof raw === "boolean" || raw === null) return raw;
  if (Array.isArray(raw)) return raw.map((item: unknown) => valueOf(item, `${path}[]`, name, reading));
  if (!isProps(raw)) return null;
  const shown = Object.entries(raw).filter(([, value]) => value !== undefined);
  const isHidden = isNamedSecret(path, name, reading);
  return Object.fromEntries(
    shown.map(([key, value]): [string, Value] => {
      const called = isHidden ? name : key === "value" ? (nameIn(raw) ?? key) : key;
      return [key.length < shortestSecret ? key : reading.redactor.text(key), valueOf(value, `${path}.${key}`, called, reading)];
    }),
  );
}

/** Keys of objects that are shorter are no secrets. */
const shortestSecret = 20;

/** Whether a value is secret because of its name. The names of a definition's inputs do not count: it says which are secret. */
function isNamedSecret(path: string, name: string, { definition }: Reading): boolean {
  return isSecretName(name) && (definition === undefined || effectOf(definition, path.replaceAll("[]", "")) === undefined);
}

/** The name in a pair of name and value, such as an environment variable. */
function nameIn(pair: Props): string | undefined {
  const found = pair["name"] ?? pair["key"];
  return typeof found === "string" ? found : undefined;
}

/** A text is secret if it looks like a secret or, for what a definition does not have, if its name does. */
function textOf(raw: string, path: string, name: string, reading: Reading): Value {
  const sign = reading.redactor.signOf(isNamedSecret(path, name, reading) || isScriptName(name) ? name : "", raw);
  return sign === undefined ? raw : reading.redactor.secret(sign, raw);
}

function secretOf(raw: Props, { redactor }: Reading): Value {
  const plain = raw["value"] ?? raw["plaintext"];
  return plain === undefined || plain === secretPlaceholder ? redactor.notShown() : redactor.secret("marked", plain);
}

/** Parses a source position of Pulumi: `project:///network.ts#12,3`. Only one of a line in the project's own folder counts. */
export function positionOf(written: string | undefined): SourcePosition | undefined {
  const [, path, line, column] = /^project:\/\/\/([^#]+)#(\d{1,7})(?:,(\d{1,7}))?$/.exec(written ?? "") ?? [];
  const file = path === undefined ? undefined : decoded(path).toWellFormed();
  if (file === undefined || /(?:^|\/)node_modules\/|^[/\\]|^\w:[/\\]/.test(file) || file.split(/[/\\]/).includes("..")) return undefined;
  if (Number(line) < 1) return undefined;
  return { file, line: Number(line), column: Number(column) >= 1 ? Number(column) : undefined };
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
