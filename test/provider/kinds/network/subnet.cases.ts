import { carve } from "@container-platform/sdk";
import { mainRouteTable } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { changeInPlace } from "../../../review/previews.ts";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { alter, makeBlock, makeRouteTable, makeVpc, retag } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import type { BadInput, KindCases, Site } from "../kind-cases.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const vpcId = await makeVpc(stage, "10.98.0.0/16");
  const elsewhere = await makeVpc(stage, "10.96.0.0/16");
  const block = await makeBlock(stage, vpcId);
  const [table, otherTable] = [await makeRouteTable(stage, vpcId), await makeRouteTable(stage, vpcId)];

  let ranges = 0;
  const base = () => ({ vpcId, cidrBlock: `10.98.${ranges++}.0/24`, zone: "eu-frankfurt-1" });
  const range6 = (index: number): string => carve(block, 64, index);
  const mainTable = async (of: string): Promise<string> => (await mainRouteTable(cloud, of)) ?? "";
  const inZone = { ...base(), zone: "eu-frankfurt-2" };
  const routes = ["ReplaceRouteTableAssociation"];
  const retags = ["ModifyResourceTags"];
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
      {
        input: "subnetName",
        from: { ...base(), subnetName: "one" },
        byHand: (subnetId) => cloud.call(vpc.modifySubnetAttribute, { subnetId, subnetName: "two" }),
        shows: { subnetName: "two" },
        repairs: ["ModifySubnetAttribute"],
      },
      {
        input: "cidrBlock",
        from: base(),
        byHand: (id) => alter(stage, "subnets", id, { cidrBlock: "10.98.200.0/24", range: "0a62c800" }),
        shows: { cidrBlock: "10.98.200.0/24" },
        stays: true,
      },
      {
        input: "zone",
        from: inZone,
        byHand: (id) => alter(stage, "subnets", id, { zone: "eu-frankfurt-3" }),
        shows: { zone: "eu-frankfurt-3" },
        stays: true,
      },
      {
        input: "ipv6SubnetCidrBlock",
        how: "taken away",
        from: { ...base(), ipv6SubnetCidrBlock: range6(0) },
        byHand: (subnetId) =>
          cloud.call(vpc.unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock: range6(0) }] }),
        shows: { ipv6SubnetCidrBlock: undefined },
        repairs: ["AssignIpv6SubnetCidrBlock"],
      },
      {
        input: "ipv6SubnetCidrBlock",
        how: "put in",
        from: base(),
        byHand: (subnetId) =>
          cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock: range6(1) }] }),
        shows: { ipv6SubnetCidrBlock: range6(1) },
        repairs: ["UnassignIpv6SubnetCidrBlock"],
      },
      {
        input: "routeTableId",
        from: { ...base(), routeTableId: table },
        byHand: (subnetId) => cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId: otherTable }),
        shows: { routeTableId: otherTable },
        repairs: routes,
      },
      {
        input: "routeTableId",
        how: "where it was the VPC's own",
        from: base(),
        byHand: (subnetId) => cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId: table }),
        shows: { routeTableId: table },
        repairs: routes,
      },
      {
        input: "routeTableId",
        how: "to the VPC's own",
        from: { ...base(), routeTableId: table },
        byHand: async (subnetId) => cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId: await mainTable(vpcId) }),
        shows: { routeTableId: undefined },
        repairs: routes,
      },
      {
        input: "tags",
        from: { ...base(), tags: { team: "a" } },
        byHand: (id) => retag(stage, "subnet", id, { team: undefined, owner: "me" }),
        shows: { tags: { owner: "me" } },
        repairs: retags,
      },
      {
        input: "tags",
        how: "put on where there were none",
        from: base(),
        byHand: (id) => retag(stage, "subnet", id, { owner: "me" }),
        shows: { tags: { owner: "me" } },
        repairs: retags,
      },
    ],
  };
}

const subnet = { vpcId: "vpc-1", cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" };

const refusedRanges: readonly BadInput[] = [
  [{ ...subnet, cidrBlock: "10.0.1.0/08" }, "cidrBlock: 10.0.1.0/08 is not an IPv4 range such as 10.0.1.0/24"],
  [
    { ...subnet, ipv6SubnetCidrBlock: "2001:db8::/56" },
    "ipv6SubnetCidrBlock: 2001:db8::/56 is not the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ],
  [
    { ...subnet, ipv6SubnetCidrBlock: "10.0.1.0/24" },
    "ipv6SubnetCidrBlock: 10.0.1.0/24 is not the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ],
  [
    { ...subnet, ipv6SubnetCidrBlock: "2001:0DB8::/64" },
    "ipv6SubnetCidrBlock: 2001:0DB8::/64 is not in its one spelling: write 2001:db8::/64",
  ],
];

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
    const ipv6SubnetCidrBlocks = [{ subnetId, ipv6SubnetCidrBlock: carve(found?.ipv6CidrBlock ?? "", 64, number) }];
    await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
    ids.push(subnetId);
  }
  return ids;
}

export const cases: KindCases = {
  drifts,
  refused: [
    [{ ...subnet, subnetName: "" }, "subnetName: takes at least 1 character, not 0"],
    [{ ...subnet, subnetName: "x".repeat(61) }, "subnetName: takes at most 60 characters, not 61"],
    ...refusedRanges,
    [{ ...subnet, tags: { team: 7 } }, "tags.team: takes a string, not a number"],
    [
      { ...subnet, tags: { "container-platform/owner": "me" } },
      "tags: takes no keys that begin with container-platform/: those are the provider's own",
    ],
  ],
  creates: { operation: vpc.createSubnet },
  killed: {
    tagged: ({ stage, vpcId }) => ({
      args: { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-1" },
      count: () => stage.rows("subnets"),
      beside: false,
      tags: async (id) => tagRecord((await stage.cloud.call(vpc.describeSubnets, { subnetIds: [id] })).subnetSet[0]?.tagSet),
    }),
  },
  secrets: { exempt: "has no secret" },
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
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifySubnetAttribute, { subnetId: id, subnetName: "by-hand" }),
    deleted: { exempt: "the platform refuses it while a cluster is in it" },
    imported: { exempt: "would need a VPC that was made by hand, too" },
  },
  judged: {
    "a subnet with another /64": {
      step: changeInPlace("Subnet", { ipv6SubnetCidrBlock: "2001:db8::/64" }, { ipv6SubnetCidrBlock: "2001:db8:0:1::/64" }),
      codes: ["interrupts"],
      undo: "partly",
    },
    "a subnet with another route table": {
      step: changeInPlace("Subnet", { routeTableId: "rtb-1" }, { routeTableId: "rtb-2" }),
      codes: ["interrupts"],
    },
  },
};
