import { called, type Program } from "./program.ts";
import type { RunOutcome } from "./resettable-stack.ts";
import type { Way } from "./simulated-engine.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Runs of one stack, each with a provider of its own that is ended once all is saved. Each operation may take five seconds. */
export async function wholeRuns() {
  const stack = await SimulatedStack.open("in process", "5s");
  // Warnings are also those at the end of the provider. A failure is empty if the run has succeeded.
  const ended = async (work: () => Promise<Pick<RunOutcome, "operations" | "failure">>) => {
    const outcomes: Awaited<ReturnType<typeof work>>[] = [];
    const warnings = await stack.lines("warning", async () => outcomes.push(await work()));
    return { operations: outcomes[0]?.operations ?? [], failure: outcomes[0]?.failure ?? "", warnings };
  };
  const entry = async (name: string) => {
    const found = (await stack.entries()).find((one) => called(one) === name);
    if (!found) throw new Error(`the state has no ${name}`);
    return found;
  };
  const up = (program: Program, way: Way = {}) => ended(() => stack.up(program, way));
  return {
    entry,
    up,
    preview: (program: Program) => up(program, { isPreview: true }),
    destroy: ({ refresh = false } = {}) =>
      ended(async () => {
        if (refresh) await stack.refresh();
        return stack.destroy();
      }),
    /** Deletes one resource alone, as with `--target`. */
    delete: (name: string) =>
      ended(async () => {
        const { id, outputs } = await entry(name);
        const failed: unknown = await stack.stage.host.delete(id, outputs).catch((error: unknown) => error);
        return { operations: [], failure: failed instanceof Error ? failed.message : undefined };
      }),
    rows: (table: string) => stack.stage.rows(table),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}
