import { addressFamily, canonicalCidr, hasHostBits, parseCidr } from "../formats/addresses.ts";
import { matching, type Rule } from "./rule.ts";

const separated = "which neither begin nor end it nor follow each other";

/** Values of registries, whatever else there is. Their letters and digits are the public API's. */
export const registryRules = {
  registryName: matching(
    /^[a-z0-9][a-z0-9-]{3,48}[a-z0-9]$/,
    "5 to 50 lower-case letters, digits and -, and neither begins nor ends with -",
  ),
  namespaceName: matching(
    /^(?=.{2,30}$)[a-z0-9]+(?:[._-][a-z0-9]+)*$/,
    `2 to 30 lower-case letters, digits and separators (., _, -), ${separated}`,
  ),
  repositoryName: matching(
    /^(?=.{2,200}$)[a-z0-9]+(?:[._/-][a-z0-9]+)*$/,
    `2 to 200 lower-case letters, digits and separators (., _, -, /), ${separated}`,
  ),
  accountName: matching(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, `lower-case letters, digits and separators (., _, -), ${separated}`),
  vulnerability: matching(/^CVE-\d{4}-\d{4,}$/, "numbers such as CVE-2026-12345"),
  ruleName: { takes: "a name without /", allows: (text) => text.trim() !== "" && !/[\p{Cc}/]/u.test(text) },
} as const satisfies Readonly<Record<string, Rule>>;

/** A range or an address in its canonical spelling, always with a prefix; `undefined` if it is neither. */
export function canonicalRange(text: string): string | undefined {
  const family = addressFamily(text);
  return canonicalCidr(family === undefined ? text : `${text}/${family === 4 ? 32 : 128}`);
}

/**
 * Why a range or an address cannot be let in; `undefined` if it can. A /0, which lets everyone in, is never taken (specification, Registry
 * access rules).
 */
export function openingFlaw(text: string): string | undefined {
  const canonical = canonicalRange(text);
  if (canonical === undefined) return `${text} is no range or address such as 203.0.113.0/24 or 203.0.113.7`;
  if (text.includes("/") && hasHostBits(text)) return `${text} has bits behind its prefix: write ${canonical}`;
  if (parseCidr(canonical)?.prefix === 0)
    return `${text} lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32`;
  return undefined;
}
