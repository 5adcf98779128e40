import { afterAll, beforeAll, expect, test } from "vitest";
import { isList, isObject, type Json, type JsonObject } from "../../sdk/src/operation/codec.ts";
import { inRounds } from "../../sdk/src/rounds.fixture.ts";
import type { Meddler, Sent } from "../support/meddler.ts";
import { type Case, type Measurement, measure, phases, runCase } from "./faults.ts";
import type { Checkpoint } from "./resettable-stack.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** In the form of the public API: writes are carried out, and what is answered is not what the platform has told. */

function response(told: JsonObject): Sent {
  return { text: JSON.stringify({ Response: told }) };
}

/** The answer with some of its values as other ones. What identifies the call stays. */
function each(change: (value: Json) => Json): (told: JsonObject) => Sent {
  const inside = (value: JsonObject) => Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]));
  const changed = (value: Json): Json => {
    const other = change(value);
    if (other !== value) return other;
    if (isList(value)) return value.map(changed);
    return isObject(value) ? inside(value) : value;
  };
  return ({ RequestId = "", ...told }) => response({ ...inside(told), RequestId });
}

const wrongAnswers: Readonly<Record<string, (told: JsonObject) => Sent>> = {
  "with no more than the id of the call": ({ RequestId = "" }) => response({ RequestId }),
  "with half of it, and the connection ends": (told) => ({ text: JSON.stringify({ Response: told }).slice(0, -20), isCut: true }),
  "with an unknown code": ({ RequestId = "" }) => response({ Error: { Code: "NobodyKnowsThis", Message: "no words" }, RequestId }),
  "with null for lists": each((value) => (isList(value) ? null : value)),
  "with empty lists": each((value) => (isList(value) ? [] : value)),
  "with null for objects": each((value) => (isObject(value) ? null : value)),
  "with texts for numbers": each((value) => (typeof value === "number" ? String(value) : value)),
  "with null for texts": each((value) => (typeof value === "string" ? null : value)),
};

let stack: SimulatedStack;
let meddler: Meddler;
let empty: Checkpoint;
let all: readonly Measurement[];

beforeAll(async () => {
  ({ stack, meddler } = await SimulatedStack.meddled());
  empty = await stack.checkpoint();
  const platform = await measure(stack, phases.firstUp);
  await stack.goBackTo(empty);
  all = [platform, await measure(stack, phases.wayOut)];
});
afterAll(() => stack[Symbol.asyncDispose]());

function firstWrites(): readonly { readonly whole: Measurement; readonly one: Case }[] {
  const writes = Map.groupBy(
    all.flatMap((whole) => whole.cases.filter(({ how }) => how === "after").map((one) => ({ whole, one }))),
    ({ one: { action } }) => action,
  );
  return [...writes.values()].flatMap(([first]) => first ?? []);
}

test("whatever a write is answered, the next run completes the work, and nothing is made twice", { timeout: 7_200_000 }, async () => {
  const cases = Object.entries(wrongAnswers).flatMap(([name, instead]) => firstWrites().map((write) => ({ name, instead, ...write })));
  await inRounds("wrong answers in the form of the public API", { whole: cases.length, seconds: 10 }, async (seed) => {
    // A prime number of steps: every case has its turn.
    const { name, instead, whole, one } = cases[(seed * 37) % cases.length] ?? expect.fail("there is no case");
    await stack.goBackTo(empty);
    const shortcomings = await runCase(stack, whole, one, () => {
      meddler.meddling = { action: one.action, nth: 1, instead };
    });
    expect({ hasMeddled: meddler.hasMeddled, leaks: await stack.leaksSecrets(), shortcomings }, `${one.action} ${name}`).toEqual({
      hasMeddled: true,
      leaks: false,
      shortcomings: [],
    });
  });
});
