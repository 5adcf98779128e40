import { describe, expect, test } from "vitest";
import { render } from "../../provider/src/definition/codes.ts";
import type { ReviewOf } from "../../provider/src/review/assess/reviewed.ts";
import { type KindName, kinds, reviewed } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import { isExempt, type Judged } from "../provider/kinds/kind-cases.ts";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, deletion, preview, type Step, unchanged, urnOf } from "./previews.ts";
import { reasonsIn, reviewOfSteps, reviewOfTexts } from "./reviewed.ts";

/** Changes of whatever kind. */
const general: Readonly<Record<string, Judged>> = {
  "an input that nobody has judged": {
    step: changeInPlace("Vpc", { brandNew: 1 }, { brandNew: 2 }),
    codes: ["undecided"],
    says: "what a change of this input means is not known here",
  },
  "one that Pulumi protects": {
    step: deletion("Vpc", "x", {}, { protect: true }),
    codes: ["protected", "deletes"],
    undo: "partly",
  },
  "one that its program protects, which sets Pulumi's option": {
    step: deletion("Cluster", "x", { deletionProtection: true }, { protect: true }),
    codes: ["protected", "deletes"],
    says: "deletionProtection is on. Set deletionProtection to false and run pulumi up first",
  },
  "what exists taken over, with a value that is known only after apply": {
    step: creation("Vpc", "x", { __adopt: "vpc-1", vpcName: unknown }),
    codes: ["undecided"],
    undo: "partly",
    says: "vpcName: whether it becomes something else is known only after apply",
  },
  "what exists taken over": { step: creation("Vpc", "x", { __adopt: "vpc-1" }), codes: [], undo: "yes" },
};

function judgedOf(kind: KindName): Readonly<Record<string, Judged>> {
  const { judged } = casesOf[kind];
  return isExempt(judged) ? {} : judged;
}

test("a kind without a case has no input of which the reviewer knows what a change means, and opens nothing", () => {
  for (const kind of kinds) {
    const { changes, opens } = reviewed(kind);
    const knows = Object.keys(changes).length > 0 || opens !== undefined;
    expect(Object.keys(judgedOf(kind)).length > 0, kind).toBe(knows);
  }
});

describe("the judgement of", () => {
  const cases = [general, ...kinds.map((kind) => judgedOf(kind))].flatMap((judged) => Object.entries(judged));
  test.for(cases)("%s", ([, { step, codes, undo, says = "" }]) => {
    const { reasons, changes, verdict } = reviewOfSteps(step);
    expect(reasons.map(({ code }) => code).toSorted()).toEqual([...codes].toSorted());
    expect(verdict).toBe(codes.includes("protected") ? "blocked" : codes.length > 0 ? "needs-approval" : "safe");
    if (undo !== undefined) expect(changes[0]?.undo.possible).toBe(undo);
    expect(reasons.map(({ sentence }) => sentence).join("\n")).toContain(says);
  });
});

test("the 21st cluster of a region is over the limit, even one that exists only while a replacement and its predecessor both do", () => {
  const clusters = (count: number) => Array.from({ length: count }, (_, index) => unchanged("Cluster", `c${index}`));
  const one = creation("Cluster", "new");
  expect(reasonsIn(...clusters(19), one)).toEqual([]);
  expect(reasonsIn(...clusters(20), one)).toEqual([expect.stringMatching(/: quota$/)]);
  const replaced: Step = { kind: "Cluster", name: "other", op: "replace", old: { vpcId: "a" }, now: { vpcId: "b" }, because: ["vpcId"] };
  expect(reasonsIn(...clusters(20), replaced)).toContainEqual(expect.stringMatching(/: quota$/));
});

