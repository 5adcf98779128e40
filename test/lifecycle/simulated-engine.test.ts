/** Proves the simulated engine against the real one: the same operations and writing calls, and the same state, also after kills. */
import { expect, test } from "vitest";
import { EngineStack } from "./engine-stack.ts";
import { flagship } from "./flagship.ts";
import { outcomesOf, type Step } from "./outcomes.ts";
import type { Kill } from "./simulated-engine.ts";
import { SimulatedStack } from "./simulated-stack.ts";

const network = flagship("10.0.0.0/16").slice(0, 3);
const renamed = network.slice(0, 1).map((declaration) => ({ ...declaration, name: "renamed", aliases: [declaration.name], retain: true }));
const kill = (victim: Kill["victim"], action: string) => ({ kill: { victim, action, nth: 1 } });

const steps: readonly Step[] = [
  ["up", network, kill("engine", "CreateVpc")],
  ["up", network, kill("provider", "AssignIpv6CidrBlock")],
  ["up", network],
  ["up", renamed, kill("engine", "DeleteSubnet")],
  ["up", renamed],
  // The two overlap.
  ["up", flagship("10.0.0.0/17").slice(0, 3)],
  ["refresh"],
  ["destroy"],
];

test("a network is interrupted, made, renamed, shrunk and retained: the simulated engine does what the real one does", async () => {
  await using simulated = await SimulatedStack.open();
  await using engine = await EngineStack.open();
  expect(await outcomesOf(simulated, steps)).toEqual(await outcomesOf(engine, steps));
});
