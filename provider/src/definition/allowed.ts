import { characterCount, type Rule } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type Flaw, marked, marksOf } from "../schema/marks.ts";

/**
 * A property with a rule besides its type. What the platform itself tells is not held against it.
 *
 * @param takes what is taken, as the end of a sentence: for the page of rules
 * @param flaw what is wrong with a value or a part of it, and what is taken instead
 * @param reads what it may say, with `<…>` where it depends on the value: for the page of rules
 */
export function withRule<Schema extends z.ZodType>(
  schema: Schema,
  takes: string,
  flaw: (value: z.output<Schema>) => Flaw | undefined,
  ...reads: readonly Flaw[]
): Schema {
  const flawIn = (value: unknown) => {
    const { success, data } = schema.safeParse(value);
    return success ? flaw(data) : undefined;
  };
  return marked(schema, {
    rules: [...(marksOf(schema).rules ?? []), { takes, flawIn, reads: reads.length > 0 ? reads : [`takes ${takes}, not <value>`] }],
  });
}

/** A property that takes only what a rule of the platform allows. What is refused is quoted: secrets have rules of their own. */
export function allowed<Schema extends z.ZodType>(schema: Schema, rule: Rule<z.output<Schema>>): Schema {
  return withRule(schema, rule.takes, (value) => (rule.allows(value) ? undefined : `takes ${rule.takes}, not ${JSON.stringify(value)}`));
}

/** A text of at most so many characters, as the platform counts them: one that takes several code units counts once. */
export function short(most: number, schema: z.ZodString = z.string()): z.ZodString {
  return withRule(
    schema,
    `at most ${most} characters`,
    (text) => (characterCount(text) <= most ? undefined : `takes at most ${most} characters, not ${characterCount(text)}`),
    `takes at most ${most} characters, not <length>`,
  );
}

/** A list in which nothing is twice. */
export function distinct<Item extends z.ZodType>(list: z.ZodArray<Item>): z.ZodArray<Item> {
  const flaw = (items: readonly unknown[]) => {
    const twice = items.find((item, index) => items.indexOf(item) < index);
    return twice === undefined ? undefined : `has ${JSON.stringify(twice)} twice: name each once`;
  };
  return withRule(list, "nothing twice", flaw, "has <value> twice: name each once");
}
