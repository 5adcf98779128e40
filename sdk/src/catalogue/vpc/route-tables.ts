import { z } from "zod";
import { once, operations } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import { createdTime, routeTableId, subnetId, totalCount, vpcId } from "./vpcs.ts";

const operation = operations("vpc", "2017-03-12");

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
    associationSet: z.array(z.object({ subnetId, routeTableId })).describe("The subnets that use it."),
    routeSet: z.array(route()).optional().describe("The routes."),
    main: z.boolean().describe("Whether it is the VPC's main route table."),
    createdTime,
    tagSet: tags.describe("Tags of the route table."),
  }),
);

const routeTableName = z.string().describe("Name, 1 to 60 characters.");

export const createRouteTable = operation("CreateRouteTable", () => ({
  summary: "Creates a route table in a VPC.",
  input: { vpcId, routeTableName, tags: tags.optional().describe("Tags of the route table, at most 50.") },
  output: { routeTable: routeTable().describe("The route table.") },
  errors: ["ResourceNotFound", "LimitExceeded", ...taggingErrors],
  effect: "write",
  source: "public-api",
}));

export const describeRouteTables = operation("DescribeRouteTables", () => ({
  summary: "Lists route tables.",
  input: {
    routeTableIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `route-table-id`, `route-table-name` (a part suffices), `vpc-id`, `association.main`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, routeTableSet: z.array(routeTable()).describe("The route tables.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "routeTableSet" },
  source: "public-api",
}));

export const modifyRouteTableAttribute = operation("ModifyRouteTableAttribute", () => ({
  summary: "Renames a route table.",
  input: { routeTableId, routeTableName },
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteRouteTable = operation("DeleteRouteTable", () => ({
  summary: "Deletes a route table with its routes. No subnet may use it; a main route table is deleted with its VPC.",
  input: { routeTableId },
  errors: ["ResourceNotFound", "UnsupportedOperation.DelRouteWithSubnet", "UnsupportedOperation.DelDefaultRoute"],
  effect: "write",
  source: "public-api",
}));

const routeErrors = [
  "ResourceNotFound",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Duplicate",
  "InvalidParameterValue.RouteNextHopInvalid",
  "InvalidParameterValue.VpcCidrConflict",
] as const;

export const createRoutes = operation("CreateRoutes", () => ({
  summary: "Adds routes to a route table, all of the call or none.",
  input: { routeTableId, routes: z.array(z.object(newRoute)).describe("The new routes, each with one destination.") },
  output: { totalCount, routeTableSet: z.array(routeTable()).describe("The route table.") },
  errors: [...routeErrors, "LimitExceeded"],
  effect: "write",
  source: "public-api",
}));

export const replaceRoutes = operation("ReplaceRoutes", () => ({
  summary: "Changes routes of a route table, all of the call or none. Other routes remain.",
  input: { routeTableId, routes: z.array(z.object({ ...newRoute, routeId, routeItemId })).describe("The routes, each with its ID.") },
  errors: [...routeErrors, "UnsupportedOperation.RecordNotExists", "UnsupportedOperation.SystemRoute"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteRoutes = operation("DeleteRoutes", () => ({
  summary: "Deletes routes of a route table, all of the call or none.",
  input: {
    routeTableId,
    routes: z
      .array(
        z.object({
          ...newRoute,
          gatewayType: z.string().optional().describe("Type of the gateway."),
          gatewayId: gatewayId.optional(),
          routeId,
          routeItemId,
        }),
      )
      .describe("The routes, each with its ID."),
  },
  errors: ["ResourceNotFound", "UnsupportedOperation.RecordNotExists", "UnsupportedOperation.SystemRoute"],
  effect: "write",
  source: "public-api",
}));

export const replaceRouteTableAssociation = operation("ReplaceRouteTableAssociation", () => ({
  summary: "Associates a subnet with another route table of its VPC.",
  input: { routeTableId, subnetId },
  errors: ["ResourceNotFound", "UnsupportedOperation.VpcMismatch"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));
