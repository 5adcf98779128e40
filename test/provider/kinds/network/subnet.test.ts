import * as vpc from "@container-platform/sdk/vpc";
import { cidrSubnet } from "@container-platform/sdk";
import { unknown } from "../../../support/structs.ts";
import { eachWay, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeBlock, makeRouteTable, makeVpc } from "../../stage/outside.ts";

/** What each input of a Subnet does when it changes and when it is taken out. */
await laws(async (stage) => {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const block = await makeBlock(stage, vpcId);
  const table = await makeRouteTable(stage, vpcId);
  const otherTable = await makeRouteTable(stage, vpcId);
  const [first, second] = [cidrSubnet(block, 64, 0), cidrSubnet(block, 64, 255)];

  const base = { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" };
  const dual = { ...base, ipv6SubnetCidrBlock: first };
  const tags = { team: "a", stage: "test" };
  return {
    type: "Subnet",
    base,
    creates: ["CreateSubnet"],
    full: { ...dual, subnetName: "one", routeTableId: table, tags },
    createsFull: ["CreateSubnet", "AssignIpv6SubnetCidrBlock", "ReplaceRouteTableAssociation"],
    updates: ["ModifySubnetAttribute"],
    deletes: ["DeleteSubnet"],
    changes: [
      { to: { vpcId: elsewhere, cidrBlock: "10.1.1.0/24" }, does: "replace" },
      ...eachWay(base, { subnetName: ["one", "two"] }),
      { of: "cidrBlock, to one apart", to: { cidrBlock: "10.0.2.0/24" }, does: "replace" },
      { of: "cidrBlock, to one that overlaps", to: { cidrBlock: "10.0.1.128/25" }, does: "delete-replace" },
      { to: { zone: "eu-frankfurt-2" }, does: "delete-replace" },
      { of: "zone, with a range apart", to: { zone: "eu-frankfurt-2", cidrBlock: "10.0.2.0/24" }, does: "replace" },
      { of: "zone, with a range that overlaps", to: { zone: "eu-frankfurt-2", cidrBlock: "10.0.0.0/22" }, does: "delete-replace" },
      { to: { ipv6SubnetCidrBlock: first }, calls: ["AssignIpv6SubnetCidrBlock"] },
      { from: dual, to: { ipv6SubnetCidrBlock: second }, calls: ["UnassignIpv6SubnetCidrBlock", "AssignIpv6SubnetCidrBlock"] },
      { from: dual, to: { ipv6SubnetCidrBlock: undefined }, calls: ["UnassignIpv6SubnetCidrBlock"] },
      ...eachWay(base, { routeTableId: [table, otherTable] }, { calls: ["ReplaceRouteTableAssociation"] }),
      ...eachWay(base, { tags: [tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    unknowns: [
      ...notKnown("update", ["subnetName", "ipv6SubnetCidrBlock", "routeTableId", "tags"]),
      ...notKnown("replace", ["vpcId"]),
      ...notKnown("delete-replace", ["cidrBlock", "zone"]),
      { of: "zone, with a range apart", to: { zone: unknown, cidrBlock: "10.0.2.0/24" }, does: "replace" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (subnetId) => stage.cloud.call(vpc.deleteSubnet, { subnetId }),
  };
});
