import * as vpc from "@container-platform/sdk/vpc";
import { longest } from "@container-platform/sdk";
import { everySecurityGroup, securityGroupFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { cleared, name, named, short, tagPairs } from "../../definition/inputs.ts";
import { joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { liveRules, rulesSchema, settleRules, widenedRange } from "./security-group-rules.ts";

/** The arguments of `SecurityGroup`. */
export interface SecurityGroupArgs {
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  groupName?: Input<string | undefined>;
  /** Description, at most 100 characters. Default: `Managed by Pulumi`. */
  groupDescription?: Input<string | undefined>;
  /** Rules for inbound traffic, in order, at most 100. Default: none, inbound traffic is dropped. */
  ingress?: Input<readonly Input<SecurityGroupRule>[] | undefined>;
  /** Rules for outbound traffic, in order, at most 100. Default: none, outbound traffic is dropped. */
  egress?: Input<readonly Input<SecurityGroupRule>[] | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface SecurityGroupRule {
  /** Protocol: `TCP`, `UDP`, `ICMP`, `ICMPV6`, `GRE` or `ALL`. */
  protocol: Input<"ALL" | "TCP" | "UDP" | "ICMP" | "ICMPV6" | "GRE" | "tcp" | "udp" | "icmp" | "icmpv6" | "gre" | "all">;
  /** Whether the traffic is accepted or dropped. */
  action: Input<"ACCEPT" | "DROP">;
  /** Only with TCP and UDP: a port, a range such as `30000-32767`, a list such as `80,443`, or `ALL`. Default: `ALL`. */
  port?: Input<string | undefined>;
  /** IPv4 CIDR block or address of the peer. Set exactly one of `cidrBlock`, `ipv6CidrBlock`, `securityGroupId` and `self`. */
  cidrBlock?: Input<string | undefined>;
  /** IPv6 CIDR block or address of the peer. */
  ipv6CidrBlock?: Input<string | undefined>;
  /** Security group of the peer. */
  securityGroupId?: Input<string | undefined>;
  /** `true`: the peer is in this same security group. */
  self?: Input<true | undefined>;
  /** Description of the rule, at most 100 characters. */
  policyDescription?: Input<string | undefined>;
}

/** The properties of a `SecurityGroup` once they are known. */
export interface SecurityGroupState extends ResolvedWithDefaults<SecurityGroupArgs, "groupName" | "groupDescription"> {
  /** ID of the security group, such as `sg-3f8a0c1e`. */
  securityGroupId: string;
}

/**
 * A security group (firewall): ordered rules for inbound and outbound traffic. The first rule that matches applies. Without rules, all
 * traffic is dropped.
 *
 * @example
 * const web = new SecurityGroup("web", {
 *   ingress: [{ protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }],
 *   egress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }],
 * });
 */
export class SecurityGroup extends resource<SecurityGroupArgs, SecurityGroupState>()("SecurityGroup", {
  inputs: {
    groupName: named(name),
    groupDescription: short(longest.description).default("Managed by Pulumi"),
    ingress: cleared(rulesSchema),
    egress: cleared(rulesSchema),
    tags: cleared(tagPairs),
  },
  outputs: { securityGroupId: z.string() },
  id: joined("sg-3f8a0c1e", "securityGroupId"),
}).managed({
  create: async (cloud, { groupName, groupDescription, tags }) => {
    const { securityGroup } = await cloud.call(vpc.createSecurityGroup, { groupName, groupDescription, tags: tagList(tags) });
    return { ...securityGroup, tags: tagRecord(securityGroup.tagSet) };
  },
  owned: "securityGroup",
  read: async (cloud, { securityGroupId }) => {
    const group = await securityGroupFinder.find(cloud, securityGroupId);
    if (!group) return undefined;
    return { ...group, ...(await liveRules(cloud, securityGroupId)), tags: tagRecord(group.tagSet) };
  },
  list: everySecurityGroup,
  delete: (cloud, { securityGroupId }) => cloud.call(vpc.deleteSecurityGroup, { securityGroupId }),

  changes: {
    groupName: (cloud, { securityGroupId, groupName }) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId, groupName }),
    groupDescription: (cloud, { securityGroupId, groupDescription }) =>
      cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId, groupDescription }),
    ingress: settleRules,
    egress: settleRules,
    tags: (cloud, { securityGroupId, tags }, live) => retagged(cloud, "securityGroup", securityGroupId, tags, live.tags),
  },
  warnings: [widenedRange],
  afterCreation: ["ingress", "egress"],
}) {}
export interface SecurityGroup extends Outputs<SecurityGroupState> {}
