import { describe, expect, test } from "vitest";
import { render } from "../../provider/src/definition/codes.ts";
import type { ReviewOf } from "../../provider/src/review/judge/reviewed.ts";
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
