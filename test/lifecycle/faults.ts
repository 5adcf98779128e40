import { isDeepStrictEqual } from "node:util";
import { catalogue } from "@container-platform/sdk/reference";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { seededNumbers } from "../../sdk/src/long.fixture.ts";
import { casesOf } from "../provider/kinds/all.ts";
import { changed, flagship } from "./flagship.ts";
import type { Call, ResettableStack, RunOutcome } from "./resettable-stack.ts";
import type { Program } from "./program.ts";
import { withoutHistory } from "../provider/stage/stage.ts";
import { orphansIn } from "./orphans.ts";

/** A kind of run in which calls fail. */
export interface Phase {
  readonly name: string;
  /** What is deployed before it. */
  readonly after: "nothing" | "first up";
  /** The program after it; empty, where everything is destroyed. */
  readonly program: Program;
  readonly run: (stack: ResettableStack) => Promise<RunOutcome>;
}

function upTo(name: string, program: Program, after: Phase["after"] = "first up"): Phase {
  return { name, after, program, run: (stack) => stack.up(program) };
}

export const phases = {
  firstUp: upTo("first up", flagship(), "nothing"),
  update: upTo("update", changed(flagship())),
  replacedBeside: upTo("replacement beside", flagship("10.1.0.0/16")),
  replacedInPlace: upTo("replacement in place", flagship("10.0.0.0/17")),
  refresh: { name: "refresh", after: "first up", program: flagship(), run: (stack: ResettableStack) => stack.refresh() },
  destroy: { name: "destroy", after: "first up", program: [], run: (stack: ResettableStack) => stack.destroy() },
} as const satisfies Record<string, Phase>;

/** For short forms: the network of the flagship alone. */
export const networkUp: Phase = upTo("first up of a network", flagship().slice(0, 3), "nothing");

/** How one call fails. */
export interface Case {
  readonly nth: number;
  readonly action: string;
  readonly when: "before" | "after";
  readonly code: "FailedOperation" | undefined;
}

/** What a phase does without a fault. */
export interface Measurement {
  readonly phase: Phase;
  readonly contents: Readonly<Record<string, number>>;
  readonly creations: Readonly<Record<string, number>>;
  readonly cases: readonly Case[];
}

/** What became of one case. */
export interface CaseResult {
  readonly operation: string;
  readonly outcome: "unharmed" | "next run";
  /** What was not as it should be. */
  readonly shortcomings: readonly string[];
}

/** Runs a phase without a fault. Each of its calls becomes a case that fails before the call has an effect, and each write another that fails after it. */
export async function measure(stack: ResettableStack, phase: Phase): Promise<Measurement> {
  const { calls: called, failure } = await phase.run(stack);
  const calls = [...called, ...(await stack.restartProvider())];
  if (failure !== undefined) throw new Error(`${phase.name}: ${failure}`);
  const numbered = calls.map(({ action, effect }, index) => ({ nth: index + 1, action, effect }));
  const writes = numbered.filter(({ effect }) => effect === "write");
  const cases: Case[] = [
    ...numbered.map(({ nth, action }) => ({ nth, action, when: "before", code: "FailedOperation" }) as const),
    ...writes.map(
      ({ nth, action }, index) => ({ nth, action, when: "after", code: index % 2 === 0 ? "FailedOperation" : undefined }) as const,
    ),
  ];
  return { phase, contents: await contentsOf(stack), creations: creationsIn(calls), cases };
}

/**
 * One case: a run in which a call fails, the next run, one that finds nothing to do, and `destroy`.
 *
 * @param arrange has the first call of that action fail. Default: the platform fails the call that the case numbers
 */
