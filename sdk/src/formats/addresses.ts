import { Address4, Address6, AddressError } from "ip-address";
import { InputError } from "../operation/errors.ts";

/** Arithmetic of address ranges, IPv4 and IPv6. The client and the local platform both use it. */

export type Family = 4 | 6;

/** A range of addresses: those that share the first `prefix` bits. */
export interface Cidr {
  /** 4 or 6. */
  readonly family: Family;
  /** The first address (the network), as a number. */
  readonly first: bigint;
  /** The last address (the broadcast address, in IPv4), as a number. */
  readonly last: bigint;
  /** Fixed bits: 0 to 32, or to 128. */
  readonly prefix: number;
  /** The one spelling: no host bits, no leading zeros, IPv6 compressed and lower-case. */
  readonly canonical: string;
}

/** Fixed bits of a single address. */
export const bits = { 4: 32, 6: 128 } as const satisfies Record<Family, number>;

/**
 * Reads a range such as `10.0.0.0/16`. Host bits are cut off, so `10.0.3.7/16` reads as the same range; compare with
 * `canonical` where host bits are not allowed. `undefined` if it is no range: it has to have a prefix, and no zone (`%eth0`).
 *
 * @example
 * parseCidr("2001:DB8:0::/56")?.canonical; // "2001:db8::/56"
 */
export function parseCidr(text: string): Cidr | undefined {
  const form = /^([0-9A-Fa-f:.]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const host = form?.[1];
  if (host === undefined) return undefined;
  const family = host.includes(":") ? 6 : 4;
  const prefix = Number(form?.[2]);
  const address = prefix <= bits[family] ? parsedAddress(host) : undefined;
  return address && rangeOf(address.family, address.number, prefix);
}

/**
 * The one spelling of a range, without host bits; `undefined` if it is no range.
 *
 * @example
 * canonicalCidr("10.0.3.7/16"); // "10.0.0.0/16"
 */
export function canonicalCidr(text: string): string | undefined {
  return parseCidr(text)?.canonical;
}

/**
 * Whether a range is written with an address inside it rather than its first one.
 *
 * @throws InputError if it is no range.
 * @example
 * hasHostBits("10.0.3.7/16"); // true
 */
export function hasHostBits(text: string): boolean {
  const { first } = rangeIn(text);
  return parsedAddress(text.slice(0, text.indexOf("/")))?.number !== first;
}

/** The family of an address without a prefix; `undefined` if the text is no address. */
export function addressFamily(text: string): Family | undefined {
  return parsedAddress(text)?.family;
}

/**
 * Whether all of `inner` lies in `outer`; a range contains itself. Ranges of different families never do.
 *
 * @throws InputError if either is no range.
 * @example
 * contains("10.0.0.0/16", "10.0.7.0/24"); // true
 */
export function contains(outer: string | Cidr, inner: string | Cidr): boolean {
  const [out, into] = [rangeIn(outer), rangeIn(inner)];
  return out.family === into.family && out.first <= into.first && into.last <= out.last;
}

/**
 * Whether two ranges share an address. Ranges of different families never do.
 *
 * @throws InputError if either is no range.
 * @example
 * overlaps("10.0.0.0/16", "10.0.7.0/24"); // true
 */
export function overlaps(one: string | Cidr, other: string | Cidr): boolean {
  const [a, b] = [rangeIn(one), rangeIn(other)];
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/**
 * How many addresses a range has, the network's own and the broadcast address included.
 *
 * @throws InputError if it is no range.
 * @example
 * addressCount("10.0.0.0/24"); // 256n
 */
export function addressCount(range: string | Cidr): bigint {
  const { first, last } = rangeIn(range);
  return last - first + 1n;
}

/**
 * The index-th address of a range, without a prefix.
 *
 * @throws InputError if it is no range, or has no address of that index.
 * @example
 * addressAt("10.0.0.0/24", 1); // "10.0.0.1"
 */
export function addressAt(range: string | Cidr, index: number | bigint): string {
  const { family, first, last, canonical } = rangeIn(range);
  const address = first + BigInt(index);
  if (address < first || address > last) throw new InputError(`${canonical} has no address number ${index}: take 0 to ${last - first}`);
  return spelt(family, address);
}

/**
 * The index-th part of a range that is cut into parts of `prefix` fixed bits.
 *
 * @throws InputError if it is no range, if the parts are larger than it, or if it has no part of that index.
 * @example
 * cidrSubnet("2001:db8:0:ff00::/56", 64, 3); // "2001:db8:0:ff03::/64"
 * cidrSubnet("10.0.0.0/16", 24, 255); // "10.0.255.0/24"
 */
export function cidrSubnet(range: string | Cidr, prefix: number, index: number): string {
  const { family, first, prefix: fixed, canonical } = rangeIn(range);
  if (!Number.isInteger(prefix) || prefix < fixed || prefix > bits[family])
    throw new InputError(`${canonical} cannot be cut into parts of /${prefix}: take /${fixed} to /${bits[family]}`);
  const parts = 1n << BigInt(prefix - fixed);
  if (!Number.isInteger(index) || index < 0 || BigInt(index) >= parts)
    throw new InputError(`${canonical} has no /${prefix} number ${index}: take 0 to ${parts - 1n}`);
  return rangeOf(family, first + BigInt(index) * (1n << BigInt(bits[family] - prefix)), prefix).canonical;
}

function rangeIn(range: string | Cidr): Cidr {
  if (typeof range !== "string") return range;
  const cidr = parseCidr(range);
  if (!cidr) throw new InputError(`${JSON.stringify(range)} is no range of addresses such as 10.0.0.0/16 or 2001:db8::/56`);
  return cidr;
}

function rangeOf(family: Family, address: bigint, prefix: number): Cidr {
  const size = 1n << BigInt(bits[family] - prefix);
  const first = address - (address % size);
  return { family, first, last: first + size - 1n, prefix, canonical: `${spelt(family, first)}/${prefix}` };
}

function spelt(family: Family, address: bigint): string {
  return family === 4 ? Address4.fromBigInt(address).correctForm() : Address6.fromBigInt(address).correctForm();
}

function parsedAddress(text: string): { family: Family; number: bigint } | undefined {
  if (/[/%]/.test(text)) return undefined;
  const family = text.includes(":") ? 6 : 4;
  try {
    return { family, number: (family === 6 ? new Address6(text) : new Address4(text)).bigInt() };
  } catch (error) {
    if (error instanceof AddressError) return undefined;
    throw error;
  }
}
