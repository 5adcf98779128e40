import { canonicalCidr, cidrSubnet, networkRules } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { ComponentResource, type ComponentResourceOptions, type Input, log, type Output, output } from "@pulumi/pulumi";
import { distinct, ipv4Range } from "../definition/inputs.ts";
import { knownValue } from "../dynamic/known.ts";
import { withTimes } from "../dynamic/options.ts";
import { ipv6Out } from "../resources/cluster/nodes/way-out.ts";
import type { Ipv6Block } from "../resources/network/ipv6-block.ts";
import type { RouteTable } from "../resources/network/route-table.ts";
import type { Subnet } from "../resources/network/subnet.ts";
import type { Vpc } from "../resources/network/vpc.ts";
import { byName, checked, enforced, fail, input, parts, refuse, type Schemas, takes } from "./arguments.ts";
import { type ChildAliases, childrenOf, mapped, type Transforms, childOptionsFor } from "./children.ts";
import { beginningsOf, type Sizes, smallestPrefix } from "./cidr-subnets.ts";
import { counted, type PlacedZone, zonesOf } from "./zones.ts";

/** The subnets of one role, one in each zone. */
export interface SubnetRole {
  /** Prefix length of each IPv4 CIDR block, 12 to 29: `20` has 4,096 addresses. */
  prefix: number;
  /** Tags of these subnets, by key, in addition to those of the network. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
}

/** The children of a network that `transform` and `childAliases` know. */
export const networkChildren = ["vpc", "ipv6", "elasticIp", "natGateway", "routeTable", "subnet"] as const;
export type NetworkChild = (typeof networkChildren)[number];

/** The arguments of `Network`. */
export interface NetworkArgs<Role extends string = string> {
  /** IPv4 CIDR block of the VPC. A change replaces the VPC. Default: `10.0.0.0/16`. */
  cidrBlock?: string | undefined;
  /**
   * Names of the availability zones, or their number: the first available zones by name, which then remain. Removing a zone moves no other
   * subnet. Default: 3.
   */
  zones?: number | readonly string[] | undefined;
  /** Whether the network also has IPv6: a /56 for the VPC, and a /64 for each subnet. Default: true. */
  dualStack?: boolean | undefined;
  /**
   * Roles of the subnets. Each role has one subnet in each zone. Append new roles: subnets of other roles do not move. Default: `{ nodes: {
   * prefix: 20 } }`.
   */
  subnets?: Readonly<Record<Role, SubnetRole>> | undefined;
  /**
   * How the subnets reach the internet over IPv4: one NAT gateway with an elastic IP (`nat`), one in each zone (`nat-per-zone`), or not at
   * all (`none`). It opens nothing over IPv6. Default: not at all, and the preview warns that new nodes have no way out.
   */
  egress?: "nat" | "nat-per-zone" | "none" | undefined;
  /** Tags of all children that take tags, by key. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
  /** Functions that change the arguments and options of the children. Default: none. */
  transform?: Transforms<NetworkChild> | undefined;
  /** Names of top-level resources of the stack that become children, without a change on the platform. Default: none. */
  childAliases?: ChildAliases<NetworkChild> | undefined;
}

/** @internal */
export const tags = z.record(z.string(), input<string>(), takes("tags by key")).optional();

const subnetRole = parts("an object, such as { prefix: 20 }", {
  prefix: z.int(takes("the prefix length of a subnet, 12 to 29")).min(12).max(29),
  tags,
} satisfies Schemas<SubnetRole>);

const zoneName = takes('the name of a zone, such as "eu-frankfurt-1"');

/** @internal */
export const egress = z.enum(["nat", "nat-per-zone", "none"], takes('"nat", "nat-per-zone" or "none"')).optional();

/** The schema of the arguments of a network. @internal */
export const networkSchema = parts("an object", {
  cidrBlock: enforced(
    z.string(takes('a range that is known in the preview, such as "10.0.0.0/16"')),
    ipv4Range("10.0.0.0/16", networkRules.vpcRange),
  ).default("10.0.0.0/16"),
  zones: z
    .union(
      [z.int().min(1), enforced(distinct(z.array(z.string(zoneName).regex(/\S/, zoneName)).min(1)))],
      takes('a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"]'),
    )
    .default(3),
  dualStack: z.boolean(takes("true or false")).default(true),
  subnets: byName("roles of subnets, such as { nodes: { prefix: 20 } }", subnetRole).default({ nodes: { prefix: 20 } }),
  egress,
  tags,
  ...childOptionsFor(networkChildren),
} satisfies Schemas<NetworkArgs>).superRefine((layout, context) => {
  const flaw = context.issues.length === 0 ? tooSmall(layout, Array.isArray(layout.zones) ? layout.zones.length : layout.zones) : undefined;
  if (flaw) fail(context, flaw.says, [flaw.of]);
});

/**
 * A private network: a VPC, its IPv6 block, and subnets in several zones, by role.
 *
 * The VPC and its IPv6 block have the name of the network, and the subnets `<network>-<role>-<zone>`. An elastic IP, a NAT gateway and a route
 * table have the name of the network, or `<network>-<zone>` if there is one in each zone.
 *
 * @example
 * const network = new Network("prod", { zones: 2, subnets: { nodes: { prefix: 20 }, pods: { prefix: 18 } } });
 * export const vpcId = network.vpc.vpcId;
 * export const podSubnetIds = network.subnetIds.pods;
 */
export class Network<Role extends string = "nodes"> extends ComponentResource {
  /** The VPC. */
  readonly vpc: Vpc;
  /** The IPv6 block of the VPC; `undefined` without `dualStack`. */
  readonly ipv6: Ipv6Block | undefined;
  /** IPv4 CIDR block of the VPC. */
  readonly cidrBlock: string;
  /** The roles of the subnets, in the order in which they were given. */
  readonly roles: readonly string[];
  /** The names of the zones, in order. */
  readonly zones: Output<readonly string[]>;
  /** The subnets by role, and then by zone. */
  readonly subnets: Readonly<Record<Role, Output<Readonly<Record<string, Subnet>>>>>;
  /** IDs of the subnets by role, in the order of the zones. */
  readonly subnetIds: Readonly<Record<Role, Output<string[]>>>;
  /** The public IPv4 addresses from which the subnets reach the internet; empty without a NAT gateway. */
  readonly egressIps: Output<string[]>;
  readonly #made: Output<unknown> = output(undefined);

