import { contains, parseCidr } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { rangeOf } from "../../plan/addresses.ts";

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
