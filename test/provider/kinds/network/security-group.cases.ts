import * as vpc from "@container-platform/sdk/vpc";
import { nameOf, tagsOf } from "../../../lifecycle/template.ts";
import { unknown } from "../../../support/structs.ts";
import { type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { makeGroup } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type Judged, type KindCases, type Site } from "../kind-cases.ts";
import { tagDrifts } from "../tag-drifts.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("SecurityGroup");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const other = await makeGroup(stage);
  const web = { protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
  const web6 = { protocol: "TCP", port: "443", ipv6CidrBlock: "::/0", action: "ACCEPT" };
  const peers = { protocol: "ALL", self: true, action: "ACCEPT" };
  const rest = { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "DROP" };
  const guarded = { ingress: [web, web6, peers], egress: [rest] };
  const set = (change: object) => (securityGroupId: string) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId, ...change });
  const changed = setByHand(set, ["ModifySecurityGroupAttribute"]);
  const add = (securityGroupPolicySet: object) => (securityGroupId: string) =>
    cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet });
  const drop = (securityGroupPolicySet: object) => (securityGroupId: string) =>
    cloud.call(vpc.deleteSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet });
  const described = [{ ...web, policyIndex: 0, policyDescription: "mine" }];
  const spelt = [
    { protocol: "tcp", cidrBlock: "10.0.0.0/8", action: "ACCEPT" },
    { ...web6, ipv6CidrBlock: "0::0/0" },
  ];
  const replace = (securityGroupPolicySet: object) => (securityGroupId: string) =>
    cloud.call(vpc.replaceSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet });
  // What somebody has added is deleted, and the other way round.
  const added = setByHand(add, ["DeleteSecurityGroupPolicies"]);
  const dropped = setByHand(drop, ["CreateSecurityGroupPolicies"]);
  return {
    unread: {},
    cases: [
      changed({ groupName: "one" }, { groupName: "two" }),
      changed({}, { groupDescription: "mine" }),
      added(
        guarded,
        { ingress: [rest, web, web6, peers] },
        { how: "one more in front", byHand: add({ ingress: [{ ...rest, policyIndex: 0 }] }) },
      ),
      dropped(guarded, { ingress: [web, peers] }, { how: "one fewer", byHand: drop({ ingress: [{ policyIndex: 1 }] }) }),
      changed(
        guarded,
        { ingress: [{ ...web, policyDescription: "mine" }, web6, peers] },
        { how: "one described", byHand: replace({ ingress: described }), repairs: ["ReplaceSecurityGroupPolicies"] },
      ),
      added(
        { ingress: spelt },
        { ingress: [...spelt, rest] },
        { how: "the others keep their spelling", byHand: add({ ingress: [{ ...rest, policyIndex: 2 }] }) },
      ),
      added({}, { ingress: [rest] }, { how: "put in where there was none" }),
      unnoticed("ingress", "spelt in another way", {
        ingress: [
          { protocol: "tcp", cidrBlock: "10.0.0.0/8", action: "ACCEPT", policyDescription: "" },
          { protocol: "UDP", port: "all", ipv6CidrBlock: "2001:DB8:0:0::/64", action: "DROP" },
          { protocol: "all", port: "ALL", securityGroupId: other, action: "ACCEPT" },
        ],
        egress: [],
      }),
      dropped(guarded, { egress: undefined }, { byHand: drop({ egress: [{ policyIndex: 0 }] }) }),
      ...tagDrifts(stage, "securityGroup", () => ({})),
    ],
  };
}

/** Two groups, of which each lets in the other. */
async function site({ cloud, index }: Site): Promise<readonly string[]> {
  const group = async (groupName: string, groupDescription: string) =>
    (await cloud.call(vpc.createSecurityGroup, { groupName, groupDescription })).securityGroup.securityGroupId;
  const nodes = await group(`nodes-${index}`, "Managed by Pulumi");
  const access = await group("access", 'Called "the door", 7.5" wide');
  const rules = (securityGroupId: string, direction: "ingress" | "egress", policies: readonly Record<string, unknown>[]) =>
    cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet: { [direction]: policies } });
  await rules(nodes, "ingress", [
    { protocol: "ALL", securityGroupId: nodes, action: "ACCEPT" },
    { protocol: "TCP", port: "443,8443", securityGroupId: access, action: "ACCEPT", policyDescription: "It's the door" },
  ]);
  await rules(nodes, "egress", [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }]);
  await rules(access, "ingress", [{ protocol: "TCP", port: "ALL", securityGroupId: nodes, action: "ACCEPT" }]);
  const office = await group("office", "of the access alone");
  await rules(access, "egress", [{ protocol: "ALL", securityGroupId: office, action: "ACCEPT" }]);
  return [nodes, access, office];
}

const rule = (cidrBlock: string, action = "ACCEPT") => ({ protocol: "TCP", port: "443", cidrBlock, action });
const [wide, drops] = [rule("10.0.0.0/8"), rule("10.9.0.0/16", "DROP")];
const gre = { protocol: "GRE", action: "ACCEPT" };
const vpc6 = { protocol: "ALL", ipv6CidrBlock: unknown, action: "ACCEPT" };
const allPorts = { ...wide, port: "ALL" };
const ingress = (before: readonly object[], after: readonly object[] | string, codes: Judged["codes"], more = {}) =>
  update({ ingress: before }, { ingress: after }, codes, more);

