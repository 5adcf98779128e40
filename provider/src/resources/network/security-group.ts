import * as vpc from "@container-platform/sdk/vpc";
import { longest } from "@container-platform/sdk";
import { everySecurityGroup, securityGroupFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import { short } from "../../definition/allowed.ts";
import { cleared, name, named, tagPairs } from "../../definition/inputs.ts";
import { joined } from "../../definition/id.ts";
import { type ArgsOf, resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../../definition/tags.ts";
import { liveRules, rulesSchema, settleRules } from "./security-group-rules.ts";

/**
 * A firewall: ordered rules for incoming and outgoing traffic. The first rule that matches decides. Without rules nothing passes.
 *
 * @example
 * const web = new SecurityGroup("web", {
 *   ingress: [{ protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }],
 *   egress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }],
 * });
 */
export class SecurityGroup extends resource("SecurityGroup", {
  inputs: {
    /** Name shown in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
    groupName: named(name),
    /** What it is for, at most 100 characters. Default: `Managed by Pulumi`. */
    groupDescription: short(longest.description).default("Managed by Pulumi"),
    /** Rules for incoming traffic, in order. Default: none, nothing comes in. */
    ingress: cleared(rulesSchema),
    /** Rules for outgoing traffic, in order. Default: none, nothing goes out. */
    egress: cleared(rulesSchema),
    /** Tags, by key. */
    tags: cleared(tagPairs),
  },
  outputs: {
    /** The platform's id, such as `sg-3f8a0c1e`. */
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
  rare: { afterCreation: () => ["ingress", "egress"] },
}) {}

export type SecurityGroupArgs = ArgsOf<typeof SecurityGroup>;