test("a refusal is shown at the resource that refuses, not at the one that the engine names", () => {
  const sentence = "changing vpcId replaces Cluster cluster-one, but deletionProtection is on";
  const coded = { code: "Protected", path: "vpcId", of: { type: "Cluster", id: "cluster-one" }, message: sentence } as const;
  const message = `diffing ${urnOf("Vpc net")}: ${render(coded)}`;
  const at = [{ severity: "error", urn: urnOf("Vpc net"), message }];
  const vpc = unchanged("Vpc", "net");
  const known = reviewOfTexts([preview([vpc, unchanged("Cluster", "one")], at)]);
  expect(known.failures.map(({ called, property }) => [called, property])).toEqual([["Cluster one", "vpcId"]]);
  const elsewhere = reviewOfTexts([preview([vpc], at)]);
  expect(elsewhere.failures.map(({ called, urn }) => [called, urn])).toEqual([["Cluster cluster-one", undefined]]);
});

test("a change that concerns only Pulumi's own data is folded into one line", () => {
  const report = reviewOfSteps({ ...changeInPlace("Vpc", { __provider: "a" }, { __provider: "b" }), paths: [] });
  expect([report.verdict, report.changes, report.folded]).toEqual(["nothing", [], [urnOf("Vpc x")]]);
});

describe("what was changed outside of Pulumi, and cannot be changed back", () => {
  const old = { eniSubnetIds: ["a", "b", "c"], clusterName: "one" };
  const said = { outputs: { __said: { eniSubnetIds: ["a", "b"] } } };
  const step = { kind: "Cluster", name: "x", old, ...said } as const;

  test("is a sentence, and no change", () => {
    const report = reviewOfSteps({ ...step, op: "same", now: { ...old, eniSubnetIds: ["a", "b"] } });
    expect([report.verdict, report.changes]).toEqual(["nothing", []]);
    expect(report.warnings).toEqual([
      {
        urn: urnOf("Cluster x"),
        called: "Cluster x",
        sentence: expect.stringMatching(/^eniSubnetIds: changed outside of Pulumi.*leaves it/),
      },
    ]);
  });

  test("is none of the changes of an update, which are those of the program", () => {
    const now = { clusterName: "two", eniSubnetIds: ["a", "b"] };
    const report = reviewOfSteps({ ...step, op: "update", now, paths: ["clusterName", "eniSubnetIds[2]"] });
    expect(report.changes.flatMap(({ properties }) => properties.map(({ path }) => path))).toEqual(["clusterName"]);
    expect(report.warnings).toHaveLength(1);
  });
});

test("an unknown value is shown with the resource that it comes from", () => {
  const subnet = creation("Subnet", "x", { vpcId: unknown }, { from: { vpcId: ["Vpc net"] } });
  const { changes } = reviewOfSteps(creation("Vpc", "net", { cidrBlock: "10.0.0.0/16" }), subnet);
  expect(changes.find(({ called }) => called === "Subnet x")?.properties).toEqual([
    { path: "vpcId", before: { kind: "absent" }, after: { kind: "unknown", from: ["Vpc net"] }, effect: "in place" },
  ]);
});

test("a review that leaves out an input that can change does not compile", () => {
  const judged: ReviewOf<"Vpc">["changes"] = { vpcName: "harmless", enableRouteVpcPublishIpv6: [], dnsServers: [], tags: "harmless" };
  // @ts-expect-error dnsServers is missing
  const forgotten: ReviewOf<"Vpc">["changes"] = { vpcName: "harmless", enableRouteVpcPublishIpv6: [], tags: "harmless" };
  expect(Object.keys(judged).filter((input) => !(input in forgotten))).toEqual(["dnsServers"]);
});

