import { describe, expect, test } from "vitest";
import { Redactor } from "../../provider/src/review/plan/secrets.ts";
import type { KindName } from "../../provider/src/resources/reviews.ts";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, deletion, foreignPreview, preview, type Step, unchanged, urnOf } from "./previews.ts";
import { reasonsIn, recorded, reviewOfSteps, reviewOfTexts } from "./reviewed.ts";
import { formats } from "../../provider/src/review/render/formats.ts";

/** What a reviewer must not call safe, because it destroys, opens, is not understood, or is hidden deep in an input or in the place of an ID. */

/** A made-up preview, in which the VPCs are resources of another provider. */
const foreign = (step: Step, type: string) => reviewOfTexts([foreignPreview(step, type)]);

describe("a replacement because of a resource that is created", () => {
  const replaced = (kind: KindName, name: string, from: Step["from"] & object, old: object, now: object): Step => ({
    ...{ kind, name, op: "replace", because: Object.keys(from), from, old: { ...old }, now: { ...now } },
  });

  test("needs approval, at an endpoint", () => {
    const endpoint = (subnetId: string) => ({ subnetId, isExtranet: false });
    const moved = replaced("ClusterEndpoint", "internal", { subnetId: ["Subnet edge"] }, endpoint("subnet-1"), endpoint(unknown));
    expect(reasonsIn(creation("Subnet", "edge", { vpcId: "vpc-1" }), moved)).toEqual(["ClusterEndpoint internal: replaces"]);
  });

  test("is not told a second time where the one that causes it says so", () => {
    const vpc: Step = { kind: "Vpc", name: "net", op: "replace", old: { cidrBlock: "a" }, now: { cidrBlock: "b" }, because: ["cidrBlock"] };
    const subnet = replaced("Subnet", "x", { vpcId: ["Vpc net"] }, { vpcId: "vpc-1" }, { vpcId: unknown });
    expect(reasonsIn(vpc, subnet)).toEqual(["Vpc net: replaces"]);
  });

  test("says what is opened besides, at a permission that moves to a new cluster", () => {
    const grant = (clusterId: string, roleName: string) => ({ targetUin: "100000000002", roleType: "cluster", clusterId, roleName });
    const from = { clusterId: ["Cluster new"] };
    const moved = replaced("UserPermission", "ops", from, grant("cls-1", "svc:ro"), grant(unknown, "svc:admin"));
    const reasons = reasonsIn(creation("Cluster", "new"), { ...moved, because: ["clusterId", "roleName"] });
    expect(reasons.toSorted()).toEqual(["UserPermission ops: access-opened", "UserPermission ops: replaces"]);
  });

  test("needs approval at another provider's resource", () => {
    const report = foreign(replaced("Vpc", "x", { a: ["Vpc y"] }, { a: 1 }, { a: unknown }), "random:index/randomId:RandomId");
    expect([report.verdict, report.reasons.map(({ code }) => code)]).toEqual(["needs-approval", ["replaces"]]);
  });
});

describe.each(["create", "update", "same", "replace"] as const)(
  "of a resource that an earlier run has left to be deleted, beside its %s",
  (op) => {
    const left: Step = { kind: "Vpc", name: "x", op: "delete", old: { cidrBlock: "10.0.0.0/16" } };
    const live: Step = { kind: "Vpc", name: "x", op, old: { cidrBlock: "10.0.0.0/16" }, now: { cidrBlock: "10.0.0.0/16" } };

    test.each(["kubernetes:apps/v1:Deployment", "pulumi-nodejs:dynamic/container-platform:Vpc"])(
      "the deletion is told, where both have one id: %s",
      (type) => {
        const text = preview([left, live]).replaceAll("pulumi-nodejs:dynamic/container-platform:Vpc", type);
        const report = reviewOfTexts([text]);
        expect(["needs-approval", "blocked"]).toContain(report.verdict);
        expect(report.changes.map(({ operation }) => operation)).toContain("delete");
      },
    );
  },
);

