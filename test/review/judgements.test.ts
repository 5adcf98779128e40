import { describe, expect, test } from "vitest";
import type { ReviewOf } from "../../provider/src/review/judge/reviewed.ts";
import type { Reason } from "../../provider/src/review/verdict.ts";
import { preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Inputs = NonNullable<Step["old"]>;
const update = (kind: Step["kind"], old: Inputs, now: Inputs): Step => ({
  kind,
  name: "x",
  op: "update",
  old,
  now,
  paths: Object.keys(now),
});
const rule = (cidrBlock: string, action = "ACCEPT") => ({ protocol: "TCP", port: "443", cidrBlock, action });
const rights = (resource: string, ...actions: readonly string[]) => ({ resource, actions: actions.map((one) => `reg:${one}Repository`) });
const permissions = (...all: readonly object[]): Inputs => ({ permissions: all });
const ends = (expiresAt?: string): Inputs => (expiresAt === undefined ? {} : { expiresAt });
const scaling = (maxReplicas: number) => ({ native: { scaling: { minReplicas: 1, maxReplicas } } });

interface Case {
  readonly step: Step;
  readonly codes: readonly Reason["code"][];
  readonly undo?: "yes" | "partly" | "no";
  readonly says?: string;
}

/** Single changes, and how they are judged. */
const cases: Readonly<Record<string, Case>> = {
  "more nodes": { step: update("NodePool", scaling(3), scaling(5)), codes: [], undo: "yes" },
  "fewer nodes": { step: update("NodePool", scaling(5), scaling(3)), codes: ["interrupts"], undo: "partly", says: "2 nodes are removed" },
  "a taint that evicts": {
    step: update("NodePool", { taints: [] }, { taints: [{ key: "a", effect: "NoExecute" }] }),
    codes: ["interrupts"],
  },
  "taints that are not known yet": { step: update("NodePool", { taints: [] }, { taints: unknown }), codes: ["undecided"] },
  "bounds that are not known yet": {
    step: update("NodePool", scaling(5), { native: { scaling: { minReplicas: 1, maxReplicas: unknown } } }),
    codes: ["undecided"],
  },
  "a setting of new nodes": {
    step: update("NodePool", { native: { kubeletArgs: ["max-pods=64"] } }, { native: { kubeletArgs: ["max-pods=32"] } }),
    codes: [],
  },
  "a setting of existing nodes": {
    step: update(
      "NodePool",
      { native: { kubeletArgs: ["max-pods=64"], updateExistedNode: true } },
      { native: { kubeletArgs: ["max-pods=32"], updateExistedNode: true } },
    ),
    codes: ["interrupts"],
    says: "applies to existing nodes, too",
  },
  "a setting of nodes that nobody has judged": {
    step: update("NodePool", { native: { brandNew: 1 } }, { native: { brandNew: 2 } }),
    codes: ["undecided"],
  },
  "an input that nobody has judged": {
    step: update("Vpc", { brandNew: 1 }, { brandNew: 2 }),
    codes: ["undecided"],
    says: "what a change of this input means is not known here",
  },
  "another name": { step: update("Vpc", { vpcName: "a" }, { vpcName: "b" }), codes: [], undo: "yes" },
  "a name that is not known yet": { step: update("Vpc", { vpcName: "a" }, { vpcName: unknown }), codes: [] },
  "a safeguard that is not known yet": {
    step: update("Repository", { forceDelete: false }, { forceDelete: unknown }),
    codes: ["undecided"],
    says: "known only after apply",
  },
  "a namespace of which is not known whether it is public": {
    step: update("Namespace", { isPublic: false }, { isPublic: unknown }),
    codes: ["undecided"],
  },
  "a taint that does not": { step: update("NodePool", { taints: [] }, { taints: [{ key: "a", effect: "NoSchedule" }] }), codes: [] },
  "nodes paid in advance": {
    step: update("NodePool", { native: {} }, { native: { instanceChargeType: "PREPAID" } }),
    codes: ["irreversible"],
    undo: "no",
  },
  "a rule more": {
    step: update("SecurityGroup", { ingress: [rule("10.0.0.0/8")] }, { ingress: [rule("10.0.0.0/8"), rule("0.0.0.0/0")] }),
    codes: ["access-opened"],
    says: "TCP 443 anywhere (0.0.0.0/0)",
  },
  "a rule less": { step: update("SecurityGroup", { ingress: [rule("10.0.0.0/8")] }, { ingress: [] }), codes: ["access-narrowed"] },
  "a rule that drops, less": {
    step: update("SecurityGroup", { ingress: [rule("10.9.0.0/16", "DROP"), rule("10.0.0.0/8")] }, { ingress: [rule("10.0.0.0/8")] }),
    codes: ["access-opened"],
  },
  "rules in another order": {
    step: update(
      "SecurityGroup",
      { ingress: [rule("10.0.0.0/8"), rule("10.9.0.0/16", "DROP")] },
      { ingress: [rule("10.9.0.0/16", "DROP"), rule("10.0.0.0/8")] },
    ),
    codes: ["access-changed"],
  },
  "rules that are not known yet": { step: update("SecurityGroup", { ingress: [] }, { ingress: unknown }), codes: ["undecided"] },
  "rotated credentials": {
    step: update("Cluster", { credentialsVersion: "1" }, { credentialsVersion: "2" }),
    codes: ["interrupts"],
    undo: "no",
  },
  "protection on": { step: update("Cluster", { deletionProtection: false }, { deletionProtection: true }), codes: [] },
  "protection taken out of the program": { step: update("Cluster", { deletionProtection: true }, {}), codes: ["safeguard-weakened"] },
  "nodes destroyed with the cluster": {
    step: update("Cluster", { instanceDeleteMode: "retain" }, { instanceDeleteMode: "terminate" }),
    codes: ["safeguard-weakened"],
  },
  "a bucket deleted with the registry": {
    step: update("RegistryInstance", { deleteBucket: false }, { deleteBucket: true }),
    codes: ["safeguard-weakened"],
  },
  "a registry closed to the internet": {
    step: update("RegistryInstance", { publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/32" }] } }, {}),
    codes: ["access-narrowed"],
    says: "203.0.113.7/32",
  },
  "a public namespace": { step: update("Namespace", { isPublic: false }, { isPublic: true }), codes: ["access-opened"] },
  "another retention": {
    step: update("Namespace", {}, { retentionRule: { key: "latestPushedK", value: 1 } }),
    codes: ["irreversible"],
    undo: "no",
  },
  "images deleted with their repository": {
    step: update("Repository", { forceDelete: false }, { forceDelete: true }),
    codes: ["safeguard-weakened"],
  },
  "a repository deleted, with its images": {
    step: { kind: "Repository", name: "x", op: "delete", old: { forceDelete: true } },
    codes: ["deletes"],
    undo: "partly",
    says: "all images in it",
  },
  "copies overwritten": {
    step: update("ReplicationRule", { override: false }, { override: true }),
    codes: ["safeguard-weakened"],
    undo: "no",
  },
  "copies deleted with what they are copies of": {
    step: update("ReplicationRule", { deletion: false }, { deletion: true }),
    codes: ["safeguard-weakened"],
    undo: "no",
  },
  "copies no longer deleted": { step: update("ReplicationRule", { deletion: true }, { deletion: false }), codes: [], undo: "yes" },
  "a rule out of use": {
    step: update("ReplicationRule", { enabled: true }, { enabled: false }),
    codes: ["interrupts"],
    undo: "yes",
    says: "images are no longer copied",
  },
  "other images copied": { step: update("ReplicationRule", { filters: [] }, { filters: [{ type: "tag" }] }), codes: [], undo: "yes" },
  "a token disabled": { step: update("Token", { enabled: true }, { enabled: false }), codes: ["access-narrowed"], undo: "yes" },
  "an account that may do more": {
    step: update(
      "ServiceAccount",
      permissions(rights("team", "Pull")),
      permissions(rights("shop", "Pull"), rights("team/", "Push", "Pull")),
    ),
    codes: ["access-opened"],
    says: "the account may do more: reg:PullRepository in shop, reg:PushRepository in team",
  },
  "an account that may do less": {
    step: update("ServiceAccount", permissions(rights("team", "Push", "Pull")), permissions(rights("team", "Pull"))),
    codes: ["access-narrowed"],
    says: "the account may no longer do: reg:PushRepository in team",
  },
  "an account that may do something else": {
    step: update("ServiceAccount", permissions(rights("team", "Push")), permissions(rights("shop", "Push"))),
    codes: ["access-opened", "access-narrowed"],
    undo: "yes",
  },
  "an account whose permissions are in another order": {
    step: update(
      "ServiceAccount",
      permissions(rights("team", "Push", "Pull"), rights("shop", "Pull")),
      permissions(rights("shop/", "Pull"), rights("team", "Pull", "Push")),
    ),
    codes: [],
  },
  "an account whose permissions are not known yet": {
    step: update("ServiceAccount", permissions(rights("team", "Push")), permissions({ ...rights("team", "Push"), resource: unknown })),
    codes: ["undecided"],
  },
  "an account disabled": {
    step: update("ServiceAccount", { disable: false }, { disable: true }),
    codes: ["access-narrowed"],
    undo: "yes",
  },
  "an account enabled again": { step: update("ServiceAccount", { disable: true }, { disable: false }), codes: ["access-opened"] },
  "a new account that may push": {
    step: { kind: "ServiceAccount", name: "x", op: "create", now: permissions(rights("team", "Pull", "Push")) },
    codes: ["access-opened"],
    says: "a new account may do: reg:PushRepository in team",
  },
  "a new account that may only pull": {
    step: { kind: "ServiceAccount", name: "x", op: "create", now: permissions(rights("team", "Pull")) },
    codes: [],
  },
  "a new rule that overwrites and deletes": {
    step: { kind: "ReplicationRule", name: "x", op: "create", now: { override: true, deletion: true } },
    codes: ["safeguard-weakened"],
    says: "deleting an image deletes its copy",
  },
  "a rule that deletes enabled again": {
    step: update("ReplicationRule", { enabled: false, deletion: true }, { enabled: true, deletion: true }),
    codes: ["safeguard-weakened"],
  },
  "an account with a new password": {
    step: update("ServiceAccount", { passwordVersion: "1" }, { passwordVersion: "2" }),
    codes: ["interrupts"],
    undo: "no",
    says: "the earlier one stops working",
  },
  "an account whose passwordVersion is taken out": {
    step: { ...update("ServiceAccount", { passwordVersion: "1" }, {}), paths: ["passwordVersion"] },
    codes: [],
  },
  "an account that ends sooner": {
    step: update("ServiceAccount", ends("2027-01-01T00:00:00Z"), ends("2026-12-31T23:00:00Z")),
    codes: ["access-narrowed"],
    undo: "yes",
    says: "until 2026-12-31T23:00:00Z",
  },
  "an account that gets an end": { step: update("ServiceAccount", {}, ends("2027-01-01T00:00:00Z")), codes: ["access-narrowed"] },
  "an account that ends later": {
    step: update("ServiceAccount", ends("2027-01-01T00:00:00Z"), ends("2028-01-01T00:00:00Z")),
    codes: ["access-opened"],
  },
  "an account that no longer ends": {
    step: { ...update("ServiceAccount", ends("2027-01-01T00:00:00Z"), {}), paths: ["expiresAt"] },
    codes: ["access-opened"],
  },
  "an account whose end is written otherwise": {
    step: update("ServiceAccount", ends("2027-01-01T00:00:00Z"), ends("2027-01-01T01:00:00+01:00")),
    codes: [],
  },
  "an account whose end is not known yet": { step: update("ServiceAccount", {}, ends(unknown)), codes: ["undecided"] },
  "an account deleted": {
    step: { kind: "ServiceAccount", name: "x", op: "delete", old: {} },
    codes: ["deletes"],
    undo: "no",
    says: "its password, which the platform does not tell again",
  },
  "a protected cluster deleted": {
    step: { kind: "Cluster", name: "x", op: "delete", old: { deletionProtection: true } },
    codes: ["protected", "deletes"],
    undo: "no",
  },
  "one that Pulumi protects": {
    step: { kind: "Vpc", name: "x", op: "delete", old: {}, protect: true },
    codes: ["protected", "deletes"],
    undo: "partly",
  },
  "nodes kept when the cluster goes": {
    step: { kind: "Cluster", name: "x", op: "delete", old: { instanceDeleteMode: "retain" } },
    codes: ["deletes"],
    says: "the nodes are kept",
  },
  "a permission narrowed": {
    step: {
      kind: "UserPermission",
      name: "x",
      op: "replace",
      old: { roleName: "svc:admin" },
      now: { roleName: "svc:ro" },
      because: ["roleName"],
    },
    codes: ["access-narrowed"],
    undo: "yes",
  },
  "what exists taken over": { step: { kind: "Vpc", name: "x", op: "create", now: { __adopt: "vpc-1" } }, codes: [], undo: "yes" },
};

describe("the judgement of", () => {
  test.for(Object.entries(cases))("%s", ([, { step, codes, undo, says = "" }]) => {
    const { reasons, changes, verdict } = reviewOfTexts([preview([step])]);
    expect(reasons.map(({ code }) => code).toSorted()).toEqual([...codes].toSorted());
    expect(verdict).toBe(codes.includes("protected") ? "blocked" : codes.length > 0 ? "needs-approval" : "safe");
    if (undo !== undefined) expect(changes[0]?.undo.possible).toBe(undo);
    expect(reasons.map(({ sentence }) => sentence).join("\n")).toContain(says);
  });
});

test("the 21st cluster of a region is over the limit, even one that exists only while a replacement and its predecessor both do", () => {
  const clusters = (count: number): Step[] =>
    Array.from({ length: count }, (_, index) => ({ kind: "Cluster", name: `c${index}`, op: "same", old: {} }));
  const one: Step = { kind: "Cluster", name: "new", op: "create", now: {} };
  expect(reviewOfTexts([preview([...clusters(19), one])]).verdict).toBe("safe");
  expect(reviewOfTexts([preview([...clusters(20), one])]).reasons.map(({ code }) => code)).toEqual(["quota"]);
  const replaced: Step = { kind: "Cluster", name: "other", op: "replace", old: { vpcId: "a" }, now: { vpcId: "b" }, because: ["vpcId"] };
  expect(reviewOfTexts([preview([...clusters(20), replaced])]).reasons.map(({ code }) => code)).toContain("quota");
});

test("a refusal is shown at the resource that refuses, not at the one that the engine names", () => {
  const message = `diffing ${urnOf("Vpc net")}: a change of vpcId makes a new Cluster in place of cluster-one, but deletionProtection is on: set deletionProtection to false`;
  const at = [{ severity: "error", urn: urnOf("Vpc net"), message }];
  const vpc: Step = { kind: "Vpc", name: "net", op: "same", old: {} };
  const known = reviewOfTexts([preview([vpc, { kind: "Cluster", name: "one", op: "same", old: {} }], at)]);
  expect(known.failures.map(({ called, property }) => [called, property])).toEqual([["Cluster one", "vpcId"]]);
  const elsewhere = reviewOfTexts([preview([vpc], at)]);
  expect(elsewhere.failures.map(({ called, urn }) => [called, urn])).toEqual([["Cluster cluster-one", undefined]]);
});

test("resources of other providers are listed as not analysed, and their deletion needs approval", () => {
  const text = preview([{ kind: "Vpc", name: "x", op: "delete", old: {} }]).replaceAll(
    "pulumi-nodejs:dynamic/container-platform:Vpc",
    "aws:s3/bucket:Bucket",
  );
  const report = reviewOfTexts([text]);
  expect(report.verdict).toBe("needs-approval");
  expect(report.unanalysed[0]).toContain("1 resource of other providers (aws:s3/bucket:Bucket)");
});

test("a change that concerns only Pulumi's own data is folded into one line", () => {
  const report = reviewOfTexts([
    preview([{ kind: "Vpc", name: "x", op: "update", old: { __provider: "a" }, now: { __provider: "b" }, paths: [] }]),
  ]);
  expect([report.verdict, report.changes, report.folded]).toEqual(["nothing", [], [urnOf("Vpc x")]]);
});

test("an unknown value is shown with the resource that it comes from", () => {
  const steps: Step[] = [
    { kind: "Vpc", name: "net", op: "create", now: { cidrBlock: "10.0.0.0/16" } },
    { kind: "Subnet", name: "x", op: "create", now: { vpcId: unknown }, from: { vpcId: ["Vpc net"] } },
  ];
  const subnet = reviewOfTexts([preview(steps)]).changes.find(({ called }) => called === "Subnet x");
  expect(subnet?.properties).toEqual([
    { path: "vpcId", before: { kind: "absent" }, after: { kind: "unknown", from: ["Vpc net"] }, effect: "in place" },
  ]);
});

test("a review that leaves out an input that can change does not compile", () => {
  const judged: ReviewOf<"Vpc">["changes"] = { vpcName: "harmless", enableRouteVpcPublishIpv6: [], dnsServers: [], tags: "harmless" };
  // @ts-expect-error dnsServers is missing
  const forgotten: ReviewOf<"Vpc">["changes"] = { vpcName: "harmless", enableRouteVpcPublishIpv6: [], tags: "harmless" };
  expect(Object.keys(judged).filter((input) => !(input in forgotten))).toEqual(["dnsServers"]);
});
