import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { forms, partsIn } from "../support/forms.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { runSequence } from "./sequences.ts";
import { SimulatedStack } from "./simulated-stack.ts";
import { steps } from "./steps.ts";

const parts = isLong ? 20 : 1;
const sequences = isLong ? 25 : 1;

describe.each(forms)("%s", (form) => {
  let stack: SimulatedStack;
  let empty: Checkpoint;
  beforeAll(async () => {
    stack = await SimulatedStack.open(form);
    empty = await stack.checkpoint();
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  test.each(partsIn(parts).filter((one) => one.form === form))(
    "a random program deploys after every random edit, with faults and changes by hand: part $part",
    { timeout: 1_200_000 },
    async ({ part }) => {
      let runs = 0;
      const property = fc.asyncProperty(steps(2, isLong ? 5 : 2), async (sequence) => {
        await stack.goBackTo(empty);
        await runSequence(stack, sequence);
        runs++;
      });
      // A failure reports the seed and path with which fast-check repeats it, and the shortest sequence that fails.
      await fc.assert(property, { seed: 7_000 + part, numRuns: sequences, interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true });
      expect(runs).toBe(sequences);
      expect(stack.printed).toEqual([]);
    },
  );
});