const user = { targetUin: "1", roleName: "own" };
const openTo = (registryName: string, cidrBlock: string) => ({ registryName, publicAccess: { whitelist: [{ cidrBlock }] } });
test.for<[string, KindName, object, object]>([
  ["an endpoint to the internet", "ClusterEndpoint", { isExtranet: false }, { isExtranet: true }],
  ["a namespace that is renamed", "Namespace", { namespaceName: "a", isPublic: false }, { namespaceName: "b", isPublic: true }],
  [
    "a permission from a namespace to the cluster",
    "UserPermission",
    { ...user, roleType: "namespace", namespace: "team" },
    { ...user, roleType: "cluster" },
  ],
  ["a registry with a wider list", "RegistryInstance", openTo("a", "203.0.113.0/25"), openTo("b", "203.0.113.0/24")],
])("access that is opened by a replacement is told: %s", ([, kind, old, now]) => {
  const report = reviewOfSteps({ kind, name: "x", op: "replace", because: Object.keys(now), old: { ...old }, now: { ...now } });
  expect(report.verdict).toBe("needs-approval");
  expect(report.reasons.map((reason) => reason.code)).toContain("access-opened");
});

describe("another provider's resource", () => {
  const group = { ingress: [{ cidrBlocks: ["10.0.0.0/8"] }] };
  const changed = changeInPlace("Vpc", group, { ingress: [{ cidrBlocks: ["0.0.0.0/0"] }] });

  test.each([
    "pulumi-python:dynamic:Resource",
    "pulumi-nodejs:dynamic:Resource",
    "aws:ec2/securityGroup:SecurityGroup",
    "aws:lambda/function:Function",
    "kubernetes:core/v1:Service",
    "kubernetes:apps/v1:Deployment",
    "github:index/repositoryCollaborator:RepositoryCollaborator",
    "aws:ec2/instance:Instance",
  ])("needs approval if it is a %s: it runs something, or lets somebody in", (type) => {
    expect(foreign(changed, type).verdict).toBe("needs-approval");
  });

  test("needs approval also when such a one is created, and is not said to be undone by changing it back", () => {
    expect(foreign({ ...changed, op: "create" }, "aws:iam/policy:Policy").verdict).toBe("needs-approval");
    const { changes } = foreign(changed, "aws:ec2/securityGroup:SecurityGroup");
    expect(changes[0]?.undo).toEqual({ possible: "no", sentence: expect.stringContaining("not judged") });
  });

  test("is listed as not judged otherwise, and needs approval to be deleted", () => {
    const report = foreign(changed, "random:index/randomPet:RandomPet");
    expect([report.verdict, report.changes[0]?.notes]).toEqual(["safe", ["not judged: another provider's resource"]]);
    expect(report.unanalysed[0]).toContain("1 resource of other providers (random:index/randomPet:RandomPet)");
    expect(foreign(deletion("Vpc", "x"), "random:index/randomPet:RandomPet").verdict).toBe("needs-approval");
  });

  test("needs approval if it is a provider of which the account or the region changes", () => {
    const step = changeInPlace("Vpc", { region: "eu" }, { region: "us" });
    const report = foreign(step, "pulumi:providers:aws");
    expect([report.verdict, report.reasons[0]?.property]).toEqual(["needs-approval", "region"]);
    expect(foreign({ ...step, op: "create" }, "pulumi:providers:aws").verdict).toBe("nothing");
  });
});

describe("what the engine guards no longer, or does otherwise", () => {
  test("Pulumi's option protect that is taken away needs approval, with the resource the same", () => {
    const report = reviewOfSteps({ ...unchanged("Vpc", "x", { vpcName: "a" }), protect: true, protectAfter: false });
    expect([report.verdict, report.reasons.map(({ code }) => code)]).toEqual(["needs-approval", ["safeguard-weakened"]]);
  });

  test("the same by the input that sets it is told once", () => {
    const off = changeInPlace("Cluster", { deletionProtection: true }, { deletionProtection: false });
    expect(reasonsIn({ ...off, protect: true, protectAfter: false })).toEqual(["Cluster x: safeguard-weakened"]);
  });

  test("an operation that this reviewer does not know is blocked", () => {
    const text = preview([changeInPlace("Vpc", { a: 1 }, { a: 1 })]).replace('"op":"update"', '"op":"teleport"');
    const report = reviewOfTexts([text]);
    expect([report.verdict, report.reasons[0]?.sentence]).toEqual(["blocked", expect.stringContaining('"teleport"')]);
  });
});

