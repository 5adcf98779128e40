import { cidrSubnet } from "@container-platform/sdk";
import { mainRouteTable } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { altered, type Drifts, setByHand } from "../../every-kind/drift-law.ts";
import { alter, makeBlock, makeRouteTable, makeVpc } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update } = judging("Subnet");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const vpcId = await makeVpc(stage, "10.98.0.0/16");
  const elsewhere = await makeVpc(stage, "10.96.0.0/16");
  const block = await makeBlock(stage, vpcId);
  const [table, otherTable] = [await makeRouteTable(stage, vpcId), await makeRouteTable(stage, vpcId)];

  let ranges = 0;
  const base = () => ({ vpcId, cidrBlock: `10.98.${ranges++}.0/24`, zone: "eu-frankfurt-1" });
  const range6 = (index: number) => ({ ipv6SubnetCidrBlock: cidrSubnet(block, 64, index) });
  const mainTable = async (of: string): Promise<string> => (await mainRouteTable(cloud, of)) ?? "";
  const set = (change: object) => (subnetId: string) => cloud.call(vpc.modifySubnetAttribute, { subnetId, ...change });
  const changed = setByHand(set, ["ModifySubnetAttribute"]);
  const route = (change: object) => (subnetId: string) =>
    cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId: "", ...change });
  const rerouted = setByHand(route, ["ReplaceRouteTableAssociation"]);
  const held = (subnetId: string, index: number) => ({ vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ...range6(index) }] });
  const lasting = altered(stage, "subnets");
  return {
    unread: {},
    cases: [
      {
        input: "vpcId",
        from: base(),
        byHand: async (id) => {
          await alter(stage, "subnets", id, { vpcId: elsewhere, routeTableId: await mainTable(elsewhere) });
          stage.world.prepare("UPDATE subnets SET parent = ? WHERE id = ?").run(elsewhere, id);
        },
        shows: { vpcId: elsewhere },
        stays: true,
      },
      changed({ ...base(), subnetName: "one" }, { subnetName: "two" }),
      lasting(base(), { cidrBlock: "10.98.200.0/24" }, { cidrBlock: "10.98.200.0/24", range: "0a62c800" }),
      lasting({ ...base(), zone: "eu-frankfurt-2" }, { zone: "eu-frankfurt-3" }),
      changed(
        { ...base(), ...range6(0) },
        { ipv6SubnetCidrBlock: undefined },
        {
          how: "taken away",
          byHand: (id) => cloud.call(vpc.unassignIpv6SubnetCidrBlock, held(id, 0)),
          repairs: ["AssignIpv6SubnetCidrBlock"],
        },
      ),
      changed(base(), range6(1), {
        how: "put in",
        byHand: (id) => cloud.call(vpc.assignIpv6SubnetCidrBlock, held(id, 1)),
        repairs: ["UnassignIpv6SubnetCidrBlock"],
      }),
      rerouted({ ...base(), routeTableId: table }, { routeTableId: otherTable }),
      rerouted(base(), { routeTableId: table }, { how: "where it was the VPC's own" }),
      rerouted(
        { ...base(), routeTableId: table },
        { routeTableId: undefined },
        { how: "to the VPC's own", byHand: route({ routeTableId: await mainTable(vpcId) }) },
      ),
      ...tagDrifts(stage, "subnet", base),
    ],
  };
}

/** Three subnets in three zones, each with a /64. */
async function site({ cloud, index, idOf }: Site): Promise<readonly string[]> {
  const vpcId = idOf("Vpc");
  const [found] = (await cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet;
  const ids: string[] = [];
  for (const number of [1, 2, 3]) {
    const { subnetId } = (
      await cloud.call(vpc.createSubnet, {
        vpcId,
        subnetName: `zone-${number}`,
        cidrBlock: `10.${index}.${number}.0/24`,
        zone: `eu-frankfurt-${number}`,
        tags: found?.tagSet,
      })
    ).subnet;
    const ipv6SubnetCidrBlocks = [{ subnetId, ipv6SubnetCidrBlock: cidrSubnet(found?.ipv6CidrBlock ?? "", 64, number) }];
    await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
    ids.push(subnetId);
  }
  return ids;
}

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.createSubnet },
  killed: {
    tagged: ({ stage, vpcId }) => ({
      args: { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-1" },
      count: () => stage.rows("subnets"),
      beside: false,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeSubnets, { subnetIds: [id] })).subnetSet[0]?.tagSet),
    }),
  },
  site,
  idsIn: idsOfTable("subnets"),
  program: {
    one: (called) => `const { subnetId } = new Subnet("nodes", {
  vpcId, subnetName: "${called}", cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1", ipv6SubnetCidrBlock: block.subnetCidrBlock(0), tags,
});`,
  },
  random: {
    template: {
      needs: { vpc: "Vpc" },
      replaces: true,
      args: ({ version, place }, refer) => ({
        vpcId: refer("vpc", "vpcId"),
        zone: `eu-frankfurt-${(place % 3) + 1}`,
        cidrBlock: refer("vpc", "cidrBlock", { bits: 24, index: place }),
        subnetName: nameOf(version),
        tags: tagsOf(version),
      }),
    },
    variants: {
      dual: {
        needs: { block: "Ipv6Block" },
        replaces: true,
        args: ({ version, place }, refer) => ({
          vpcId: refer("block.vpc", "vpcId"),
          zone: "eu-frankfurt-1",
          cidrBlock: refer("block.vpc", "cidrBlock", { bits: 24, index: place }),
          ipv6SubnetCidrBlock: version % 2 === 1 ? undefined : refer("block", "ipv6CidrBlock", { bits: 64, index: place }),
        }),
      },
      routed: {
        needs: { table: "RouteTable" },
        replaces: true,
        args: ({ version, place }, refer) => ({
          vpcId: refer("table.vpc", "vpcId"),
          zone: "eu-frankfurt-1",
          cidrBlock: refer("table.vpc", "cidrBlock", { bits: 24, index: place }),
          routeTableId: version % 2 === 1 ? undefined : refer("table", "routeTableId"),
        }),
      },
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifySubnetAttribute, { subnetId: id, subnetName: "by-hand" }),
    deleted: { exempt: "the platform refuses it while a cluster is in it" },
    imported: { exempt: "would need a VPC that was made by hand, too" },
  },
  judged: {
    "a subnet with another /64": update(
      { ipv6SubnetCidrBlock: "2001:db8::/64" },
      { ipv6SubnetCidrBlock: "2001:db8:0:1::/64" },
      ["interrupts"],
      { undo: "partly" },
    ),
    "a subnet with a first /64": update({}, { ipv6SubnetCidrBlock: "2001:db8::/64" }, []),
    "a subnet with another route table": update({ routeTableId: "rtb-1" }, { routeTableId: "rtb-2" }, ["interrupts"]),
  },
};
