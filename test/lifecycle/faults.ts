import { isDeepStrictEqual } from "node:util";
import { catalogue } from "@container-platform/sdk/reference";
import { isKind } from "../../provider/src/resources/kinds.ts";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import { changed, flagship } from "./flagship.ts";
import { wayOut } from "./networks.ts";
import type { Call, ResettableStack, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import type { Kill } from "./simulated-engine.ts";
import { withoutHistory } from "../provider/stage/stage.ts";
import { orphansIn } from "./orphans.ts";
import { destroyFollowing, upFollowing } from "./remedies.ts";

/** A kind of run in which calls fail. */
export interface Phase {
  readonly name: string;
  /** What is deployed before it. */
  readonly after: Program;
  /** The program after it; empty, where everything is destroyed. */
  readonly program: Program;
  readonly run: (stack: ResettableStack, kill?: Kill) => Promise<RunOutcome>;
}

function upTo(name: string, program: Program, after: Program): Phase {
  return { name, after, program, run: (stack, kill) => stack.up(program, { ...(kill && { kill }) }) };
}
const refreshOf = (name: string, program: Program): Phase => ({ name, after: program, program, run: (stack) => stack.refresh() });
const destroyOf = (name: string, after: Program): Phase => ({ name, after, program: [], run: (stack) => stack.destroy() });

const [platform, network] = [flagship(), wayOut()];

export const phases = {
  firstUp: upTo("first up", platform, []),
  update: upTo("update", changed(platform), platform),
  replacedBeside: upTo("replacement beside", flagship("10.1.0.0/16"), platform),
  replacedInPlace: upTo("replacement in place", flagship("10.0.0.0/17"), platform),
  refresh: refreshOf("refresh", platform),
  destroy: destroyOf("destroy", platform),
  wayOut: upTo("way out", network, []),
  wayOutUpdate: upTo("update of the way out", wayOut({ isChanged: true }), network),
  wayOutReplaced: upTo("replacement of the way out", wayOut({ cidrBlock: "10.1.0.0/16" }), network),
  wayOutRefresh: refreshOf("refresh of the way out", network),
  wayOutDestroy: destroyOf("destroy of the way out", network),
} as const satisfies Record<string, Phase>;

/** How one call fails: before or after it has an effect, or with its answer the engine or the provider is killed. */
export interface Case {
  readonly nth: number;
  readonly action: string;
  readonly how: "before" | "after" | "engine killed" | "provider killed";
  readonly code: "FailedOperation" | undefined;
  /** What comes after a kill. */
  readonly then?: "up" | "destroy";
}

/** What a phase does without a fault. */
export interface Measurement {
  readonly phase: Phase;
  readonly contents: Readonly<Record<string, number>>;
  readonly creations: Readonly<Record<string, number>>;
  readonly cases: readonly Case[];
}

/**
 * Runs a phase without a fault. Each of its calls becomes a case that fails before the call has an effect, and each write others: one that
 * fails after it, and for `up` a kill of the engine, and of the provider, each before another `up` and before `destroy`.
 */
export async function measure(stack: ResettableStack, phase: Phase): Promise<Measurement> {
  const { calls: called, failure } = await phase.run(stack);
  const calls = [...called, ...(await stack.restartProvider())];
  if (failure !== undefined) throw new Error(`${phase.name}: ${failure}`);
  const numbered = calls.map(({ action, effect }, index) => ({ nth: index + 1, action, effect }));
  const writes = numbered.filter(({ effect }) => effect === "write");
  const cases: Case[] = [
    ...numbered.map(({ nth, action }) => ({ nth, action, how: "before", code: "FailedOperation" }) as const),
    ...writes.map(
      ({ nth, action }, index) => ({ nth, action, how: "after", code: index % 2 === 0 ? "FailedOperation" : undefined }) as const,
    ),
    ...(phase.program.length === 0 || phase.program === phase.after ? [] : writes).flatMap(({ nth, action }) =>
      (["engine killed", "provider killed"] as const).flatMap((how) =>
        (["up", "destroy"] as const).map((then) => ({ nth, action, how, code: undefined, then })),
      ),
    ),
  ];
  return { phase, contents: await contentsOf(stack), creations: creationsIn(calls), cases };
}

/**
 * One case: a run in which a call fails, the next run, one that finds nothing to do, and `destroy`. Returns what is not as it should be.
 *
 * @param arrange has the first call of that action fail. Default: the platform fails the call that the case numbers
 */
export async function runCase(
  stack: ResettableStack,
  { phase, contents, creations }: Measurement,
  one: Case,
  arrange?: () => void,
): Promise<readonly string[]> {
  const { nth, how, code } = one;
  const kill =
    how === "engine killed" || how === "provider killed"
      ? ({ victim: how === "engine killed" ? "engine" : "provider", nth } as const)
      : undefined;
  if (arrange) arrange();
  else if (how === "before" || how === "after") stack.faults.add({ nth, when: how, ...(code === undefined ? {} : { code }) });
  const shortcomings: string[] = [];
  const run = await phase.run(stack, kill);
  if (one.then === "destroy") {
    await destroyed(stack, shortcomings, destroyFollowing);
    // Without a pending create, nothing says that the bucket of the registry is to be deleted.
    return how === "provider killed" ? shortcomings.filter((text) => text !== 'left: {"buckets":1}') : shortcomings;
  }
  const notInState = async () => orphansIn(await stack.world(), await stack.entries()).map((id) => `not in the state: ${id}`);
  // What a kill has kept from being saved is recovered by the next run.
  if (!kill) shortcomings.push(...(await notInState()));
  const faulty = { ...run, calls: [...run.calls, ...(await stack.restartProvider())] };
  const failed = arrange ? one.action : faulty.calls[nth - 1]?.action;
  stack.faults.clear();
  const again = phase.program.length > 0 ? () => stack.up(phase.program) : () => phase.run(stack);
  const next = kill ? await upFollowing(stack, phase.program) : { ...(await again()), remedies: [] };
  if (next.failure !== undefined) shortcomings.push(`the next run fails: ${next.failure}`);
  if (kill) shortcomings.push(...(await notInState()));
  await stack.restartProvider();
  const silent = await again();
  shortcomings.push(
    ...silent.operations.map((operation) => `once more: ${operation}`),
    ...writesOf(silent).map((action) => `once more: ${action}`),
  );
  if (!isDeepStrictEqual(await contentsOf(stack), contents)) shortcomings.push(`holds ${JSON.stringify(await contentsOf(stack))}`);
  // A kill also loses the responses to other calls that are under way.
  const lost = how === "before" ? "none" : kill ? "any" : "one";
  const made = creationsIn([faulty, next].flatMap(({ calls }) => calls));
  // A resource that was deleted as its message said is created again.
  for (const remedy of next.remedies) if (remedy.startsWith("delete ")) made[creationOf(remedy)] = (made[creationOf(remedy)] ?? 0) - 1;
  shortcomings.push(...madeTwice(creations, made, { failed, lost }));
  await destroyed(stack, shortcomings, () => stack.destroy());
  return shortcomings;
}

async function destroyed(
  stack: ResettableStack,
  shortcomings: string[],
  destroy: (stack: ResettableStack) => Promise<RunOutcome>,
): Promise<void> {
  await stack.restartProvider();
  const { failure } = await destroy(stack);
  if (failure !== undefined) shortcomings.push(`destroy: ${failure}`);
  const left = await stack.contents();
  if (Object.keys(left).length > 0) shortcomings.push(`left: ${JSON.stringify(left)}`);
}

/**
 * The creations that happened more often than in a run without a fault. If the response was lost, a resource with a password may be created
 * again. After any failure, an operation that the catalogue calls repeatable may be repeated, which creates nothing a second time: the name
 * of a registry's private access is restored if the deletion fails for which it was detached.
 */
function madeTwice(
  usual: Measurement["creations"],
  made: Measurement["creations"],
  { failed, lost }: { readonly failed: string | undefined; readonly lost: "none" | "one" | "any" },
): string[] {
  return Object.entries(made).flatMap(([action, count]) => {
    const isCreatedAgain = madeAgain.has(action) && (lost === "any" || (lost === "one" && failed === action));
    const allowed = (usual[action] ?? 0) + (isCreatedAgain || repeatable.has(action) ? 1 : 0);
    return count > allowed ? [`${action} ${count} times`] : [];
  });
}

const madeAgain = new Set(
  kinds.flatMap((kind) => {
    const { operation, takenBackBy } = casesOf[kind].creates;
    return takenBackBy ? [operation.action] : [];
  }),
);
const repeatable = new Set(catalogue.flatMap((operation) => (operation.repeatable ? [operation.action] : [])));

/** The operation that creates the resource of a remedy, such as `delete ClusterEndpoint public`. */
function creationOf(remedy: string): string {
  const [, type = ""] = remedy.split(" ");
  return isKind(type) ? casesOf[type].creates.operation.action : "";
}

/** How often each operation made something. */
function creationsIn(calls: readonly Call[]): Record<string, number> {
  const made = calls.filter(({ action, code }) => code === "" && /^(Create|Assign)/.test(action));
  return Object.fromEntries([...Map.groupBy(made, ({ action }) => action)].map(([action, all]) => [action, all.length]));
}

function writesOf({ calls }: RunOutcome): readonly string[] {
  return calls.flatMap(({ effect, action }) => (effect === "write" ? [action] : []));
}

async function contentsOf(stack: ResettableStack): Promise<Readonly<Record<string, number>>> {
  return withoutHistory(await stack.contents());
}