describe("a claim is about what is, not about what was asked", () => {
  const cluster = (outputs: object, old: object, now: object): Step => ({
    ...changeInPlace("Cluster", { ...old }, { ...now }),
    ...{ paths: Object.keys(outputs), outputs: { ...outputs } },
  });
  const pool = (old: object, now: object): Step => changeInPlace("NodePool", { native: old }, { native: now });
  const between = (minReplicas: number, maxReplicas: number) => ({ scaling: { minReplicas, maxReplicas } });
  const version = { clusterVersion: "1.32.2" };

  test.for<[string, Step, string]>([
    ["a version that was left to the platform", cluster(version, {}, { clusterVersion: "1.34.1" }), "from 1.32.2 to 1.34.1"],
    ["a version that is there", cluster(version, {}, version), "it has Kubernetes 1.32.2 already"],
    [
      "a level that was left to the platform",
      cluster({ clusterLevel: "L5" }, {}, { clusterLevel: "L20" }),
      "the price changes with the level",
    ],
    ["a lower one than that", cluster({ clusterLevel: "L50" }, {}, { clusterLevel: "L20" }), "the control plane serves fewer nodes"],
    ["a version that is left out", cluster(version, version, {}), "stays as it is"],
    ["as many nodes as the limit allows", pool({ replicas: 5 }, { replicas: 3 }), "2 nodes are removed: "],
    ["a pool that is scaled", pool(between(2, 8), between(2, 5)), "up to 3 nodes are removed (it has 2 to 8 nodes now"],
    ["a pool that is scaled no more", pool(between(2, 8), { replicas: 4 }), "up to 4 nodes are removed"],
    ["a limit that is raised", pool(between(2, 4), between(2, 8)), "the pool has 2 to 8 nodes instead of 2 to 4 nodes"],
  ])("%s", ([, step, text]) => {
    const { reasons, changes } = reviewOfSteps(step);
    expect([...reasons.map(({ sentence }) => sentence), ...(changes[0]?.notes ?? [])].join("\n")).toContain(text);
  });

  test.for<[string, readonly string[], readonly string[], string, string]>([
    ["narrowed", ["203.0.113.0/24"], ["203.0.113.0/25"], "access-narrowed", "to 203.0.113.128/25"],
    ["widened", ["203.0.113.0/25"], ["203.0.113.0/24"], "access-opened", "to 203.0.113.128/25"],
    ["written in two parts", ["203.0.113.0/24"], ["203.0.113.0/25", "203.0.113.128/25"], "", ""],
    ["taken out altogether", ["203.0.113.7/32"], [], "access-opened", "everything that its security group admits"],
  ])("a range that is %s", ([, before, after, code, text]) => {
    const endpoint = (allowedCidrBlocks: readonly string[]) => ({ isExtranet: true, allowedCidrBlocks });
    const step = { ...changeInPlace("ClusterEndpoint", endpoint(before), endpoint(after)), paths: ["allowedCidrBlocks"] };
    const { reasons } = reviewOfSteps(step);
    expect(reasons.map((reason) => reason.code)).toEqual(code === "" ? [] : [code]);
    expect(reasons[0]?.sentence ?? "").toContain(text);
  });
});

test("what is imported under another name is not said to be deleted", () => {
  const inputs = { cidrBlock: "10.0.0.0/16" };
  const gone = deletion("Vpc", "old", inputs);
  const taken = (id: string): Step => creation("Vpc", "new", { ...inputs, __adopt: id });
  const renamed = reviewOfSteps(taken("vpc-old"), gone);
  expect([renamed.verdict, renamed.reasons]).toEqual(["safe", []]);
  expect(renamed.changes.flatMap(({ notes }) => notes)).toContain("it stays on the platform: Vpc new takes it over");
  expect(reviewOfSteps(taken("vpc-other"), gone).verdict).toBe("needs-approval");
  expect(reviewOfSteps(taken("vpc-old"), { ...gone, protect: true }).verdict).toBe("blocked");
});

test("an import that changes what is there needs approval, and opens what the program opens", () => {
  const step = creation("Namespace", "team", { __adopt: "tcr-1/team", registryId: "tcr-1", namespaceName: "team", isPublic: true });
  const message = "warning: importing tcr-1/team changes it to match the program: [Provider.ImportChanges]\n  isPublic: false becomes true";
  const changed = reviewOfTexts([preview([step], [{ urn: urnOf("Namespace team"), severity: "warning", message }])]);
  expect(changed.reasons.map(({ code, sentence }) => `${code}: ${sentence}`)).toEqual([
    "undecided: the import changes what is there: isPublic: false becomes true",
    expect.stringMatching(/^access-opened: everybody/),
  ]);
  expect(reviewOfSteps(step).verdict).toBe("safe");
});

