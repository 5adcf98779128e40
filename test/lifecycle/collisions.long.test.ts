import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { edits } from "./collisions.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { QuickStack } from "./quick-stack.ts";
import { addStrangers, Verdicts } from "./verdicts.ts";

/**
 * What the preview passes, `up` carries out, and what it refuses, `up` would not: random programs on the engine's stand-in. One part
 * is a name of a test, such as `-t "part 3 of"`.
 */

const parts = isLong ? 20 : 1;
const rounds = isLong ? 25 : 5;

let stack: QuickStack;
let empty: Checkpoint;
beforeAll(async () => {
  stack = QuickStack.open();
  await addStrangers(stack);
  empty = await stack.checkpoint();
});
afterAll(() => {
  stack[Symbol.dispose]();
});

test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `what the preview passes, up carries out, and what it refuses, up would not: part %i of ${parts}`,
  { timeout: 1_200_000 },
  async (part) => {
    const verdicts = new Verdicts(stack, empty);
    const property = fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: isLong ? 7 : 3 }), (all) => verdicts.round(all));
    // A failure reports the seed and path with which fast-check repeats it, and the shortest program that fails.
    await fc.assert(property, {
      seed: 16_000 + part,
      numRuns: rounds,
      interruptAfterTimeLimit: 900_000,
      markInterruptAsFailure: true,
    });
    const { refused, passed } = verdicts.tally;
    expect(refused).toBeGreaterThan(0);
    expect(passed).toBeGreaterThan(0);
  },
);
