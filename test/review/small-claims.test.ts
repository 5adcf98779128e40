import { expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What a review said besides, and was not so. */

const vpc: Step = { kind: "Vpc", name: "net", op: "delete", old: { cidrBlock: "10.0.0.0/16" } };

test("a rule with another description neither opens nor closes anything", () => {
  const rule = (policyDescription: string, cidrBlock = "10.0.0.0/8") => ({
    protocol: "TCP",
    port: "443",
    cidrBlock,
    action: "ACCEPT",
    policyDescription,
  });
  const group = (...rules: readonly (readonly object[])[]): Step => ({
    ...{ kind: "SecurityGroup", name: "x", op: "update", paths: ["ingress"] },
    ...{ old: { ingress: rules[0] }, now: { ingress: rules[1] } },
  });
  for (const more of [{}, { cidrBlock: undefined, securityGroupId: "sg-1" }, { action: "DROP" }]) {
    const step = group([{ ...rule("a"), ...more }], [{ ...rule("b"), ...more }]);
    expect(reviewOfTexts([preview([step])])).toMatchObject({ verdict: "safe", reasons: [] });
  }
  const { reasons } = reviewOfTexts([preview([group([rule("a")], [rule("b"), rule("c", "11.0.0.0/8")])])]);
  expect(reasons.map(({ code, sentence }) => `${code}: ${sentence}`)).toEqual([
    "access-opened: opens the resources with this group to TCP 443 11.0.0.0/8",
  ]);
});

test("resources that do not change are missed only where the engine has counted more than the preview has", () => {
  const told = (text: string) => reviewOfTexts([text]).unanalysed.filter((sentence) => sentence.includes("--show-sames"));
  expect(told(preview([vpc]))).toEqual([]);
  const there: Step = { kind: "SecurityGroup", name: "x", op: "same", old: {} };
  expect(told(preview([vpc, there]))).toEqual([]);
  expect(told(preview([vpc]).replace('"changeSummary":{', '"changeSummary":{"same":2,'))).toHaveLength(1);
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
