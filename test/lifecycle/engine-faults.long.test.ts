import { afterAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { EngineStack } from "./engine-stack.ts";
import { type Form, forms } from "../support/forms.ts";
import { runCase, measure, networkUp, type Phase, phases, sample, tableOf, type CaseResult } from "./faults.ts";
import type { ResettableStack } from "./resettable-stack.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Cases of each phase. */
const few: Readonly<Record<Form, number>> = { "in process": isLong ? 4 : 1, public: 1 };

const some: readonly Phase[] = isLong ? Object.values(phases) : [networkUp];

const results: (CaseResult & { readonly phase: string })[] = [];
afterAll(() => {
  if (results.length > 0) console.log(tableOf(results));
});

/** Brings the stack to where the phase begins. */
async function begun(stack: ResettableStack, { after }: Phase): Promise<void> {
  if (after === "nothing") return;
  expect(await stack.up(phases.firstUp.program)).toMatchObject({ failure: undefined });
  await stack.restartProvider();
}

const each = forms.flatMap((form) => some.map((phase) => ({ form, name: phase.name, phase })));

test.each(each)(
  "$form: $name through the real engine: the run after a failed call completes the work",
  { timeout: 1_200_000 },
  async ({ form, phase }) => {
    await using simulated = await SimulatedStack.open(form);
    await begun(simulated, phase);
    const whole = await measure(simulated, phase);
    const mine: typeof results = [];
    for (const one of sample(whole.cases, few[form], phase.name.length)) {
      await using stack = await EngineStack.open(form);
      await begun(stack, phase);
      mine.push({ phase: phase.name, ...(await runCase(stack, whole, one)) });
    }
    results.push(...mine);
    expect(mine).toHaveLength(few[form]);
    expect(mine.filter(({ shortcomings }) => shortcomings.length > 0)).toEqual([]);
  },
);
