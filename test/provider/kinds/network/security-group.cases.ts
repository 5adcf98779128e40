import * as vpc from "@container-platform/sdk/vpc";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { makeGroup, retag } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

export async function securityGroupDrifts(stage: Stage): Promise<Drifts> {
  const { cloud } = stage;
  const other = await makeGroup(stage);
  const web = { protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
  const web6 = { protocol: "TCP", port: "443", ipv6CidrBlock: "::/0", action: "ACCEPT" };
  const peers = { protocol: "ALL", self: true, action: "ACCEPT" };
  const rest = { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "DROP" };
  const guarded = { ingress: [web, web6, peers], egress: [rest] };
  const set = (securityGroupId: string, securityGroupPolicySet: object) => ({ securityGroupId, securityGroupPolicySet });
  const [create, remove] = [["CreateSecurityGroupPolicies"], ["DeleteSecurityGroupPolicies"]];
  const modify = ["ModifySecurityGroupAttribute"];
  return {
    type: "SecurityGroup",
    unread: {},
    cases: [
      {
        input: "groupName",
        from: { groupName: "one" },
        byHand: (securityGroupId) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId, groupName: "two" }),
        shows: { groupName: "two" },
        repairs: modify,
      },
      {
        input: "groupDescription",
        from: {},
        byHand: (securityGroupId) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId, groupDescription: "mine" }),
        shows: { groupDescription: "mine" },
        repairs: modify,
      },
      {
        input: "ingress",
        how: "one more in front",
        from: guarded,
        byHand: (id) => cloud.call(vpc.createSecurityGroupPolicies, set(id, { ingress: [{ ...rest, policyIndex: 0 }] })),
        shows: { ingress: [rest, web, web6, peers] },
        repairs: remove,
      },
      {
        input: "ingress",
        how: "one fewer",
        from: guarded,
        byHand: (id) => cloud.call(vpc.deleteSecurityGroupPolicies, set(id, { ingress: [{ policyIndex: 1 }] })),
        shows: { ingress: [web, peers] },
        repairs: create,
      },
      {
        input: "ingress",
        how: "one described",
        from: guarded,
        byHand: (id) =>
          cloud.call(vpc.replaceSecurityGroupPolicies, set(id, { ingress: [{ ...web, policyIndex: 0, policyDescription: "mine" }] })),
        shows: { ingress: [{ ...web, policyDescription: "mine" }, web6, peers] },
        repairs: ["ReplaceSecurityGroupPolicies"],
      },
      {
        input: "ingress",
        how: "the others keep their spelling",
        from: {
          ingress: [
            { protocol: "tcp", cidrBlock: "10.0.0.0/8", action: "ACCEPT" },
            { ...web6, ipv6CidrBlock: "0::0/0" },
          ],
        },
        byHand: (id) => cloud.call(vpc.createSecurityGroupPolicies, set(id, { ingress: [{ ...rest, policyIndex: 2 }] })),
        shows: { ingress: [{ protocol: "tcp", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }, { ...web6, ipv6CidrBlock: "0::0/0" }, rest] },
        repairs: remove,
      },
      {
        input: "ingress",
        how: "put in where there was none",
        from: {},
        byHand: (id) => cloud.call(vpc.createSecurityGroupPolicies, set(id, { ingress: [rest] })),
        shows: { ingress: [rest] },
        repairs: remove,
      },
      {
        input: "ingress",
        how: "spelt in another way",
        from: {
          ingress: [
            { protocol: "tcp", cidrBlock: "10.0.0.0/8", action: "ACCEPT", policyDescription: "" },
            { protocol: "UDP", port: "all", ipv6CidrBlock: "2001:DB8:0:0::/64", action: "DROP" },
            { protocol: "all", port: "ALL", securityGroupId: other, action: "ACCEPT" },
          ],
          egress: [],
        },
      },
      {
        input: "egress",
        from: guarded,
        byHand: (id) => cloud.call(vpc.deleteSecurityGroupPolicies, set(id, { egress: [{ policyIndex: 0 }] })),
        shows: { egress: undefined },
        repairs: create,
      },
      {
        input: "tags",
        from: { tags: { team: "a" } },
        byHand: (id) => retag(stage, "securityGroup", id, { team: undefined }),
        shows: { tags: undefined },
        repairs: ["ModifyResourceTags"],
      },
    ],
  };
}
