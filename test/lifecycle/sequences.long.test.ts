import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import type { Moment } from "./ground.ts";
import { lived } from "./sequences.ts";
import { StandInGround } from "./stand-in-ground.ts";
import { steps } from "./steps.ts";

const parts = isLong ? 20 : 1;
const sequences = isLong ? 25 : 1;

let ground: StandInGround;
let nothing: Moment;
beforeAll(async () => {
  ground = await StandInGround.open();
  nothing = await ground.moment();
});
afterAll(() => ground[Symbol.asyncDispose]());

test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `random edits of a random program, with faults and changes by hand: part %i of ${parts}`,
  { timeout: 1_200_000 },
  async (part) => {
    let runs = 0;
    const property = fc.asyncProperty(steps(2, isLong ? 5 : 2), async (sequence) => {
      await ground.goTo(nothing);
      await lived(ground, sequence);
      runs++;
    });
    // A failure tells seed and path, with which fast-check repeats it, and the fewest steps that fail.
    await fc.assert(property, { seed: 7_000 + part, numRuns: sequences, interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true });
    expect(runs).toBe(sequences);
    expect(ground.printed).toEqual([]);
  },
);
