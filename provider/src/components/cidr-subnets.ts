import { parseCidr } from "@container-platform/sdk";

/** The subnets of one role: one in each zone, all of this size. */
export interface RoleSize {
  readonly role: string;
  /** Prefix of each IPv4 subnet. */
  readonly prefix: number;
}

/** Where a role's subnets begin: the indexes of its first subnet among all of its size. The next zone has the next index. */
export interface Beginning {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** The widest range of a VPC, and how many /64s its IPv6 block has (specification, Limits). */
const widest = 12;
const ipv6Subnets = 256;

/**
 * Where each role's subnets begin in a range, by role; `undefined` if they do not fit. The first role begins at the start of the range, the
 * second one at its half, the third and fourth at its first and third quarter, and so on. So a zone or a role that is added at the end
 * moves no subnet of the others.
 */
export function beginningsOf(range: string, sizes: readonly RoleSize[], zones: number): ReadonlyMap<string, Beginning> | undefined {
  return beginningsIn(parseCidr(range)?.prefix ?? 32, sizes, zones);
}

function beginningsIn(prefix: number, sizes: readonly RoleSize[], zones: number): ReadonlyMap<string, Beginning> | undefined {
  const starts = sizes.map((_, order) => fraction(order));
  const found = sizes.map(({ role, prefix: length }, order) => {
    const start = fraction(order);
    const end = Math.min(1, ...starts.filter((other) => other > start));
    const [ipv4, ipv6] = [placeIn(2 ** (length - prefix), start, end, zones), placeIn(ipv6Subnets, start, end, zones)];
    return ipv4 === undefined || ipv6 === undefined ? undefined : ([role, { ipv4, ipv6 }] as const);
  });
  const fitting = found.filter((one) => one !== undefined);
  return fitting.length === sizes.length ? new Map(fitting) : undefined;
}

/** The index of the first of `zones` subnets in a part of a range that holds `count` of them; `undefined` if they do not fit. */
function placeIn(count: number, start: number, end: number, zones: number): number | undefined {
  const first = count * start;
  return Number.isInteger(first) && first + zones <= count * end ? first : undefined;
}

/** Where the part of a role begins: 0, 1/2, 1/4, 3/4, 1/8, 5/8, …, the binary digits of its number in reverse. */
function fraction(order: number): number {
  const digits = order.toString(2);
  return Number.parseInt(Array.from(digits).toReversed().join(""), 2) / 2 ** digits.length;
}

/** The smallest range, by its prefix, in which the subnets fit; `undefined` if no VPC is wide enough. */
export function smallestPrefix(sizes: readonly RoleSize[], zones: number): number | undefined {
  const longest = Math.min(32, ...sizes.map(({ prefix }) => prefix));
  const prefixes = Array.from({ length: Math.max(0, longest - widest + 1) }, (_, index) => longest - index);
  return prefixes.find((prefix) => beginningsIn(prefix, sizes, zones) !== undefined);
}
