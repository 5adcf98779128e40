import { expect, test } from "vitest";
import { inRounds } from "../../sdk/src/rounds.fixture.ts";
import { forms } from "../support/forms.ts";
import { flagship } from "./flagship.ts";
import { wayOut } from "./networks.ts";
import type { Program } from "./program.ts";
import type { ResettableStack } from "./resettable-stack.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** A platform that carries out every call, and answers 30 of 100 that it is unavailable: `up` needs three runs at most. */

async function deploys(stack: ResettableStack, program: Program, seed: number): Promise<void> {
  stack.faults.add({ when: "after", probability: 0.3, code: "ResourceUnavailable", seed: String(seed) });
  const failures: string[] = [];
  for (let run = 0; run < 3; run++) {
    const { failure } = await stack.up(program);
    await stack.restartProvider();
    if (failure === undefined) break;
    failures.push(failure);
  }
  expect(failures.slice(2)).toEqual([]);
  stack.faults.clear();
  expect((await stack.up(program)).operations).toEqual([]);
}

test.each(forms)("%s: the flagship, and a network with a way out, are deployed", { timeout: 7_200_000 }, async (form) => {
  await using stack = await SimulatedStack.open(form);
  const empty = await stack.checkpoint();
  await inRounds(`an unsteady platform, ${form}`, { whole: 20, seconds: 5 }, async (seed) => {
    for (const program of [flagship(), wayOut()]) {
      await stack.goBackTo(empty);
      await deploys(stack, program, seed);
    }
  });
});
