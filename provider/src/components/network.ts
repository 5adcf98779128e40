import { canonicalCidr, cidrSubnet } from "@container-platform/sdk";
import { ComponentResource, type ComponentResourceOptions, type Input, type Output, output } from "@pulumi/pulumi";
import { vpcRange } from "../definition/inputs.ts";
import { inWords } from "../pulumi/in-words.ts";
import { knownValue } from "../pulumi/known.ts";
import { withTimes } from "../pulumi/options.ts";
import { Ipv6Block } from "../resources/network/ipv6-block.ts";
import { Subnet } from "../resources/network/subnet.ts";
import { Vpc } from "../resources/network/vpc.ts";
import { validated } from "../schema/validate.ts";
import { type Beginning, beginningsOf, type Room, smallestPrefix } from "./cidr-subnets.ts";
import { type ChildAliases, Children, type Transforms } from "./children.ts";
import { mapped, tagged } from "./records.ts";
import { counted, notAllObjects, notFlags, notObjects, refuse, unknownKeys, wrongNames, wrongWishes } from "./mistakes.ts";
import { goingBy, namesOf } from "./names.ts";
import { lackingFor } from "./reading.ts";
import { type PlacedZone, zonesOf } from "./zones.ts";

/** The subnets of one role, one in each zone. */
export interface SubnetRole {
  /** Prefix length of each IPv4 CIDR block, 12 to 29: `20` has 4,096 addresses. */
  prefix: number;
  /** Tags of these subnets, by key, in addition to those of the network. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
}

/** The children of a network that `transform` and `childAliases` know. */
export type NetworkChild = "vpc" | "ipv6" | "subnet";

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
  /** Tags of all children that take tags, by key. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
  /** Functions that change the arguments and options of the children. Default: none. */
  transform?: Transforms<NetworkChild> | undefined;
  /** Names of top-level resources of the stack that become children, without a change on the platform. Default: none. */
  childAliases?: ChildAliases<NetworkChild> | undefined;
}

/** The arguments of a network. */
export const networkArguments: Readonly<Record<keyof NetworkArgs, true>> = {
  cidrBlock: true,
  zones: true,
  dualStack: true,
  subnets: true,
  tags: true,
  transform: true,
  childAliases: true,
};

/**
 * A private network: a VPC, its IPv6 block, and subnets in several zones, by role.
 *
 * The VPC and its IPv6 block have the name of the network, and the subnets `<network>-<role>-<zone>`.
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
  readonly #made: Output<unknown> = output(undefined);

  constructor(name: string, args: NetworkArgs<Role> = {}, opts?: ComponentResourceOptions) {
    super("container-platform:index:Network", name, {}, withTimes(`Network ${name}`, opts));
    refuse(goingBy(this, namesOf(args)), wrongShapes(args));
    refuse(this, lackingFor(this));
    const { cidrBlock = "10.0.0.0/16", zones = 3, dualStack = true } = args;
    const subnets: Layout["subnets"] = args.subnets ?? { nodes: { prefix: 20 } };
    const beginnings = beginningsFor(this, args, { cidrBlock, zones, subnets });
    const children = new Children(this, args);
    this.cidrBlock = cidrBlock;
    this.roles = Object.keys(subnets);
    this.vpc = children.make({ kind: "vpc", of: Vpc, name, args: { cidrBlock, ...tagged(args.tags) }, from: { cidrBlock: "cidrBlock" } });
    const { vpcId } = this.vpc;
    this.ipv6 = dualStack ? children.make({ kind: "ipv6", of: Ipv6Block, name, args: { vpcId } }) : undefined;
    const placed = zonesOf(this, name, zones);
    this.zones = placed.apply((all) => all.map(({ zone }) => zone));

    const subnetIn = (role: string, { zone, place }: PlacedZone): Subnet => {
      const { prefix, tags } = subnets[role] ?? { prefix: 20, tags: {} };
      const { ipv4, ipv6 } = beginnings.get(role) ?? { ipv4: 0, ipv6: 0 };
      const ranges = {
        cidrBlock: cidrSubnet(cidrBlock, prefix, ipv4 + place),
        ...(this.ipv6 ? { ipv6SubnetCidrBlock: this.ipv6.subnetCidrBlock(ipv6 + place) } : {}),
      };
      const made = { vpcId, zone, ...ranges, ...tagged(args.tags, tags) };
      return children.make({ kind: "subnet", of: Subnet, name: `${name}-${role}-${zone}`, args: made, from: { zone: "zones" } });
    };
    const made = placed.apply((all) => {
      refuse(this, farPlaces(all, { cidrBlock, zones, subnets }));
      const byZone = mapped(subnets, (role) => Object.fromEntries(all.map((one) => [one.zone, subnetIn(role, one)])));
      children.finish();
      return byZone;
    });
    this.#made = made;
    this.subnets = mapped(subnets, (role) => made.apply((all) => all[role] ?? {}));
    this.subnetIds = mapped(subnets, (role) => made.apply((all) => output(Object.values(all[role] ?? {}).map(({ subnetId }) => subnetId))));
    // Pulumi waits for these, and so for the subnets. What went wrong with them is said by the outputs above, once.
    this.registerOutputs({
      vpcId,
      subnetIds: knownValue(made).then(
        () => this.subnetIds,
        () => undefined,
      ),
    });
  }

  /** What depends on the network waits for its subnets, too. */
  protected override async initialize(): Promise<void> {
    // The constructor goes on before this does.
    await Promise.resolve();
    await knownValue(this.#made);
  }
}

