import { cidrSubnet as subnetOf } from "@container-platform/sdk";

/**
 * The index-th part of a range that is cut into parts of `prefix` fixed bits.
 *
 * @throws InputError for an invalid CIDR block, for parts that are larger than it, and for an index beyond the last part
 * @example
 * cidrSubnet("2001:db8:0:ff00::/56", 64, 3); // "2001:db8:0:ff03::/64"
 * cidrSubnet("10.0.0.0/16", 24, 255); // "10.0.255.0/24"
 */
export function cidrSubnet(range: string, prefix: number, index: number): string {
  return subnetOf(range, prefix, index);
}