test("a preview of a part of the stack says so, although nothing changes in it", () => {
  const there = unchanged("Vpc", "net", { cidrBlock: "10.0.0.0/16" });
  // So the engine writes what is new, and no target.
  const text = preview([there, unchanged("Subnet", "new")]).replaceAll('"id":"subnet-new",', "");
  const report = reviewOfTexts([text]);
  expect([report.verdict, report.reasons.map(({ sentence }) => sentence)]).toEqual([
    "needs-approval",
    ["is looked at only in part (--target, --exclude): what is left out, such as Subnet new, stays as it is, and is not reviewed"],
  ]);
  expect(reviewOfSteps(there).verdict).toBe("nothing");
});

test("a secret that is a part of another one does not show the rest of it", () => {
  const redactor = new Redactor("key");
  for (const value of ["open-sesame", "open-sesame-7431"]) redactor.secret("marked", value);
  expect(redactor.text("the login open-sesame-7431 was refused")).toMatch(/^the login \[secret \w{8}\] was refused$/);
});

describe("the fingerprint", () => {
  const reportOf = (script: string, key?: string) => {
    const preInit = Buffer.from(`#!/bin/sh\n${script}\n`).toString("base64");
    return reviewOfTexts([preview([creation("NodePool", "workers", { native: { lifecycle: { preInit } } })])], [], new Redactor(key));
  };

  test("is the same of the same change, whatever the key of the hashes", () => {
    const print = (name: string, key: string) => reviewOfTexts(recorded(name), [], new Redactor(key)).fingerprint;
    expect(print("tokenType", "one")).toBe(print("tokenType", "two"));
    expect(print("tokenType", "one")).not.toBe(print("rename", "one"));
  });

  test("is the same whatever the order in which Pulumi plans resources, or names the origins of a value", () => {
    const group = (name: string, ...from: string[]) =>
      creation("SecurityGroup", name, { vpcId: unknown, isPublic: true }, { from: { vpcId: from } });
    const [one, other] = [group("a", "Vpc x", "Subnet y"), group("a", "Subnet y", "Vpc x")];
    const print = (...steps: Step[]) => reviewOfSteps(...steps).fingerprint;
    expect(print(one, group("b"), deletion("Vpc", "c"))).toBe(print(deletion("Vpc", "c"), group("b"), other));
    expect(print(one)).not.toBe(print(group("b")));
  });

  test("binds secrets, if there is a key", () => {
    const prints = ["echo one", "echo two", "echo one"].map((script) => reportOf(script, "of all runs").fingerprint);
    expect(prints[0]).not.toBe(prints[1]);
    expect(prints[0]).toBe(prints[2]);
  });

  test("does not, without a key, and the review says so", () => {
    const [one, two] = [reportOf("echo one"), reportOf("echo two")];
    expect(one.fingerprint).toBe(two.fingerprint);
    expect(one.unanalysed).toContain("secrets, in 1 resource: without CONTAINER_PLATFORM_REVIEW_KEY, the fingerprint does not bind them");
  });

  test("binds neither what the engine does not show nor what is known only after apply, and the review says so", () => {
    const hidden = creation("NodePool", "workers", { native: { password: "[secret]" }, clusterId: unknown });
    expect(reviewOfSteps(hidden).unanalysed).toEqual(
      expect.arrayContaining([
        "values that are known only after apply, in 1 resource: the fingerprint does not bind them",
        "secrets that the engine does not show, in 1 resource: the fingerprint does not bind them",
      ]),
    );
  });
});

const secret = "[secret]";

