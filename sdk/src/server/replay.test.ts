import { expect, test } from "vitest";
import { outcomeOf, refusedExamples, replayedExamples } from "./replay.fixture.ts";

test("each call that the vendor publishes is answered, refused for what does not exist, or listed with its reason", async () => {
  const all = await replayedExamples();
  const refused = all.filter((one) => outcomeOf(one) === "refused");
  const reasons = new Map(refusedExamples.map(({ action, because }) => [action, because]));
  expect(refused.filter(({ action }) => !reasons.has(action))).toEqual([]);
  expect([...reasons.keys()].filter((action) => !refused.some((one) => one.action === action))).toEqual([]);
  const answered = all.filter((one) => outcomeOf(one) === "answered").length;
  console.log(`of ${all.length} calls, ${answered} are answered and ${refused.length} refused whatever exists, as published`);
  expect(all.length).toBeGreaterThan(100);
  expect(refused.length).toBeLessThanOrEqual(14);
});
