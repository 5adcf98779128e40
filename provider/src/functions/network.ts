import * as vpc from "@container-platform/sdk/vpc";
import { idElsewhere } from "../definition/ids.ts";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, type NoArgs, outputOf, reading } from "./definition.ts";
import { listed, missingVpc } from "./existing.ts";
import type { SecurityGroupRecord, SubnetRecord, VpcRecord } from "./results.ts";

/**
 * Returns the VPCs of the region.
 *
 * @example
 * const ranges = getVpcs().then((vpcs) => vpcs.map(({ cidrBlock }) => cidrBlock));
 */
export const getVpcs: (args?: NoArgs, opts?: FunctionOptions) => Promise<VpcRecord[]> = reading({
  name: "getVpcs",
  args: {},
  read: (cloud) => cloud.all(vpc.describeVpcs, {}),
});

/** {@link getVpcs}, for Outputs. */
export const getVpcsOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<VpcRecord[]> = outputOf(getVpcs);

export interface GetSubnetsArgs {
  /** The VPC of the subnets. Default: all VPCs of the region. */
  readonly vpcId?: string;
}

/**
 * Returns the subnets of the region, or of one VPC.
 *
 * @throws Error if the region has no VPC with this ID
 *
 * @example
 * const zones = getSubnets({ vpcId: "vpc-3f8a0c1e" }).then((subnets) => subnets.map(({ zone }) => zone));
 */
export const getSubnets: (args?: GetSubnetsArgs, opts?: FunctionOptions) => Promise<SubnetRecord[]> = reading({
  name: "getSubnets",
  args: { vpcId: idElsewhere("vpc").optional() },
  read: (cloud, { vpcId }) => {
    if (vpcId === undefined) return cloud.all(vpc.describeSubnets, {});
    const filters = [{ name: "vpc-id", values: [vpcId] }];
    return listed(cloud.all(vpc.describeSubnets, { filters }), () => missingVpc(cloud, vpcId));
  },
});

/** {@link getSubnets}, for Outputs. */
export const getSubnetsOutput: (args?: FunctionInputs<GetSubnetsArgs>, opts?: FunctionOptions) => Output<SubnetRecord[]> =
  outputOf(getSubnets);

/**
 * Returns the security groups of the region.
 *
 * @example
 * const names = getSecurityGroups().then((groups) => groups.map(({ securityGroupName }) => securityGroupName));
 */
export const getSecurityGroups: (args?: NoArgs, opts?: FunctionOptions) => Promise<SecurityGroupRecord[]> = reading({
  name: "getSecurityGroups",
  args: {},
  read: (cloud) => cloud.all(vpc.describeSecurityGroups, {}),
});

/** {@link getSecurityGroups}, for Outputs. */
export const getSecurityGroupsOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<SecurityGroupRecord[]> =
  outputOf(getSecurityGroups);
