import * as vpc from "@container-platform/sdk/vpc";
import { cidrSubnet } from "@container-platform/sdk";
import { everyVpc, vpcFinder } from "@container-platform/sdk/finders/vpc";
import type { Input, Output } from "@pulumi/pulumi";
import * as z from "@container-platform/sdk/zod";
import { idOf, joined } from "../../definition/ids.ts";
import type { Outputs, Resolved } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";

/** The arguments of `Ipv6Block`. */
export interface Ipv6BlockArgs {
  /** The VPC of the block. A change replaces the block. */
  vpcId: Input<string>;
}

/** The properties of a `Ipv6Block` once they are known. */
export interface Ipv6BlockState extends Resolved<Ipv6BlockArgs> {
  /** The block, such as `2001:db8:0:ff00::/56`. */
  ipv6CidrBlock: string;
}

/**
 * The IPv6 block of a VPC, a /56 that the platform chooses. A VPC has at most one.
 *
 * @example
 * const block = new Ipv6Block("platform", { vpcId: vpc.vpcId });
 * const nodes = new Subnet("nodes", {
 *   vpcId: vpc.vpcId,
 *   cidrBlock: "10.0.1.0/24",
 *   zone: "eu-frankfurt-1",
 *   ipv6SubnetCidrBlock: block.subnetCidrBlock(0),
 * });
 */
export class Ipv6Block extends resource<Ipv6BlockArgs, Ipv6BlockState>()("Ipv6Block", {
  inputs: { vpcId: idOf("vpc") },
  outputs: { ipv6CidrBlock: z.string() },
  id: joined("vpc-3f8a0c1e", "vpcId"),
}).managed({
  create: (cloud, { vpcId }) => cloud.call(vpc.assignIpv6CidrBlock, { vpcId }),
  owned: "key",
  read: async (cloud, { vpcId }) => {
    const { ipv6CidrBlock } = (await vpcFinder.find(cloud, vpcId)) ?? {};
    return ipv6CidrBlock === undefined ? undefined : { vpcId, ipv6CidrBlock };
  },
  list: async (cloud) => (await everyVpc(cloud)).filter(({ ipv6CidrBlock }) => ipv6CidrBlock !== undefined),
  delete: (cloud, { vpcId }) => cloud.call(vpc.unassignIpv6CidrBlock, { vpcId }),

  changes: { vpcId: "replace" },
  references: ({ ipv6CidrBlock = "" }) =>
    Array.from({ length: 256 }, (_, index) => [cidrSubnet(ipv6CidrBlock, 64, index), `.subnetCidrBlock(${index})`] as const),
}) {
  /**
   * Returns the index-th /64 of the block, for a subnet. The same index always returns the same CIDR block.
   *
   * @param index 0 to 255
   * @throws RangeError for any other index
   */
  subnetCidrBlock(index: number): Output<string> {
    if (!Number.isInteger(index) || index < 0 || index > 255)
      throw new RangeError(`subnetCidrBlock(${index}): a /56 has the /64s 0 to 255`);
    return this.ipv6CidrBlock.apply((block) => cidrSubnet(block, 64, index));
  }
}
export interface Ipv6Block extends Outputs<Ipv6BlockState> {}
