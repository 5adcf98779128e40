import { z } from "zod";
import { table } from "../store/table.ts";

const tags = z.array(z.object({ key: z.string(), value: z.string() }));

export const vpcs = table(
  "vpcs",
  z.object({
    id: z.string(),
    name: z.string(),
    cidrBlock: z.string(),
    /** The first address of `cidrBlock`, as `rangeKey` writes it. */
    range: z.string(),
    ipv6CidrBlock: z.string().optional(),
    addressType: z.enum(["GUA", "ULA"]).optional(),
    dnsServers: z.array(z.string()),
    domainName: z.string(),
    multicast: z.boolean(),
    publishIpv4: z.boolean(),
    publishIpv6: z.boolean(),
    createdTime: z.string(),
    tags,
  }),
  "range",
);

export type VpcRow = z.output<typeof vpcs.row>;

/** Belongs to its VPC. */
export const subnets = table(
  "subnets",
  z.object({
    id: z.string(),
    vpcId: z.string(),
    name: z.string(),
    cidrBlock: z.string(),
    /** The first address of `cidrBlock`, as `rangeKey` writes it. */
    range: z.string(),
    ipv6CidrBlock: z.string().optional(),
    /** The `ClientToken` of the call that assigned the IPv6 range, to recognise its repetition. */
    ipv6Token: z.string().optional(),
    zone: z.string(),
    routeTableId: z.string(),
    broadcast: z.boolean(),
    createdTime: z.string(),
    tags,
  }),
  "range",
);

/** Belongs to its VPC. */
export const routeTables = table(
  "routeTables",
  z.object({ id: z.string(), vpcId: z.string(), name: z.string(), main: z.boolean(), createdTime: z.string(), tags }),
);

const policy = z.object({
  protocol: z.string(),
  port: z.string(),
  cidrBlock: z.string().optional(),
  ipv6CidrBlock: z.string().optional(),
  securityGroupId: z.string().optional(),
  action: z.string(),
  description: z.string(),
  modifyTime: z.string(),
});

/** The position of a rule in its list is its `PolicyIndex`. */
export const securityGroups = table(
  "securityGroups",
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    projectId: z.string(),
    createdTime: z.string(),
    updateTime: z.string(),
    tags,
    /** Grows by one at every change of the rules. */
    version: z.int(),
    egress: z.array(policy),
    ingress: z.array(policy),
  }),
);

/** The addresses that a resource takes from a subnet, and the security groups that it uses. Belongs to the VPC. */
export const attachments = table(
  "attachments",
  z.object({
    id: z.string(),
    /** The resource, such as `cls-3f8a0c1e` or `ins-77aa0b1c`. */
    owner: z.string(),
    vpcId: z.string(),
    subnetId: z.string().optional(),
    /** IPv4 addresses taken from the subnet. */
    addresses: z.int(),
    /** Whether it also takes addresses of the subnet's IPv6 range. */
    ipv6: z.boolean(),
    securityGroupIds: z.array(z.string()),
  }),
);
