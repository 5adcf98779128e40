import { afterAll, expect, test } from "vitest";
import { inRounds, isWhole, type Rounds, seededNumbers } from "../../sdk/src/rounds.fixture.ts";
import { type Form, forms } from "../support/forms.ts";
import { EngineStack } from "./engine-stack.ts";
import { type Case, measure, type Measurement, phases, runCase } from "./faults.ts";
import type { Program } from "./program.ts";
import type { Checkpoint, ResettableStack } from "./resettable-stack.ts";
import { followed } from "./remedies.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Whatever call of the runs of the flagship, and of a network with a way out, fails, or is the last one before a kill: the next run completes the work, and nothing is made twice. */

afterAll(() => {
  console.log(`${String(followed.length).padStart(8)}    remedies followed after a kill`);
});

interface Planned {
  readonly from: Checkpoint;
  readonly whole: Measurement;
  readonly one: Case;
}

/** Runs each phase once without a fault, and plans its cases. */
async function plannedFor(stack: ResettableStack): Promise<readonly Planned[]> {
  const empty = await stack.checkpoint();
  const deployed = new Map<Program, Checkpoint>();
  const planned: Planned[] = [];
  for (const phase of Object.values(phases)) {
    let from = phase.after.length === 0 ? empty : deployed.get(phase.after);
    if (!from) {
      await stack.goBackTo(empty);
      await stack.up(phase.after);
      await stack.restartProvider();
      deployed.set(phase.after, (from = await stack.checkpoint()));
    }
    await stack.goBackTo(from);
    const whole = await measure(stack, phase);
    planned.push(...whole.cases.map((one) => ({ from, whole, one })));
  }
  return planned;
}

/** Those that no other one before them resembles, but for the place of the call: in the public form a second call travels as the first one does. */
function firstOfEach(planned: readonly Planned[]): readonly Planned[] {
  const alike = Map.groupBy(planned, ({ one: { action, how, code = "lost", then } }) => `${action} ${how} ${code} ${then}`);
  return [...alike.values()].flatMap(([first]) => first ?? []);
}

function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
  const draw = seededNumbers(seed);
  return all
    .map((one) => [draw(), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

/** Runs cases in a random order, all of them in the long run. `few`: how many at most. */
async function faultsIn(
  stack: ResettableStack,
  name: string,
  form: Form,
  { few = Infinity, ...rounds }: Partial<Rounds> & { few?: number },
) {
  const all = await plannedFor(stack);
  const planned = form === "public" ? firstOfEach(all) : all;
  let done = 0;
  let order: readonly Planned[] | undefined;
  await inRounds(name, { seconds: 0, ...rounds, whole: Math.min(few, planned.length) }, async (seed) => {
    order ??= shuffled(planned, seed);
    const next = order[done++ % order.length];
    if (!next) throw new Error("there is no case");
    const { from, whole, one } = next;
    await stack.goBackTo(from);
    expect(await runCase(stack, whole, one), JSON.stringify({ ...one, phase: whole.phase.name })).toEqual([]);
  });
}

test.each(forms)("%s: the run after a failed call, or after a kill, completes the work", { timeout: 7_200_000 }, async (form) => {
  await using stack = await SimulatedStack.open(form);
  await faultsIn(stack, `calls that fail, ${form}`, form, { seconds: form === "public" ? 10 : 30 });
});

if (isWhole)
  test.each(forms)("%s: so it does through the real engine", { timeout: 7_200_000 }, async (form) => {
    await using stack = await EngineStack.open(form);
    await faultsIn(stack, `calls that fail through the real engine, ${form}`, form, { few: form === "public" ? 6 : 60 });
  });
