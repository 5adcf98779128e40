import { expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import { changeInPlace, deletion, preview, unchanged, urnOf } from "./previews.ts";
import { reviewOfSteps, reviewOfTexts } from "./reviewed.ts";

/** What a review said besides, and was not so. */

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

test("resources that do not change are missed only where the engine has counted more than the preview has", () => {
  const told = (text: string) => reviewOfTexts([text]).unanalysed.filter((sentence) => sentence.includes("--show-sames"));
  expect(told(preview([vpc]))).toEqual([]);
  expect(told(preview([vpc, unchanged("SecurityGroup", "x")]))).toEqual([]);
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
