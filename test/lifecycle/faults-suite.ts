import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import type { Form } from "../support/forms.ts";
import { type Case, type CaseResult, measure, type Measurement, type Phase, phases, runCase, sample, tableOf } from "./faults.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Cases of each phase in the short form. */
const few = 1;

interface Planned {
  readonly from: Checkpoint;
  readonly whole: Measurement;
  readonly one: Case;
}

/**
 * The tests of some phases: one call fails in each case. The long form divides the cases into parts. In process, it has a case for every
 * call. In the form of the public API, it has one for each way in which an operation fails, in the first of the phases that calls it: a
 * second call travels as the first one does.
 */
export function faultsIn(some: readonly Phase[], form: Form): void {
  const parts = isLong ? some.length * (form === "public" ? 3 : 10) : 1;
  let stack: SimulatedStack;
  let planned: readonly Planned[];
  const results: (CaseResult & { readonly phase: string })[] = [];

  beforeAll(async () => {
    stack = await SimulatedStack.open(form);
    planned = await plannedFor(stack, some, form);
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    if (results.length > 0) console.log(tableOf(results));
  });

  test.each(Array.from({ length: parts }, (_, index) => index + 1))(
    `${form}: whatever call of ${some.map(({ name }) => name).join(", ")} fails, the next run completes the work, and nothing is made twice or left behind: part %i of ${parts}`,
    { timeout: 1_200_000 },
    async (part) => {
      const mine: typeof results = [];
      for (const { from, whole, one } of planned.filter((_, index) => index % parts === part - 1)) {
        await stack.goBackTo(from);
        mine.push({ phase: whole.phase.name, ...(await runCase(stack, whole, one)) });
      }
      results.push(...mine);
      expect(mine.length).toBeGreaterThan(0);
      expect(mine.filter(({ shortcomings }) => shortcomings.length > 0)).toEqual([]);
      expect(stack.printed).toEqual([]);
    },
  );
}

/** Runs each phase once without a fault, and plans its cases. */
async function plannedFor(stack: SimulatedStack, some: readonly Phase[], form: Form): Promise<readonly Planned[]> {
  const empty = await stack.checkpoint();
  let deployed = empty;
  if (some.some(({ after }) => after === "first up")) {
    await stack.up(phases.firstUp.program);
    await stack.restartProvider();
    deployed = await stack.checkpoint();
  }
  const planned: Planned[] = [];
  for (const phase of some) {
    const from = phase.after === "nothing" ? empty : deployed;
    await stack.goBackTo(from);
    const whole = await measure(stack, phase);
    const cases = isLong ? whole.cases : sample(whole.cases, few, phase.name.length);
    planned.push(...cases.map((one) => ({ from, whole, one })));
  }
  return form === "public" ? firstOfEach(planned) : planned;
}

/** Those that no other one before them resembles, but for the place of the call. */
function firstOfEach(planned: readonly Planned[]): readonly Planned[] {
  const alike = Map.groupBy(planned, ({ one: { action, when, code = "lost" } }) => `${action} ${when} ${code}`);
  return [...alike.values()].flatMap(([first]) => first ?? []);
}