const judged: Readonly<Record<string, Judged>> = {
  "a new group of which is not known whom it lets in": create({ ingress: [rule(unknown)] }, ["undecided"]),
  "a new group that lets in another one, which is not known yet": create(
    { ingress: [{ protocol: "TCP", port: "443", securityGroupId: unknown, action: "ACCEPT" }] },
    [],
  ),
  "a new group that lets in the VPC's IPv6 block, which is not known yet": create({ ingress: [wide, vpc6] }, ["access-opened"], {
    from: { ingress: ["Ipv6Block net"] },
    says: "admits an IPv6 range that is known only after apply, and comes from Ipv6Block net",
  }),
  "the same, with another rule that is not known": create({ ingress: [rule(unknown), vpc6] }, ["undecided"], {
    from: { ingress: ["Ipv6Block net"] },
  }),
  "a rule that drops the VPC's IPv6 block": create({ ingress: [{ ...vpc6, action: "DROP" }] }, ["undecided"], {
    from: { ingress: ["Ipv6Block net"] },
  }),
  "an IPv6 range that is not known, from elsewhere": create({ ingress: [vpc6] }, ["undecided"], { from: { ingress: ["Vpc net"] } }),
  "a rule more": ingress([wide], [wide, rule("0.0.0.0/0")], ["access-opened"], { says: "TCP 443 anywhere (0.0.0.0/0)" }),
  "a rule less": ingress([wide], [], ["access-narrowed"]),
  "a rule for all ports instead of one": ingress([wide], [allPorts], ["access-opened"], { says: "TCP ALL 10.0.0.0/8" }),
  "a rule for one port instead of all": ingress([allPorts], [wide], ["access-narrowed"]),
  "a rule for all protocols instead of one": ingress([allPorts], [{ ...allPorts, protocol: "ALL" }], ["access-opened"]),
  "a rule for one protocol instead of all": ingress([{ ...allPorts, protocol: "ALL" }], [allPorts], ["access-narrowed"]),
  "a rule that drops, less": ingress([drops, wide], [wide], ["access-opened"]),
  "everyone in two rules": ingress([], [rule("0.0.0.0/1"), rule("128.0.0.0/1")], ["access-opened"], {
    says: "to everyone: TCP 443 anywhere (0.0.0.0/1), TCP 443 128.0.0.0/1",
  }),
  "everyone over GRE in two rules": create({ ingress: ["0.0.0.0/1", "128.0.0.0/1"].map((cidrBlock) => ({ ...gre, cidrBlock })) }, [
    "access-opened",
  ]),
  "more of a range that only some platforms take for everyone": ingress([rule("0.0.0.0/9")], [rule("0.0.0.0/8")], ["access-opened"]),
  "a rule less, and one that drops moved": ingress([drops, wide, rule("11.0.0.0/8")], [wide, drops], ["access-changed", "access-narrowed"]),
  "rules in another order": ingress([wide, drops], [drops, wide], ["access-changed"]),
  "rules that are not known yet": ingress([], unknown, ["undecided"]),
};

export const cases: KindCases = {
  drifts,
  creates: { operation: vpc.createSecurityGroup },
  killed: {
    tagged: ({ stage }) => ({
      args: { groupName: "one" },
      count: () => stage.rows("securityGroups"),
      beside: true,
      tags: async (id) =>
        tagRecord((await stage.cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [id] })).securityGroupSet[0]?.tagSet),
    }),
  },
  site,
  idsIn: idsOfTable("securityGroups"),
  program: {
    one: (called) => `const { securityGroupId } = new SecurityGroup("web", {
  groupName: "${called}", ingress: [{ protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "${called}" }], tags,
});`,
    further: `new SecurityGroup("spelt", {
  ingress: [
    { protocol: "tcp", port: "443", cidrBlock: "203.0.113.0/24", action: "ACCEPT" },
    { protocol: "UDP", ipv6CidrBlock: "2001:DB8::/32", action: "DROP", policyDescription: "spelt" },
  ],
});`,
  },
  random: {
    template: {
      needs: {},
      replaces: false,
      args: ({ version }) => ({
        groupName: nameOf(version),
        ingress: Array.from({ length: version % 4 }, (_, index) => ({
          protocol: "TCP",
          port: `${8000 + version + index}`,
          cidrBlock: "10.0.0.0/8",
          action: "ACCEPT",
        })),
        tags: tagsOf(version),
      }),
    },
    renamed: (cloud, { id }) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId: id, groupName: "by-hand" }),
    deleted: (cloud, { id }) => cloud.call(vpc.deleteSecurityGroup, { securityGroupId: id }),
    imported: async (cloud) =>
      (await cloud.call(vpc.createSecurityGroup, { groupName: "by-hand", groupDescription: "by hand" })).securityGroup.securityGroupId,
  },
  judged,
};
