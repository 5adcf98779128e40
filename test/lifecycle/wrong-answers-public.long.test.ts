import { afterAll, beforeAll, expect, test } from "vitest";
import { isList, isObject, type Json, type JsonObject } from "../../sdk/src/operation/codec.ts";
import { isLong } from "../../sdk/src/long.fixture.ts";
import type { Meddler, Sent } from "../support/meddler.ts";
import { type Case, type Measurement, measure, networkUp, phases, runCase } from "./faults.ts";
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

const phase = isLong ? phases.firstUp : networkUp;
let stack: SimulatedStack;
let meddler: Meddler;
let empty: Checkpoint;
let whole: Measurement;

beforeAll(async () => {
  ({ stack, meddler } = await SimulatedStack.meddled());
  empty = await stack.checkpoint();
  whole = await measure(stack, phase);
});
afterAll(() => stack[Symbol.asyncDispose]());

/** The first call of each operation that writes. */
function firstWrites(): readonly Case[] {
  const writes = Map.groupBy(
    whole.cases.filter(({ when }) => when === "after"),
    ({ action }) => action,
  );
  return [...writes.values()].flatMap(([first]) => first ?? []);
}

test.each(Object.entries(wrongAnswers).slice(0, isLong ? undefined : 2))(
  "a write is answered %s: the next run completes the work, and nothing is made twice or left behind",
  { timeout: 1_200_000 },
  async (_, instead) => {
    const failed: unknown[] = [];
    const writes = firstWrites();
    for (const one of writes) {
      await stack.goBackTo(empty);
      const { shortcomings } = await runCase(stack, whole, one, () => {
        meddler.meddling = { action: one.action, nth: 1, instead };
      });
      expect(meddler.hasMeddled).toBe(true);
      if (shortcomings.length > 0 || (await stack.leaksSecrets())) failed.push({ action: one.action, shortcomings });
    }
    expect(writes.length).toBeGreaterThan(isLong ? 15 : 2);
    expect(failed).toEqual([]);
  },
);
