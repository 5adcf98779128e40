import { nearest } from "@container-platform/sdk";
import { placeOf } from "../../schema/paths.ts";
import * as z from "@container-platform/sdk/zod";
import { sentenceOf } from "../../schema/validate.ts";
import { isProps } from "../../schema/values.ts";
import { type Enforcement, enforcements } from "./language/rule.ts";
import { rules } from "./rules.ts";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const choice = z.strictObject({
  enforcement: z.enum(enforcements).optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const exception = z.strictObject({
  rule: z.string(),
  resource: z.string().min(1),
  reason: z.string().refine((text) => text.trim().length >= 10, "takes a reason in words, 10 characters at least"),
  until: z.iso.date("takes the last day on which it holds, such as 2026-12-31"),
});

const patterns = z.array(z.string().min(1)).default([]);
const others = z.strictObject({
  needApproval: patterns,
  trusted: patterns,
});

const settings = z.strictObject({
  rules: z.record(z.string(), choice).default({}),
  exceptions: z.array(exception).default([]),
  otherProviders: others.prefault({}),
});

/** The settings in a `container-platform.policy.yaml`. */
export interface Settings {
  rules: Record<string, RuleSettings>;
  exceptions: Exception[];
  otherProviders: OtherProviders;
}

export interface RuleSettings {
  enforcement?: Enforcement | undefined;
  parameters?: Record<string, unknown> | undefined;
}

export interface Exception {
  /** Id of the rule. */
  rule: string;
  /** A resource such as `SecurityGroup bastion`, or its URN; `*` stands for any text. */
  resource: string;
  reason: string;
  /** The last day of the exception. */
  until: string;
}

export interface OtherProviders {
  /** Types of other providers, such as `aws:ec2/*`, whose creation and change need approval. */
  needApproval: string[];
  /** Types of other providers of which nothing needs approval. */
  trusted: string[];
}

/** Empty settings: every rule has its default enforcement. */
export const noSettings: Settings = { rules: {}, exceptions: [], otherProviders: { needApproval: [], trusted: [] } };

/** Settings are not valid. The message has a line for each mistake: file, line, what is wrong, what is allowed. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
}

/**
 * Reads settings.
 *
 * @param file the file's name in messages
 * @throws PolicyError
 */
export function settingsFrom(text: string, file: string): Settings {
  const document = parsedYaml(text);
  return checked({ ...document, value: spelledOut(document.value) }, file, settings, keysAt, unknownNames);
}

/**
 * The value of a document, as its schema says.
 *
 * @param keysAt the properties that there are at a path
 * @throws PolicyError with the lines that are wrong
 * @internal
 */
export function checked<Schema extends z.ZodObject>(
  { value, errors, lineOf }: Document,
  file: string,
  schema: Schema,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
  mistakesIn: (value: z.output<Schema>) => readonly Mistake[] = () => [],
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  const mistakes = parsed.success
    ? mistakesIn(parsed.data)
    : parsed.error.issues.map((issue) => ({ path: issue.path, says: sentenceOf(issue, value, keysAt(issue.path)) }));
  const located = mistakes.map(({ path, says }) => ({ line: lineOf(path), says: path.length > 0 ? `${placeOf(path)}: ${says}` : says }));
  const all = errors.length > 0 ? errors : located;
  if (all.length > 0 || !parsed.success) throw new PolicyError(all.map(({ line, says }) => `${file}:${line}: ${says}`).join("\n"));
  return parsed.data;
}

/** `CP-NET-004: block` is short for `CP-NET-004: { enforcement: block }`. */
function spelledOut(given: unknown): unknown {
  if (!isProps(given) || !isProps(given["rules"])) return given;
  const long = Object.entries(given["rules"]).map(([id, said]) => [id, isProps(said) ? said : { enforcement: said }] as const);
  return { ...given, rules: Object.fromEntries(long) };
}

function keysAt([first, second]: readonly PropertyKey[]): string[] {
  if (first === "exceptions") return exception.keyof().options;
  if (first === "otherProviders") return others.keyof().options;
  return first === "rules" && second !== undefined ? choice.keyof().options : settings.keyof().options;
}

interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly says: string;
}

/** Rules and parameters that do not exist. */
function unknownNames({ rules: choices, exceptions }: Settings): Mistake[] {
  const chosen = Object.entries(choices).flatMap(([id, { parameters }]) => {
    const path = ["rules", id];
    return unknownRule(id, path) ?? wrongParameters(id, parameters, [...path, "parameters"]);
  });
  return [...chosen, ...exceptions.flatMap(({ rule }, index) => unknownRule(rule, ["exceptions", index, "rule"]) ?? [])];
}

function unknownRule(id: string, path: readonly PropertyKey[]): Mistake[] | undefined {
  const ids = rules.map((rule) => rule.id);
  if (ids.includes(id)) return undefined;
  const [likely] = nearest(id, ids);
  return [
    {
      path,
      says: `there is no rule ${id}; ${likely === undefined ? "docs/reference/policies.md lists all" : `maybe you meant ${likely}`}`,
    },
  ];
}

function wrongParameters(id: string, given: unknown, path: readonly PropertyKey[]): Mistake[] {
  const schema = rules.find((rule) => rule.id === id)?.parameters ?? z.strictObject({});
  const names = Object.keys(schema.shape);
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => ({
    path: [...path, ...issue.path],
    says: names.length === 0 ? "the rule takes no parameters" : sentenceOf(issue, given, names),
  }));
}

/** A parsed YAML text, with the lines of its values. */
interface Document {
  /** An empty object if the text has none. */
  readonly value: unknown;
  /** The syntax errors. */
  readonly errors: readonly { readonly line: number; readonly says: string }[];
  /** The line of the value at a path. If there is none, the line of the value that would contain it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export function parsedYaml(text: string): Document {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const errors = document.errors.map(({ pos, message }) => ({ line: counter.linePos(pos[0]).line, says: message }));
  const value: unknown = errors.length === 0 ? document.toJS() : undefined;
  return {
    value: value ?? {},
    errors,
    lineOf: (path) => counter.linePos(offsetOf(document.contents, path)).line || 1,
  };
}

function offsetOf(node: unknown, path: readonly PropertyKey[], found = 0): number {
  const [key, ...rest] = path;
  if (key === undefined) return found;
  if (isSeq(node)) {
    const item: unknown = typeof key === "number" ? node.items[key] : undefined;
    return item === undefined ? found : offsetOf(item, rest, startOf(item) ?? found);
  }
  const pair = isMap(node) ? node.items.find((one) => isScalar(one.key) && one.key.value === key) : undefined;
  return pair === undefined ? found : offsetOf(pair.value, rest, startOf(pair.key) ?? found);
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
}

const defaultName = "container-platform.policy.yaml";

/**
 * Reads settings from a file. Without one, it uses the nearest `container-platform.policy.yaml` in a folder or above it, if there is any.
 *
 * @throws PolicyError if the file does not exist or is not valid
 */
export function readSettings(file: string | undefined, from: string): Settings | undefined {
  const found = file ?? nearestFile(from);
  return found === undefined ? undefined : settingsFrom(textOf(found), found);
}

function nearestFile(folder: string): string | undefined {
  const file = join(folder, defaultName);
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestFile(dirname(folder));
}

/** @throws PolicyError if the file cannot be read */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new PolicyError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
