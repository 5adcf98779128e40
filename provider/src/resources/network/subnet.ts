import { networkRules } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { everySubnet, mainRouteTable, subnetFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { StatePatch } from "../../definition/changes.ts";
import { idOf, joined } from "../../definition/ids.ts";
import { cleared, ipv4Range, name, named, range, tagPairs } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { protectedInSubnet } from "./clusters-on.ts";
import { ipv6CidrNotInUse, ipv6InUseRemedy } from "./ipv6-in-use.ts";
import { partOfBlock, zone } from "./offers.ts";
import { cidrContainment } from "../../program/invariants.ts";
import { inSameVpc } from "./same-vpc.ts";
import { Vpc } from "./vpc.ts";

/** The arguments of `Subnet`. */
export interface SubnetArgs {
  /** The VPC of the subnet. A change replaces the subnet. */
  vpcId: Input<string>;
  /** IPv4 CIDR block: a /12 to /29 inside the VPC's, without overlap with the VPC's other subnets. A change replaces the subnet. */
  cidrBlock: Input<string>;
  /** Availability zone (`getZones`), such as `eu-frankfurt-1`. A change replaces the subnet. */
  zone: Input<string>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  subnetName?: Input<string | undefined>;
  /** IPv6 CIDR block: a /64 inside the VPC's IPv6 block (`Ipv6Block.subnetCidrBlock`). Default: none, IPv4 only. */
  ipv6SubnetCidrBlock?: Input<string | undefined>;
  /** Route table of the VPC. Default: the VPC's main route table. */
  routeTableId?: Input<string | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

/** The properties of a `Subnet` once they are known. */
export interface SubnetState extends ResolvedWithDefaults<SubnetArgs, "subnetName"> {
  /** ID of the subnet, such as `subnet-3f8a0c1e`. */
  subnetId: string;
}

/**
 * A subnet: a part of a VPC's IPv4 CIDR block, in one availability zone.
 *
 * @example
 * const nodes = new Subnet("nodes", { vpcId: vpc.vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" });
 */
export class Subnet extends resource<SubnetArgs, SubnetState>()("Subnet", {
  inputs: {
    vpcId: idOf("vpc"),
    subnetName: named(name),
    cidrBlock: ipv4Range("10.0.1.0/24", networkRules.subnetRange),
    zone: z.string(),
    ipv6SubnetCidrBlock: cleared(
      // Specification, Limits: always a /64.
      range("the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64", ({ family, prefix }) => family === 6 && prefix === 64),
    ),
    routeTableId: cleared(idOf("rtb")),
    tags: cleared(tagPairs),
  },
  outputs: { subnetId: z.string() },
  id: joined("subnet-3f8a0c1e", "subnetId"),
}).managed({
  create: async (cloud, { vpcId, subnetName, cidrBlock, zone, tags }) => {
    const { subnet } = await cloud.call(vpc.createSubnet, { vpcId, subnetName, cidrBlock, zone, tags: tagList(tags) });
    return { ...subnet, tags: tagRecord(subnet.tagSet) };
  },
  owned: "subnet",
  read: async (cloud, { subnetId, routeTableId: known }) => {
    const found = await subnetFinder.find(cloud, subnetId);
    if (!found) return undefined;
    const ownTable = found.routeTableId !== known && found.routeTableId === (await mainRouteTable(cloud, found.vpcId));
    return { ...found, routeTableId: ownTable ? undefined : found.routeTableId, tags: tagRecord(found.tagSet) };
  },
  list: everySubnet,
  delete: (cloud, { subnetId }) => cloud.call(vpc.deleteSubnet, { subnetId }),

  changes: {
    vpcId: "replace",
    cidrBlock: "replace",
    zone: "replace",
    subnetName: (cloud, { subnetId, subnetName }) => cloud.call(vpc.modifySubnetAttribute, { subnetId, subnetName }),
    ipv6SubnetCidrBlock: async (cloud, { vpcId, subnetId, ipv6SubnetCidrBlock: desired }, { ipv6SubnetCidrBlock: assigned }) => {
      const blocks = (block: string) => ({ vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock: block }] });
      if (assigned === undefined) return desired === undefined ? undefined : cloud.call(vpc.assignIpv6SubnetCidrBlock, blocks(desired));
      await cloud.call(vpc.unassignIpv6SubnetCidrBlock, blocks(assigned));
      return new StatePatch({ ipv6SubnetCidrBlock: undefined });
    },
    routeTableId: async (cloud, { subnetId, vpcId, routeTableId }) => {
      const table = routeTableId ?? (await mainRouteTable(cloud, vpcId));
      if (table !== undefined) await cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId: table });
    },
    tags: (cloud, { subnetId, tags }, live) => retagged(cloud, "subnet", subnetId, tags, live.tags),
  },
  holdsWorkloads: true,
  offered: { zone, ipv6SubnetCidrBlock: partOfBlock },
  // Overlapping subnets of one VPC cannot exist at the same time.
  unique: [
    { by: "cidrBlock", as: "range", in: "vpcId" },
    { by: "ipv6SubnetCidrBlock", as: "range", in: "vpcId" },
  ],
  invariants: {
    check: [
      cidrContainment("inside", "cidrBlock", "vpcId", { kind: Vpc.kind, by: "cidrBlock" }),
      inSameVpc("routeTableId", "vpcId", { noun: "route table" }),
    ],
    diff: [ipv6CidrNotInUse],
  },
  protectedOn: (cloud, { subnetId }) => protectedInSubnet(cloud, subnetId),
  hints: { ResourceInUse: (reason) => (reason.includes("unassigned") ? ipv6InUseRemedy : undefined) },
  afterCreation: ["ipv6SubnetCidrBlock"],
}) {}
export interface Subnet extends Outputs<SubnetState> {}
