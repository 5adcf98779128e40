import * as vpc from "../catalogue/vpc.ts";
import type { Cloud } from "../client/client.ts";
import { Finder } from "../client/finder.ts";

// How VPCs, subnets and security groups are found and listed. `Finder` says how it saves calls.

export const vpcFinder = new Finder({
  asking: vpc.describeVpcs,
  some: (cloud, vpcIds) => cloud.all(vpc.describeVpcs, { vpcIds: [...vpcIds] }),
  pages: (cloud) => cloud.pages(vpc.describeVpcs, {}),
  idOf: ({ vpcId }) => vpcId,
});

export const subnetFinder = new Finder({
  asking: vpc.describeSubnets,
  some: (cloud, subnetIds) => cloud.all(vpc.describeSubnets, { subnetIds: [...subnetIds] }),
  pages: (cloud) => cloud.pages(vpc.describeSubnets, {}),
  idOf: ({ subnetId }) => subnetId,
});

export const securityGroupFinder = new Finder({
  asking: vpc.describeSecurityGroups,
  some: (cloud, ids) => cloud.all(vpc.describeSecurityGroups, { securityGroupIds: [...ids] }),
  pages: (cloud) => cloud.pages(vpc.describeSecurityGroups, {}),
  idOf: ({ securityGroupId }) => securityGroupId,
});

/** All VPCs of the region. Callers that ask at the same time share one call. */
export function everyVpc(cloud: Cloud) {
  return cloud.readings.share([vpc.describeVpcs], "VPCs", cloud.tolerance, () => cloud.all(vpc.describeVpcs, {}));
}

/** All subnets of the region. */
export function everySubnet(cloud: Cloud) {
  return cloud.all(vpc.describeSubnets, {});
}

/** All security groups of the region. */
export function everySecurityGroup(cloud: Cloud) {
  return cloud.all(vpc.describeSecurityGroups, {});
}

/** The id of a VPC's main route table. A subnet uses it unless another table is set. A VPC keeps its main table for ever. */
export function mainRouteTable(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return cloud.readings.remember(`main route table of ${vpcId}`, async () => {
    const tables = await cloud.all(vpc.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }] });
    return tables.find(({ main }) => main)?.routeTableId;
  });
}
