import fc from "fast-check";
import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { partsIn } from "../support/forms.ts";
import { EngineStack } from "./engine-stack.ts";
import { runSequence } from "./sequences.ts";
import { steps } from "./steps.ts";

const parts = isLong ? 4 : 1;
const sequences = isLong ? 5 : 1;

test.each(partsIn(parts))(
  `$form: a random program deploys after every random edit through the real engine, with faults and changes by hand: part $part`,
  { timeout: 1_800_000 },
  async ({ form, part }) => {
    let runs = 0;
    const property = fc.asyncProperty(isLong ? steps(2, 4) : steps(1, 1), async (sequence) => {
      await using stack = await EngineStack.open(form);
      await runSequence(stack, sequence);
      runs++;
    });
    await fc.assert(property, { seed: 9_000 + part, numRuns: sequences });
    expect(runs).toBe(sequences);
  },
);
