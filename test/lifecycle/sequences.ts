import { isDeepStrictEqual } from "node:util";
import { RandomProgram } from "./random-program.ts";
import type { ResettableStack, RunOutcome } from "./resettable-stack.ts";
import { byHand, edited, type Step } from "./steps.ts";
import { orphansIn } from "./orphans.ts";
import { upFollowing } from "./remedies.ts";

/** What was done so far, for the report of a failure. */
type History = string[];

/** What happens between an edit and the run that follows it. Returns what was done. */
type Between = (random: RandomProgram, step: Step, isByHand: boolean) => Promise<readonly string[]>;

/** On an empty stack: edits a program step by step, runs it after each edit, and destroys everything in the end. Throws if anything is not as it should be. */
export async function runSequence(stack: ResettableStack, sequence: readonly Step[], between?: Between): Promise<History> {
  const [random, history] = [new RandomProgram(), [] as History];
  try {
    for (const step of sequence) await runStep(stack, random, step, history, between);
    await unprotected(stack, random, history);
    if (await stack.leaksSecrets()) throw new Error("a secret is not marked as one");
    history.push("destroy");
    await stack.restartProvider();
    requireSuccess(history, await stack.destroy());
    const left = await stack.contents();
    if (!isDeepStrictEqual(left, {})) throw new Error(`left: ${JSON.stringify(left)}`);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nafter:\n  ${history.join("\n  ")}`, { cause: error });
  }
  return history;
}

async function runStep(stack: ResettableStack, random: RandomProgram, step: Step, history: History, between?: Between): Promise<void> {
  // The protection has to be removed in a run of its own before a resource can be replaced or deleted.
  if (["remove", "replace", "halve"].includes(step.edit)) await unprotected(stack, random, history);
  const hand = await byHand(step, stack.cloud, await stack.entries());
  await edited(random, step, stack.cloud);
  const troubles = [step.fault, step.kill].flatMap((one) => (one ? [JSON.stringify(one)] : []));
  history.push([step.edit, ...(hand === undefined ? [] : [`(by hand: ${hand})`]), ...troubles].join(" "));
  await stack.restartProvider();
  history.push(...((await between?.(random, step, hand !== undefined)) ?? []));
  await deployed(stack, random, step, hand !== undefined, history);
  // From now on the program has neither the aliases nor the imports.
  random.editAll({ alias: undefined, imported: undefined });
  await stack.restartProvider();
  requireNothingToDo(history, await stack.up(random.declarations));
}

/** A run, in which a call may fail, or engine or provider may be killed, and one more if it did not succeed. */
async function deployed(
  stack: ResettableStack,
  random: RandomProgram,
  { fault, kill }: Step,
  refresh: boolean,
  history: History,
): Promise<void> {
  if (fault && !kill) stack.faults.add({ nth: fault.nth, when: fault.when, ...(fault.lost ? {} : { code: "FailedOperation" }) });
  const first = await stack.up(random.declarations, { refresh, ...(kill && { kill }) });
  stack.faults.clear();
  history.push(`up: ${first.operations.join(", ")}${first.failure === undefined ? "" : `: ${first.failure}`}`);
  // An orphan of an interrupted creation is recovered by the next run.
  if (!kill || first.failure === undefined) requireNoOrphans(await orphansOf(stack, random, first.failure !== undefined));
  if (first.failure === undefined) return;
  if (!fault && !kill) throw new Error("it failed without a fault");
  await stack.restartProvider();
  const second = kill
    ? await upFollowing(stack, random.declarations, { refresh })
    : { ...(await stack.up(random.declarations, { refresh })), remedies: [] };
  history.push(`up: ${[...second.operations, ...second.remedies].join(", ")}`);
  requireSuccess(history, second);
  requireNoOrphans(await orphansOf(stack, random, false));
}

/** What is on the platform, and not in the state. Until a run has imported it, what was made by hand is not the stack's. */
export async function orphansOf(stack: ResettableStack, random: RandomProgram, hasFailed: boolean): Promise<readonly string[]> {
  const theirs = new Set(random.resources.map(({ imported }) => imported));
  return orphansIn(await stack.world(), await stack.entries()).filter((id) => !hasFailed || !theirs.has(id));
}

function requireNoOrphans(orphans: readonly string[]): void {
  if (orphans.length > 0) throw new Error(`not in the state: ${orphans.join(", ")}`);
}

/** Removes the protection of every resource, if any has one. */
async function unprotected(stack: ResettableStack, random: RandomProgram, history: History): Promise<void> {
  if (!random.resources.some(({ protect }) => protect)) return;
  random.editAll({ protect: false });
  history.push("protect nothing");
  await stack.restartProvider();
  requireNothingToDo(history, { ...(await stack.up(random.declarations)), calls: [] });
}

function requireSuccess(history: History, { failure }: RunOutcome): void {
  if (failure === undefined) return;
  history.push(failure);
  throw new Error("a run without a fault failed");
}

function requireNothingToDo(history: History, outcome: RunOutcome): void {
  requireSuccess(history, outcome);
  const writes = outcome.calls.filter(({ effect }) => effect === "write").map(({ action }) => action);
  if (outcome.operations.length + writes.length > 0)
    throw new Error(`there was still to do: ${[...outcome.operations, ...writes].join(", ")}`);
}
