import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { whileRunning } from "./control-plane.ts";

test.each([
  ["a control plane that runs", new Promise<void>(() => undefined), 1],
  ["one that has ended", Promise.resolve(), 0],
  ["one whose end is known a moment later", sleep(300), 0],
])("a mistake of what works with %s", async (_, ended, reported) => {
  const mistakes: unknown[] = [];
  whileRunning({ ended }, (mistake) => mistakes.push(mistake))(new Error("read ECONNRESET"));
  await sleep(1500);
  expect(mistakes).toHaveLength(reported);
});