export async function runCase(
  stack: ResettableStack,
  { phase, contents, creations }: Measurement,
  one: Case,
  arrange?: () => void,
): Promise<CaseResult> {
  const { nth, when, code } = one;
  if (arrange) arrange();
  else stack.faults.add({ nth, when, ...(code === undefined ? {} : { code }) });
  const shortcomings: string[] = [];
  const run = await phase.run(stack);
  shortcomings.push(...orphansIn(await stack.world(), await stack.entries()).map((id) => `not in the state: ${id}`));
  const faulty = { ...run, calls: [...run.calls, ...(await stack.restartProvider())] };
  const failed = arrange ? one.action : faulty.calls[nth - 1]?.action;
  stack.faults.clear();
  const again = phase.program.length > 0 ? () => stack.up(phase.program) : () => phase.run(stack);
  const next = await again();
  if (next.failure !== undefined) shortcomings.push(`the next run fails: ${next.failure}`);
  const silent = await again();
  shortcomings.push(
    ...silent.operations.map((operation) => `once more: ${operation}`),
    ...writesOf(silent).map((action) => `once more: ${action}`),
  );
  if (!isDeepStrictEqual(await contentsOf(stack), contents)) shortcomings.push(`holds ${JSON.stringify(await contentsOf(stack))}`);
  shortcomings.push(
    ...madeTwice(creations, creationsIn([faulty, next].flatMap(({ calls }) => calls)), when === "after" ? failed : undefined),
  );
  await destroyed(stack, shortcomings);
  const outcome = faulty.failure === undefined ? "unharmed" : "next run";
  return { operation: `${failed} ${when}`, outcome, shortcomings };
}

async function destroyed(stack: ResettableStack, shortcomings: string[]): Promise<void> {
  const { failure } = await stack.destroy();
  if (failure !== undefined) shortcomings.push(`destroy: ${failure}`);
  const left = await stack.contents();
  if (Object.keys(left).length > 0) shortcomings.push(`left: ${JSON.stringify(left)}`);
}

/**
 * The creations that happened more often than in a run without a fault. A resource whose password was lost with the answer may be made
 * again. Operations that the catalogue calls repeatable may be repeated, because they make nothing a second time.
 */
function madeTwice(usual: Measurement["creations"], made: Measurement["creations"], lost: string | undefined): string[] {
  return Object.entries(made).flatMap(([action, count]) => {
    const allowed = (usual[action] ?? 0) + (lost === action && (repeatable.has(action) || madeAgain.has(action)) ? 1 : 0);
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

/** How often each operation made something. */
function creationsIn(calls: readonly Call[]): Readonly<Record<string, number>> {
  const made = calls.filter(({ action, code }) => code === "" && /^(Create|Assign)/.test(action));
  return Object.fromEntries([...Map.groupBy(made, ({ action }) => action)].map(([action, all]) => [action, all.length]));
}

function writesOf({ calls }: RunOutcome): readonly string[] {
  return calls.flatMap(({ effect, action }) => (effect === "write" ? [action] : []));
}

async function contentsOf(stack: ResettableStack): Promise<Readonly<Record<string, number>>> {
  return withoutHistory(await stack.contents());
}

/** Some of all, the same ones for the same seed. */
export function sample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const draw = seededNumbers(seed);
  return all
    .map((one) => [draw(), one] as const)
    .toSorted(([first], [second]) => first - second)
    .slice(0, count)
    .map(([, one]) => one);
}

/** The outcomes by phase and operation, as lines of a table. */
export function tableOf(results: readonly (CaseResult & { readonly phase: string })[]): string {
  const rows = [...Map.groupBy(results, ({ phase, operation }) => `${phase.padEnd(22)}${operation.padEnd(44)}`)];
  const head = `${"phase".padEnd(22)}${"call".padEnd(44)}cases  unharmed  next run  fell short`;
  const lines = rows.map(([name, some]) => {
    const of = (outcome: CaseResult["outcome"]) => some.filter((one) => one.outcome === outcome && one.shortcomings.length === 0).length;
    const short = some.filter(({ shortcomings }) => shortcomings.length > 0).length;
    const counts = [some.length, of("unharmed"), of("next run"), short];
    return name + counts.map((count, index) => String(count).padStart([5, 10, 10, 12][index] ?? 0)).join("");
  });
  return [head, ...lines].join("\n");
}