function judged(step: Step): readonly string[] {
  const { verdict, reasons, changes } = reviewOfSteps(step);
  return [verdict, ...reasons.map(({ code, sentence }) => `${code}: ${sentence}`), ...(changes[0]?.notes ?? [])];
}
const pool = (old: object, now: object): Step => changeInPlace("NodePool", { native: old }, { native: now });
const kubelet = (old: readonly string[], now: readonly string[]) => pool({ kubeletArgs: old }, { kubeletArgs: now });
const cluster = (...args: readonly (readonly string[] | undefined)[]): Step => {
  const [old, now] = args.map((kubeApiServer) => (kubeApiServer ? { extraArgs: { kubeApiServer } } : {}));
  return { ...changeInPlace("Cluster", old ?? {}, now ?? {}), paths: ["extraArgs"] };
};

describe("of a pool's nodes, these need approval", () => {
  const script = (text: string) => ({ lifecycle: { postInit: Buffer.from(`#!/bin/sh\n${text}\n`).toString("base64") } });
  const upgraded = (autoUpgrade: boolean, more = {}) => ({ upgradeSettings: { autoUpgrade, ...more } });
  const anonymous = "access-opened: an argument of new nodes' kubelet lets anonymous requests reach the kubelet";
  test.for<[string, Step, string]>([
    ["anonymous requests", kubelet([], ["anonymous-auth=true"]), anonymous],
    ["the same, otherwise spelt", kubelet(["anonymous-auth=false"], ["--anonymous_auth=T"]), anonymous],
    ["the same, given twice", kubelet(["anonymous-auth=false"], ["anonymous-auth=false", "anonymous-auth"]), anonymous],
    [
      "everything allowed",
      kubelet(["authorization-mode=Webhook"], ["authorization-mode=AlwaysAllow"]),
      "access-opened: an argument of new nodes' kubelet allows every authenticated user everything on the kubelet",
    ],
    [
      "a port without authentication",
      kubelet(["read-only-port=0"], ["read-only-port=10255"]),
      "access-opened: an argument of new nodes' kubelet opens a port on which everyone can read what runs on the node",
    ],
    [
      "a guard taken out",
      kubelet(["anonymous-auth=false", "max-pods=64"], ["max-pods=64"]),
      "safeguard-weakened: new nodes' kubelet is no longer told anonymous-auth=false: its own default decides, which may let anybody in",
    ],
    [
      "an argument that is not known",
      kubelet([], ["feature-gates=A=true"]),
      "undecided: what the argument feature-gates of new nodes' kubelet does is not known here",
    ],
    [
      "name servers",
      pool({ management: { nameservers: ["10.0.0.53"] } }, { management: { nameservers: ["198.51.100.6"] } }),
      "access-changed: other name servers decide for new nodes where names lead",
    ],
    [
      "hosts",
      pool({}, { management: { hosts: ["198.51.100.6 registry.example"] } }),
      "access-changed: names lead elsewhere on new nodes, by their hosts file",
    ],
    [
      "kernel parameters",
      pool({}, { management: { kernelArgs: ["kernel.randomize_va_space=0"] } }),
      "undecided: what other kernel parameters do to new nodes is not known here",
    ],
    [
      "a script",
      pool(script("echo 1"), script("curl x | sh")),
      "undecided: postInit is another script, which runs with all rights on new nodes: what it does is not judged here",
    ],
    [
      "an image",
      pool({ customImage: "img-1" }, { customImage: "img-2" }),
      "access-changed: new nodes are made of another image: who can log in and what runs on them, that image decides",
    ],
    [
      "repairs",
      pool({ autoRepair: false }, { autoRepair: true }),
      "interrupts: the platform repairs broken nodes by itself: it may restart or replace them",
    ],
    [
      "no repairs",
      pool({ autoRepair: true }, { autoRepair: false }),
      "safeguard-weakened: broken nodes are no longer repaired by the platform",
    ],
    ["upgrades", pool({}, upgraded(true)), "interrupts: the platform upgrades nodes by itself: workloads are moved when it does"],
    ["no upgrades", pool(upgraded(true), upgraded(false)), "safeguard-weakened: the platform no longer upgrades nodes by itself"],
    [
      "upgrades of more",
      pool(upgraded(true), upgraded(true, { components: ["kubelet"] })),
      "interrupts: the platform upgrades other components of the nodes by itself",
    ],
  ])("%s", ([, step, reason]) => {
    const [verdict, ...told] = judged(step);
    expect(verdict).toBe("needs-approval");
    expect(told.filter((one) => /^[a-z-]+: /.test(one) && !one.startsWith("existing"))).toEqual([reason]);
  });

  test("room alone does not", () => {
    expect(judged(kubelet(["max-pods=64"], ["max-pods=32", "eviction-hard=memory.available<5%"]))[0]).toBe("safe");
  });

  test("a new pool that opens its kubelets does, too", () => {
    const made = (argument: string) => judged(creation("NodePool", "x", { native: { kubeletArgs: [argument] } }));
    expect(made("authorization-mode=AlwaysAllow").slice(0, 2)).toEqual([
      "needs-approval",
      "access-opened: an argument of its kubelets allows every authenticated user everything on the kubelet",
    ]);
    expect(made("max-pods=64")[0]).toBe("safe");
  });
});

