import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as vpc from "@container-platform/sdk/vpc";
import { workOfChildren } from "../../scripts/processes.js";
import { Stack } from "../support/stack.ts";
import { cluster, count, nothings, subnets } from "./programs.ts";

export interface Cost {
  /** Processor time of the engine and of all processes that it has started, in seconds. */
  readonly work: number;
  /** Wall time in seconds. */
  readonly time: number;
  /** The most memory that the provider's process held, in kB, looked at every second. */
  readonly memory: number;
  /** The same of all processes that are providers of ours, together. */
  readonly memoryOfAll: number;
}

export const verbs = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;
export type Verb = keyof typeof verbs;
export const allVerbs: readonly Verb[] = ["up", "preview", "refresh", "destroy"];

/** Ours beside resources that do nothing. */
export interface Ratio {
  /** Processor time and wall time, as multiples. */
  readonly work: number;
  readonly time: number;
  /** Milliseconds of processor time that ours takes more, for each resource. */
  readonly more: number;
}

export interface Round extends Readonly<Record<Verb, Ratio>> {
  readonly memory: number;
  /** Size of the state after `up`. */
  readonly state: number;
}

/** Ours against nothing, verb by verb, each pair run one after the other. Who is first takes turns: it finds the machine's caches cold. */
export async function against(round: number, many = count, env: NodeJS.ProcessEnv = {}): Promise<Round> {
  await using ours = await Stack.create({ program: subnets(many), ...settings(many), env });
  await using theirs = await Stack.create({ program: nothings(many), ...settings(many), env });
  const pair = { ours, theirs, many, theirsFirst: round % 2 === 1 };
  const up = await beside("up", pair);
  const state = statSync(ours.stateFile).size / statSync(theirs.stateFile).size;
  const preview = await beside("preview", pair);
  const refresh = await beside("refresh", pair);
  return { up, preview, refresh, destroy: await beside("destroy", pair), memory: up.memory, state };
}

/**
 * The same of what writes no state after each step. With 5,000 resources the engine spends half an hour on writing the whole state 5,000
 * times: they are made by one that writes it once.
 */
export async function againstUnchanged(many: number): Promise<Pick<Round, "preview" | "refresh">> {
  const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
  await using ours = await Stack.create({ program: subnets(many), ...settings(many), env });
  await using theirs = await Stack.create({ program: nothings(many), ...settings(many), env });
  await ours.ok(...verbs.up);
  await theirs.ok(...verbs.up);
  const pair = { ours, theirs, many, theirsFirst: false };
  return { preview: await beside("preview", pair), refresh: await beside("refresh", pair) };
}

const settings = (many: number) => ({ programs: "language-host", unhurried: true, seconds: Math.max(120, many) }) as const;

interface Pair {
  readonly ours: Stack;
  readonly theirs: Stack;
  /** The resources of each. */
  readonly many: number;
  readonly theirsFirst: boolean;
}

async function beside(verb: Verb, { ours, theirs, many, theirsFirst }: Pair): Promise<Ratio & { readonly memory: number }> {
  const first = theirsFirst ? await cost(theirs, verb) : undefined;
  const one = await cost(ours, verb);
  const other = first ?? (await cost(theirs, verb));
  const more = ((one.work - other.work) * 1000) / many;
  return { work: one.work / other.work, time: one.time / other.time, memory: one.memory / other.memory, more };
}

export async function cost(stack: Stack, verb: Verb, args: readonly string[] = []): Promise<Cost> {
  let [memory, memoryOfAll] = [0, 0];
  const spent = await spentOn(async () => {
    const run = stack.start(...verbs[verb], ...args);
    // Looking for processes is work, too, which both have.
    const watching = setInterval(() => {
      const peaks = run.providers().map(peakOf);
      const together = peaks.reduce((sum, peak) => sum + peak, 0);
      [memory, memoryOfAll] = [Math.max(memory, ...peaks), Math.max(memoryOfAll, together)];
    }, 1000);
    const { code, output } = await run.ended;
    clearInterval(watching);
    if (code !== 0) throw new Error(output);
  });
  return { ...spent, memory, memoryOfAll };
}

/** The processor time and the wall time of what is done by programs that this one starts, in seconds. */
export async function spentOn(job: () => Promise<unknown>): Promise<Pick<Cost, "work" | "time">> {
  const [begun, worked] = [performance.now(), work()];
  await job();
  return { work: work() - worked, time: (performance.now() - begun) / 1000 };
}

/** The bench runs on Linux alone, where this is told. */
const work = () => workOfChildren() ?? NaN;

/** The most memory that a process has held so far, in kB. */
function peakOf(pid: number): number {
  try {
    // One that has ended, and that nobody has waited for, holds none.
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** How many calls a refresh of a program with 200 resources makes, in a world that has `others` more subnets. */
export async function callsOfRefresh(program: string, others = 0): Promise<number> {
  await using stack = await Stack.create({ program, programs: "language-host", unhurried: true });
  if (others > 0) await fill(stack, others);
  await stack.up();
  const before = stack.calls().length;
  await stack.refresh();
  return stack.calls().length - before;
}

async function fill(stack: Stack, others: number): Promise<void> {
  const cloud = stack.cloud();
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "others", cidrBlock: "172.16.0.0/12" })).vpc;
  for (let index = 0; index < others; index++) {
    const cidrBlock = `172.${16 + Math.floor(index / 1024)}.${Math.floor((index % 1024) / 4)}.${(index % 4) * 64}/26`;
    await cloud.call(vpc.createSubnet, { vpcId, subnetName: `other-${index}`, cidrBlock, zone: "eu-frankfurt-2" });
  }
}

/** How much later than it was so a wait of so many seconds noticed it, as a share of what is allowed: 12 % of the wait and 0.3 s. */
export async function lateness(seconds: number): Promise<number> {
  await using stack = await Stack.create({ program: cluster, timeScale: "realistic", programs: "language-host", unhurried: true });
  stack.world.freeze();
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => stack.calls().some(({ action }) => action === "CreateCluster"));
  await sleep(seconds * 1000);
  stack.world.advance(10 * 60_000);
  const ready = stack.world.now();
  stack.world.unfreeze();
  const { code, output } = await run.ended;
  if (code !== 0) throw new Error(output);
  const noticed = stack.calls().find(({ time }) => time >= ready)?.time ?? NaN;
  return (noticed - ready) / 1000 / (0.12 * seconds + 0.3);
}
