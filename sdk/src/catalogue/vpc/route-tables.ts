import { z } from "zod";
import { boolean, int, objects, once, operations, string, strings } from "../../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, taggingErrors, tags, totalCount } from "../shared.ts";
import { routeTableId, subnetId, vpcId } from "./vpcs.ts";

const { publicApiOperation } = operations("vpc", "2017-03-12");

/** The types of gateways that a route can lead to. The platform has no gateway for IPv6. */
export const gatewayTypes = [
  "NAT",
  "CVM",
  "NORMAL_CVM",
  "EIP",
  "HAVIP",
  "VPN",
  "DIRECTCONNECT",
  "PEERCONNECTION",
  "LOCAL_GATEWAY",
  "INTRANAT",
  "USER_CCN",
  "GWLB_ENDPOINT",
] as const;
export type GatewayType = (typeof gatewayTypes)[number];

const destination = {
  destinationCidrBlock: string("IPv4 CIDR block of the destination, outside the VPC; absent for an IPv6 route.").optional(),
  destinationIpv6CidrBlock: string("IPv6 CIDR block of the destination; absent for an IPv4 route.").optional(),
};
const gatewayId = string("ID of the gateway; the private address for `NORMAL_CVM`, and `0` for `EIP`.");
const routeId = int("Number of the route; 0 for an IPv6 route.").optional();
const routeItemId = string("ID of the route, such as `rti-3f8a0c1e`.").optional();
const newRoute = {
  ...destination,
  gatewayType: z.enum(gatewayTypes).describe("Type of the gateway."),
  gatewayId,
  routeDescription: string("Description of the route.").optional(),
};

const routeTable = once(() =>
  z.object({
    vpcId,
    routeTableId,
    routeTableName: string("Name of the route table."),
    associationSet: objects("The subnets that use it.", { subnetId, routeTableId }),
    routeSet: objects("The routes.", {
      ...destination,
      gatewayType: string("Type of the gateway."),
      gatewayId,
      routeDescription: string("Description of the route.").optional(),
      routeId,
      routeItemId,
      routeType: string("`USER`: can be changed. Others, such as `NETD` and `CCN`, are the platform's.").optional(),
      routeTableId: routeTableId.optional(),
      enabled: boolean("Whether the route applies.").optional(),
      createdTime: createdTime.optional(),
    }).optional(),
    main: boolean("Whether it is the VPC's main route table."),
    createdTime,
    tagSet: tags.describe("Tags of the route table."),
  }),
);

const routeTableName = string("Name, 1 to 60 characters.");

export const createRouteTable = publicApiOperation("CreateRouteTable", () => ({
  summary: "Creates a route table in a VPC.",
  input: { vpcId, routeTableName, tags: tags.optional().describe("Tags of the route table, at most 50.") },
  output: { routeTable: routeTable().describe("The route table.") },
  errors: ["ResourceNotFound", "LimitExceeded", ...taggingErrors],
}));

export const describeRouteTables = publicApiOperation("DescribeRouteTables", () => ({
  summary: "Lists route tables.",
  input: {
    routeTableIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters(
      "Filters: `route-table-id`, `route-table-name` (a part suffices), `vpc-id`, `association.main`, `tag-key`, `tag:<key>`.",
    ),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, routeTableSet: z.array(routeTable()).describe("The route tables.") },
  errors: listingErrors,
  pages: { by: "offset", items: "routeTableSet" },
}));

export const modifyRouteTableAttribute = publicApiOperation("ModifyRouteTableAttribute", () => ({
  summary: "Renames a route table.",
  input: { routeTableId, routeTableName },
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  repeatable: true,
}));

export const deleteRouteTable = publicApiOperation("DeleteRouteTable", () => ({
  summary: "Deletes a route table with its routes. No subnet may use it; a main route table is deleted with its VPC.",
  input: { routeTableId },
  errors: ["ResourceNotFound", "UnsupportedOperation.DelRouteWithSubnet", "UnsupportedOperation.DelDefaultRoute"],
}));

export const routeErrors = [
  "ResourceNotFound",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Duplicate",
  "InvalidParameterValue.RouteNextHopInvalid",
  "InvalidParameterValue.VpcCidrConflict",
] as const;

export const createRoutes = publicApiOperation("CreateRoutes", () => ({
  summary: "Adds routes to a route table, all of the call or none.",
  input: { routeTableId, routes: objects("The new routes, each with one destination.", newRoute) },
  output: { totalCount, routeTableSet: z.array(routeTable()).describe("The route table.") },
  errors: [...routeErrors, "LimitExceeded"],
}));

export const replaceRoutes = publicApiOperation("ReplaceRoutes", () => ({
  summary: "Changes routes of a route table, all of the call or none. Other routes remain.",
  input: { routeTableId, routes: objects("The routes, each with its ID.", { ...newRoute, routeId, routeItemId }) },
  errors: [...routeErrors, "UnsupportedOperation.RecordNotExists", "UnsupportedOperation.SystemRoute"],
  repeatable: true,
}));

export const deleteRoutes = publicApiOperation("DeleteRoutes", () => ({
  summary: "Deletes routes of a route table, all of the call or none.",
  input: {
    routeTableId,
    routes: objects("The routes, each with its ID.", {
      ...newRoute,
      gatewayType: string("Type of the gateway.").optional(),
      gatewayId: gatewayId.optional(),
      routeId,
      routeItemId,
    }),
  },
  errors: ["ResourceNotFound", "UnsupportedOperation.RecordNotExists", "UnsupportedOperation.SystemRoute"],
}));

export const replaceRouteTableAssociation = publicApiOperation("ReplaceRouteTableAssociation", () => ({
  summary: "Associates a subnet with another route table of its VPC.",
  input: { routeTableId, subnetId },
  errors: ["ResourceNotFound", "UnsupportedOperation.VpcMismatch"],
  repeatable: true,
}));
