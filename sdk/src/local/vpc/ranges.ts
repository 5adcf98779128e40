import { addressCount, type Cidr, hasHostBits, overlaps, parseCidr } from "../../formats/addresses.ts";
import type { Call } from "../behaviour.ts";
import type { Rows } from "../store/table.ts";

/** Addresses that the platform reserves in every subnet: network, gateway and broadcast. */
const kept = 3n;

/** An IPv4 address as text that sorts like the address. */
export function rangeKey(address: bigint): string {
  return address.toString(16).padStart(8, "0");
}

/** The number of IPv4 addresses that a subnet can assign. */
export function usableAddresses(cidrBlock: string): number {
  return Number(addressCount(cidrBlock) - kept);
}

/** Parses a range; refuses one with host bits, or of the other address family. */
export function rangeOf(call: Call<"InvalidParameterValue.Malformed">, parameter: string, text: string, family: 4 | 6): Cidr {
  const example = family === 4 ? "10.0.0.0/16" : "2001:db8::/64";
  const cidr = parseCidr(text);
  if (cidr?.family !== family)
    throw call.error(
      "InvalidParameterValue.Malformed",
      `${parameter} is ${JSON.stringify(text)}; it takes an IPv${family} range such as ${example}`,
    );
  // Other spellings of the same IPv6 range are taken, and answered in the canonical one. Host bits are a mistake of the caller.
  if (hasHostBits(text))
    throw call.error("InvalidParameterValue.Malformed", `${parameter} is ${text}, which has host bits; the range is ${cidr.canonical}`);
  return cidr;
}

/**
 * The row of a parent whose range overlaps a new one. The rows' ranges do not overlap each other: so only the last one that
 * begins at or before the new range's end can.
 */
export function overlapping<Row extends { id: string; cidrBlock: string }>(rows: Rows<Row>, cidr: Cidr, parent?: string): Row | undefined {
  const nearest = rows.lastUpTo(rangeKey(cidr.last), parent);
  return nearest && overlaps(nearest.cidrBlock, cidr) ? nearest : undefined;
}
