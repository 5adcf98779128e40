import { parseCidr } from "@container-platform/sdk";

/** The subnets by role, in order: one in each zone, all with this IPv4 prefix. */
export type Sizes = Readonly<Record<string, { readonly prefix: number }>>;

/** The widest range of a VPC, and how many /64s its IPv6 block has (specification, Limits). */
const widest = 12;
const ipv6Subnets = 256;

/**
 * Where each role's subnets begin in a range, by role: the index of its first subnet among all of its size in each family. The next zone has
 * the next one. `undefined` if they do not fit. The first role begins at the start of the range, the second one at its half, the third and
 * fourth at its first and third quarter, and so on. So a zone or a role that is added at the end moves no subnet of the others.
 */
export function beginningsOf(range: string, sizes: Sizes, zones: number) {
  const whole = parseCidr(range)?.prefix ?? 32;
  const roles = Object.entries(sizes);
  const fitting = roles.flatMap(([role, { prefix }], order) => {
    const start = fraction(order);
    const end = Math.min(1, ...roles.map((_, other) => fraction(other)).filter((other) => other > start));
    const ipv4Subnets = 2 ** (prefix - whole);
    const fits = (count: number) => Number.isInteger(count * start) && count * start + zones <= count * end;
    return fits(ipv4Subnets) && fits(ipv6Subnets) ? [[role, { ipv4: ipv4Subnets * start, ipv6: ipv6Subnets * start }] as const] : [];
  });
  return fitting.length === roles.length ? new Map(fitting) : undefined;
}

/** Where the part of a role begins: 0, 1/2, 1/4, 3/4, 1/8, 5/8, …, the binary digits of its number in reverse. */
function fraction(order: number): number {
  const digits = order.toString(2);
  return Number.parseInt(Array.from(digits).toReversed().join(""), 2) / 2 ** digits.length;
}

/** The smallest range, by its prefix, in which the subnets fit; `undefined` if no VPC is wide enough. */
export function smallestPrefix(sizes: Sizes, zones: number): number | undefined {
  const longest = Math.min(32, ...Object.values(sizes).map(({ prefix }) => prefix));
  const prefixes = Array.from({ length: Math.max(0, longest - widest + 1) }, (_, index) => longest - index);
  return prefixes.find((prefix) => beginningsOf(`0.0.0.0/${prefix}`, sizes, zones) !== undefined);
}
