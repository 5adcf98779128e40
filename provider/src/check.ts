import { createHash } from "node:crypto";
import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { differs } from "./compare.ts";
import { hiddenOf, isHidden, secondsOf } from "./hidden.ts";
import { suffixLength } from "./inputs.ts";
import type { Kind } from "./kind.ts";
import { placeOf, sentenceOf } from "./sentences.ts";
import { cleanProps, holdsUnknown, isProps, type Props, unknown } from "./values.ts";

export interface Checked {
  readonly inputs: Props;
  /** What is wrong, a sentence each. */
  readonly failures: readonly string[];
  /** What is unwise. */
  readonly warnings: readonly string[];
}

export interface CheckOptions {
  readonly defaultTags?: Readonly<Record<string, string>>;
}

/** Fills in defaults and names, and says what is wrong. Pure: nothing is asked of the platform. `olds`: the inputs as last deployed. */
export function check(kind: Kind, olds: Props, news: Props, { defaultTags = {} }: CheckOptions = {}): Checked {
  const keys = Object.keys(kind.inputs.shape);
  const inputs: Record<string, unknown> = Object.fromEntries(Object.entries(news).filter(([key]) => isHidden(key)));
  const strangers = Object.keys(news).filter((key) => !isHidden(key) && !keys.includes(key) && news[key] !== undefined);
  const failures = strangers.map((key) => `${key}: ${kind.type} has no such property; it has ${keys.join(", ")}`);
  for (const key of keys) {
    const schema = schemaOf(kind, key);
    const { value, issues } = parsed(schema, started(schema, key, news, defaultTags), [key]);
    inputs[key] = value;
    failures.push(...issues);
    if (isTakenOut(kind, key, olds, value) && !isMadeAnew(kind, olds, news)) failures.push(`${key}: cannot be taken out once it is set`);
  }
  for (const [verb, time] of Object.entries(hiddenOf(news).__timeouts))
    if (time !== undefined && secondsOf(time) === undefined)
      failures.push(`customTimeouts.${verb}: ${time} is not a time such as 90s, 20m or 1h30m`);
  const broken = failures.length === 0 ? brokenRules(kind, inputs, olds) : [];
  const warned = failures.length === 0 ? (kind.warnings ?? []).map((rule) => unlessUnknown(() => rule(guarded(inputs)))) : [];
  return { inputs: cleanProps(inputs), failures: [...failures, ...broken], warnings: warned.filter(isSentence) };
}

/** The rules that inputs break, a sentence each, as far as is known. `before`: how things are. */
export function brokenRules(kind: Kind, inputs: Props, before: Props): string[] {
  return (kind.rules ?? []).map((rule) => unlessUnknown(() => rule(guarded(inputs), before))).filter(isSentence);
}

/** Whether an input that has to stay once it is set is gone from the program. */
function isTakenOut(kind: Kind, key: string, olds: Props, value: unknown): boolean {
  const schema = schemaOf(kind, key);
  return value === undefined && "removed" in schema && schema.removed === "refuse" && olds[key] !== undefined;
}

/** Whether another input makes a new thing anyway, on which nothing is set yet. */
function isMadeAnew(kind: Kind, olds: Props, news: Props): boolean {
  return Object.keys(kind.changes).some(
    (key) =>
      kind.changes[key] === "replace" &&
      news[key] !== undefined &&
      olds[key] !== undefined &&
      differs(schemaOf(kind, key), news[key], olds[key]),
  );
}

const isSentence = (answer: unknown): answer is string => typeof answer === "string" && answer !== "";

export function schemaOf(kind: Kind, key: string): z.core.$ZodType {
  const schema = fieldsOf(kind.inputs)[key] ?? fieldsOf(kind.outputs)[key];
  if (!schema) throw new Error(`${kind.type} has no property ${key}`);
  return schema;
}

/** What the user gave, with the name that the resource has in the program, and the default tags, where these belong. */
function started(schema: z.core.$ZodType, key: string, news: Props, defaultTags: Readonly<Record<string, string>>): unknown {
  const given = news[key] ?? undefined;
  if ("named" in schema && given === undefined) return nameFrom(hiddenOf(news).__urn);
  if (key === "tags" && Object.keys(defaultTags).length > 0 && (given === undefined || isProps(given))) return { ...defaultTags, ...given };
  return given;
}

/** The logical name and the beginning of the URN's hash: the same each time, and short enough for every name on the platform. */
function nameFrom(urn: string): string {
  const label = urn.split("::").at(-1) ?? urn;
  const suffix = createHash("sha256").update(urn).digest("hex").slice(0, suffixLength);
  return `${label.slice(0, 59 - suffixLength)}-${suffix}`;
}

interface Parsed {
  readonly value: unknown;
  readonly issues: readonly string[];
}

/** Parses what is known of a value: one part that is still unknown must not keep the others from their checks and defaults. */
function parsed(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  if (!holdsUnknown(given)) {
    const result = z.safeParse(schema, given);
    if (result.success) return { value: result.data, issues: [] };
    return {
      value: given,
      issues: result.error.issues.map(
        (issue) => `${placeOf([...path, ...issue.path])}: ${sentenceOf(issue, given, Object.keys(fieldsOf(schemaAt(schema, issue.path))))}`,
      ),
    };
  }
  const type = unwrapped(schema);
  if (given === unknown) return { value: given, issues: [] };
  if (type instanceof z.ZodArray && Array.isArray(given)) {
    const items = given.map((item, index) => parsed(type.element, item, [...path, index]));
    return { value: items.map(({ value }) => value), issues: items.flatMap(({ issues }) => issues) };
  }
  if (!(type instanceof z.ZodObject) || !isProps(given)) return { value: given, issues: [] };
  const strangers = Object.keys(given).filter((key) => !(key in type.shape));
  const fields = Object.entries(type.shape).map(
    ([key, field]: [string, z.core.$ZodType]) => [key, parsed(field, given[key], [...path, key])] as const,
  );
  return {
    value: Object.fromEntries(fields.map(([key, { value }]) => [key, value])),
    issues: [
      ...strangers.map((key) => `${placeOf(path)}: has no property ${key}; it has ${Object.keys(type.shape).join(", ")}`),
      ...fields.flatMap(([, { issues }]) => issues),
    ],
  };
}

/** The schema of a part of a value. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType {
  return path.reduce<z.core.$ZodType>((outer, key) => {
    const type = unwrapped(outer);
    return type instanceof z.ZodArray ? type.element : (fieldsOf(type)[String(key)] ?? type);
  }, schema);
}

class StillUnknown extends Error {}

/** A rule that looks at an unknown value cannot be answered yet. */
function guarded(inputs: Props): Props {
  return new Proxy(inputs, {
    get: (target, key: string) => {
      if (holdsUnknown(target[key])) throw new StillUnknown();
      return target[key];
    },
  });
}

function unlessUnknown<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof StillUnknown) return undefined;
    throw error;
  }
}
