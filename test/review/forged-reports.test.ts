import { describe, expect, test } from "vitest";
import { forgeryIn } from "../../provider/src/review/judge/report/forgery.ts";
import { formats } from "../../provider/src/review/render/formats.ts";
import { type Report, reportSchema } from "../../provider/src/review/report.ts";
import type { Finding } from "../../provider/src/review/judge/finding.ts";
import { Redactor } from "../../provider/src/review/plan/secrets.ts";
import { creation, deletion, preview, urnOf } from "./previews.ts";
import { recorded, reviewed, reviewedDrift, reviewOfTexts } from "./reviewed.ts";

/** A report that was saved is rendered, and gates, as it was judged: what cannot have been judged so is refused. */

const saved = (report: Report): Report => reportSchema.parse(JSON.parse(formats.json(report, "")));
const finding: Finding = {
  ...{ rule: "CP-1", severity: "high", enforcement: "block", outcome: "fail", urn: urnOf("Namespace x"), sentence: "is public" },
};

describe("what this reviewer has written is taken", () => {
  test.for(["cidr", "cidrWhileProtected", "first", "nothing", "rename", "registryDeleted", "tokenType", "versionDown"])("%s", (name) => {
    expect(forgeryIn(saved(reviewed(name)))).toBeUndefined();
    expect(forgeryIn(saved(reviewOfTexts(recorded(name), [], new Redactor(undefined))))).toBeUndefined();
  });

  test("a report of drift, and one with findings", () => {
    expect(forgeryIn(saved(reviewedDrift("drift")))).toBeUndefined();
    const report = reviewOfTexts([preview([creation("Namespace", "x", { isPublic: false })])], [finding]);
    expect(forgeryIn(saved(report))).toBeUndefined();
  });

  test("whatever the order of its keys", () => {
    const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
    const reversed: unknown = JSON.parse(formats.json(reviewed("cidr"), ""), (_, value: unknown): unknown =>
      isRecord(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value,
    );
    expect(forgeryIn(reportSchema.parse(reversed))).toBeUndefined();
  });
});

describe("a report is refused", () => {
  const report = saved(reviewOfTexts([preview([deletion("RegistryInstance", "r", { registryName: "acme" })])], [finding]));
  const safe = report.changes.map((change) => ({ ...change, verdict: "safe" as const }));
  test.for<[string, Report, string]>([
    ["another verdict", { ...report, verdict: "safe" }, "its verdict is safe, and the worst of its reasons and changes is blocked"],
    ["no reasons", { ...report, verdict: "safe", reasons: [] }, "and the worst of its reasons and changes is needs-approval"],
    [
      "all changes safe",
      { ...report, verdict: "safe", reasons: [], changes: safe },
      "a deletion or a replacement is safe, of RegistryInstance r",
    ],
    ["nothing changed", { ...report, verdict: "nothing" }, "its verdict is nothing"],
    [
      "without its finding's reason",
      { ...report, verdict: "needs-approval", reasons: report.reasons.slice(1) },
      "not among its reasons: CP-1",
    ],
    ["without its changes", { ...report, changes: [] }, "it does not count the changes"],
    ["another headline", { ...report, headline: "Changes 1 resource; nothing is lost" }, "its headline is not"],
    ["of another stack", { ...report, stack: "prod" }, "its fingerprint is not"],
    [
      "another reason",
      { ...report, reasons: report.reasons.map((one) => ({ ...one, sentence: `${one.sentence}!` })), findings: [] },
      "its fingerprint",
    ],
    ["another fingerprint", { ...report, fingerprint: "0123456789abcdef" }, "its fingerprint is not"],
  ])("with %s", ([, forged, sentence]) => {
    expect(forgeryIn(report)).toBeUndefined();
    expect(forgeryIn(forged)).toContain(sentence);
  });

  test("of a preview that failed, without its failure", () => {
    const failed = saved(reviewed("versionDown"));
    expect(forgeryIn({ ...failed, verdict: "nothing", reasons: [], changes: [] })).toContain("a failure that is not among its reasons");
  });
});
