import { type Cidr, contains, parseCidr, ruleRange } from "@container-platform/sdk";

const seen = new Map<string, Cidr | undefined>();

/** The addresses that a range or an address in a rule or a list means. The results are cached: the same texts come often. */
export function rangeOf(text: string): Cidr | undefined {
  if (!seen.has(text)) seen.set(text, parseCidr(ruleRange(text) ?? ""));
  return seen.get(text);
}

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10"].flatMap(
  (range) => parseCidr(range) ?? [],
);

/** Whether a range or an address is private, so that it cannot be reached from the internet. */
export function isPrivate(text: string): boolean {
  const range = rangeOf(text);
  return range !== undefined && privateRanges.some((outer) => contains(outer, range));
}

export function isWider(text: string, { ipv4, ipv6 }: { readonly ipv4: number; readonly ipv6: number }): boolean {
  const range = rangeOf(text);
  return range !== undefined && range.prefix < (range.family === 4 ? ipv4 : ipv6);
}

export function isOneAddress(text: string): boolean {
  const range = rangeOf(text);
  return range?.first === range?.last;
}

export function isWithin(inner: string, outer: string): boolean {
  const [within, around] = [rangeOf(inner), rangeOf(outer)];
  return within !== undefined && around !== undefined && contains(around, within);
}

export function prefixOf(text: string): number | undefined {
  return rangeOf(text)?.prefix;
}
