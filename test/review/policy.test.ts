import { expect, test } from "vitest";
import { inputError, render } from "../../provider/src/definition/codes.ts";
import { findingsOf } from "../../provider/src/review/policy/evaluate.ts";
import { noSettings, type Settings, settingsFrom } from "../../provider/src/review/policy/settings.ts";
import { annotations } from "../../provider/src/review/render/places.ts";
import { reviewOf } from "../../provider/src/review/review.ts";
import { changeInPlace, creation, preview, unchanged, urnOf } from "./previews.ts";
import { planOfTexts, recorded } from "./reviewed.ts";

/** The review of a recorded preview that makes a user the cluster's administrator, with the settings of a project. */
function judged(settings: string | undefined) {
  const plan = planOfTexts(recorded("permissionWidened"));
  const findings = findingsOf(plan, settings === undefined ? undefined : settingsFrom(settings, "policy.yaml"), "2026-06-30");
  const { verdict, reasons } = reviewOf(plan, findings);
  return {
    verdict,
    findings: findings.map(({ rule, outcome, enforcement }) => `${rule} ${outcome} ${enforcement}`),
    reasons: reasons.flatMap(({ code, sentence }) => (code === "policy" ? [sentence] : [])),
  };
}

test("without settings no rule is evaluated", () => {
  expect(judged(undefined)).toEqual({ verdict: "needs-approval", findings: [], reasons: [] });
});

test("a change that breaks a blocking rule is blocked, and resources that do not change are not judged", () => {
  expect(judged("rules: { CP-IAM-001: block }")).toEqual({
    verdict: "blocked",
    findings: ["CP-IAM-001 fail block"],
    reasons: ["CP-IAM-001: roleName makes a user the cluster's administrator."],
  });
});

test("an exception is in the report, and the change needs only approval", () => {
  const exception = '{ rule: CP-IAM-001, resource: "UserPermission *", reason: until the audit is over, until: 2026-06-30 }';
  expect(judged(`rules: { CP-IAM-001: block }\nexceptions: [${exception}]\n`)).toEqual({
    verdict: "needs-approval",
    findings: ["CP-IAM-001 excepted block"],
    reasons: [],
  });
});

/** The findings of a run in which a policy of a pack is broken. */
function foundBy(differently: Readonly<Record<string, string>>, settings?: Settings) {
  const policyEvent = {
    ...{ resourceUrn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", message: "Keeps no older versions.\n" },
    ...{ policyName: "versions", policyPackName: "storage", enforcementLevel: "mandatory", ...differently },
  };
  return findingsOf(planOfTexts([JSON.stringify({ sequence: 0, policyEvent })]), settings, "2026-06-30");
}

test("findings of policy packs are reported unchanged", () => {
  expect(foundBy({ severity: "high" })).toEqual([
    {
      ...{ rule: "storage/versions", severity: "high", enforcement: "block", outcome: "fail" },
      ...{ urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", sentence: "Keeps no older versions." },
    },
  ]);
});

test("an advisory one advises, and one that could not be run is undetermined", () => {
  const message = "can't run policy 'versions' from policy pack 'storage@v1.0.0' during preview: string value at .bucket can't be known";
  const [finding] = foundBy({ enforcementLevel: "advisory", message });
  expect(finding).toMatchObject({ enforcement: "advise", outcome: "undetermined", severity: "medium" });
  // A mandatory one is no error where it cannot be decided: the change needs approval.
  const report = reviewOf(planOfTexts([preview([])]), foundBy({ message }));
  expect([report.verdict, annotations(report)]).toEqual(["needs-approval", expect.stringMatching(/^::warning title=storage\/versions::/)]);
});

test("the rules of this package are not reported twice if they also run as a pack", () => {
  const own = { policyPackName: "container-platform", policyName: "CP-NET-002" };
  expect(foundBy(own, noSettings)).toEqual([]);
  expect(foundBy(own).map(({ rule }) => rule)).toEqual(["container-platform/CP-NET-002"]);
});

test.each([
  ["a new pool", creation("NodePool", "x", { clusterId: "cls-1" }), "blocked"],
  ["a pool that changes", changeInPlace("NodePool", { native: { replicas: 1 } }, { native: { replicas: 50 } }), "blocked"],
  ["a pool that does not change", unchanged("NodePool", "x"), "nothing"],
])("what the provider counts and warns of breaks a rule: %s", (_, step, verdict) => {
  const message = `warning: ${render(inputError("native.replicas", "50 nodes need more IP addresses", "TooFewAddresses"))}`;
  const plan = planOfTexts([preview([step], [{ urn: urnOf("NodePool x"), severity: "warning", message }])]);
  const settings = settingsFrom("rules: { CP-POOL-012: off, CP-POOL-008: off, CP-POOL-006: off }", "policy.yaml");
  expect(reviewOf(plan, findingsOf(plan, settings, "2026-06-30"))).toMatchObject({
    verdict,
    ...(verdict === "blocked" && {
      reasons: [{ code: "policy", sentence: "CP-POOL-017: native.replicas allows more nodes than the subnets have IP addresses for." }],
    }),
  });
});
