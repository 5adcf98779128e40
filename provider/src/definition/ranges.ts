import { canonicalRange, openingFlaw } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { withRule } from "./allowed.ts";

/** A range or an address that may be let in. A /0, which lets everyone in, is refused, as the specification says for registries (Registry access rules). */
export const allowedRange: z.ZodString = withRule(
  z.string(),
  "a range or an address that does not let everyone in",
  openingFlaw,
  "<value> is no range or address such as 203.0.113.0/24 or 203.0.113.7",
  "<value> has bits behind its prefix: write <range>",
  "<value> lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32",
);

/** Ranges in the spelling and order in which they are compared. */
export function canonicalRanges(value: unknown): unknown {
  const parsed = z.array(z.string()).safeParse(value);
  return parsed.success ? parsed.data.map((text) => canonicalRange(text) ?? text).sort() : value;
}
