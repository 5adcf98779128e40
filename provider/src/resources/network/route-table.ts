import { everyOwnRouteTable, routeTableFinder } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { idOf, joined } from "../../definition/ids.ts";
import { cleared, name, named, tagPairs } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { outsideVpc, routeRules, routesOf, routesSchema, settleRoutes } from "./routes.ts";
import { inSameVpc } from "./same-vpc.ts";

/** The arguments of `RouteTable`. */
export interface RouteTableArgs {
  /** The VPC of the route table. A change replaces the route table. */
  vpcId: Input<string>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  routeTableName?: Input<string | undefined>;
  /**
   * Routes out of the VPC, at most 50, with one destination each. The order does not matter. Routes that the platform manages are left alone.
   * Default: none.
   */
  routes?: Input<readonly Input<RouteTableRoute>[] | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface RouteTableRoute {
  /** IPv4 CIDR block of the destination, outside the VPC, such as `0.0.0.0/0`. */
  destinationCidrBlock?: Input<string | undefined>;
  /** IPv6 CIDR block of the destination, instead of an IPv4 one. No gateway type is a gateway for IPv6. */
  destinationIpv6CidrBlock?: Input<string | undefined>;
  /**
   * Type of the gateway: `NAT`, `CVM`, `NORMAL_CVM`, `EIP`, `HAVIP`, `VPN`, `DIRECTCONNECT`, `PEERCONNECTION`, `LOCAL_GATEWAY`, `INTRANAT`,
   * `USER_CCN` or `GWLB_ENDPOINT`.
   */
  gatewayType: Input<
    | "NAT"
    | "CVM"
    | "NORMAL_CVM"
    | "EIP"
    | "HAVIP"
    | "VPN"
    | "DIRECTCONNECT"
    | "PEERCONNECTION"
    | "LOCAL_GATEWAY"
    | "INTRANAT"
    | "USER_CCN"
    | "GWLB_ENDPOINT"
  >;
  /** ID of the gateway (`NatGateway.natGatewayId`); the private address of the machine for `NORMAL_CVM`, and `0` for `EIP`. */
  gatewayId: Input<string>;
  /** Description of the route. Default: empty. */
  routeDescription?: Input<string | undefined>;
}

/** The properties of a `RouteTable` once they are known. */
export interface RouteTableState extends ResolvedWithDefaults<RouteTableArgs, "routeTableName" | "routeDescription"> {
  /** ID of the route table, such as `rtb-3f8a0c1e`. */
  routeTableId: string;
}

/**
 * A route table of a VPC, with routes out of it. A subnet uses the table that its `routeTableId` names.
 *
 * @example
 * const egress = new RouteTable("egress", {
 *   vpcId: vpc.vpcId,
 *   routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: gateway.natGatewayId }],
 * });
 */
export class RouteTable extends resource<RouteTableArgs, RouteTableState>()("RouteTable", {
  inputs: {
    vpcId: idOf("vpc"),
    routeTableName: named(name),
    routes: cleared(routesSchema),
    tags: cleared(tagPairs),
  },
  outputs: { routeTableId: z.string() },
  id: joined("rtb-3f8a0c1e", "routeTableId"),
}).managed({
  create: async (cloud, { vpcId, routeTableName, tags }) => {
    const { routeTable } = await cloud.call(vpc.createRouteTable, { vpcId, routeTableName, tags: tagList(tags) });
    return { ...routeTable, tags: tagRecord(routeTable.tagSet) };
  },
  owned: "routeTable",
  read: async (cloud, { routeTableId }) => {
    const found = await routeTableFinder.find(cloud, routeTableId);
    return found && { ...found, routes: routesOf(found), tags: tagRecord(found.tagSet) };
  },
  list: everyOwnRouteTable,
  delete: (cloud, { routeTableId }) => cloud.call(vpc.deleteRouteTable, { routeTableId }),

  changes: {
    vpcId: "replace",
    routeTableName: (cloud, { routeTableId, routeTableName }) =>
      cloud.call(vpc.modifyRouteTableAttribute, { routeTableId, routeTableName }),
    routes: settleRoutes,
    tags: (cloud, { routeTableId, tags }, live) => retagged(cloud, "routeTable", routeTableId, tags, live.tags),
  },
  rules: routeRules,
  invariants: { check: [inSameVpc("routes.*.gatewayId", "vpcId", { noun: "gateway" }), outsideVpc] },
  hints: { "UnsupportedOperation.DelRouteWithSubnet": "Set routeTableId of those subnets to another route table, or remove it" },
  holdsWorkloads: true,
  afterCreation: ["routes"],
}) {}
export interface RouteTable extends Outputs<RouteTableState> {}
