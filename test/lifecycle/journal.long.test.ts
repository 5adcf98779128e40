/** Only the engine sends journal entries: it, its provider, both, or the server of the state are killed at any call of a program of all types. */
import { afterAll, expect, test } from "vitest";
import { inRounds, seededNumbers } from "../../sdk/src/rounds.fixture.ts";
import { allTypes } from "./all-types.ts";
import { EngineStack } from "./engine-stack.ts";
import { followed } from "./remedies.ts";
import { survivesKill, victimOf } from "./journal-kills.ts";

afterAll(() => {
  console.log(`${String(followed.length).padStart(8)}    remedies followed after a kill: ${followed.join(", ")}`);
});

test("after each kill, one more update makes what the program declares, once", { timeout: 7_200_000 }, async () => {
  await using stack = await EngineStack.open("in process", "cloud");
  const whole = await stack.up(allTypes());
  const calls = whole.calls.length;
  expect(stack.journaled).toBeGreaterThan(allTypes().length);
  await stack.destroy();
  await inRounds("kills with a journal", { whole: 50, seconds: 60 }, async (seed) => {
    const nth = 1 + Math.floor(seededNumbers(seed)() * calls);
    await survivesKill(stack, allTypes(), { victim: victimOf(seed), nth });
  });
});
