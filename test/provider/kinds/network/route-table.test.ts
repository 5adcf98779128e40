import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { eachWay, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeGateway, makeVpc } from "../../stage/outside.ts";

/** What each input of a RouteTable does when it changes and when it is taken out. */
await laws(async (stage) => {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const [gateway, other, foreign] = [await makeGateway(stage, vpcId), await makeGateway(stage, vpcId), await makeGateway(stage, elsewhere)];
  const out = { destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: gateway };
  const direct = { destinationCidrBlock: "192.0.2.0/24", gatewayType: "EIP", gatewayId: "0", routeDescription: "direct" };
  const ipv6 = { destinationIpv6CidrBlock: "2001:db8:ffff::/48", gatewayType: "NORMAL_CVM", gatewayId: "2001:db8::7" };
  const base = { vpcId };
  const routed = { vpcId, routes: [out, direct] };
  const tags = { team: "a", stage: "test" };
  const [add, change, remove] = ["CreateRoutes", "ReplaceRoutes", "DeleteRoutes"];
  return {
    type: "RouteTable",
    base,
    creates: ["CreateRouteTable"],
    full: { vpcId, routeTableName: "one", routes: [{ ...out, routeDescription: "" }, direct, { ...ipv6, routeDescription: "" }], tags },
    createsFull: ["CreateRouteTable", "CreateRoutes"],
    updates: ["ModifyRouteTableAttribute"],
    deletes: ["DeleteRouteTable"],
    changes: [
      { to: { vpcId: elsewhere }, does: "replace" },
      ...eachWay(base, { routeTableName: ["one", "two"] }),
      { of: "routes, put in", to: { routes: [out] }, calls: [add] },
      { of: "routes, a default one through an instance", to: { routes: [{ ...ipv6, destinationIpv6CidrBlock: "::/0" }] }, calls: [add] },
      { of: "routes, taken out", from: routed, to: { routes: undefined }, calls: [remove] },
      { of: "routes, another gateway", from: routed, to: { routes: [{ ...out, gatewayId: other }, direct] }, calls: [change] },
      { of: "routes, another order", from: routed, to: { routes: [direct, out] }, does: "nothing" },
      { of: "routes, all at once", from: routed, to: { routes: [ipv6, { ...out, gatewayId: other }] }, calls: [add, change, remove] },
      ...eachWay(base, { tags: [tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    refusals: [
      {
        of: "a gateway that is not there",
        to: { routes: [{ ...out, gatewayId: "nat-00000000" }] },
        says: "NAT gateway nat-00000000 not found",
      },
      {
        of: "a gateway of another VPC",
        to: { routes: [{ ...out, gatewayId: foreign }] },
        says: `${foreign} is in ${elsewhere}. Use a gateway of ${vpcId}`,
      },
      {
        of: "a destination in the VPC",
        to: { routes: [{ ...out, destinationCidrBlock: "10.0.1.0/24" }] },
        says: "10.0.1.0/24 is inside 10.0.0.0/16",
      },
      {
        of: "two routes for one range, while the gateway is not known",
        to: { routes: [{ ...out, gatewayId: unknown }, out] },
        says: "routes: has two routes for 0.0.0.0/0: write one",
      },
      {
        of: "an IPv6 range through a NAT gateway that is not known",
        to: { routes: [{ destinationIpv6CidrBlock: "::/0", gatewayType: "NAT", gatewayId: unknown }] },
        says: "the gateway of ::/0 is a NAT gateway, which does not translate IPv6",
      },
    ],
    unknowns: [
      ...notKnown("update", ["routeTableName", "routes", "tags"]),
      ...notKnown("replace", ["vpcId"]),
      { of: "a gateway", to: { routes: [{ ...out, gatewayId: unknown }] }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (routeTableId) => stage.cloud.call(vpc.deleteRouteTable, { routeTableId }),
  };
});
