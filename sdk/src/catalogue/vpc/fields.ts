import { z } from "zod";

/** Fields of several operations of the VPC service. */

export const vpcId = z.string().describe("ID of the VPC, such as `vpc-3f8a0c1e`.");
export const subnetId = z.string().describe("ID of the subnet, such as `subnet-5d20b7c4`.");
export const routeTableId = z.string().describe("ID of the route table, such as `rtb-91c3e07a`.");
export const securityGroupId = z.string().describe("ID of the security group, such as `sg-0b6e4f2d`.");
export const totalCount = z.int().describe("Number of matches on all pages.");
export const createdTime = z.string().describe("Time of creation, ISO 8601.");
export const flag = (what: string) => z.enum(["true", "false"]).describe(`${what}: \`true\` or \`false\`, as text.`);
export const addressType = z.enum(["GUA", "ULA"]);
