import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { EngineStack } from "./engine-stack.ts";
import { changed, flagship } from "./flagship.ts";
import type { ResettableStack, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** The simulated engine does what the real one does: the same operations on the same resources, with the same writing calls. */

const network = (range: string) => flagship(range).slice(0, 3);

/** A VPC, its block and a subnet; the VPC alone, under another name; and a second VPC, which is refused because the two overlap. */
const small: readonly Program[] = [
  network("10.0.0.0/16"),
  network("10.0.0.0/16")
    .slice(0, 1)
    .map((declaration) => ({ ...declaration, name: "renamed", aliases: [declaration.name] })),
  network("10.0.0.0/17"),
];

/** The flagship; then changed, replaced beside the old one, and replaced after the old one is gone. */
const large: readonly Program[] = [flagship(), changed(flagship()), flagship("10.1.0.0/16"), flagship("10.1.0.0/17")];

const cases: readonly (readonly [string, readonly Program[]])[] = isLong
  ? [
      ["a network", small],
      ["the flagship", large],
    ]
  : [["a network", [network("10.0.0.0/16"), network("10.0.0.0/17")]]];

function summaryOf({ operations, calls, failure }: RunOutcome): object {
  const writes = calls.filter(({ effect, code }) => effect === "write" && code === "").map(({ action }) => action);
  // The real engine confirms resources in the order in which they are finished, and several with one call.
  return { operations: operations.toSorted(), writes: writes.toSorted(), failed: failure !== undefined };
}

async function outcomesOf(stack: ResettableStack, programs: readonly Program[]): Promise<readonly object[]> {
  const outcomes: object[] = [];
  const refresh = isLong ? [() => stack.refresh()] : [];
  for (const run of [...programs.map((program) => () => stack.up(program)), ...refresh, () => stack.destroy()]) {
    const outcome = await run();
    const calls = [...outcome.calls, ...(await stack.restartProvider())];
    const names = isLong ? (await stack.entries()).map(({ type, name, status }) => `${type} ${name} ${status}`) : [];
    outcomes.push({ ...summaryOf({ ...outcome, calls }), names: names.toSorted(), contents: await stack.contents() });
  }
  return outcomes;
}

test.each(cases)("%s: the simulated engine does in up, refresh and destroy what the real one does", async (_, programs) => {
  await using simulated = await SimulatedStack.open();
  await using engine = await EngineStack.open();
  const outcomes = await outcomesOf(simulated, programs);
  expect(outcomes).toEqual(await outcomesOf(engine, programs));
});
