import { characterCount, type Cidr, longest, mostTags, openingFlaw, parseCidr, type Rule, textRules } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "./codes.ts";
import { type Flaw, marked, type Marks, marksOf } from "../schema/marks.ts";

declare const removal: unique symbol;

/** An input that may be left out, and says what taking it out of the program does. A default is written as `.default(…)`. */
export type Optional<Schema extends z.ZodType> = z.ZodOptional<Schema> & { readonly [removal]: NonNullable<Marks["removed"]> };

function optional<Schema extends z.ZodType>(schema: Schema, removed: NonNullable<Marks["removed"]>): Optional<Schema>;
function optional(schema: z.ZodType, removed: NonNullable<Marks["removed"]>): z.ZodOptional {
  return marked(schema.optional(), { removed });
}

/** An input without a value if it is left out. Taken out of the program, it is cleared on the platform. */
export const cleared = <Schema extends z.ZodType>(schema: Schema): Optional<Schema> => optional(schema, "clear");

/** An input that the platform chooses if it is left out. Taken out of the program, it keeps its live value and is no longer managed. */
export const kept = <Schema extends z.ZodType>(schema: Schema): Optional<Schema> => optional(schema, "keep");

/** An input that the platform chooses if it is left out. Once it is set, it can be changed but not taken out. */
export const refusedOnceSet = <Schema extends z.ZodType>(schema: Schema): Optional<Schema> => optional(schema, "refuse");

/** An input that the platform chooses if it is left out, with its choices that never change in any region: the importer omits them. */
export const usually = <Input extends Optional<z.ZodType>>(input: Input, ...choices: readonly z.output<Input>[]): Input =>
  marked(input, { choices });

/** An input whose value, if it is left out, follows from parts beside it once the program changes them. Until then it stays as it is. */
export const following = <Input extends Optional<z.ZodType>>(input: Input, ...follows: readonly string[]): Input =>
  marked(input, { follows });

/** A name. If it is left out, it is the resource's name in the program and a short suffix, which is the same each time. */
export const named = (schema: z.ZodString): z.ZodDefault<z.ZodString> => marked(schema.default(""), { named: true });

/** The length of that suffix, which is the beginning of the URN's hash. */
export const suffixLength = 7;

/** A nested object. It takes no other keys. */
export const object = z.strictObject;

/** The name of a resource, 1 to 60 characters (specification, Limits). */
export const name: z.ZodString = allowed(short(longest.name, z.string().min(1)), textRules.name);

/** A CIDR block in its canonical spelling, such as `10.0.0.0/16`. */
export function ipv4Range(example: string, rule?: Rule): z.ZodString {
  return range(`an IPv4 range such as ${example}`, ({ family }) => family === 4, rule);
}

/** A CIDR block in its canonical spelling. @param what the accepted ones, for a message */
export function range(what: string, fits: (range: Cidr) => boolean, rule?: Rule): z.ZodString {
  const flaw = (text: string) => {
    const parsed = parseCidr(text);
    if (!parsed || !fits(parsed)) return `${text || '""'} is not ${what}`;
    if (parsed.canonical !== text) return `${text} is not in its one spelling: write ${parsed.canonical}`;
    return !rule || rule.allows(text) ? undefined : `takes ${rule.takes}, not ${text}`;
  };
  return withRule(z.string(), flaw);
}

/** Tags, labels or annotations, by name. */
export const pairs = z.record(z.string(), z.string());

/** The beginning of the keys of the provider's own tags. */
const ownPrefix = "container-platform/";
/** Their keys. Every resource that takes tags has all of them. */
export const ownTags = { owner: `${ownPrefix}owner`, state: `${ownPrefix}state`, stack: `${ownPrefix}stack` } as const;
const mostOfUsers = mostTags - Object.keys(ownTags).length;

/** Tags. The provider adds tags of its own. */
export const tagPairs: typeof pairs = marked(withRule(pairs, tagsFlaw), { tags: true });

