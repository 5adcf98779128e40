import { isDeepStrictEqual } from "node:util";
import { catalogue } from "@container-platform/sdk/reference";
import { seededNumbers } from "../../sdk/src/long.fixture.ts";
import { changed, flagship } from "./flagship.ts";
import type { Call, Ground, RunOutcome } from "./ground.ts";
import type { Program } from "./program.ts";
import { orphansIn } from "./world.ts";

/** A kind of run in which calls fail. */
export interface Phase {
  readonly name: string;
  /** What the program says; nothing, where all of it goes. */
  readonly program: Program;
  readonly run: (ground: Ground) => Promise<RunOutcome>;
}

function upTo(name: string, program: Program): Phase {
  return { name, program, run: (ground) => ground.up(program) };
}

export const phases = {
  firstUp: upTo("first up", flagship()),
  update: upTo("update", changed(flagship())),
  replacedBeside: upTo("replacement beside", flagship("10.1.0.0/16")),
  replacedInPlace: upTo("replacement in place", flagship("10.0.0.0/17")),
  refresh: { name: "refresh", program: flagship(), run: (ground: Ground) => ground.refresh() },
  destroy: { name: "destroy", program: [], run: (ground: Ground) => ground.destroy() },
} as const satisfies Record<string, Phase>;

/** How one call fails. */
interface Case {
  readonly nth: number;
  readonly when: "before" | "after";
  readonly code: "FailedOperation" | undefined;
}

/** A phase as it is without a fault. */
interface Measured {
  readonly phase: Phase;
  readonly contents: Readonly<Record<string, number>>;
  readonly creations: Readonly<Record<string, number>>;
  readonly cases: readonly Case[];
}

/** What became of one case. */
export interface Verdict {
  readonly operation: string;
  readonly outcome: "unharmed" | "next run";
  /** Why it fell short. */
  readonly shortOf: readonly string[];
}

/** Runs a phase without a fault from where the ground is: there is a case for each call before it has an effect, and for each write after it had. */
export async function measured(ground: Ground, phase: Phase): Promise<Measured> {
  const { calls: called, failure } = await phase.run(ground);
  const calls = [...called, ...(await ground.anew())];
  if (failure !== undefined) throw new Error(`${phase.name}: ${failure}`);
  const writes = calls.flatMap(({ effect }, index) => (effect === "write" ? [index + 1] : []));
  const cases: Case[] = [
    ...calls.map((_, index) => ({ nth: index + 1, when: "before", code: "FailedOperation" }) as const),
    ...writes.map((nth, index) => ({ nth, when: "after", code: index % 2 === 0 ? "FailedOperation" : undefined }) as const),
  ];
  return { phase, contents: await contentsOf(ground), creations: creationsIn(calls), cases };
}

/** One case, from where the ground is: the run in which a call fails, the next one, one that finds nothing to do, and the end of it all. */
export async function judged(ground: Ground, { phase, contents, creations }: Measured, one: Case): Promise<Verdict> {
  const { nth, when, code } = one;
  ground.faults.add({ nth, when, ...(code === undefined ? {} : { code }) });
  const shortOf: string[] = [];
  const run = await phase.run(ground);
  shortOf.push(...orphansIn(await ground.world(), await ground.named()).map((id) => `not in the state: ${id}`));
  const faulty = { ...run, calls: [...run.calls, ...(await ground.anew())] };
  ground.faults.clear();
  const again = phase.program.length > 0 ? () => ground.up(phase.program) : () => phase.run(ground);
  const next = await again();
  if (next.failure !== undefined) shortOf.push(`the next run fails: ${next.failure}`);
  const silent = await again();
  shortOf.push(...silent.deeds.map((deed) => `once more: ${deed}`), ...writesOf(silent).map((action) => `once more: ${action}`));
  if (!isDeepStrictEqual(await contentsOf(ground), contents)) shortOf.push(`holds ${JSON.stringify(await contentsOf(ground))}`);
  shortOf.push(...madeTwice(creations, creationsIn([faulty, next].flatMap(({ calls }) => calls)), one, faulty));
  await ended(ground, shortOf);
  const outcome = faulty.failure === undefined ? "unharmed" : "next run";
  return { operation: `${faulty.calls[nth - 1]?.action} ${when}`, outcome, shortOf };
}

async function ended(ground: Ground, shortOf: string[]): Promise<void> {
  const { failure } = await ground.destroy();
  if (failure !== undefined) shortOf.push(`destroy: ${failure}`);
  const left = await ground.contents();
  if (Object.keys(left).length > 0) shortOf.push(`left: ${JSON.stringify(left)}`);
}

/**
 * What was made more often than in a run without a fault. A token whose answer got lost has to be made anew: nobody knows it. And what
 * the catalogue says may be repeated makes nothing a second time.
 */
function madeTwice(usual: Measured["creations"], made: Measured["creations"], { nth, when }: Case, { calls }: RunOutcome): string[] {
  const lost = when === "after" ? calls[nth - 1]?.action : undefined;
  return Object.entries(made).flatMap(([action, count]) => {
    const allowed = (usual[action] ?? 0) + (lost === action && (action === "CreateInstanceToken" || repeatable.has(action)) ? 1 : 0);
    return count > allowed ? [`${action} ${count} times`] : [];
  });
}

const repeatable = new Set(catalogue.flatMap((operation) => (operation.repeatable ? [operation.action] : [])));

/** How often each operation made something. */
function creationsIn(calls: readonly Call[]): Readonly<Record<string, number>> {
  const made = calls.filter(({ action, code }) => code === "" && /^(Create|Assign)/.test(action));
  return Object.fromEntries([...Map.groupBy(made, ({ action }) => action)].map(([action, all]) => [action, all.length]));
}

function writesOf({ calls }: RunOutcome): readonly string[] {
  return calls.flatMap(({ effect, action }) => (effect === "write" ? [action] : []));
}

/** What there is, but what a cluster remembers of its life. */
async function contentsOf(ground: Ground): Promise<Readonly<Record<string, number>>> {
  const { clusterTasks: _tasks, clientCertificates: _certificates, ...things } = await ground.contents();
  return things;
}

/** Some of many, the same ones for the same seed. */
export function sample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const draw = seededNumbers(seed);
  return all
    .map((one) => [draw(), one] as const)
    .toSorted(([first], [second]) => first - second)
    .slice(0, count)
    .map(([, one]) => one);
}

/** The outcomes by phase and operation, as lines of a table. */
export function tableOf(verdicts: readonly (Verdict & { readonly phase: string })[]): string {
  const rows = [...Map.groupBy(verdicts, ({ phase, operation }) => `${phase.padEnd(22)}${operation.padEnd(44)}`)];
  const head = `${"phase".padEnd(22)}${"call".padEnd(44)}cases  unharmed  next run  fell short`;
  const lines = rows.map(([name, some]) => {
    const of = (outcome: Verdict["outcome"]) => some.filter((one) => one.outcome === outcome && one.shortOf.length === 0).length;
    const short = some.filter(({ shortOf }) => shortOf.length > 0).length;
    const counts = [some.length, of("unharmed"), of("next run"), short];
    return name + counts.map((count, index) => String(count).padStart([5, 10, 10, 12][index] ?? 0)).join("");
  });
  return [head, ...lines].join("\n");
}