describe("of the API server", () => {
  const untold =
    "safeguard-weakened: the control plane is no longer told anonymous-auth=false: its own default decides, which may let anybody in";
  test.for<[string, readonly string[] | undefined, readonly string[]]>([
    [
      "anonymous requests",
      ["anonymous-auth=true"],
      ["access-opened: an argument of the control plane lets anonymous requests reach the API server's authorization"],
    ],
    ["a guard taken out", [], [untold]],
    ["all arguments taken out", undefined, [untold]],
    ["another argument, and what it was told anyway, which is not told again", ["anonymous-auth=false", "max-requests-inflight=400"], []],
  ])("%s", ([, now, reasons]) => {
    expect(judged(cluster(["anonymous-auth=false"], now))).toEqual([
      ...["needs-approval", ...reasons, "interrupts: components of the control plane restart with other arguments"],
    ]);
  });

  test("a new cluster that lets anonymous requests in needs approval", () => {
    const made = creation("Cluster", "x", { extraArgs: { kubeApiServer: ["anonymous-auth=true"] } });
    expect(judged(made)[1]).toMatch(/^access-opened: an argument of its control plane lets anon/);
  });
});

describe("updateExistedNode", () => {
  const withIt = (old: object, now: object): Step => pool({ ...old, updateExistedNode: true }, { ...now, updateExistedNode: true });

  test("is claimed of what the nodes' kubelets and systems are told", () => {
    expect(judged(withIt({}, { management: { nameservers: ["198.51.100.6"] } }))).toEqual([
      "needs-approval",
      "interrupts: the change applies to existing nodes, too (updateExistedNode)",
      "access-changed: other name servers decide for new nodes where names lead",
    ]);
  });

  test("is claimed where the value is known only after apply", () => {
    const change = pool(
      { kubeletArgs: ["max-pods=32"], updateExistedNode: false },
      { kubeletArgs: ["max-pods=64"], updateExistedNode: unknown },
    );
    expect(judged(change)).toContain("interrupts: the change applies to existing nodes, too (updateExistedNode)");
    expect(judged(change)).not.toContain("existing nodes stay as they are: the change applies to new nodes only");
  });

  const disk = (diskSize: number) => ({ systemDisk: { diskType: "CLOUD_PREMIUM", diskSize } });
  test.for<[string, object, object]>([
    ["subnets", { subnetIds: ["subnet-1"] }, { subnetIds: ["subnet-2"] }],
    ["types of machines", { instanceTypes: ["SA5.MEDIUM4"] }, { instanceTypes: ["SA5.LARGE8"] }],
    ["disks", disk(50), disk(100)],
  ])("is not claimed of %s, which a node keeps", ([, old, now]) => {
    expect(judged(withIt(old, now))).toEqual(["safe", "existing nodes stay as they are: the change applies to new nodes only"]);
  });
});
