import { areEveryone, parseCidr, ruleRange } from "@container-platform/sdk";

/** The prefix of the widest range that one site has. A wider range is probably a mistake. */
const widest = { 4: 24, 6: 48 } as const;

/** The warning about the entries of an allowlist that give access to more than one site. */
export function wideRanges(path: string, ranges: readonly string[] = []): string | undefined {
  const wide = ranges.filter((text) => {
    const range = parseCidr(ruleRange(text) ?? "");
    return range !== undefined && range.prefix < widest[range.family];
  });
  if (wide.length === 0) return undefined;
  const whom = areEveryone(ranges) ? "everyone" : `more than a /${widest[4]} (IPv6: a /${widest[6]})`;
  return `${path}: ${wide.join(", ")} ${wide.length === 1 ? "gives" : "give"} access to ${whom}. List the ranges that need access, best single addresses`;
}
