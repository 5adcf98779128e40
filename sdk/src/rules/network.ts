import { addressFamily, contains, parseCidr } from "../formats/addresses.ts";
import { canonicalRange } from "./registry.ts";
import { matching, type Rule } from "./rule.ts";

/** The ranges of a VPC have to be within one of these (public API). */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"] as const;
const inside = "10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16";

/** The most rules of a security group in one direction ("not shown" in the specification; the public API's default quota). */
export const mostPolicies = 100;
/** The most DNS servers of a VPC. */
export const mostDnsServers = 4;

/** How many there can be: of a region, of a VPC, of a gateway or of a table (the public API's default quotas). */
export const networkQuotas = { elasticIps: 20, natGateways: 3, addressesOfGateway: 10, routeTables: 10, routes: 50 } as const;

const lastPort = 65_535;
const portForm = /^(0|[1-9]\d{0,4})(?:-(0|[1-9]\d{0,4}))?$/;

/** Values of networks, whatever else there is. */
export const networkRules = {
  vpcRange: { takes: `a /12 to /28 inside ${inside}`, allows: (text) => isPrivate(text, 12, 28) },
  // The smallest subnet has 8 addresses, of which the platform reserves 3. Its VPC is a private range.
  subnetRange: { takes: `a /12 to /29 inside ${inside}`, allows: (text) => isPrivate(text, 12, 29) },
  dnsServer: { takes: "an IPv4 address", allows: (text) => addressFamily(text) === 4 },
  portForm: {
    takes: "forms such as 443, 8000-9000 or 80,443, or ALL",
    allows: (text) => text.toUpperCase() === "ALL" || text.split(",").every((part) => portForm.test(part)),
  },
  addressName: matching(/^[\w-]{1,128}$/, "1 to 128 letters, digits, - and _"),
  clientToken: matching(/^[\x20-\x7e]{1,64}$/, "1 to 64 ASCII characters"),
  ports: {
    takes: `ports from 1 to ${lastPort} in forms such as 443, 8000-9000 or 80,443, or ALL`,
    allows: (text) => text.toUpperCase() === "ALL" || text.split(",").every(isPortOrRange),
  },
} as const satisfies Readonly<Record<string, Rule>>;

function isPrivate(text: string, least: number, most: number): boolean {
  const cidr = parseCidr(text);
  return cidr !== undefined && cidr.prefix >= least && cidr.prefix <= most && privateRanges.some((range) => contains(range, cidr));
}

function isPortOrRange(text: string): boolean {
  const form = portForm.exec(text);
  if (!form) return false;
  const [from, to] = [Number(form[1]), Number(form[2] ?? form[1])];
  return from >= 1 && from <= to && to <= lastPort;
}

/**
 * The range that a rule of a security group admits or drops, in its canonical spelling, also of a single address; `undefined` for a text that is
 * neither. The platform takes `0.0.0.0/n` as `0.0.0.0/0`, everyone (public API, SecurityGroupPolicy).
 *
 * @example
 * ruleRange("0.0.0.0/8"); // "0.0.0.0/0"
 * ruleRange("203.0.113.7"); // "203.0.113.7/32"
 */
export function ruleRange(text: string): string | undefined {
  const range = canonicalRange(text);
  return range?.startsWith("0.0.0.0/") ? "0.0.0.0/0" : range;
}

/** The other end of a rule of a security group, as far as its protocol depends on it. */
interface PolicyEnd {
  readonly protocol: string;
  readonly cidrBlock?: string | undefined;
  readonly ipv6CidrBlock?: string | undefined;
}

/** Why the protocol of a security group's rule does not go with the family of its range; `undefined` if it does. */
export function familyFlaw({ protocol, cidrBlock, ipv6CidrBlock }: PolicyEnd): string | undefined {
  if (protocol.toUpperCase() === "ICMP" && ipv6CidrBlock !== undefined) return "is ICMP with an IPv6 range; ICMP of IPv6 is ICMPV6";
  if (protocol.toUpperCase() === "ICMPV6" && cidrBlock !== undefined) return "is ICMPV6 with an IPv4 range; ICMP of IPv4 is ICMP";
  return undefined;
}

/** The flaw of the bandwidth of an elastic IP, in Mbps; `undefined` if it fits the billing. */
export function bandwidthFlaw(chargeType: string, bandwidth: number): string | undefined {
  const most = chargeType === "BANDWIDTH_PREPAID_BY_MONTH" ? 200 : 100;
  return bandwidth >= 1 && bandwidth <= most ? undefined : `is ${bandwidth}; ${chargeType} takes 1 to ${most} Mbps`;
}

/** Why a NAT gateway does not take an elastic IP; `undefined` if it does. */
export function natAddressFlaw(provider: string, chargeType: string): string | undefined {
  if (provider !== "BGP") return `is of ${provider}; a NAT gateway takes BGP addresses`;
  return chargeType === "TRAFFIC_POSTPAID_BY_HOUR"
    ? undefined
    : `is billed by ${chargeType}; a NAT gateway takes addresses billed by traffic`;
}
