import { afterAll, beforeAll, expect, test } from "vitest";
import { inRounds, isWhole } from "../../sdk/src/rounds.fixture.ts";
import type { Run } from "../lifecycle/collisions.ts";
import { EngineStack } from "../lifecycle/engine-stack.ts";
import type { Checkpoint } from "../lifecycle/resettable-stack.ts";
import { SimulatedStack } from "../lifecycle/simulated-stack.ts";
import { reviewOfTexts } from "./reviewed.ts";
import { planText } from "./stand-in-plans.ts";
import { Sequence } from "./steps-on-paper.ts";

/**
 * What the review says will fail, fails in `up`, and what it passes, `up` carries out. The provider's own preview refuses most of what
 * collides, and then the engine has no plan: that of the simulated engine, which continues all the same, is judged instead.
 */

let standIn: SimulatedStack;
let empty: Checkpoint;
beforeAll(async () => {
  standIn = await SimulatedStack.open("in process", "3s");
  empty = await standIn.checkpoint();
});
afterAll(() => standIn[Symbol.asyncDispose]());

interface OnPaper {
  readonly failing: readonly string[];
  /** What the stand-in's `up` fails with, and after how many steps. */
  readonly failure: string | undefined;
  readonly steps: number;
  readonly planned: readonly string[];
}

/** The plan of a program, and what becomes of it if the provider's refusals are not heeded. */
async function onPaper({ program, forced }: Run): Promise<OnPaper> {
  const before = await standIn.entries();
  const preview = await standIn.up(program, { forced, isPreview: true, isHeedless: true, isForgotten: true });
  expect(preview.failure).toBeUndefined();
  const text = planText({ program, operations: preview.operations, before, after: standIn.planned });
  const failing = reviewOfTexts([text]).reasons.flatMap(({ code, called, sentence }) =>
    code === "collides" ? [`${called}: ${sentence}`] : [],
  );
  await standIn.restartProvider();
  const { failure, operations } = await standIn.up(program, { forced, isHeedless: true, isForgotten: true });
  await standIn.restartProvider();
  return { failing, failure, steps: operations.length, planned: preview.operations };
}

test("the steps on paper fail where the platform refuses them, and nowhere else", { timeout: 7_200_000 }, async () => {
  const tally = { failed: 0, passed: 0 };
  await inRounds("plans on paper", { whole: 45, seconds: 15 }, async (seed) => {
    await standIn.goBackTo(empty);
    const sequence = new Sequence(seed, 20);
    for (let next = sequence.next(); next; next = sequence.next()) {
      const before = await standIn.checkpoint();
      const { failing, failure, steps, planned } = await onPaper(next.run);
      const said = JSON.stringify({ edits: next.edits, planned, steps, failing, failure }, undefined, 1);
      expect(failing.length > 0, said).toBe(failure !== undefined);
      if (failure !== undefined) expect(failing[0], said).toContain(`: step ${steps} fails: `);
      // No stack continues from what the provider has refused.
      if (failure === undefined && standIn.refusals === 0) next.keep();
      else await standIn.goBackTo(before);
      tally[failure === undefined ? "passed" : "failed"]++;
    }
  });
  expect(Math.min(tally.failed, tally.passed)).toBeGreaterThan(0);
});

if (isWhole)
  test("with the real engine: what the review passes, up carries out, and what it blocks, fails", { timeout: 7_200_000 }, async () => {
    await using engine = await EngineStack.open();
    const start = await engine.checkpoint();
    await inRounds("plans of the real engine", { whole: 12, seconds: 0 }, async (seed) => {
      await Promise.all([standIn.goBackTo(empty), engine.goBackTo(start)]);
      const sequence = new Sequence(seed, 5);
      for (let next = sequence.next(); next; next = sequence.next()) {
        const [before, beforeOnEngine] = await Promise.all([standIn.checkpoint(), engine.checkpoint()]);
        const { program, forced } = next.run;
        const { verdict, reasons } = reviewOfTexts(await engine.previewed(program, { forced }));
        const { failing, failure } = await onPaper(next.run);
        const up = await engine.up(program, { forced });
        const said = JSON.stringify({ edits: next.edits, verdict, reasons, failing, failure, up: up.failure }, undefined, 1);
        expect(up.failure !== undefined, said).toBe(verdict === "blocked");
        if (failing.length > 0) expect(up.failure, said).toBeDefined();
        if (up.failure === undefined) next.keep();
        else await Promise.all([standIn.goBackTo(before), engine.goBackTo(beforeOnEngine)]);
      }
    });
  });
