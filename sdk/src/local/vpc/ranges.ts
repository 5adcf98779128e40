import { addressCount, type Cidr, hasHostBits, overlaps, parseCidr } from "../../formats/addresses.ts";
import type { Call } from "../behaviour.ts";
import type { Rows } from "../store/table.ts";

/** Addresses that the platform keeps in every subnet: network, gateway and broadcast. */
const kept = 3n;

/** An IPv4 address as text that sorts as the addresses do. */
export function rangeKey(address: bigint): string {
  return address.toString(16).padStart(8, "0");
}

/** IPv4 addresses that a subnet has to give. */
export function usableAddresses(cidrBlock: string): number {
  return Number(addressCount(cidrBlock) - kept);
}

/** A range without host bits, of the family that the parameter takes; refused otherwise. */
export function rangeOf(call: Call<"InvalidParameterValue.Malformed">, parameter: string, text: string, family: 4 | 6): Cidr {
  const example = family === 4 ? "10.0.0.0/16" : "2001:db8::/64";
  const cidr = parseCidr(text);
  if (cidr?.family !== family)
    throw call.error(
      "InvalidParameterValue.Malformed",
      `${parameter} is ${JSON.stringify(text)}; it takes an IPv${family} range such as ${example}`,
    );
  // IPv6 has many spellings of one range: that of the platform is answered. A range with host bits is another matter, and a mistake.
  if (hasHostBits(text))
    throw call.error("InvalidParameterValue.Malformed", `${parameter} is ${text}, which has host bits; the range is ${cidr.canonical}`);
  return cidr;
}

/**
 * Which of a parent's ranges shares addresses with a new one. As they do not overlap each other, the last one that begins
 * at or before the new one's end is the only one that can.
 */
export function overlapping<Row extends { id: string; cidrBlock: string }>(rows: Rows<Row>, cidr: Cidr, parent?: string): Row | undefined {
  const nearest = rows.lastUpTo(rangeKey(cidr.last), parent);
  return nearest && overlaps(nearest.cidrBlock, cidr) ? nearest : undefined;
}
