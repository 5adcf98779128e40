/** Proves the simulated engine against the real one, with the flagship: changed, replaced beside the old one, and after the old one is gone. */
import { expect, test } from "vitest";
import { EngineStack } from "./engine-stack.ts";
import { changed, flagship } from "./flagship.ts";
import { outcomesOf, type Step } from "./outcomes.ts";
import { SimulatedStack } from "./simulated-stack.ts";

const steps: readonly Step[] = [
  ["up", flagship()],
  ["up", changed(flagship())],
  ["up", flagship("10.1.0.0/16")],
  ["up", flagship("10.1.0.0/17")],
  ["refresh"],
  ["destroy"],
];

test("the flagship: the simulated engine does what the real one does", async () => {
  await using simulated = await SimulatedStack.open();
  await using engine = await EngineStack.open();
  expect(await outcomesOf(simulated, steps)).toEqual(await outcomesOf(engine, steps));
});
