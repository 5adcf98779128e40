import { z } from "zod";
import { tags } from "../../catalogue/shared.ts";
import { chargeTypes, serviceProviders } from "../../catalogue/vpc.ts";
import { table } from "../store/table.ts";
import { timelineSchema } from "../store/timeline.ts";

/** The fields of every resource that a call makes here. */
const named = { name: z.string(), createdTime: z.string(), tags };

export const vpcs = table(
  "vpcs",
  () => ({
    ...named,
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
  }),
  "range",
);

export type VpcRow = z.output<typeof vpcs.row>;

/** Belongs to its VPC. */
export const subnets = table(
  "subnets",
  () => ({
    ...named,
    vpcId: z.string(),
    cidrBlock: z.string(),
    /** The first address of `cidrBlock`, as `rangeKey` writes it. */
    range: z.string(),
    ipv6CidrBlock: z.string().optional(),
    /** The `ClientToken` of the call that assigned the IPv6 range, to recognise its repetition. */
    ipv6Token: z.string().optional(),
    zone: z.string(),
    routeTableId: z.string(),
    broadcast: z.boolean(),
  }),
  "range",
);

/** Belongs to its VPC. */
export const routeTables = table("routeTables", () => ({
  ...named,
  vpcId: z.string(),
  main: z.boolean(),
  routes: z
    .array(
      z.object({
        id: z.string(),
        /** 0 for an IPv6 route. */
        number: z.int(),
        destination: z.string(),
        gatewayType: z.string(),
        gatewayId: z.string(),
        description: z.string(),
        /** `USER`, or the part of the platform that manages it. */
        type: z.string(),
        createdTime: z.string(),
      }),
    )
    .default([]),
}));
export type RouteTableRow = z.output<typeof routeTables.row>;
export type RouteRow = RouteTableRow["routes"][number];

export const elasticIps = table("elasticIps", () => ({
  ...named,
  address: z.string(),
  timeline: timelineSchema,
  /** The gateway that it is bound to. */
  boundTo: z.string().optional(),
  provider: z.enum(serviceProviders),
  chargeType: z.enum(chargeTypes),
  /** How often that has been changed. */
  chargeChanges: z.int(),
  prepaid: z.object({ until: z.string(), renewFlag: z.string() }).optional(),
  bandwidth: z.int(),
  /** The `ClientToken` of the call that allocated it, to recognise its repetition. */
  token: z.string().optional(),
}));
export type ElasticIpRow = z.output<typeof elasticIps.row>;

/** Belongs to its VPC. */
export const natGateways = table("natGateways", () => ({
  ...named,
  vpcId: z.string(),
  zone: z.string(),
  bandwidth: z.int(),
  connections: z.int(),
  timeline: timelineSchema,
}));
export type NatGatewayRow = z.output<typeof natGateways.row>;

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
export const securityGroups = table("securityGroups", () => ({
  ...named,
  description: z.string(),
  projectId: z.string(),
  updateTime: z.string(),
  /** Grows by one at every change of the rules. */
  version: z.int(),
  egress: z.array(policy),
  ingress: z.array(policy),
}));

/** The addresses that a resource takes from a subnet, and the security groups that it uses. Belongs to the VPC. */
export const attachments = table("attachments", () => ({
  /** The resource, such as `cls-3f8a0c1e` or `ins-77aa0b1c`. */
  owner: z.string(),
  vpcId: z.string(),
  subnetId: z.string().optional(),
  /** IPv4 addresses taken from the subnet. */
  addresses: z.int(),
  /** Whether it also takes addresses of the subnet's IPv6 range. */
  ipv6: z.boolean(),
  securityGroupIds: z.array(z.string()),
}));