function tagsFlaw(tags: Readonly<Record<string, string>>): string | undefined {
  const keys = Object.keys(tags);
  if (keys.some((key) => key.startsWith(ownPrefix))) return `takes no keys that begin with ${ownPrefix}: those are the provider's own`;
  if (keys.length > mostOfUsers) return `takes at most ${mostOfUsers} tags, beside the provider's own, not ${keys.length}`;
  if (keys.includes("")) return `takes keys of 1 to ${longest.tagKey} characters, not ""`;
  const key = keys.find((one) => characterCount(one) > longest.tagKey);
  if (key !== undefined) return `takes keys of 1 to ${longest.tagKey} characters, not ${characterCount(key)}: ${JSON.stringify(key)}`;
  const odd = keys.find((one) => !textRules.name.allows(one));
  if (odd !== undefined) return `takes keys that are ${textRules.name.takes}, not ${JSON.stringify(odd)}`;
  const [long, value = ""] = Object.entries(tags).find(([, one]) => characterCount(one) > longest.tagValue) ?? [];
  return long === undefined
    ? undefined
    : `takes values of at most ${longest.tagValue} characters, and that of ${JSON.stringify(long)} has ${characterCount(value)}`;
}

/** A list whose order does not count. */
export function unordered<Item extends z.ZodType>(items: z.ZodArray<Item>): z.ZodArray<Item> {
  return spelt(items, (given) => (Array.isArray(given) ? given.toSorted((one, other) => text(one).localeCompare(text(other))) : given));
}

/** An input that can be spelt in several ways which mean the same. They are compared in the spelling that `canonical` returns. */
export function spelt<Schema extends z.ZodType>(schema: Schema, canonical: (value: unknown) => unknown): Schema {
  return marked(schema, { canonical });
}

const text = (item: unknown): string => (typeof item === "string" ? item : JSON.stringify(item));

/** A property, or a part of one, that is never shown. */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema => marked(schema, { secret: true });

/** A property with a rule besides its type: `flaw` says what is wrong with a value, and what is accepted. Live values are not validated. */
export function withRule<Schema extends z.ZodType>(schema: Schema, flaw: (value: z.output<Schema>) => Flaw | undefined): Schema {
  const flawIn = (value: unknown) => {
    const { success, data } = schema.safeParse(value);
    return success ? flaw(data) : undefined;
  };
  return marked(schema, { rules: [...(marksOf(schema).rules ?? []), flawIn] });
}

const zoned = z.iso.datetime({ offset: true });

export const isMoment = (value: unknown): value is string => zoned.safeParse(value).success;

/** A moment as text. `examples`: some that suit the input. */
export function moment(examples: string): z.ZodString {
  return allowed(z.string(), { takes: `a moment with its time zone, such as ${examples}`, allows: isMoment });
}

/** A property that takes only what a rule of the platform allows. What is refused is quoted: secrets have rules of their own. */
export function allowed<Schema extends z.ZodType>(schema: Schema, rule: Rule<z.output<Schema>>): Schema {
  return withRule(schema, (value) => (rule.allows(value) ? undefined : `takes ${rule.takes}, not ${JSON.stringify(value)}`));
}

/** A text of at most `most` characters, as the platform counts them: one that takes several code units counts once. */
export function short(most: number, schema: z.ZodString = z.string()): z.ZodString {
  return withRule(schema, (text) =>
    characterCount(text) <= most ? undefined : `takes at most ${most} characters, not ${characterCount(text)}`,
  );
}

/** A list without duplicates. `of`: the texts of an item that are compared. Default: the whole item. `says`: the flaw. */
export function distinct<Item extends z.ZodType>(
  list: z.ZodArray<Item>,
  of: (item: z.output<Item>) => readonly string[] = (item) => [JSON.stringify(item)],
  says = (twice: string): string => `has ${twice} twice: name each once`,
): z.ZodArray<Item> {
  return withRule(list, (items) => {
    const all = items.flatMap(of);
    const twice = all.find((one, at) => all.indexOf(one) < at);
    return twice === undefined ? undefined : says(twice);
  });
}

/** A CIDR block or an address that gets access. A /0 is refused, as the specification requires for registries (Registry access rules). */
export const allowedRange: z.ZodString = withRule(z.string(), openingFlaw);

/** The live value of a part of a resource, which a message calls `what`. @throws Error if no program could declare it: it is not overlooked */
export function told<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const odd = result.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new ProviderError(
    "InvalidState",
    `${what} is told as no program could declare it: ${odd.join("; ")}. Look at it in the console, and tell those who run the platform if it is right there`,
  );
}
