import type { Kind } from "../../definition/definition.ts";
import { type Props, same, unknown } from "../../schema/values.ts";

/** Why inputs cannot be parts of the id, one sentence each: nobody could read them back from it. */
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
