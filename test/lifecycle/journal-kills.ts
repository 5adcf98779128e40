import { expect } from "vitest";
import { z } from "zod";
import type { EngineStack, Victim } from "./engine-stack.ts";
import { orphansIn } from "./orphans.ts";
import { called, type Program } from "./program.ts";
import { destroyFollowing, upFollowing } from "./remedies.ts";
import type { Doom } from "../support/life.ts";

const half: readonly Victim[] = ["engine", "provider", "engine", "provider"];
const victims: readonly Victim[] = [...half, "both", ...half, "server"];

/** Half engines, half providers; of twenty, one server that is away for a moment, and one that is away until the engine gives up. */
export function victimOf(seed: number): Victim {
  const victim = victims[seed % victims.length] ?? "engine";
  return victim === "server" && seed % 20 > 10 ? "server for long" : victim;
}

/** On an empty stack: kills the victim in the first `up`, and follows the page on interrupted updates until nothing is left. */
export async function survivesKill(stack: EngineStack, program: Program, kill: Doom & { readonly victim: Victim }): Promise<void> {
  const empty = await stack.exported();
  const first = await stack.up(program, { kill });
  const left = await stack.printed();
  const second = await upFollowing(stack, program, { refresh: true });
  expect(second.failure, `after ${first.failure}`).toBeUndefined();
  const entries = await stack.entries();
  expect(entries.map(called).toSorted()).toEqual(program.map(called).toSorted());
  expect(entries.filter(({ status }) => status !== "live")).toEqual([]);
  expect(orphansIn(await stack.world(), entries)).toEqual([]);
  const third = await stack.up(program);
  expect([third.failure, third.operations, third.calls.filter(({ effect }) => effect === "write")]).toEqual([undefined, [], []]);
  expect((await destroyFollowing(stack)).failure).toBeUndefined();
  expect(await stack.contents()).toEqual({});
  // The import drops the pending operations, which prove whose an orphan is: it comes last.
  await stack.import(left);
  expect(lasting(await stack.exported())).toEqual(lasting(left));
  await stack.import(empty);
}

const state = z.object({ deployment: z.looseObject({}) });

/** The part of an export that an import does not change. */
function lasting(text: string): object {
  const { manifest: _time, pending_operations: _dropped, ...others } = state.parse(JSON.parse(text)).deployment;
  return others;
}
