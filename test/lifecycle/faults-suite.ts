import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import type { Form } from "../support/forms.ts";
import { runCase, measure, type Phase, phases, sample, tableOf, type CaseResult } from "./faults.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { SimulatedStack } from "./simulated-stack.ts";

const parts = isLong ? 10 : 1;
/** Cases of each phase in the short form. */
const few = 1;

/** The tests of some phases: one call fails in each case. The long form has a case for every call, and divides the cases into parts. */
export function faultsIn(some: readonly Phase[], form: Form): void {
  let stack: SimulatedStack;
  let empty: Checkpoint;
  let deployed: Checkpoint;
  const results: (CaseResult & { readonly phase: string })[] = [];

  beforeAll(async () => {
    stack = await SimulatedStack.open(form);
    empty = await stack.checkpoint();
    if (some.every((phase) => phase === phases.firstUp)) return;
    await stack.up(phases.firstUp.program);
    await stack.restartProvider();
    deployed = await stack.checkpoint();
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    if (results.length > 0) console.log(tableOf(results));
  });

  describe.each(some)(`${form}: $name`, (phase) => {
    test.each(Array.from({ length: parts }, (_, index) => index + 1))(
      `whatever call fails, the next run completes the work, and nothing is made twice or left behind: part %i of ${parts}`,
      async (part) => {
        const from = phase === phases.firstUp ? empty : deployed;
        await stack.goBackTo(from);
        const whole = await measure(stack, phase);
        const cases = isLong ? whole.cases.filter((_, index) => index % parts === part - 1) : sample(whole.cases, few, phase.name.length);
        const mine: typeof results = [];
        for (const one of cases) {
          await stack.goBackTo(from);
          mine.push({ phase: phase.name, ...(await runCase(stack, whole, one)) });
        }
        results.push(...mine);
        expect(mine.length).toBeGreaterThan(0);
        expect(mine.filter(({ shortcomings }) => shortcomings.length > 0)).toEqual([]);
        expect(stack.printed).toEqual([]);
      },
    );
  });
}
