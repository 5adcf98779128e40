import { describe, expect, test } from "vitest";
import { Redactor } from "../../provider/src/review/plan/secrets.ts";
import { unknown } from "../support/structs.ts";
import { preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What a reviewer must not call safe, because it destroys, opens, or is not understood. */

const codesOf = (...steps: readonly Step[]) => reviewOfTexts([preview(steps)]).reasons.map(({ code, called }) => `${called}: ${code}`);

/** A made-up preview, in which the VPCs are resources of another provider. */
const foreign = (step: Step, type: string) =>
  reviewOfTexts([preview([step]).replaceAll("pulumi-nodejs:dynamic/container-platform:Vpc", type)]);

describe("a replacement because of a resource that is created", () => {
  test("needs approval, at an endpoint", () => {
    const edge: Step = { kind: "Subnet", name: "edge", op: "create", now: { vpcId: "vpc-1" } };
    const moved: Step = {
      ...{ kind: "ClusterEndpoint", name: "internal", op: "replace", because: ["subnetId"] },
      ...{ old: { subnetId: "subnet-1", isExtranet: false }, now: { subnetId: unknown, isExtranet: false } },
      from: { subnetId: ["Subnet edge"] },
    };
    expect(codesOf(edge, moved)).toEqual(["ClusterEndpoint internal: replaces"]);
  });

  test("is not told a second time where the one that causes it says so", () => {
    const vpc: Step = { kind: "Vpc", name: "net", op: "replace", old: { cidrBlock: "a" }, now: { cidrBlock: "b" }, because: ["cidrBlock"] };
    const subnet: Step = { kind: "Subnet", name: "x", op: "replace", old: { vpcId: "vpc-1" }, now: { vpcId: unknown }, because: ["vpcId"] };
    expect(codesOf(vpc, { ...subnet, from: { vpcId: ["Vpc net"] } })).toEqual(["Vpc net: replaces"]);
  });

  test("says what is opened besides, at a permission that moves to a new cluster", () => {
    const cluster: Step = { kind: "Cluster", name: "new", op: "create", now: {} };
    const grant = { targetUin: "100000000002", roleType: "cluster" };
    const moved: Step = {
      ...{ kind: "UserPermission", name: "ops", op: "replace", because: ["clusterId", "roleName"], from: { clusterId: ["Cluster new"] } },
      ...{ old: { ...grant, clusterId: "cls-1", roleName: "svc:ro" }, now: { ...grant, clusterId: unknown, roleName: "svc:admin" } },
    };
    expect(codesOf(cluster, moved).toSorted()).toEqual(["UserPermission ops: access-opened", "UserPermission ops: replaces"]);
  });

  test("needs approval at another provider's resource", () => {
    const report = foreign(
      { kind: "Vpc", name: "x", op: "replace", old: { a: 1 }, now: { a: unknown }, because: ["a"], from: { a: ["Vpc y"] } },
      "random:index/randomId:RandomId",
    );
    expect([report.verdict, report.reasons.map(({ code }) => code)]).toEqual(["needs-approval", ["replaces"]]);
  });
});

describe("access that is opened by a replacement is told", () => {
  const replaced = (kind: Step["kind"], old: object, now: object): Step => ({
    ...{ kind, name: "x", op: "replace", because: Object.keys(now) },
    ...{ old: { ...old }, now: { ...now } },
  });
  test.for<[string, Step, string]>([
    ["an endpoint to the internet", replaced("ClusterEndpoint", { isExtranet: false }, { isExtranet: true }), "access-opened"],
    [
      "a namespace that is renamed",
      replaced("Namespace", { namespaceName: "a", isPublic: false }, { namespaceName: "b", isPublic: true }),
      "access-opened",
    ],
    [
      "a permission from a namespace to the cluster",
      replaced(
        "UserPermission",
        { targetUin: "1", roleName: "own", roleType: "namespace", namespace: "team" },
        { targetUin: "1", roleName: "own", roleType: "cluster" },
      ),
      "access-opened",
    ],
    [
      "a registry with a wider list",
      replaced(
        "RegistryInstance",
        { registryName: "a", publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/25" }] } },
        { registryName: "b", publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] } },
      ),
      "access-opened",
    ],
  ])("%s", ([, step, code]) => {
    const report = reviewOfTexts([preview([step])]);
    expect(report.verdict).toBe("needs-approval");
    expect(report.reasons.map((reason) => reason.code)).toContain(code);
  });
});

