import type { taggingErrors } from "../../catalogue/shared.ts";
import type { CommonCode, ErrorCode } from "../../operation/errors.ts";
import { networkRules } from "../../rules/network.ts";
import { characterCount, longest, mostTags, type Rule, textRules } from "../../rules/rule.ts";
import type { Call } from "../behaviour.ts";

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Refuses a value that a rule does not allow. */
export function refuseUnlessAllowed<Code extends ErrorCode, Value>(
  call: Call<Code>,
  code: Code | CommonCode,
  parameter: string,
  value: Value,
  { takes, allows }: Rule<Value>,
): void {
  if (!allows(value)) throw call.error(code, `${parameter} is ${JSON.stringify(value)}; it takes ${takes}`);
}

/** Refuses a name that is empty, or longer than `most` characters (specification, Limits: 1-60 for VPCs and subnets). */
export function refuseName(
  call: Call<"InvalidParameterValue.TooLong" | "InvalidParameterValue.Empty">,
  parameter: string,
  name: string,
  most: number = longest.name,
): void {
  if (name === "") throw call.error("InvalidParameterValue.Empty", `${parameter} is empty; it takes 1 to ${most} characters`);
  refuseLong(call, parameter, name, most);
  refuseUnlessAllowed(call, "InvalidParameter", parameter, name, textRules.name);
}

/** Refuses a text of more than `most` characters. */
export function refuseLong(call: Call<"InvalidParameterValue.TooLong">, parameter: string, text: string, most: number): void {
  const length = characterCount(text);
  if (length > most) throw call.error("InvalidParameterValue.TooLong", `${parameter} has ${length} characters; it takes ${most} at most`);
}

/** Refuses a `ClientToken`, with which a repeated call has no second effect (public API). */
export function refuseToken(call: Call<"InvalidParameterValue.Malformed">, token: string | undefined): void {
  if (token !== undefined) refuseUnlessAllowed(call, "InvalidParameterValue.Malformed", "ClientToken", token, networkRules.clientToken);
}

/** Refuses tags: too many, a key given twice, an empty key, or too long. The operation's `errors` include `taggingErrors`. */
export function refuseTags(call: Call<(typeof taggingErrors)[number]>, tags: readonly Tag[]): void {
  if (tags.length > mostTags)
    throw call.error("LimitExceeded.ResourceAttachedTags", `${tags.length} tags are given; a resource has ${mostTags} at most`);
  const keys = new Set<string>();
  for (const { key, value } of tags) {
    refuseName(call, "the key of a tag", key, longest.tagKey);
    refuseLong(call, `the value of tag ${key}`, value, longest.tagValue);
    if (keys.has(key))
      throw call.error("InvalidParameterValue.Duplicate", `tag ${key} is given twice; keys of a resource's tags are unique`);
    keys.add(key);
  }
}

/** Ids or names for a message: the first few, and how many more there are. */
export function firstFew(names: readonly string[], few = 5): string {
  const shown = names.slice(0, few).join(", ");
  return names.length > few ? `${shown} and ${names.length - few} more` : shown;
}
