import { expect, test } from "vitest";
import type { RawViolation } from "../plan/engine-output.ts";
import type { Plan } from "../plan/plan.ts";
import { findingsOf } from "./findings.ts";
import { noSettings } from "./settings/settings.ts";

const urn = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs";

function violation(differently: Partial<RawViolation> = {}): RawViolation {
  return {
    resourceUrn: urn,
    message: "Keeps no older versions.\n",
    policyName: "versions",
    policyPackName: "storage",
    enforcementLevel: "mandatory",
    ...differently,
  };
}

function planWith(...violations: readonly RawViolation[]): Plan {
  const nothing = {
    subjects: [],
    drift: [],
    steps: [],
    diagnostics: [],
    failures: [],
    outputs: undefined,
    leftOut: undefined,
    isKeyed: false,
  };
  return {
    ...nothing,
    violations,
    project: "shop",
    stack: "dev",
    region: undefined,
    lacksSames: false,
    hasDependencies: true,
    hasEventLog: true,
  };
}

test("findings of policy packs are reported unchanged", () => {
  expect(findingsOf(planWith(violation({ severity: "high" })), undefined, "2026-06-30")).toEqual([
    { rule: "storage/versions", severity: "high", enforcement: "block", outcome: "fail", urn, sentence: "Keeps no older versions." },
  ]);
});

test("an advisory one advises, and one that could not be run is undetermined", () => {
  const message = "can't run policy 'versions' from policy pack 'storage@v1.0.0' during preview: string value at .bucket can't be known";
  const [finding] = findingsOf(planWith(violation({ enforcementLevel: "advisory", message })), undefined, "2026-06-30");
  expect(finding).toMatchObject({ enforcement: "advise", outcome: "undetermined", severity: "medium" });
});

test("the rules of this package are not reported twice if they also run as a pack", () => {
  const own = violation({ policyPackName: "container-platform", policyName: "CP-NET-002" });
  expect(findingsOf(planWith(own), noSettings, "2026-06-30")).toEqual([]);
  expect(findingsOf(planWith(own), undefined, "2026-06-30").map(({ rule }) => rule)).toEqual(["container-platform/CP-NET-002"]);
});