describe("another provider's resource", () => {
  const group = { ingress: [{ cidrBlocks: ["10.0.0.0/8"] }] };
  const open = { ingress: [{ cidrBlocks: ["0.0.0.0/0"] }] };
  const changed: Step = { kind: "Vpc", name: "x", op: "update", old: group, now: open, paths: ["ingress"] };

  test("needs approval where its type is a dangerous one, and is not said to be undone by changing it back", () => {
    const report = foreign(changed, "aws:ec2/securityGroup:SecurityGroup");
    expect(report.verdict).toBe("needs-approval");
    expect(report.changes[0]?.undo).toEqual({ possible: "no", sentence: expect.stringContaining("not judged") });
    expect(foreign({ ...changed, op: "create" }, "aws:iam/policy:Policy").verdict).toBe("needs-approval");
  });

  test("is listed as not judged otherwise", () => {
    const report = foreign(changed, "random:index/randomPet:RandomPet");
    expect([report.verdict, report.changes[0]?.notes]).toEqual(["safe", ["not judged: another provider's resource"]]);
    expect(report.unanalysed[0]).toContain("1 resource of other providers (random:index/randomPet:RandomPet)");
  });
});

describe("what the engine guards no longer, or does otherwise", () => {
  test("Pulumi's option protect that is taken away needs approval, with the resource the same", () => {
    const step: Step = { kind: "Vpc", name: "x", op: "same", old: { vpcName: "a" }, protect: true, protectAfter: false };
    const report = reviewOfTexts([preview([step])]);
    expect([report.verdict, report.reasons.map(({ code }) => code)]).toEqual(["needs-approval", ["safeguard-weakened"]]);
  });

  test("the same by the input that sets it is told once", () => {
    const on: Step = { kind: "Cluster", name: "x", op: "update", old: { deletionProtection: true }, now: { deletionProtection: false } };
    expect(codesOf({ ...on, paths: ["deletionProtection"], protect: true, protectAfter: false })).toEqual([
      "Cluster x: safeguard-weakened",
    ]);
  });

  test("a provider of which the account or the region changes needs approval", () => {
    const step: Step = { kind: "Vpc", name: "x", op: "update", old: { region: "eu" }, now: { region: "us" }, paths: ["region"] };
    const report = foreign(step, "pulumi:providers:aws");
    expect([report.verdict, report.reasons[0]?.property]).toEqual(["needs-approval", "region"]);
    expect(foreign({ ...step, op: "create" }, "pulumi:providers:aws").verdict).toBe("nothing");
  });

  test("an operation that this reviewer does not know is blocked", () => {
    const text = preview([{ kind: "Vpc", name: "x", op: "update", old: { a: 1 }, now: { a: 1 } }]).replace(
      '"op":"update"',
      '"op":"teleport"',
    );
    const report = reviewOfTexts([text]);
    expect([report.verdict, report.reasons[0]?.sentence]).toEqual(["blocked", expect.stringContaining('"teleport"')]);
  });
});

