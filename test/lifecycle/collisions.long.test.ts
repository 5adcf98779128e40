import fc from "fast-check";
import { expect, test } from "vitest";
import { inRounds, isWhole } from "../../sdk/src/rounds.fixture.ts";
import { CollidingProgram, edits, type Run, turned } from "./collisions.ts";
import { EngineStack } from "./engine-stack.ts";
import { testedShell } from "../support/shell.ts";
import { called } from "./program.ts";
import { SimulatedStack } from "./simulated-stack.ts";
import { addStrangers, Verdicts } from "./verdicts.ts";

/** What the preview passes, `up` carries out, and what it refuses, `up` would not: random programs whose resources collide. */

test("of two resources of a type, each comes first in one of the orders that are tried", () => {
  const property = fc.property(edits, edits, (some, others) => {
    const { declarations: program } = new CollidingProgram().edited(some).program.edited(others).program;
    fc.pre(program.every(({ dependsOn }) => dependsOn === undefined));
    const orders = [program, ...turned(program)].map((order) => order.map(called));
    for (const one of program)
      for (const other of program.filter(({ type }) => type === one.type)) {
        const isFirst = orders.some((order) => order.indexOf(called(one)) <= order.indexOf(called(other)));
        expect(isFirst, `${called(one)} before ${called(other)}`).toBe(true);
      }
  });
  fc.assert(property, { seed: 1, numRuns: 500 });
});

test("a new subnet takes a range that a changed one gives up: what the preview says of each order, up does in that order", async () => {
  await using stack = await SimulatedStack.open("in process", "3s");
  const verdicts = new Verdicts(stack, await stack.checkpoint());
  const subnet = { kind: "Subnet", pick: 0 } as const;
  // The new subnet takes what the changed one gives up.
  const changed = [{ does: "change", value: 1, ...subnet } as const, { does: "add", value: 2, ...subnet } as const];
  await verdicts.round([[{ does: "add", value: 0, ...subnet }], changed]);
  expect(verdicts.tally).toEqual({ passed: 1, refused: 1 });
});

test("the preview of colliding programs says what up does", { timeout: 7_200_000 }, async () => {
  await using stack = await SimulatedStack.open("in process", "3s");
  await addStrangers(stack);
  const verdicts = new Verdicts(stack, await stack.checkpoint());
  const property = fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: 7 }), (all) => verdicts.round(all));
  // A failure reports the seed and path with which fast-check repeats it, and the shortest program that fails.
  await inRounds("colliding programs", { whole: 100, seconds: 25 }, (seed) =>
    fc.assert(property, { seed, numRuns: 5, endOnFailure: !isWhole }),
  );
  const { refused, passed } = verdicts.tally;
  expect(refused).toBeGreaterThan(0);
  expect(passed).toBeGreaterThan(0);
});

if (isWhole)
  test("so does the preview of the real engine, which refuses what the simulated one refuses", { timeout: 7_200_000 }, async () => {
    await using engine = await EngineStack.open();
    await using simulated = await SimulatedStack.open("in process", "3s");
    await Promise.all([simulated, engine].map(addStrangers));
    const empty = await engine.checkpoint();
    const verdicts = new Verdicts(simulated, await simulated.checkpoint());
    const sameOnEngine = async ({ program, forced }: Run, isRefused: boolean): Promise<void> => {
      const { failure, calls } = await engine.up(program, { isPreview: true, forced });
      expect(calls.filter(({ effect }) => effect === "write")).toEqual([]);
      // This engine does not tell the plugin what an unknown value comes from: `up` refuses it (docs/reference/compatibility.md).
      const isLate = testedShell === "native" && failure === undefined && isRefused;
      if (!isLate) expect(failure !== undefined, `the simulated engine ${isRefused ? "refuses" : "passes"} it: ${failure}`).toBe(isRefused);
      if (failure !== undefined) return;
      const done = await engine.up(program, { forced });
      expect(done.failure !== undefined, `passed, and failed: ${done.failure}`).toBe(isLate);
    };
    const property = fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 4 }), async (all) => {
      await engine.goBackTo(empty);
      await verdicts.round(all, sameOnEngine);
    });
    await inRounds("colliding programs through the real engine", { whole: 60, seconds: 0 }, (seed) =>
      fc.assert(property, { seed, numRuns: 1 }),
    );
  });
