import { z } from "zod";
import { once, operations } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, tags } from "../shared.ts";
import { createdTime, routeTableId, subnetId, totalCount, vpcId } from "./fields.ts";

const operation = operations("vpc", "2017-03-12");

const routeTable = once(() =>
  z.object({
    vpcId,
    routeTableId,
    routeTableName: z.string().describe("Name of the route table."),
    associationSet: z.array(z.object({ subnetId, routeTableId })).describe("The subnets that use it."),
    main: z.boolean().describe("Whether it is the VPC's main route table."),
    createdTime,
    tagSet: tags.describe("Tags of the route table."),
  }),
);

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

export const replaceRouteTableAssociation = operation("ReplaceRouteTableAssociation", () => ({
  summary: "Associates a subnet with another route table of its VPC.",
  input: { routeTableId, subnetId },
  output: {},
  errors: ["ResourceNotFound", "UnsupportedOperation.VpcMismatch"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));
