import * as vpc from "@container-platform/sdk/vpc";
import { carve } from "@container-platform/sdk";
import { mainRouteTable } from "@container-platform/sdk/finders/vpc";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { alter, makeBlock, makeRouteTable, makeVpc, retag } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

export async function subnetDrifts(stage: Stage): Promise<Drifts> {
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
  const apart = ["CreateSubnet", "DeleteSubnet"];
  return {
    type: "Subnet",
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
        plan: "replace",
        repairs: apart,
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
        plan: "replace",
        repairs: apart,
      },
      {
        input: "zone",
        from: inZone,
        byHand: (id) => alter(stage, "subnets", id, { zone: "eu-frankfurt-3" }),
        shows: { zone: "eu-frankfurt-3" },
        plan: "delete-replace",
        repairs: ["DeleteSubnet", "CreateSubnet"],
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