describe("a change in which a part is hidden is not called safe", () => {
  const pool = (old: object, now: object): Step => changeInPlace("NodePool", { native: old }, { native: now });
  const taint = (effect: string) => ({ taints: [{ key: "team", value: "web", effect }] });
  const rights = (resource: string) => ({ permissions: [{ resource, actions: ["reg:PullRepository"] }] });
  test.for<[string, Step]>([
    ["a whitelist of a registry that was closed", changeInPlace("RegistryInstance", {}, { publicAccess: { whitelist: secret } })],
    ["a number of nodes", pool({ scaling: { minReplicas: 2, maxReplicas: 2 } }, { scaling: { minReplicas: secret, maxReplicas: secret } })],
    ["a number of nodes that is told no more", pool({ replicas: 3 }, { replicas: secret })],
    ["a number of nodes that was hidden before", pool({ replicas: secret }, { replicas: 1 })],
    ["an effect of a taint", changeInPlace("NodePool", taint("NoSchedule"), taint(secret))],
    ["the namespace of a permission", changeInPlace("ServiceAccount", rights(secret), rights(secret))],
    ["a subnet of a registry's internal access", changeInPlace("RegistryInstance", {}, { internalAccess: secret })],
  ])("%s", ([, step]) => {
    const { verdict, reasons } = reviewOfSteps(step);
    expect(verdict).toBe("needs-approval");
    expect(reasons.map(({ code }) => code)).toContain("undecided");
  });

  test("a hidden part that stays the same does not count, nor does one of an input that opens nothing", () => {
    const account = (description: string) => ({ description, expiresAt: "2030-01-01T00:00:00Z" });
    expect(reasonsIn(changeInPlace("ServiceAccount", account("a"), account(secret)))).toEqual([]);
    expect(reasonsIn(changeInPlace("NodePool", { labels: { a: "b" } }, { labels: { a: secret } }))).toEqual([]);
  });
});

describe("what is new in something whose id is hidden is new in something that is there", () => {
  const token = (registryId: string, from: readonly string[] = []) =>
    creation("Token", "t", { registryId }, { from: { registryId: from } });
  const user = { targetUin: "100000000002", roleName: "svc:ro", roleType: "cluster" };
  const grant = (clusterId: string, from: readonly string[] = []) =>
    creation("UserPermission", "u", { ...user, clusterId }, { from: { clusterId: from } });
  const permissions = [{ resource: "team", actions: ["reg:PullRepository"] }];
  const robot = (registryId: string, from: readonly string[] = []) =>
    creation("ServiceAccount", "r", { registryId, permissions }, { from: { registryId: from } });
  const [registry, cluster] = [unchanged("RegistryInstance", "reg"), unchanged("Cluster", "c")];
  const extra = creation("Vpc", "extra", { cidrBlock: "10.9.0.0/16" });
  const opened = ["ServiceAccount r: access-opened", "Token t: access-opened", "UserPermission u: access-opened"];

  test("if it is secret", () => {
    const steps = [registry, cluster, token(secret), grant(secret), robot(secret)];
    expect(reasonsIn(...steps).toSorted()).toEqual(opened);
    expect(
      reviewOfSteps(...steps)
        .reasons.map(({ sentence }) => sentence)
        .join("\n"),
    ).toContain("a new login, which may do everything in its registry");
  });

  test("if it is known only after apply, and comes from something that is there, too", () => {
    const of = ["RegistryInstance reg", "Vpc extra"];
    const steps = [registry, cluster, extra, token(unknown, of), grant(unknown, ["Cluster c", "Vpc extra"]), robot(unknown, of)];
    expect(reasonsIn(...steps).toSorted()).toEqual(opened);
    // A preview without what stays the same does not have the registry at all.
    expect(reasonsIn(extra, token(unknown, of))).toEqual(["Token t: access-opened"]);
  });

  test("and not if the same run makes that", () => {
    const of = ["RegistryInstance reg"];
    const made = [token(unknown, [...of, "Vpc extra"]), grant(unknown, ["Cluster c"]), robot(unknown, of)];
    expect(reasonsIn(creation("RegistryInstance", "reg"), creation("Cluster", "c"), extra, ...made)).toEqual([]);
  });
});

const vpc = deletion("Vpc", "net", { cidrBlock: "10.0.0.0/16" });

test("a rule with another description neither opens nor closes anything", () => {
  const accept = { protocol: "TCP", port: "443", action: "ACCEPT" };
  const rule = (policyDescription: string, cidrBlock = "10.0.0.0/8") => ({ ...accept, cidrBlock, policyDescription });
  const group = (old: readonly object[], now: readonly object[]) => changeInPlace("SecurityGroup", { ingress: old }, { ingress: now });
  for (const more of [{}, { cidrBlock: undefined, securityGroupId: "sg-1" }, { action: "DROP" }]) {
    const step = group([{ ...rule("a"), ...more }], [{ ...rule("b"), ...more }]);
    expect(reviewOfSteps(step)).toMatchObject({ verdict: "safe", reasons: [] });
  }
  const { reasons } = reviewOfSteps(group([rule("a")], [rule("b"), rule("c", "11.0.0.0/8")]));
  expect(reasons.map(({ code, sentence }) => `${code}: ${sentence}`)).toEqual([
    "access-opened: opens the resources with this group to TCP 443 11.0.0.0/8",
  ]);
});

