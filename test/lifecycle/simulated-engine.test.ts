/** Proves the simulated engine against the real one: the same operations and writing calls, and the same state, also after kills. */
import { expect, test } from "vitest";
import { EngineStack } from "./engine-stack.ts";
import { changed, flagship } from "./flagship.ts";
import { outcomesOf, type Step } from "./outcomes.ts";
import type { Kill } from "./simulated-engine.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Resources of the flagship, each of which needs the one before: an interruption finds both engines at the same place. */
const networkIn = (cidrBlock: string) =>
  flagship(cidrBlock)
    .filter(({ type, name }) => ["Vpc", "Ipv6Block"].includes(type) || name === "nodes-1")
    .map(({ args: { routeTableId: _table, ...args }, ...one }) => ({ ...one, args }));
const network = networkIn("10.0.0.0/16");
const renamed = network.slice(0, 1).map((declaration) => ({ ...declaration, name: "renamed", aliases: [declaration.name], retain: true }));
const kill = (victim: Kill["victim"], action: string) => ({ kill: { victim, action, nth: 1 } });

const interrupted: readonly Step[] = [
  ["up", network, kill("engine", "CreateVpc")],
  ["up", network, kill("provider", "AssignIpv6CidrBlock")],
  ["up", network],
  ["up", renamed, kill("engine", "DeleteSubnet")],
  ["up", renamed],
  // The two overlap.
  ["up", networkIn("10.0.0.0/17")],
  ["refresh"],
  ["destroy"],
];

const replaced: readonly Step[] = [
  ["up", flagship()],
  ["up", changed(flagship())],
  ["up", flagship("10.1.0.0/16")],
  // The two overlap.
  ["up", flagship("10.1.0.0/17")],
  ["refresh"],
  ["destroy"],
];

test.each([
  ["a network that is interrupted, made, renamed, shrunk and retained", interrupted],
  ["the flagship that is changed, replaced beside the old one, and after the old one is gone", replaced],
])("%s: the simulated engine does what the real one does", async (_, steps) => {
  await using simulated = await SimulatedStack.open();
  await using engine = await EngineStack.open();
  expect(await outcomesOf(simulated, steps)).toEqual(await outcomesOf(engine, steps));
});
