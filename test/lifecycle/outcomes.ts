import { z } from "zod";
import type { Program } from "./program.ts";
import type { ResettableStack, UpOptions } from "./resettable-stack.ts";

const resourceSchema = z.object({
  urn: z.string(),
  id: z.string().optional(),
  provider: z.string().default(""),
  delete: z.boolean().optional(),
  pendingReplacement: z.boolean().optional(),
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
});
const exportSchema = z.object({
  deployment: z.object({
    resources: z.array(resourceSchema).default([]),
    pending_operations: z.array(z.object({ type: z.string(), resource: resourceSchema })).default([]),
  }),
});

/** What the proof of the simulated engine compares: operations, writing calls and the state after each step. */

export type Step = readonly ["up", Program, UpOptions?] | readonly ["refresh" | "destroy"];

/** What `pulumi stack export` shows. Ids of resources and of the provider are made at random: it is told whether they are there and fit. */
async function stateOf(stack: ResettableStack): Promise<object> {
  const { resources, pending_operations: pending } = exportSchema.parse(JSON.parse(await stack.exported())).deployment;
  const [provider] = resources.filter(({ urn }) => urn.includes("pulumi:providers:"));
  const isOurs = ({ urn }: z.output<typeof resourceSchema>) => (urn.split("::")[2] ?? "").includes("container-platform");
  const summary = ({ id, provider: of, ...others }: z.output<typeof resourceSchema>) => ({
    ...others,
    hasId: id !== undefined && id !== "",
    isOfProvider: of === `${provider?.urn}::${provider?.id}`,
  });
  const operations = pending.map(({ type, resource }) => ({ type, ...summary(resource) }));
  // The real engine works on several resources at a time, and saves each as it is done.
  const ordered = resources
    .filter(isOurs)
    .map(summary)
    .toSorted(by(({ urn }) => urn));
  return { resources: ordered, operations: operations.toSorted(by(({ urn, type }) => urn + type)) };
}

function by<T>(key: (one: T) => string): (one: T, other: T) => number {
  return (one, other) => key(one).localeCompare(key(other));
}

export async function outcomesOf(stack: ResettableStack, steps: readonly Step[]): Promise<readonly object[]> {
  const outcomes: object[] = [];
  for (const [verb, program = [], options] of steps) {
    const { operations, calls, failure } = verb === "up" ? await stack.up(program, options) : await stack[verb]();
    const all = [...calls, ...(await stack.restartProvider())];
    const writes = all.filter(({ effect, code }) => effect === "write" && code === "").map(({ action }) => action);
    // The real engine confirms resources in the order in which they are finished, and several with one call.
    const done = { operations: operations.toSorted(), writes: writes.toSorted(), failed: failure !== undefined };
    outcomes.push({ verb, ...done, state: await stateOf(stack), contents: await stack.contents() });
  }
  return outcomes;
}
