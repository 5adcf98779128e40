import { characterCount, type Rule, canonicalRange, openingFlaw } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type Flaw, marked, marksOf } from "../schema/marks.ts";

/**
 * A property with a rule besides its type. Values that the platform returns are not validated.
 *
 * @param flaw returns the flaw of a value or of a part of the value, and the accepted values
 */
export function withRule<Schema extends z.ZodType>(schema: Schema, flaw: (value: z.output<Schema>) => Flaw | undefined): Schema {
  const flawIn = (value: unknown) => {
    const { success, data } = schema.safeParse(value);
    return success ? flaw(data) : undefined;
  };
  return marked(schema, { rules: [...(marksOf(schema).rules ?? []), flawIn] });
}

/** A property that takes only what a rule of the platform allows. What is refused is quoted: secrets have rules of their own. */
export function allowed<Schema extends z.ZodType>(schema: Schema, rule: Rule<z.output<Schema>>): Schema {
  return withRule(schema, (value) => (rule.allows(value) ? undefined : `takes ${rule.takes}, not ${JSON.stringify(value)}`));
}

/** A text of at most so many characters, as the platform counts them: one that takes several code units counts once. */
export function short(most: number, schema: z.ZodString = z.string()): z.ZodString {
  return withRule(schema, (text) =>
    characterCount(text) <= most ? undefined : `takes at most ${most} characters, not ${characterCount(text)}`,
  );
}

/** A list in which nothing is twice. */
export function distinct<Item extends z.ZodType>(list: z.ZodArray<Item>): z.ZodArray<Item> {
  const flaw = (items: readonly unknown[]) => {
    const twice = items.find((item, index) => items.indexOf(item) < index);
    return twice === undefined ? undefined : `has ${JSON.stringify(twice)} twice: name each once`;
  };
  return withRule(list, flaw);
}

/** A CIDR block or an address that gets access. A /0 is refused, as the specification requires for registries (Registry access rules). */
export const allowedRange: z.ZodString = withRule(z.string(), openingFlaw);

/** Ranges in the spelling and order in which they are compared. */
export function canonicalRanges(value: unknown): unknown {
  const parsed = z.array(z.string()).safeParse(value);
  return parsed.success ? parsed.data.map((text) => canonicalRange(text) ?? text).sort() : value;
}
