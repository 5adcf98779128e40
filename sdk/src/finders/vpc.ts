import * as vpc from "../catalogue/vpc.ts";
import type { Cloud } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { everyPage, pageSize } from "../client/paginate.ts";

/** How single things are looked up, with few calls: see `Finder`. */

const all = `${pageSize}`;

export const vpcFinder = new Finder({
  some: async (cloud, vpcIds) => (await cloud.call(vpc.describeVpcs, { vpcIds: [...vpcIds], limit: all })).vpcSet,
  page: vpcs,
  idOf: ({ vpcId }) => vpcId,
});

export const subnetFinder = new Finder({
  some: async (cloud, subnetIds) => (await cloud.call(vpc.describeSubnets, { subnetIds: [...subnetIds], limit: all })).subnetSet,
  page: subnets,
  idOf: ({ subnetId }) => subnetId,
});

export const securityGroupFinder = new Finder({
  some: async (cloud, ids) => (await cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [...ids], limit: all })).securityGroupSet,
  page: securityGroups,
  idOf: ({ securityGroupId }) => securityGroupId,
});

/** All VPCs of the region, one reading for all who ask at once. */
export function everyVpc(cloud: Cloud) {
  return cloud.readings.share("VPCs", cloud.tolerance, () => everyPage((offset) => vpcs(cloud, offset)));
}

/** All subnets of the region. */
export function everySubnet(cloud: Cloud) {
  return everyPage((offset) => subnets(cloud, offset));
}

/** All security groups of the region. */
export function everySecurityGroup(cloud: Cloud) {
  return everyPage((offset) => securityGroups(cloud, offset));
}

/** The id of a VPC's own route table, which its subnets use unless told otherwise. It never changes. */
export function mainRouteTable(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return cloud.readings.remember(`main route table of ${vpcId}`, async () => {
    const { routeTableSet } = await cloud.call(vpc.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }], limit: all });
    return routeTableSet.find(({ main }) => main)?.routeTableId;
  });
}

async function vpcs(cloud: Cloud, offset: number) {
  const { vpcSet, totalCount } = await cloud.call(vpc.describeVpcs, { offset: `${offset}`, limit: all });
  return { items: vpcSet, total: totalCount };
}

async function subnets(cloud: Cloud, offset: number) {
  const { subnetSet, totalCount } = await cloud.call(vpc.describeSubnets, { offset: `${offset}`, limit: all });
  return { items: subnetSet, total: totalCount };
}

async function securityGroups(cloud: Cloud, offset: number) {
  const { securityGroupSet, totalCount } = await cloud.call(vpc.describeSecurityGroups, { offset: `${offset}`, limit: all });
  return { items: securityGroupSet, total: totalCount };
}
