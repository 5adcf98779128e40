import { canonicalRange, openingFlaw } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { withRule } from "./allowed.ts";

/** A range or an address that may be let in. A /0, which lets everyone in, is refused, as the specification says for registries (Registry access rules). */
export const allowedRange: z.ZodString = withRule(z.string(), openingFlaw);

/** Ranges in the spelling and order in which they are compared. */
export function canonicalRanges(value: unknown): unknown {
  const parsed = z.array(z.string()).safeParse(value);
  return parsed.success ? parsed.data.map((text) => canonicalRange(text) ?? text).sort() : value;
}
