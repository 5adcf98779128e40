import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { CollidingProgram, type Edit, edits } from "./collisions.ts";
import type { Program } from "./program.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import type { Way } from "./simulated-engine.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/**
 * What the preview passes, `up` carries out, in whatever order the engine comes to the resources; and what the preview refuses, `up`
 * would not carry out in every order.
 */

const rounds = isLong ? 500 : 2;

let stack: SimulatedStack;
let empty: Checkpoint;
beforeAll(async () => {
  stack = await SimulatedStack.open();
  empty = await stack.checkpoint();
});
afterAll(() => stack[Symbol.asyncDispose]());

interface Run {
  readonly program: Program;
  readonly forced: readonly string[];
}

/** The same program, in another order that its references allow. */
function turned(program: Program): Program {
  const isInner = ({ type }: Program[number]) => type === "Subnet" || type === "Namespace";
  const all = [...program.filter((one) => !isInner(one)).toReversed(), ...program.filter(isInner).toReversed()];
  const free = all.filter(({ dependsOn = [] }) => dependsOn.length === 0);
  const bound = program.filter(({ dependsOn = [] }) => dependsOn.length > 0);
  return [
    ...free.filter((one) => !isInner(one)),
    ...bound.filter((one) => !isInner(one)),
    ...free.filter(isInner),
    ...bound.filter(isInner),
  ];
}

/** Why a run fails; an empty text if it does not. Each run has a process of its own. */
async function failureOf(run: Run, way: Pick<Way, "isPreview" | "isHeedless">): Promise<string> {
  const { failure = "" } = await stack.up(run.program, { forced: run.forced, ...way });
  return failure;
}

interface Verdict {
  readonly previews: readonly string[];
  readonly ups: readonly string[];
}

/** What previews and `up` say in both orders, each on the same state. */
async function verdictOf({ program, forced }: Run): Promise<Verdict> {
  const before = await stack.checkpoint();
  const orders = [program, turned(program)].map((one) => ({ program: one, forced }));
  const previews: string[] = [];
  for (const run of orders) {
    previews.push(await failureOf(run, { isPreview: true }));
    if (previews.length < orders.length) await stack.restartProvider();
  }
  const isRefused = previews.some((why) => why !== "");
  const ups: string[] = [];
  for (const run of orders) {
    await stack.goBackTo(before);
    ups.push(await failureOf(run, { isHeedless: isRefused }));
  }
  return { previews, ups };
}

let refused = 0;
let passed = 0;

async function roundOf(all: readonly (readonly Edit[])[]): Promise<void> {
  await stack.goBackTo(empty);
  let program = new CollidingProgram();
  for (const some of all) {
    const next = program.edited(some);
    const before = await stack.checkpoint();
    const { previews, ups } = await verdictOf({ program: next.program.declarations, forced: next.forced });
    const said = JSON.stringify({ some, previews, ups }, undefined, 1);
    const isRefused = previews.map((why) => why !== "");
    expect(new Set(isRefused).size, `the order decides: ${said}`).toBe(1);
    if (isRefused[0]) {
      refused++;
      expect(
        ups.some((why) => why !== ""),
        `refused, and carried out: ${said}`,
      ).toBe(true);
      // The program stays as it was.
      await stack.goBackTo(before);
    } else {
      passed++;
      await stack.restartProvider();
      expect(ups, `passed, and failed: ${said}`).toEqual(["", ""]);
      program = next.program;
    }
  }
}

test(
  `what the preview passes, up carries out, and what it refuses, up would not: ${rounds} random programs`,
  { timeout: 7_200_000 },
  async () => {
    const property = fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: isLong ? 5 : 3 }), roundOf);
    await fc.assert(property, { seed: 16_004, numRuns: rounds, interruptAfterTimeLimit: 6_900_000, markInterruptAsFailure: true });
    expect(refused).toBeGreaterThan(0);
    expect(passed).toBeGreaterThan(0);
  },
);
