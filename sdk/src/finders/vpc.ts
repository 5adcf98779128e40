import * as vpc from "../catalogue/vpc.ts";
import type { Cloud } from "../client/client.ts";
import { Finder } from "../client/finder.ts";

// How the resources of the VPC service are found and listed. `Finder` says how it saves calls.

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

export const elasticIpFinder = new Finder({
  asking: vpc.describeAddresses,
  some: (cloud, addressIds) => cloud.all(vpc.describeAddresses, { addressIds: [...addressIds] }),
  pages: (cloud) => cloud.pages(vpc.describeAddresses, {}),
  idOf: ({ addressId }) => addressId,
});

export const natGatewayFinder = new Finder({
  asking: vpc.describeNatGateways,
  some: (cloud, natGatewayIds) => cloud.all(vpc.describeNatGateways, { natGatewayIds: [...natGatewayIds] }),
  pages: (cloud) => cloud.pages(vpc.describeNatGateways, {}),
  idOf: ({ natGatewayId }) => natGatewayId,
});

export const routeTableFinder = new Finder({
  asking: vpc.describeRouteTables,
  some: (cloud, routeTableIds) => cloud.all(vpc.describeRouteTables, { routeTableIds: [...routeTableIds] }),
  pages: (cloud) => cloud.pages(vpc.describeRouteTables, {}),
  idOf: ({ routeTableId }) => routeTableId,
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

/** All elastic IPs of the region. Callers that ask at the same time share one call. */
export function everyElasticIp(cloud: Cloud) {
  return cloud.readings.share([vpc.describeAddresses], "elastic IPs", cloud.tolerance, () => cloud.all(vpc.describeAddresses, {}));
}

/** All NAT gateways of the region. */
export function everyNatGateway(cloud: Cloud) {
  return cloud.all(vpc.describeNatGateways, {});
}

/** All route tables of the region but the main ones, which belong to their VPCs. */
export async function everyOwnRouteTable(cloud: Cloud) {
  return (await cloud.all(vpc.describeRouteTables, {})).filter(({ main }) => !main);
}

/** The id of a VPC's main route table. A subnet uses it unless another table is set. A VPC keeps its main table for ever. */
export function mainRouteTable(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return cloud.readings.remember(`main route table of ${vpcId}`, async () => {
    const tables = await cloud.all(vpc.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }] });
    return tables.find(({ main }) => main)?.routeTableId;
  });
}
