import { addressFamily, type Cidr, contains, parseCidr } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";

const seen = new Map<string, Cidr | undefined>();

/** A range, or an address as a range of one address. The results are cached: the same texts come often. */
function rangeOf(text: string): Cidr | undefined {
  if (!seen.has(text)) {
    const family = addressFamily(text);
    seen.set(text, parseCidr(family === undefined ? text : `${text}/${family === 4 ? 32 : 128}`));
  }
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

/** Parameters of a rule: how wide ranges may be. */
export function widths(ipv4: number, ipv6: number) {
  return {
    ipv4: z.int().min(0).max(32).default(ipv4).describe("Shortest prefix of an IPv4 range"),
    ipv6: z.int().min(0).max(128).default(ipv6).describe("Shortest prefix of an IPv6 range"),
  };
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