describe("a claim is about what is, not about what was asked", () => {
  const sentencesOf = (step: Step) => {
    const { reasons, changes } = reviewOfTexts([preview([step])]);
    return [...reasons.map(({ sentence }) => sentence), ...(changes[0]?.notes ?? [])].join("\n");
  };
  const cluster: Step = { kind: "Cluster", name: "x", op: "update", paths: ["clusterVersion"], outputs: { clusterVersion: "1.32.2" } };
  const pool = (old: object, now: object): Step => ({
    ...{ kind: "NodePool", name: "x", op: "update", paths: ["native"] },
    ...{ old: { native: old }, now: { native: now } },
  });
  const between = (minReplicas: number, maxReplicas: number) => ({ scaling: { minReplicas, maxReplicas } });

  test.for<[string, Step, string]>([
    ["a version that was left to the platform", { ...cluster, old: {}, now: { clusterVersion: "1.34.1" } }, "from 1.32.2 to 1.34.1"],
    ["a version that is there", { ...cluster, old: {}, now: { clusterVersion: "1.32.2" } }, "it has Kubernetes 1.32.2 already"],
    [
      "a level that was left to the platform",
      { ...cluster, paths: ["clusterLevel"], outputs: { clusterLevel: "L5" }, old: {}, now: { clusterLevel: "L20" } },
      "the price changes with the level",
    ],
    [
      "a lower one than that",
      { ...cluster, paths: ["clusterLevel"], outputs: { clusterLevel: "L50" }, old: {}, now: { clusterLevel: "L20" } },
      "the control plane serves fewer nodes",
    ],
    ["a version that is left out", { ...cluster, old: { clusterVersion: "1.32.2" }, now: {} }, "stays as it is"],
    ["as many nodes as the limit allows", pool({ replicas: 5 }, { replicas: 3 }), "2 nodes are removed: "],
    ["a pool that is scaled", pool(between(2, 8), between(2, 5)), "up to 3 nodes are removed (it has 2 to 8 nodes now"],
    ["a pool that is scaled no more", pool(between(2, 8), { replicas: 4 }), "up to 4 nodes are removed"],
    ["a limit that is raised", pool(between(2, 4), between(2, 8)), "the pool has 2 to 8 nodes instead of 2 to 4 nodes"],
  ])("%s", ([, step, text]) => {
    expect(sentencesOf(step)).toContain(text);
  });

  const endpoint = (before: readonly string[], after: readonly string[]): Step => ({
    ...{ kind: "ClusterEndpoint", name: "x", op: "update", paths: ["allowedCidrBlocks"] },
    ...{ old: { isExtranet: true, allowedCidrBlocks: before }, now: { isExtranet: true, allowedCidrBlocks: after } },
  });
  test.for<[string, Step, string, string]>([
    ["narrowed", endpoint(["203.0.113.0/24"], ["203.0.113.0/25"]), "access-narrowed", "to 203.0.113.128/25"],
    ["widened", endpoint(["203.0.113.0/25"], ["203.0.113.0/24"]), "access-opened", "to 203.0.113.128/25"],
    ["written in two parts", endpoint(["203.0.113.0/24"], ["203.0.113.0/25", "203.0.113.128/25"]), "", ""],
    ["taken out altogether", endpoint(["203.0.113.7/32"], []), "access-opened", "all that its security group lets in"],
  ])("a range that is %s", ([, step, code, text]) => {
    const { reasons } = reviewOfTexts([preview([step])]);
    expect(reasons.map((reason) => reason.code)).toEqual(code === "" ? [] : [code]);
    expect(reasons[0]?.sentence ?? "").toContain(text);
  });
});

test("what is imported under another name is not said to be deleted", () => {
  const inputs = { cidrBlock: "10.0.0.0/16" };
  const gone: Step = { kind: "Vpc", name: "old", op: "delete", old: inputs };
  const taken = (id: string): Step => ({ kind: "Vpc", name: "new", op: "create", now: { ...inputs, __adopt: id } });
  const renamed = reviewOfTexts([preview([taken("vpc-old"), gone])]);
  expect([renamed.verdict, renamed.reasons]).toEqual(["safe", []]);
  expect(renamed.changes.flatMap(({ notes }) => notes)).toContain("it stays on the platform: Vpc new takes it over");
  expect(reviewOfTexts([preview([taken("vpc-other"), gone])]).verdict).toBe("needs-approval");
  expect(reviewOfTexts([preview([taken("vpc-old"), { ...gone, protect: true }])]).verdict).toBe("blocked");
});