  constructor(name: string, args: NetworkArgs<Role> = {}, opts?: ComponentResourceOptions) {
    super("container-platform:index:Network", name, {}, withTimes(`Network ${name}`, opts));
    const layout = checked(this, "Network", networkSchema, args);
    const { cidrBlock, zones, dualStack, subnets, egress } = layout;
    const beginnings = beginningsOf(cidrBlock, subnets, 1);
    const children = childrenOf(this, args);
    this.cidrBlock = cidrBlock;
    this.roles = Object.keys(subnets);
    this.vpc = children.make("vpc", { name, args: { cidrBlock }, from: { cidrBlock: "cidrBlock" } });
    const { vpcId } = this.vpc;
    this.ipv6 = dualStack ? children.make("ipv6", { name, args: { vpcId } }) : undefined;
    const placed = zonesOf(this, name, zones);
    this.zones = placed.apply((all) => all.map(({ zone }) => zone));

    const ips: Output<string>[] = [];
    const wayOut = (key: string, zone?: string): RouteTable => {
      const { addressIp } = children.make("elasticIp", { name: key, args: { internetMaxBandwidthOut: mostBandwidth } });
      ips.push(addressIp);
      const made = { vpcId, zone, publicIpAddresses: [addressIp] };
      const { natGatewayId } = children.make("natGateway", { name: key, args: made, from: { zone: "zones" } });
      const routes = [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT" as const, gatewayId: natGatewayId }];
      return children.make("routeTable", { name: key, args: { vpcId, routes } });
    };
    const shared = egress === "nat" ? wayOut(name) : undefined;
    const isHalf = egress?.startsWith("nat") === true && dualStack;
    if (isHalf) void log.info(`egress: a NAT gateway is for IPv4 alone: over IPv6, ${ipv6Out}`, this);
    const tables = new Map<string, RouteTable>();

    const subnetIn = (role: string, { prefix, tags }: SubnetRole, { zone, place }: PlacedZone): Subnet => {
      const { ipv4, ipv6 } = beginnings?.get(role) ?? { ipv4: 0, ipv6: 0 };
      const made = {
        vpcId,
        zone,
        cidrBlock: cidrSubnet(cidrBlock, prefix, ipv4 + place),
        ipv6SubnetCidrBlock: this.ipv6?.subnetCidrBlock(ipv6 + place),
        routeTableId: (tables.get(zone) ?? shared)?.routeTableId,
      };
      const from = { zone: "zones", ...(egress === undefined ? {} : { routeTableId: "egress" }) };
      return children.make("subnet", { name: `${name}-${role}-${zone}`, args: made, tags, from });
    };
    const made = placed.apply((all) => {
      refuse(this, farPlaces(layout, all));
      if (egress === "nat-per-zone") for (const { zone } of all) tables.set(zone, wayOut(`${name}-${zone}`, zone));
      const byZone = mapped(subnets, (role, one) => Object.fromEntries(all.map((placed) => [placed.zone, subnetIn(role, one, placed)])));
      children.finish();
      return byZone;
    });
    this.#made = made;
    this.subnets = mapped(subnets, (role) => made.apply((all) => all[role] ?? {}));
    this.egressIps = made.apply(() => output(ips));
    this.subnetIds = mapped(this.subnets, (_, subnet) => subnet.apply((all) => output(Object.values(all).map(({ subnetId }) => subnetId))));
    // Pulumi waits for these, and so for the subnets. What went wrong with them is said by the outputs above, once.
    const subnetIds = knownValue(made).then(
      () => this.subnetIds,
      () => undefined,
    );
    this.registerOutputs({ vpcId, subnetIds });
  }

  /** What depends on the network waits for its subnets, too. */
  protected override async initialize(): Promise<void> {
    // The constructor goes on before this does.
    await Promise.resolve();
    await knownValue(this.#made);
  }
}

/** In Mbps: the most that an elastic IP has that is billed by traffic. */
const mostBandwidth = 100;

interface Layout {
  readonly cidrBlock: string;
  readonly subnets: Sizes;
}

/** Zones whose places are behind the end of the range: there may be more places than zones, as each zone has its own. */
function farPlaces(layout: Layout, placed: readonly PlacedZone[]): string[] {
  for (const { zone, place } of placed) {
    const flaw = tooSmall(layout, place + 1);
    if (flaw)
      return [`zones: ${zone} has place ${place + 1} in the ranges, as the zones before it keep theirs`, `${flaw.of}: ${flaw.says}`];
  }
  return [];
}

/** Why the subnets do not fit into the range; `undefined` if they do. */
function tooSmall({ cidrBlock, subnets }: Layout, zones: number): { readonly of: keyof NetworkArgs; readonly says: string } | undefined {
  if (beginningsOf(cidrBlock, subnets, zones)) return undefined;
  const each = ([role, { prefix }]: [string, { readonly prefix: number }]) => `${role} (${counted(zones, "subnet")} with /${prefix})`;
  const wanted = Object.entries(subnets).map(each).join(", ");
  const prefix = smallestPrefix(subnets, zones);
  if (prefix === undefined) {
    const says = `${wanted} fit into no VPC, which is a /12 at most: give the subnets longer prefixes, or take fewer zones`;
    return { of: "subnets", says };
  }
  const example = canonicalCidr(`${cidrBlock.replace(/\/.*/, "")}/${prefix}`) ?? `/${prefix}`;
  const says = `${cidrBlock} is too small for ${wanted}: the smallest range that would do is a /${prefix}, such as ${example}`;
  return { of: "cidrBlock", says };
}
