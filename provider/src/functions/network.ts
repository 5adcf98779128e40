import * as vpc from "@container-platform/sdk/vpc";
import { connected } from "./cloud.ts";

/** The VPCs of the region. */
export async function getVpcs() {
  return (await connected()).all(vpc.describeVpcs, {});
}

/** The subnets of the region, or of one VPC. */
export async function getSubnets(vpcId?: string) {
  const filters = vpcId === undefined ? undefined : [{ name: "vpc-id", values: [vpcId] }];
  return (await connected()).all(vpc.describeSubnets, { filters });
}

/** The security groups of the region. */
export async function getSecurityGroups() {
  return (await connected()).all(vpc.describeSecurityGroups, {});
}
