import { addressFamily, canonicalCidr, hasHostBits } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";

/** A range or an address that may be let in. A /0, which lets everyone in, is refused, as the specification says for registries (Registry access rules). */
export const allowedRange = z.string().superRefine((text, issues) => {
  const canonical = canonicalRange(text);
  if (canonical === undefined)
    issues.addIssue({ code: "custom", message: `${text} is no range or address such as 203.0.113.0/24 or 203.0.113.7` });
  else if (text.includes("/") && hasHostBits(text))
    issues.addIssue({ code: "custom", message: `${text} has bits behind its prefix: write ${canonical}` });
  else if (canonical === "0.0.0.0/0" || canonical === "::/0")
    issues.addIssue({
      code: "custom",
      message: `${text} lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32`,
    });
});

/** Ranges in the spelling and order in which they are compared. */
export function canonicalRanges(value: unknown): unknown {
  const parsed = z.array(z.string()).safeParse(value);
  return parsed.success ? parsed.data.map((text) => canonicalRange(text) ?? text).sort() : value;
}

/** A range or an address in its canonical spelling, always with a prefix; `undefined` if it is neither. */
export function canonicalRange(text: string): string | undefined {
  const family = addressFamily(text);
  return canonicalCidr(family === undefined ? text : `${text}/${family === 4 ? 32 : 128}`);
}
