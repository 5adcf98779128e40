import { type Cidr, parseCidr, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";

/** What happens to a property of a resource that is taken out of the program. A default is written as `.default(…)`. */
export type Removal = "clear" | "keep" | "refuse";

/** An input that may be left out. */
export type Optional<Schema extends z.ZodType, Removed extends Removal = Removal> = z.ZodOptional<Schema> & { readonly removed: Removed };

/** Left out, there is none; taken out, it is cleared on the platform. */
export function cleared<Schema extends z.ZodType>(schema: Schema): Optional<Schema, "clear"> {
  return Object.assign(schema.optional(), { removed: "clear" as const });
}

/** Left out, it is the platform's to choose; taken out, what is there stays and is no longer managed. */
export function kept<Schema extends z.ZodType>(schema: Schema): Optional<Schema, "keep"> {
  return Object.assign(schema.optional(), { removed: "keep" as const });
}

/** Left out, it is the platform's to choose; once set, it can be changed but not taken out. */
export function refusedOnceSet<Schema extends z.ZodType>(schema: Schema): Optional<Schema, "refuse"> {
  return Object.assign(schema.optional(), { removed: "refuse" as const });
}

/** A name. Left out, it is the resource's name in the program with a short suffix, the same one each time. */
export function named(schema: z.ZodString): z.ZodDefault<z.ZodString> & { readonly named: true } {
  return Object.assign(schema.default(""), { named: true as const });
}

/** How many characters of the URN's hash a name ends in. */
export const suffixLength = 7;

/** A nested object. Like `z.object`, whose type, though, drops the comments on its keys from published declarations. */
export const object: <Of extends z.core.$ZodLooseShape>(shape: Of) => z.ZodObject<Of, z.core.$strict> = z.strictObject;

/** The name of a thing, 1 to 60 characters (specification, Limits). */
export const name = z.string().min(1).max(60);

/** An IPv4 range in its one spelling, such as `10.0.0.0/16`. */
export const cidr4 = range("an IPv4 range such as 10.0.0.0/16", ({ family }) => family === 4);

/** The IPv6 range of a subnet (specification, Limits): always a /64. */
export const subnetCidr6 = range(
  "the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ({ family, prefix }) => family === 6 && prefix === 64,
);

function range(what: string, fits: (range: Cidr) => boolean): z.ZodString {
  return z.string().superRefine((text, issues) => {
    const parsed = parseCidr(text);
    if (!parsed || !fits(parsed)) issues.addIssue({ code: "custom", message: `${text} is not ${what}` });
    else if (parsed.canonical !== text)
      issues.addIssue({ code: "custom", message: `${text} is not in its one spelling: write ${parsed.canonical}` });
  });
}

/** Tags, labels and the like, by name. */
export const pairs = z.record(z.string(), z.string());

/** How the keys of the provider's own tags begin. */
export const ownPrefix = "container-platform/";

/** Tags. The provider adds tags of its own. */
export const tagPairs = Object.assign(
  pairs.refine(
    (tags) => !Object.keys(tags).some((key) => key.startsWith(ownPrefix)),
    `takes no keys that begin with ${ownPrefix}: those are the provider's own`,
  ),
  { holdsTags: true },
);

/** The input that holds the tags of a resource. */
export function tagsInputIn(inputs: Readonly<Record<string, z.core.$ZodType>>): string | undefined {
  return Object.keys(inputs).find((key) => {
    const schema = inputs[key];
    return schema && "holdsTags" in unwrapped(schema);
  });
}

/** A list whose order means nothing. */
export function unordered<Item extends z.ZodType>(items: z.ZodArray<Item>): z.ZodArray<Item> {
  return spelt(items, (given) => (Array.isArray(given) ? given.toSorted((one, other) => text(one).localeCompare(text(other))) : given));
}

/** An input that can be written in several ways which mean the same: `canonical` is the way in which they are compared. */
export function spelt<Schema extends z.ZodType>(schema: Schema, canonical: (value: unknown) => unknown): Schema {
  return Object.assign(schema, { canonical });
}

const text = (item: unknown): string => (typeof item === "string" ? item : JSON.stringify(item));

/** An input, or a part of one, that is never shown. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return Object.assign(schema, { secret: true });
}
