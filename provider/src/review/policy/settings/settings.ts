import { nearest } from "@container-platform/sdk";
import { placeOf } from "../../../schema/paths.ts";
import * as z from "@container-platform/sdk/zod";
import { sentenceOf } from "../../../schema/validate.ts";
import { isProps } from "../../../schema/values.ts";
import { parsedYaml } from "./document.ts";
import { enforcements } from "../language/rule.ts";
import { rules } from "../rules.ts";

const choice = z.strictObject({
  enforcement: z.enum(enforcements).optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const exception = z.strictObject({
  /** Id of the rule. */
  rule: z.string(),
  /** A resource such as `SecurityGroup bastion`, or its URN; `*` stands for any text. */
  resource: z.string().min(1),
  reason: z.string().refine((text) => text.trim().length >= 10, "takes a reason in words, 10 characters at least"),
  /** The last day of the exception. */
  until: z.iso.date("takes the last day on which it holds, such as 2026-12-31"),
});
export type Exception = z.output<typeof exception>;

const patterns = z.array(z.string().min(1)).default([]);
const others = z.strictObject({
  /** Types of other providers, such as `aws:ec2/*`, whose creation and change need approval. */
  needApproval: patterns,
  /** Types of other providers of which nothing needs approval. */
  trusted: patterns,
});

const settings = z.strictObject({
  rules: z.record(z.string(), choice).default({}),
  exceptions: z.array(exception).default([]),
  otherProviders: others.prefault({}),
});

/** The settings in a `container-platform.policy.yaml`. */
export type Settings = z.output<typeof settings>;

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
  const given = spelledOut(document.value ?? {});
  const parsed = settings.safeParse(given);
  const mistakes = parsed.success
    ? unknownNames(parsed.data)
    : parsed.error.issues.map((issue) => ({ path: issue.path, says: sentenceOf(issue, given, keysAt(issue.path)) }));
  const located = mistakes.map(({ path, says }) => ({
    line: document.lineOf(path),
    says: path.length > 0 ? `${placeOf(path)}: ${says}` : says,
  }));
  const all = document.errors.length > 0 ? document.errors : located;
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