test("an import that changes what is there needs approval, and opens what the program opens", () => {
  const now = { __adopt: "tcr-1/team", registryId: "tcr-1", namespaceName: "team", isPublic: true };
  const step: Step = { kind: "Namespace", name: "team", op: "create", now };
  const message = "warning: tcr-1/team is not as the program says, and is changed:\n  isPublic: false becomes true";
  const changed = reviewOfTexts([preview([step], [{ urn: urnOf("Namespace team"), severity: "warning", message }])]);
  expect(changed.reasons.map(({ code, sentence }) => `${code}: ${sentence}`)).toEqual([
    "undecided: the import changes what is there: isPublic: false becomes true",
    expect.stringMatching(/^access-opened: everybody/),
  ]);
  expect(reviewOfTexts([preview([step])]).verdict).toBe("safe");
});

test.each([
  "pulumi-python:dynamic:Resource",
  "pulumi-nodejs:dynamic:Resource",
  "aws:lambda/function:Function",
  "kubernetes:core/v1:Service",
  "kubernetes:apps/v1:Deployment",
  "github:index/repositoryCollaborator:RepositoryCollaborator",
  "aws:ec2/instance:Instance",
])("a change of %s needs approval: it runs something, or lets somebody in", (type) => {
  expect(foreign({ kind: "Vpc", name: "x", op: "update", old: { a: 1 }, now: { a: 2 }, paths: ["a"] }, type).verdict).toBe(
    "needs-approval",
  );
});

test("a preview of a part of the stack says so, although nothing changes in it", () => {
  const there: Step = { kind: "Vpc", name: "net", op: "same", old: { cidrBlock: "10.0.0.0/16" } };
  const made: Step = { kind: "Subnet", name: "new", op: "same", old: {} };
  // So the engine writes what is new, and no target.
  const text = preview([there, made]).replaceAll('"id":"subnet-new",', "");
  const report = reviewOfTexts([text]);
  expect([report.verdict, report.reasons.map(({ sentence }) => sentence)]).toEqual([
    "needs-approval",
    ["is looked at only in part (--target, --exclude): what is left out, such as Subnet new, stays as it is, and is not reviewed"],
  ]);
  expect(reviewOfTexts([preview([there])]).verdict).toBe("nothing");
});

describe("the fingerprint", () => {
  const pool = (script: string): Step => {
    const native = { lifecycle: { preInit: Buffer.from(`#!/bin/sh\n${script}\n`).toString("base64") } };
    return { kind: "NodePool", name: "workers", op: "create", now: { native } };
  };
  const reportOf = (script: string, key?: string) => reviewOfTexts([preview([pool(script)])], [], new Redactor(key));

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
    const hidden: Step = { kind: "NodePool", name: "workers", op: "create", now: { native: { password: "[secret]" }, clusterId: unknown } };
    expect(reviewOfTexts([preview([hidden])]).unanalysed).toEqual(
      expect.arrayContaining([
        "values that are known only after apply, in 1 resource: the fingerprint does not bind them",
        "secrets that the engine does not show, in 1 resource: the fingerprint does not bind them",
      ]),
    );
  });
});

test.each(["DB_PASSWORD=hunter2-hunter2", "export AWS_SECRET_ACCESS_KEY=abcdabcdabcd", "APP_TOKEN: abcdabcdabcd"])(
  "a script that holds %s is found by the policy on secrets in scripts",
  (line) => {
    const script = Buffer.from(`#!/bin/sh\n${line}\n`).toString("base64");
    expect(new Redactor("test").signOf("preInit", script)).toBe("credential");
  },
);
