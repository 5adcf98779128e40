import * as vpc from "../catalogue/vpc.ts";
import type { Cloud } from "../client.ts";
import { Finder } from "../coalesce.ts";
import { pageSize } from "../pages.ts";

/** How single things are looked up, with few calls: see `Finder`. */

const all = `${pageSize}`;

export const vpcFinder = new Finder({
  some: async (cloud, vpcIds) => (await cloud.call(vpc.describeVpcs, { vpcIds: [...vpcIds], limit: all })).vpcSet,
  page: async (cloud, offset) => {
    const { vpcSet, totalCount } = await cloud.call(vpc.describeVpcs, { offset: `${offset}`, limit: all });
    return { items: vpcSet, total: totalCount };
  },
  idOf: ({ vpcId }) => vpcId,
});

export const subnetFinder = new Finder({
  some: async (cloud, subnetIds) => (await cloud.call(vpc.describeSubnets, { subnetIds: [...subnetIds], limit: all })).subnetSet,
  page: async (cloud, offset) => {
    const { subnetSet, totalCount } = await cloud.call(vpc.describeSubnets, { offset: `${offset}`, limit: all });
    return { items: subnetSet, total: totalCount };
  },
  idOf: ({ subnetId }) => subnetId,
});

export const securityGroupFinder = new Finder({
  some: async (cloud, ids) => (await cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [...ids], limit: all })).securityGroupSet,
  page: async (cloud, offset) => {
    const { securityGroupSet, totalCount } = await cloud.call(vpc.describeSecurityGroups, { offset: `${offset}`, limit: all });
    return { items: securityGroupSet, total: totalCount };
  },
  idOf: ({ securityGroupId }) => securityGroupId,
});

/** The id of a VPC's own route table, which its subnets use unless told otherwise. It never changes. */
export function mainRouteTable(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return cloud.readings.remember(`main route table of ${vpcId}`, async () => {
    const { routeTableSet } = await cloud.call(vpc.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }], limit: all });
    return routeTableSet.find(({ main }) => main)?.routeTableId;
  });
}
