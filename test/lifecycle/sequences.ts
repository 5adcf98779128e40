import { isDeepStrictEqual } from "node:util";
import { RandomProgram } from "./random-program.ts";
import type { ResettableStack, RunOutcome } from "./resettable-stack.ts";
import { byHand, edited, type Step } from "./steps.ts";
import { orphansIn } from "./orphans.ts";

/** What was done so far, for the report of a failure. */
type History = string[];

/** On an empty stack: edits a program step by step, runs it after each edit, and destroys everything in the end. Throws if anything is not as it should be. */
export async function runSequence(stack: ResettableStack, sequence: readonly Step[]): Promise<History> {
  const [random, history] = [new RandomProgram(), [] as History];
  try {
    for (const step of sequence) await runStep(stack, random, step, history);
    await unprotected(stack, random, history);
    if (await stack.leaksSecrets()) throw new Error("a secret is not marked as one");
    history.push("destroy");
    requireSuccess(history, await stack.destroy());
    const left = await stack.contents();
    if (!isDeepStrictEqual(left, {})) throw new Error(`left: ${JSON.stringify(left)}`);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nafter:\n  ${history.join("\n  ")}`, { cause: error });
  }
  return history;
}

async function runStep(stack: ResettableStack, random: RandomProgram, step: Step, history: History): Promise<void> {
  // The protection has to be removed in a run of its own before a resource can be replaced or deleted.
  if (["remove", "replace", "halve"].includes(step.edit)) await unprotected(stack, random, history);
  const hand = await byHand(step, stack.cloud, await stack.entries());
  await edited(random, step, stack.cloud);
  history.push([step.edit, hand && `(by hand: ${hand})`, step.fault && JSON.stringify(step.fault)].filter(Boolean).join(" "));
  if (history.length > 1) await stack.restartProvider();
  await deployed(stack, random, { fault: step.fault, refreshing: hand !== undefined }, history);
  // From now on the program has neither the aliases nor the imports.
  random.editAll({ alias: undefined, imported: undefined });
  requireNothingToDo(history, await stack.up(random.declarations));
  // A provider deletes nothing that it has imported in the same run.
  if (step.edit === "import") await stack.restartProvider();
}

/** A run, in which a call may fail, and one more if it did. */
async function deployed(
  stack: ResettableStack,
  random: RandomProgram,
  { fault, refreshing }: { readonly fault: Step["fault"]; readonly refreshing: boolean },
  history: History,
): Promise<void> {
  const up = () => stack.up(random.declarations, { refresh: refreshing });
  if (fault) stack.faults.add({ nth: fault.nth, when: fault.when, ...(fault.lost ? {} : { code: "FailedOperation" }) });
  const first = await up();
  stack.faults.clear();
  history.push(`up: ${first.operations.join(", ")}${first.failure === undefined ? "" : `: ${first.failure}`}`);
  // What somebody has made by hand is theirs until a run has imported it.
  const theirs = new Set(random.resources.map(({ imported }) => imported));
  const orphans = orphansIn(await stack.world(), await stack.entries()).filter((id) => first.failure === undefined || !theirs.has(id));
  if (orphans.length > 0) throw new Error(`not in the state: ${orphans.join(", ")}`);
  if (first.failure === undefined) return;
  if (!fault) throw new Error("it failed without a fault");
  await stack.restartProvider();
  const second = await up();
  history.push(`up: ${second.operations.join(", ")}`);
  requireSuccess(history, second);
}

/** Removes the protection of every resource, if any has one. */
async function unprotected(stack: ResettableStack, random: RandomProgram, history: History): Promise<void> {
  if (!random.resources.some(({ protect }) => protect)) return;
  random.editAll({ protect: false });
  history.push("protect nothing");
  const { operations, failure } = await stack.up(random.declarations);
  requireNothingToDo(history, { operations, failure, calls: [] });
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
