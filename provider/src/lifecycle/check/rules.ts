import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../../definition/definition.ts";
import { throwingIfUnknown, UnknownInput, type Props, unknown, same } from "../../schema/values.ts";
import { schemaOf } from "../../schema/parts.ts";

/**
 * The rules that the inputs break, one sentence each. A rule that needs an unknown value is left out.
 *
 * @param before the inputs as last deployed, or as they are on the platform
 */
export function brokenRules(kind: Kind, inputs: Props, before: Props): string[] {
  return (kind.rules ?? []).flatMap(({ of, broken }) => {
    const answer = unlessUnknown(() => broken(throwingIfUnknown(inputs), before));
    return isSentence(answer) ? [`${of}: ${answer}`] : [];
  });
}

/** The rules that the inputs break, and did not break in the same way when they were last deployed. */
export function newlyBrokenRules(kind: Kind, inputs: Props, olds: Props): string[] {
  const broken = brokenRules(kind, inputs, olds);
  if (broken.length === 0 || Object.keys(olds).length === 0) return broken;
  // What an earlier version did not know is unknown: a rule about it cannot be decided for the time before.
  const before = Object.fromEntries(
    Object.keys(kind.inputs.shape).map((key) => [key, isRequired(kind, key) ? (olds[key] ?? unknown) : olds[key]]),
  );
  const already = brokenRules(kind, before, before);
  return broken.filter((sentence) => !already.includes(sentence));
}

function isRequired(kind: Kind, key: string): boolean {
  return !z.safeParse(schemaOf(kind, key), undefined).success;
}

/** What is unwise about the inputs, one sentence each. A rule that needs an unknown value is left out. */
export function warningsAbout(kind: Kind, inputs: Props): string[] {
  return (kind.warnings ?? []).map((rule) => unlessUnknown(() => rule(throwingIfUnknown(inputs)))).filter(isSentence);
}

const isSentence = (answer: unknown): answer is string => typeof answer === "string" && answer !== "";

function unlessUnknown<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof UnknownInput) return undefined;
    throw error;
  }
}

/** Why inputs cannot be parts of the id, one sentence each: they could not be read back from it. */
export function refusedIdParts({ id, inputs }: Kind, given: Props): string[] {
  const [example = ""] = id.looks.split(" or ");
  const examples: Props = id.parts(example) ?? {};
  const isOdd = (value: unknown) => value === "" || (typeof value === "string" && value.includes("/"));
  const known = id.names.map((key): [string, unknown] => [key, key in inputs.shape && given[key] !== unknown ? given[key] : examples[key]]);
  return known.flatMap(([key, value]) => {
    // Of the other parts, each is refused for itself.
    const parts = Object.fromEntries(known.map(([other, its]) => [other, other !== key && isOdd(its) ? examples[other] : its]));
    if (same(id.parts(id.of(parts)), parts)) return [];
    return [`${key}: "${String(value)}" cannot be a part of the resource's id, which looks like ${id.looks}`];
  });
}
