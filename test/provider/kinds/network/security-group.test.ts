import * as vpc from "@container-platform/sdk/vpc";
import { unknown } from "../../../support/structs.ts";
import { eachWay, laws, notKnown, type Unknown } from "../../every-kind/change-laws.ts";
import { makeGroup } from "../../stage/outside.ts";

/** What each input of a SecurityGroup does when it changes and when it is taken out. */
await laws(async (stage) => {
  const other = await makeGroup(stage);
  const web = { protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
  const web6 = { protocol: "TCP", port: "443", ipv6CidrBlock: "::/0", action: "ACCEPT" };
  const peers = { protocol: "ALL", self: true, action: "ACCEPT" };
  const friends = { protocol: "UDP", port: "8000-9000", securityGroupId: other, action: "ACCEPT", policyDescription: "games" };
  const ping = { protocol: "ICMP", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };
  const rest = { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "DROP" };

  const guarded = { ingress: [web, web6, peers] };
  const leaving = { egress: [rest] };
  const own = { groupName: "one", groupDescription: "for tests", tags: { team: "a" } };
  const otherwiseSpelt = [
    { ...web, protocol: "tcp" },
    { ...web6, ipv6CidrBlock: "0::0/0" },
    { ...peers, protocol: "all", port: "all" },
  ];
  const [create, remove] = [["CreateSecurityGroupPolicies"], ["DeleteSecurityGroupPolicies"]];
  const replace = ["ReplaceSecurityGroupPolicies"];
  return {
    type: "SecurityGroup",
    base: {},
    creates: ["CreateSecurityGroup"],
    full: { ...own, ingress: [web, web6, peers, friends, ping, rest], ...leaving },
    createsFull: ["CreateSecurityGroup", ...create, ...create],
    updates: ["ModifySecurityGroupAttribute"],
    deletes: ["DeleteSecurityGroup"],
    changes: [
      ...eachWay({}, { groupName: ["one", "two"], groupDescription: ["for tests", ""] }),
      { of: "groupDescription, put in empty", to: { groupDescription: "" } },
      { to: guarded, calls: create },
      { of: "ingress, one more at the end", from: guarded, to: { ingress: [web, web6, peers, rest] }, calls: create },
      { of: "ingress, one more in front", from: guarded, to: { ingress: [ping, web, web6, peers] }, calls: create },
      {
        of: "ingress, one more at two places",
        from: guarded,
        to: { ingress: [ping, web, web6, friends, peers] },
        calls: [...create, ...create],
      },
      { of: "ingress, two fewer", from: guarded, to: { ingress: [web6] }, calls: remove },
      { of: "ingress, one for another", from: guarded, to: { ingress: [web, ping, peers] }, calls: replace },
      {
        of: "ingress, another description",
        from: guarded,
        to: { ingress: [web, { ...web6, policyDescription: "everyone" }, peers] },
        calls: replace,
      },
      { of: "ingress, another order", from: guarded, to: { ingress: [web6, web, peers] }, calls: [...remove, ...create] },
      { of: "ingress, another spelling", from: guarded, to: { ingress: otherwiseSpelt }, does: "nothing" },
      { from: guarded, to: { ingress: undefined }, calls: remove },
      { of: "ingress, emptied", from: guarded, to: { ingress: [] }, calls: remove },
      { of: "ingress, none to empty", to: { ingress: [] }, does: "nothing" },
      { to: leaving, calls: create },
      { from: leaving, to: { egress: [{ ...rest, action: "ACCEPT" }] }, calls: replace },
      { from: leaving, to: { egress: undefined }, calls: remove },
      ...eachWay({}, { tags: [own.tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    unknowns: [
      ...notKnown("update", ["groupName", "groupDescription", "egress", "tags"]),
      ...notKnown("update", ["ingress"], guarded),
      { of: "a rule", from: guarded, to: { ingress: [web, unknown] }, does: "update" },
      ...["cidrBlock", "port", "protocol"].map((of): Unknown => ({
        of: `${of} in a rule`,
        from: guarded,
        to: { ingress: [{ ...web, [of]: unknown }] },
        does: "update",
      })),
    ],
    vanish: (securityGroupId) => stage.cloud.call(vpc.deleteSecurityGroup, { securityGroupId }),
  };
});