test("a rule opens what an earlier rule takes from the members of a group, and protocols that no rule names", () => {
  const accept = { protocol: "TCP", port: "20-80", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };
  const [ssh, drop] = [
    { ...accept, port: "22" },
    { protocol: "TCP", port: "22", securityGroupId: "sg-1", action: "DROP" },
  ];
  const codesOf = (old: readonly object[], now: readonly object[]) =>
    reviewOfSteps(changeInPlace("SecurityGroup", { ingress: old }, { ingress: now })).reasons.map(({ code }) => code);
  expect(codesOf([drop, accept], [ssh, drop, accept])).toEqual(["access-opened"]);
  expect(codesOf([ssh, drop, accept], [drop, accept])).toEqual(["access-narrowed"]);
  const named = ["TCP", "UDP", "ICMP", "ICMPV6", "GRE"].map((protocol) => ({ protocol, cidrBlock: "10.0.0.0/8", action: "ACCEPT" }));
  expect(codesOf(named, [...named, { ...named[0], protocol: "ALL" }])).toEqual(["access-opened"]);
});

test("beside a rule with a secret, a new rule changes no order", () => {
  const rule = (cidrBlock: string) => ({ protocol: "TCP", port: "443", cidrBlock, action: "ACCEPT" });
  const [hidden, site, other] = [rule("[secret]"), rule("10.0.0.0/8"), rule("11.0.0.0/8")];
  const codesOf = (old: readonly object[], now: readonly object[]) =>
    reviewOfSteps(changeInPlace("SecurityGroup", { ingress: old }, { ingress: now })).reasons.map(({ code }) => code);
  expect(codesOf([hidden, site], [hidden, site, other])).not.toContain("access-changed");
  expect(codesOf([], [hidden])).not.toContain("access-changed");
  expect(codesOf([hidden, site, other], [hidden, other, site])).toContain("access-changed");
});

test("resources that do not change are missed only where the engine has counted more than the preview has", () => {
  const told = (text: string) => reviewOfTexts([text]).unanalysed.filter((sentence) => sentence.includes("--show-sames"));
  expect(told(preview([vpc]))).toEqual([]);
  expect(told(preview([vpc, unchanged("SecurityGroup", "x")]))).toEqual([]);
  expect(told(preview([vpc]).replace('"changeSummary":{', '"changeSummary":{"same":2,'))).toHaveLength(1);
});

test("the review of a protected cluster that is taken out says when its pools go", () => {
  const cluster = deletion("Cluster", "c", { deletionProtection: true }, { protect: true });
  const pool = deletion("NodePool", "p", { clusterId: "cluster-c" }, { from: { clusterId: ["Cluster c"] } });
  const said = reviewOfSteps(cluster, pool).reasons.find(({ code }) => code === "protected")?.sentence;
  expect(said).toBe(
    "cannot be deleted: deletionProtection is on. Set deletionProtection to false and run pulumi up first, if that is meant. That update already deletes what the program leaves out then: NodePool p",
  );
});

test("that the preview failed is no reason beside the one why", () => {
  const urn = urnOf("Vpc net");
  const message = `error: Preview failed: resource "${urn}" cannot be deleted because it is protected.`;
  const errors = [message, "error: preview failed\n"].map((one) => ({ severity: "error", message: one, urn: one === message ? urn : "" }));
  const { reasons } = reviewOfTexts([preview([{ ...vpc, protect: true }], errors)]);
  expect(reasons.filter(({ verdict }) => verdict === "blocked").map(({ sentence }) => sentence)).toEqual([
    `resource "${urn}" cannot be deleted because it is protected.`,
    "cannot be deleted: Pulumi's option protect is on. Take the option out and run pulumi up first, if that is meant",
  ]);
});

test.for(["terminal", "github", "gitlab"] as const)("a preview that failed at once has no line that counts nothing: %s", (format) => {
  const review = formats[format](reviewOfTexts([preview([], [{ severity: "error", message: "error: TSError: Unable to compile" }])]), "");
  expect(review).not.toMatch(/^\.$/m);
});
