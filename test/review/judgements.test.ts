import { describe, expect, test } from "vitest";
import type { ReviewOf } from "../../provider/src/review/judge/reviewed.ts";
import { type KindName, kinds, reviewed } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import { isExempt, type Judged } from "../provider/kinds/kind-cases.ts";
import { unknown } from "../support/structs.ts";
import { changeInPlace, preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** Changes of whatever kind. */
const general: Readonly<Record<string, Judged>> = {
  "an input that nobody has judged": {
    step: changeInPlace("Vpc", { brandNew: 1 }, { brandNew: 2 }),
    codes: ["undecided"],
    says: "what a change of this input means is not known here",
  },
  "one that Pulumi protects": {
    step: { kind: "Vpc", name: "x", op: "delete", old: {}, protect: true },
    codes: ["protected", "deletes"],
    undo: "partly",
  },
  "one that its program protects, which sets Pulumi's option": {
    step: { kind: "Cluster", name: "x", op: "delete", old: { deletionProtection: true }, protect: true },
    codes: ["protected", "deletes"],
    says: "deletionProtection is on. Set deletionProtection to false and run pulumi up first",
  },
  "what exists taken over, with a value that is known only after apply": {
    step: { kind: "Vpc", name: "x", op: "create", now: { __adopt: "vpc-1", vpcName: unknown } },
    codes: ["undecided"],
    undo: "partly",
    says: "vpcName: whether it becomes something else is known only after apply",
  },
  "what exists taken over": { step: { kind: "Vpc", name: "x", op: "create", now: { __adopt: "vpc-1" } }, codes: [], undo: "yes" },
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
  const message = `diffing ${urnOf("Vpc net")}: a change of vpcId makes a new Cluster in place of cluster-one, but deletionProtection is on. Set deletionProtection to false`;
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

describe("what was changed outside of Pulumi, and cannot be changed back", () => {
  const old = { eniSubnetIds: ["a", "b", "c"], clusterName: "one" };
  const said = { outputs: { __said: { eniSubnetIds: ["a", "b"] } } };
  const step = { kind: "Cluster", name: "x", old, ...said } as const;

  test("is a sentence, and no change", () => {
    const report = reviewOfTexts([preview([{ ...step, op: "same", now: { ...old, eniSubnetIds: ["a", "b"] } }])]);
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
    const report = reviewOfTexts([preview([{ ...step, op: "update", now, paths: ["clusterName", "eniSubnetIds[2]"] }])]);
    expect(report.changes.flatMap(({ properties }) => properties.map(({ path }) => path))).toEqual(["clusterName"]);
    expect(report.warnings).toHaveLength(1);
  });
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
