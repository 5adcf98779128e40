import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeGroup } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a SecurityGroup does when it changes and when it is taken out. */
async function securityGroupTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const other = await makeGroup(stage);
  const web = { protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
  const web6 = { protocol: "TCP", port: "443", ipv6CidrBlock: "::/0", action: "ACCEPT" };
  const peers = { protocol: "ALL", self: true, action: "ACCEPT" };
  const friends = { protocol: "UDP", port: "8000-9000", securityGroupId: other, action: "ACCEPT", policyDescription: "games" };
  const ping = { protocol: "ICMP", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };
  const rest = { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "DROP" };

  const named = { groupName: "one" };
  const described = { groupDescription: "for tests" };
  const guarded = { ingress: [web, web6, peers] };
  const leaving = { egress: [rest] };
  const tagged = { tags: { team: "a" } };
  return {
    type: "SecurityGroup",
    inputs: ["groupName", "groupDescription", "ingress", "egress", "tags"],
    base: {},
    creates: ["CreateSecurityGroup"],
    full: { ...named, ...described, ingress: [web, web6, peers, friends, ping, rest], ...leaving, ...tagged },
    createsFull: ["CreateSecurityGroup", "CreateSecurityGroupPolicies", "CreateSecurityGroupPolicies"],
    deletes: ["DeleteSecurityGroup"],
    changes: [
      { of: "groupName", from: named, to: { groupName: "two" }, does: "update", calls: ["ModifySecurityGroupAttribute"] },
      { of: "groupName, taken out", from: named, to: { groupName: undefined }, does: "update", calls: ["ModifySecurityGroupAttribute"] },
      { of: "groupDescription", to: { groupDescription: "for tests" }, does: "update", calls: ["ModifySecurityGroupAttribute"] },
      { of: "groupDescription, emptied", to: { groupDescription: "" }, does: "update", calls: ["ModifySecurityGroupAttribute"] },
      {
        of: "groupDescription, taken out",
        from: described,
        to: { groupDescription: undefined },
        does: "update",
        calls: ["ModifySecurityGroupAttribute"],
      },
      { of: "ingress, put in", to: guarded, does: "update", calls: ["CreateSecurityGroupPolicies"] },
      {
        of: "ingress, one more at the end",
        from: guarded,
        to: { ingress: [web, web6, peers, rest] },
        does: "update",
        calls: ["CreateSecurityGroupPolicies"],
      },
      {
        of: "ingress, one more in front",
        from: guarded,
        to: { ingress: [ping, web, web6, peers] },
        does: "update",
        calls: ["CreateSecurityGroupPolicies"],
      },
      {
        of: "ingress, one more at two places",
        from: guarded,
        to: { ingress: [ping, web, web6, friends, peers] },
        does: "update",
        calls: ["CreateSecurityGroupPolicies", "CreateSecurityGroupPolicies"],
      },
      { of: "ingress, two fewer", from: guarded, to: { ingress: [web6] }, does: "update", calls: ["DeleteSecurityGroupPolicies"] },
      {
        of: "ingress, one for another",
        from: guarded,
        to: { ingress: [web, ping, peers] },
        does: "update",
        calls: ["ReplaceSecurityGroupPolicies"],
      },
      {
        of: "ingress, another description",
        from: guarded,
        to: { ingress: [web, { ...web6, policyDescription: "everyone" }, peers] },
        does: "update",
        calls: ["ReplaceSecurityGroupPolicies"],
      },
      {
        of: "ingress, another order",
        from: guarded,
        to: { ingress: [web6, web, peers] },
        does: "update",
        calls: ["DeleteSecurityGroupPolicies", "CreateSecurityGroupPolicies"],
      },
      {
        of: "ingress, another spelling",
        from: guarded,
        to: {
          ingress: [
            { ...web, protocol: "tcp" },
            { ...web6, ipv6CidrBlock: "0::0/0" },
            { ...peers, protocol: "all", port: "all" },
          ],
        },
        does: "nothing",
        calls: [],
      },
      { of: "ingress, taken out", from: guarded, to: { ingress: undefined }, does: "update", calls: ["DeleteSecurityGroupPolicies"] },
      { of: "ingress, emptied", from: guarded, to: { ingress: [] }, does: "update", calls: ["DeleteSecurityGroupPolicies"] },
      { of: "ingress, none to empty", to: { ingress: [] }, does: "nothing", calls: [] },
      { of: "egress, put in", to: leaving, does: "update", calls: ["CreateSecurityGroupPolicies"] },
      {
        of: "egress",
        from: leaving,
        to: { egress: [{ ...rest, action: "ACCEPT" }] },
        does: "update",
        calls: ["ReplaceSecurityGroupPolicies"],
      },
      { of: "egress, taken out", from: leaving, to: { egress: undefined }, does: "update", calls: ["DeleteSecurityGroupPolicies"] },
      { of: "tags", from: tagged, to: { tags: { team: "b", owner: "me" } }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: ["ModifyResourceTags"] },
    ],
    unknowns: [
      { of: "groupName", to: { groupName: unknown }, does: "update" },
      { of: "groupDescription", to: { groupDescription: unknown }, does: "update" },
      { of: "ingress", from: guarded, to: { ingress: unknown }, does: "update" },
      { of: "a rule", from: guarded, to: { ingress: [web, unknown] }, does: "update" },
      { of: "a range in a rule", from: guarded, to: { ingress: [{ ...web, cidrBlock: unknown }] }, does: "update" },
      { of: "a port in a rule", from: guarded, to: { ingress: [{ ...web, port: unknown }] }, does: "update" },
      { of: "a protocol in a rule", from: guarded, to: { ingress: [{ ...web, protocol: unknown }] }, does: "update" },
      { of: "egress", to: { egress: unknown }, does: "update" },
      { of: "tags", to: { tags: unknown }, does: "update" },
    ],
    vanish: (securityGroupId) => cloud.call(vpc.deleteSecurityGroup, { securityGroupId }),
  };
}

await laws(securityGroupTable);
