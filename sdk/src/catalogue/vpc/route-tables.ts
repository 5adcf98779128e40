import { z } from "zod";
import { objects, once, operations } from "../../operation/operation.ts";
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
  destinationCidrBlock: z.string().optional().describe("IPv4 CIDR block of the destination, outside the VPC; absent for an IPv6 route."),
  destinationIpv6CidrBlock: z.string().optional().describe("IPv6 CIDR block of the destination; absent for an IPv4 route."),
};
const gatewayId = z.string().describe("ID of the gateway; the private address for `NORMAL_CVM`, and `0` for `EIP`.");
const routeId = z.int().optional().describe("Number of the route; 0 for an IPv6 route.");
const routeItemId = z.string().optional().describe("ID of the route, such as `rti-3f8a0c1e`.");
const newRoute = {
  ...destination,
  gatewayType: z.enum(gatewayTypes).describe("Type of the gateway."),
  gatewayId,
  routeDescription: z.string().optional().describe("Description of the route."),
};

const route = once(() =>
  z.object({
    ...destination,
    gatewayType: z.string().describe("Type of the gateway."),
    gatewayId,
    routeDescription: z.string().optional().describe("Description of the route."),
    routeId,
    routeItemId,
    routeType: z.string().optional().describe("`USER`: can be changed. Others, such as `NETD` and `CCN`, are the platform's."),
    routeTableId: routeTableId.optional(),
    enabled: z.boolean().optional().describe("Whether the route applies."),
    createdTime: createdTime.optional(),
  }),
);

const routeTable = once(() =>
  z.object({
    vpcId,
    routeTableId,
    routeTableName: z.string().describe("Name of the route table."),
    associationSet: objects("The subnets that use it.", { subnetId, routeTableId }),
    routeSet: z.array(route()).optional().describe("The routes."),
    main: z.boolean().describe("Whether it is the VPC's main route table."),
    createdTime,
    tagSet: tags.describe("Tags of the route table."),
  }),
);

const routeTableName = z.string().describe("Name, 1 to 60 characters.");

export const createRouteTable = publicApiOperation("CreateRouteTable", () => ({
  summary: "Creates a route table in a VPC.",
  input: { vpcId, routeTableName, tags: tags.optional().describe("Tags of the route table, at most 50.") },
  output: { routeTable: routeTable().describe("The route table.") },
  errors: ["ResourceNotFound", "LimitExceeded", ...taggingErrors],
}));

export const describeRouteTables = publicApiOperation("DescribeRouteTables", () => ({
  summary: "Lists route tables.",
  input: {
    routeTableIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
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
      gatewayType: z.string().optional().describe("Type of the gateway."),
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
