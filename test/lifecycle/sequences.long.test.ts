import fc from "fast-check";
import { afterAll, test } from "vitest";
import { inRounds, isWhole } from "../../sdk/src/rounds.fixture.ts";
import { forms } from "../support/forms.ts";
import { EngineStack } from "./engine-stack.ts";
import { runPartly } from "./partial-runs.ts";
import { runSequence } from "./sequences.ts";
import { followed } from "./remedies.ts";
import { SimulatedStack } from "./simulated-stack.ts";
import { engineSteps, steps } from "./steps.ts";

/** Random programs deploy after every random edit, with calls that fail, changes by hand, and kills of engine and provider. */

afterAll(() => {
  console.log(`${String(followed.length).padStart(8)}    remedies followed after a kill`);
});

/** In a round: so many sequences. A failure reports the seed and path with which fast-check repeats it, and the shortest one that fails. */
const few = { numRuns: 5, endOnFailure: !isWhole };

test.each(forms)("%s: a random program deploys after every random edit", { timeout: 7_200_000 }, async (form) => {
  await using stack = await SimulatedStack.open(form);
  const empty = await stack.checkpoint();
  const property = fc.asyncProperty(steps(2, 5), async (sequence) => {
    await stack.goBackTo(empty);
    await runSequence(stack, sequence);
  });
  const rounds = form === "public" ? { whole: 20, seconds: 10 } : { whole: 100, seconds: 30 };
  await inRounds(`sequences of edits, ${form}`, rounds, (seed) => fc.assert(property, { seed, ...few }));
});

if (isWhole)
  test.each(forms)("%s: so it does through the real engine", { timeout: 7_200_000 }, async (form) => {
    const property = fc.asyncProperty(engineSteps(2, 4), async (sequence) => {
      await using stack = await EngineStack.open(form, undefined, "15s");
      await runSequence(stack, sequence, (...step) => runPartly(stack, ...step));
    });
    const rounds = { whole: form === "public" ? 4 : 20, seconds: 0 };
    await inRounds(`sequences of edits through the real engine, ${form}`, rounds, (seed) => fc.assert(property, { seed, numRuns: 1 }));
  });
