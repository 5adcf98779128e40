import { characterCount, type Cidr, longest, mostTags, networkRules, parseCidr, type Rule, textRules } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { marked, type Marks, marksOf } from "../schema/marks.ts";
import { allowed, short, withRule } from "./allowed.ts";

declare const removal: unique symbol;

/** An input that may be left out, and says what taking it out of the program does. A default is written as `.default(…)`. */
export type Optional<Schema extends z.ZodType> = z.ZodOptional<Schema> & { readonly [removal]: NonNullable<Marks["removed"]> };

/** An input without a value if it is left out. Taken out of the program, it is cleared on the platform. */
export function cleared<Schema extends z.ZodType>(schema: Schema): Optional<Schema>;
export function cleared(schema: z.ZodType): z.ZodOptional {
  return marked(schema.optional(), { removed: "clear" });
}

/** An input that the platform chooses if it is left out. Taken out of the program, it keeps its live value and is no longer managed. */
export function kept<Schema extends z.ZodType>(schema: Schema): Optional<Schema>;
export function kept(schema: z.ZodType): z.ZodOptional {
  return marked(schema.optional(), { removed: "keep" });
}

/** An input that the platform chooses if it is left out. Once it is set, it can be changed but not taken out. */
export function refusedOnceSet<Schema extends z.ZodType>(schema: Schema): Optional<Schema>;
export function refusedOnceSet(schema: z.ZodType): z.ZodOptional {
  return marked(schema.optional(), { removed: "refuse" });
}

/** An input that the platform chooses if it is left out, with its choices that never change in any region: the importer omits them. */
export function usually<Input extends Optional<z.ZodType>>(input: Input, ...choices: readonly z.output<Input>[]): Input {
  return marked(input, { choices });
}

/** An input whose value, if it is left out, follows from parts beside it once the program changes them. Until then it stays as it is. */
export function following<Input extends Optional<z.ZodType>>(input: Input, ...follows: readonly string[]): Input {
  return marked(input, { follows });
}

/** A name. If it is left out, it is the resource's name in the program and a short suffix, which is the same each time. */
export function named(schema: z.ZodString): z.ZodDefault<z.ZodString> {
  return marked(schema.default(""), { named: true });
}

/** The length of that suffix, which is the beginning of the URN's hash. */
export const suffixLength = 7;

/** A nested object. It is used instead of `z.object`, whose type drops the comments on its keys from published declarations. */
export const object: <Of extends z.core.$ZodLooseShape>(shape: Of) => z.ZodObject<Of, z.core.$strict> = z.strictObject;

/** The name of a resource, 1 to 60 characters (specification, Limits). */
export const name: z.ZodString = allowed(short(longest.name, z.string().min(1)), textRules.name);

/** An IPv4 range in its canonical spelling, such as `10.0.0.0/16`. */
export const cidr4: z.ZodString = range("an IPv4 range such as 10.0.0.0/16", ({ family }) => family === 4);

/** The range of a VPC, and of a subnet. */
export const vpcRange: z.ZodString = range("an IPv4 range such as 10.0.0.0/16", ({ family }) => family === 4, networkRules.vpcRange);
export const subnetRange: z.ZodString = range("an IPv4 range such as 10.0.1.0/24", ({ family }) => family === 4, networkRules.subnetRange);

/** The IPv6 range of a subnet (specification, Limits): always a /64. */
export const subnetCidr6 = range(
  "the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ({ family, prefix }) => family === 6 && prefix === 64,
);

function range(what: string, fits: (range: Cidr) => boolean, rule?: Rule): z.ZodString {
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

/** The input that holds the tags of a resource. */
export function tagsInputIn(inputs: Readonly<Record<string, z.core.$ZodType>>): string | undefined {
  return Object.entries(inputs).find(([, schema]) => marksOf(schema).tags)?.[0];
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
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { secret: true });
}
