import { mainRouteTable } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { isProps } from "../../../support/structs.ts";
import { altered, type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { alter, makeVpc } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";

const { update } = judging("RouteTable");
const through = (destinationCidrBlock: string) => ({ destinationCidrBlock, gatewayType: "EIP", gatewayId: "0" }) as const;

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const vpcId = await makeVpc(stage, "10.66.0.0/16");
  const elsewhere = await makeVpc(stage, "10.67.0.0/16");
  const base = () => ({ vpcId });
  const routed = () => ({ vpcId, routes: [through("0.0.0.0/0")] });
  const rename = (change: object) => (routeTableId: string) =>
    cloud.call(vpc.modifyRouteTableAttribute, { routeTableId, routeTableName: "", ...change });
  const shown = (destination: string) => ({ ...through(destination), routeDescription: "" });
  return {
    atOnce: 8,
    unread: {},
    cases: [
      setByHand(rename, ["ModifyRouteTableAttribute"])({ ...base(), routeTableName: "one" }, { routeTableName: "two" }),
      altered(stage, "routeTables")(base(), { vpcId: elsewhere }),
      {
        input: "routes",
        how: "one more",
        from: routed(),
        byHand: (routeTableId) => cloud.call(vpc.createRoutes, { routeTableId, routes: [through("192.0.2.0/24")] }),
        shows: { routes: [shown("0.0.0.0/0"), shown("192.0.2.0/24")] },
        repairs: ["DeleteRoutes"],
      },
      {
        input: "routes",
        how: "none left",
        from: routed(),
        byHand: (id) => alter(stage, "routeTables", id, { routes: [] }),
        shows: { routes: undefined },
        repairs: ["CreateRoutes"],
      },
      unnoticed("routes", "one of the platform's own", routed(), (id) => alter(stage, "routeTables", id, { "routes[#]": platformRoute })),
      ...tagDrifts(stage, "routeTable", base),
    ],
  };
}

const platformRoute = {
  ...{ id: "rti-00000001", number: 1, destination: "198.51.100.0/24", gatewayType: "CCN", gatewayId: "ccn-3f8a0c1e" },
  ...{ description: "", type: "CCN", createdTime: "2026-01-31T12:00:00Z" },
};

/** To the NAT gateway of the site. */
async function site({ cloud, index, idOf }: Site): Promise<readonly string[]> {
  const { routeTableId } = (await cloud.call(vpc.createRouteTable, { vpcId: idOf("Vpc"), routeTableName: `site-${index}` })).routeTable;
  const routes = [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT" as const, gatewayId: idOf("NatGateway") }];
  await cloud.call(vpc.createRoutes, { routeTableId, routes });
  return [routeTableId];
}

const route = { destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: "nat-1" };

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.createRouteTable },
  killed: {
    tagged: ({ stage, vpcId }) => ({
      args: { vpcId },
      count: async () => (await stage.rows("routeTables")) - (await stage.rows("vpcs")),
      beside: true,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeRouteTables, { routeTableIds: [id] })).routeTableSet[0]?.tagSet),
    }),
  },
  site,
  // The main tables belong to their VPCs.
  idsIn: ({ things: { routeTables = [] } }) => routeTables.flatMap(({ id, row }) => (isProps(row) && row["main"] === false ? [id] : [])),
  program: {
    one: (called) => `const { routeTableId } = new RouteTable("egress", {
  routeTableName: "${called}", vpcId, tags,
  routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: natGatewayId, routeDescription: "${called}" }],
});`,
  },
  random: {
    template: {
      needs: { vpc: "Vpc" },
      replaces: false,
      args: ({ version }, refer) => ({
        vpcId: refer("vpc", "vpcId"),
        routeTableName: nameOf(version),
        routes: version % 2 === 0 ? undefined : [through(`192.0.2.${version % 256}/32`)],
        tags: tagsOf(version),
      }),
    },
    variants: {
      nat: {
        needs: { gateway: "NatGateway" },
        replaces: false,
        args: ({ version }, refer) => ({
          vpcId: refer("gateway.vpc", "vpcId"),
          routes: [
            { ...through("0.0.0.0/0"), gatewayType: "NAT", gatewayId: refer("gateway", "natGatewayId"), routeDescription: `${version}` },
          ],
        }),
      },
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifyRouteTableAttribute, { routeTableId: id, routeTableName: "by-hand" }),
    // Its subnets go back to the main route table first.
    deleted: async (cloud, { id }) => {
      const { vpcId, associationSet } = (await cloud.call(vpc.describeRouteTables, { routeTableIds: [id] })).routeTableSet[0] ?? {};
      const routeTableId = vpcId === undefined ? undefined : await mainRouteTable(cloud, vpcId);
      for (const { subnetId } of associationSet ?? [])
        if (routeTableId !== undefined) await cloud.call(vpc.replaceRouteTableAssociation, { routeTableId, subnetId });
      await cloud.call(vpc.deleteRouteTable, { routeTableId: id });
    },
    imported: { exempt: "would need a VPC that was made by hand, too" },
  },
  judged: {
    "a table with other routes": update({ routes: [route] }, { routes: [] }, ["interrupts"]),
    "a route with another description": update({ routes: [route] }, { routes: [{ ...route, routeDescription: "the office" }] }, []),
  },
};