/** What is wrong with the arguments, each in a sentence, ends the preview; otherwise where the subnets of each role begin. */
function beginningsFor(
  network: ComponentResource,
  args: NetworkArgs,
  { cidrBlock, zones, subnets }: Layout,
): ReadonlyMap<string, Beginning> {
  const rooms = roomsOf(subnets);
  refuse(network, [
    ...unknownKeys(args, networkArguments),
    ...unknownInRoles(subnets),
    ...wrongRanges(cidrBlock, rooms),
    ...wrongZones(zones),
    ...notFlags({ dualStack: args.dualStack }),
    ...unknownWishes(args),
  ]);
  const count = typeof zones === "number" ? zones : zones.length;
  const found = beginningsOf(cidrBlock, rooms, count);
  refuse(network, found ? [] : [tooSmall(cidrBlock, rooms, count)]);
  return found ?? new Map();
}

/** Zones whose places are behind the end of the range: there may be more places than zones, as each zone has its own. */
function farPlaces(placed: readonly PlacedZone[], { cidrBlock, subnets }: Layout): string[] {
  const rooms = roomsOf(subnets);
  const far = placed.find(({ place }) => beginningsOf(cidrBlock, rooms, place + 1) === undefined);
  if (!far) return [];
  return [
    `zones: ${far.zone} has place ${far.place + 1} in the ranges, as the zones before it keep theirs`,
    tooSmall(cidrBlock, rooms, far.place + 1),
  ];
}

function roomsOf(subnets: Layout["subnets"]): Room[] {
  return Object.entries(subnets).map(([role, { prefix }]) => ({ role, prefix }));
}

interface Layout {
  readonly cidrBlock: string;
  readonly zones: number | readonly string[];
  readonly subnets: Readonly<Record<string, SubnetRole>>;
}

/** What a program in JavaScript may give instead of objects. */
function wrongShapes(args: NetworkArgs): string[] {
  const wrong = notObjects({ args });
  if (wrong.length > 0) return wrong;
  const { subnets, tags, transform, childAliases } = args;
  const roles = notObjects({ subnets }, ", such as { nodes: { prefix: 20 } }");
  const parts = roles.length > 0 ? roles : notAllObjects("subnets", subnets ?? {}, ", such as { prefix: 20 }");
  return [...parts, ...notObjects({ tags }), ...wrongWishes({ transform, childAliases })];
}

function unknownWishes({ transform = {}, childAliases = {} }: NetworkArgs): string[] {
  const children: Readonly<Record<NetworkChild, true>> = { vpc: true, ipv6: true, subnet: true };
  return [...unknownKeys(transform, children, "transform"), ...unknownKeys(childAliases, children, "childAliases")];
}

function unknownInRoles(subnets: Layout["subnets"]): string[] {
  const roles = Object.keys(subnets);
  if (roles.length === 0) return ["subnets: is empty; a network has one role of subnets at least, such as { nodes: { prefix: 20 } }"];
  const keys = Object.entries(subnets).flatMap(([role, one]) => unknownKeys(one, { prefix: true, tags: true }, `subnets.${role}`));
  return [...wrongNames("subnets", roles), ...keys];
}

function wrongRanges(cidrBlock: string, rooms: readonly Room[]): string[] {
  const wrong = rooms.filter(({ prefix }) => !Number.isInteger(prefix) || prefix < 12 || prefix > 29);
  return [...rangeFlaws(cidrBlock), ...wrong.map(({ role, prefix }) => `subnets.${role}.prefix: ${prefixFlaw(prefix)}: it takes 12 to 29`)];
}

/** JavaScript lets pass what is no text. */
function rangeFlaws(range: unknown): string[] {
  if (typeof range !== "string")
    return [`cidrBlock: takes a range that is known in the preview, such as "10.0.0.0/16", not ${inWords(range)}`];
  return validated(vpcRange, range, ["cidrBlock"]).issues.map(({ sentence }) => sentence);
}

/** JavaScript lets pass what is left out. */
function prefixFlaw(prefix: unknown): string {
  return prefix === undefined ? "is required" : `${inWords(prefix)} is no prefix of a subnet`;
}

function wrongZones(zones: Layout["zones"]): string[] {
  if (typeof zones === "number")
    return Number.isInteger(zones) && zones > 0 ? [] : [`zones: ${zones} is no number of zones: it takes 1 or more, or names of zones`];
  if (!Array.isArray(zones))
    return [`zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not ${inWords(zones)}`];
  if (zones.length === 0) return ["zones: is empty; a network needs one zone at least"];
  const nameless = zones.filter((zone: unknown) => typeof zone !== "string" || zone.trim() === "");
  if (nameless.length > 0) return nameless.map((zone) => `zones: ${inWords(zone)} is no name of a zone, such as "eu-frankfurt-1"`);
  return zones.filter((zone, index) => zones.indexOf(zone) < index).map((zone) => `zones: ${zone} is in it twice`);
}

function tooSmall(cidrBlock: string, rooms: readonly Room[], zones: number): string {
  const wanted = rooms.map(({ role, prefix }) => `${role} (${counted(zones, "subnet")} with /${prefix})`).join(", ");
  const prefix = smallestPrefix(rooms, zones);
  if (prefix === undefined)
    return `subnets: ${wanted} fit into no VPC, which is a /12 at most: give the subnets longer prefixes, or take fewer zones`;
  const example = canonicalCidr(`${cidrBlock.replace(/\/.*/, "")}/${prefix}`) ?? `/${prefix}`;
  return `cidrBlock: ${cidrBlock} is too small for ${wanted}: the smallest range that would do is a /${prefix}, such as ${example}`;
}
