import * as vpc from "@container-platform/sdk/vpc";
import { longest } from "@container-platform/sdk";
import { everySecurityGroup, securityGroupFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import { cleared, name, named, short, tagPairs } from "../../definition/inputs.ts";
import { joined } from "../../definition/ids.ts";
import { type ArgsOf, resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { liveRules, rulesSchema, settleRules, widenedRange } from "./security-group-rules.ts";

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
export class SecurityGroup extends resource("SecurityGroup", {
  inputs: {
    /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
    groupName: named(name),
    /** Description, at most 100 characters. Default: `Managed by Pulumi`. */
    groupDescription: short(longest.description).default("Managed by Pulumi"),
    /** Rules for inbound traffic, in order, at most 100. Default: none, inbound traffic is dropped. */
    ingress: cleared(rulesSchema),
    /** Rules for outbound traffic, in order, at most 100. Default: none, outbound traffic is dropped. */
    egress: cleared(rulesSchema),
    /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
    tags: cleared(tagPairs),
  },
  outputs: {
    /** ID of the security group, such as `sg-3f8a0c1e`. */
    securityGroupId: z.string(),
  },
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

export type SecurityGroupArgs = ArgsOf<typeof SecurityGroup>;
