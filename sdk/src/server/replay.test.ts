import { expect, test } from "vitest";
import { coverage } from "../wire-format/public/examples.fixture.ts";
import { outcomeOf, refusedExamples, replayedExamples } from "./replay.fixture.ts";

test("each call that the vendor publishes is answered, refused for what does not exist, or listed with its reason", async () => {
  const all = await replayedExamples();
  const refused = all.filter((one) => outcomeOf(one) === "refused");
  const reasons = new Map(refusedExamples.map(({ action, because }) => [action, because]));
  expect(refused.filter(({ action }) => !reasons.has(action))).toEqual([]);
  expect([...reasons.keys()].filter((action) => !refused.some((one) => one.action === action))).toEqual([]);
  const answered = all.filter((one) => outcomeOf(one) === "answered").length;
  const missing = all.length - answered - refused.length;
  expect(coverage).toContain(
    `\nOf the ${all.length} requests, an emulator without resources answers ${answered}, rejects ${missing} because a resource does not exist, and rejects ${refused.length} `,
  );
});
