import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { edits, type Run } from "./collisions.ts";
import { EngineStack } from "./engine-stack.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { QuickStack } from "./quick-stack.ts";
import { addStrangers, Verdicts } from "./verdicts.ts";

/**
 * What the preview of the real engine passes, its `up` carries out, and it refuses what its stand-in refuses, of which the other test
 * shows that `up` would not carry it out.
 */

const parts = isLong ? 12 : 1;
const rounds = isLong ? 5 : 1;

let simulated: QuickStack;
let engine: EngineStack;
let empty: readonly [Checkpoint, Checkpoint];
beforeAll(async () => {
  engine = await EngineStack.open();
  simulated = QuickStack.open();
  await Promise.all([simulated, engine].map(addStrangers));
  empty = [await simulated.checkpoint(), await engine.checkpoint()];
});
afterAll(async () => {
  simulated[Symbol.dispose]();
  await engine[Symbol.asyncDispose]();
});

async function sameOnEngine({ program, forced }: Run, isRefused: boolean): Promise<void> {
  const { failure, calls } = await engine.up(program, { isPreview: true, forced });
  expect(calls.filter(({ effect }) => effect === "write")).toEqual([]);
  expect(failure !== undefined, `the stand-in ${isRefused ? "refuses" : "passes"} it: ${failure}`).toBe(isRefused);
  if (failure === undefined) expect((await engine.up(program, { forced })).failure, "passed, and failed").toBeUndefined();
}

test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `what the preview passes, up carries out, with the real engine: part %i of ${parts}`,
  { timeout: 1_800_000 },
  async (part) => {
    const verdicts = new Verdicts(simulated, empty[0]);
    const property = fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: isLong ? 4 : 1 }), async (all) => {
      await engine.goBackTo(empty[1]);
      await verdicts.round(all, sameOnEngine);
    });
    await fc.assert(property, { seed: 16_100 + part, numRuns: rounds });
    expect(verdicts.tally.refused + verdicts.tally.passed).toBeGreaterThanOrEqual(rounds);
  },
);
