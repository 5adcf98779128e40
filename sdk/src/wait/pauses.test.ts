import { expect, test } from "vitest";
import { pauseAfter, spoken } from "./pauses.ts";

test.each([
  [0, 0.25, 0.25],
  [30, 2.16, 2.7],
  [3600, 15, 15],
])("after %d s, the next poll comes in %d to %d s", (waited, least, most) => {
  for (let round = 0; round < 50; round++) {
    const pause = pauseAfter(waited);
    expect(pause).toBeGreaterThanOrEqual(least);
    expect(pause).toBeLessThanOrEqual(most);
  }
});

test.each([
  [0.24, "0.2 s"],
  [59, "59 s"],
  [180, "3 min"],
  [200, "3 min 20 s"],
])("%d seconds are %s", (seconds, text) => {
  expect(spoken(seconds)).toBe(text);
});
