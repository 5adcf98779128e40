import * as vpc from "@container-platform/sdk/vpc";
import { carve } from "@container-platform/sdk";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeBlock, makeRouteTable, makeVpc } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a Subnet does when it changes and when it is taken out. */
async function subnetTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const block = await makeBlock(stage, vpcId);
  const table = await makeRouteTable(stage, vpcId);
  const otherTable = await makeRouteTable(stage, vpcId);
  const [first, second] = [carve(block, 64, 0), carve(block, 64, 255)];

  const base = { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" };
  const named = { ...base, subnetName: "one" };
  const dual = { ...base, ipv6SubnetCidrBlock: first };
  const routed = { ...base, routeTableId: table };
  const tagged = { ...base, tags: { team: "a", stage: "test" } };
  const replaced = ["CreateSubnet", "DeleteSubnet"];
  const deletedFirst = ["DeleteSubnet", "CreateSubnet"];
  return {
    type: "Subnet",
    inputs: ["vpcId", "subnetName", "cidrBlock", "zone", "ipv6SubnetCidrBlock", "routeTableId", "tags"],
    base,
    creates: ["CreateSubnet"],
    full: { ...named, ...dual, ...routed, ...tagged },
    createsFull: ["CreateSubnet", "AssignIpv6SubnetCidrBlock", "ReplaceRouteTableAssociation"],
    deletes: ["DeleteSubnet"],
    changes: [
      { of: "vpcId", to: { vpcId: elsewhere, cidrBlock: "10.1.1.0/24" }, does: "replace", calls: replaced },
      { of: "subnetName", from: named, to: { subnetName: "two" }, does: "update", calls: ["ModifySubnetAttribute"] },
      { of: "subnetName, taken out", from: named, to: { subnetName: undefined }, does: "update", calls: ["ModifySubnetAttribute"] },
      { of: "cidrBlock, to one apart", to: { cidrBlock: "10.0.2.0/24" }, does: "replace", calls: replaced },
      { of: "cidrBlock, to one that overlaps", to: { cidrBlock: "10.0.1.128/25" }, does: "delete-replace", calls: deletedFirst },
      { of: "zone", to: { zone: "eu-frankfurt-2" }, does: "delete-replace", calls: deletedFirst },
      { of: "zone, with a range apart", to: { zone: "eu-frankfurt-2", cidrBlock: "10.0.2.0/24" }, does: "replace", calls: replaced },
      {
        of: "zone, with a range that overlaps",
        to: { zone: "eu-frankfurt-2", cidrBlock: "10.0.0.0/22" },
        does: "delete-replace",
        calls: deletedFirst,
      },
      { of: "ipv6SubnetCidrBlock, put in", to: { ipv6SubnetCidrBlock: first }, does: "update", calls: ["AssignIpv6SubnetCidrBlock"] },
      {
        of: "ipv6SubnetCidrBlock",
        from: dual,
        to: { ipv6SubnetCidrBlock: second },
        does: "update",
        calls: ["UnassignIpv6SubnetCidrBlock", "AssignIpv6SubnetCidrBlock"],
      },
      {
        of: "ipv6SubnetCidrBlock, taken out",
        from: dual,
        to: { ipv6SubnetCidrBlock: undefined },
        does: "update",
        calls: ["UnassignIpv6SubnetCidrBlock"],
      },
      { of: "routeTableId, put in", to: { routeTableId: table }, does: "update", calls: ["ReplaceRouteTableAssociation"] },
      { of: "routeTableId", from: routed, to: { routeTableId: otherTable }, does: "update", calls: ["ReplaceRouteTableAssociation"] },
      {
        of: "routeTableId, taken out",
        from: routed,
        to: { routeTableId: undefined },
        does: "update",
        calls: ["ReplaceRouteTableAssociation"],
      },
      { of: "tags", from: tagged, to: { tags: { team: "b", owner: "me" } }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: ["ModifyResourceTags"] },
    ],
    unknowns: [
      { of: "vpcId", to: { vpcId: unknown }, does: "replace" },
      { of: "subnetName", to: { subnetName: unknown }, does: "update" },
      { of: "cidrBlock", to: { cidrBlock: unknown }, does: "delete-replace" },
      { of: "zone", to: { zone: unknown }, does: "delete-replace" },
      { of: "zone, with a range apart", to: { zone: unknown, cidrBlock: "10.0.2.0/24" }, does: "replace" },
      { of: "ipv6SubnetCidrBlock", to: { ipv6SubnetCidrBlock: unknown }, does: "update" },
      { of: "routeTableId", to: { routeTableId: unknown }, does: "update" },
      { of: "tags", to: { tags: unknown }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (subnetId) => cloud.call(vpc.deleteSubnet, { subnetId }),
  };
}

await laws(subnetTable);
