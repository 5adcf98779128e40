import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as vpc from "@container-platform/sdk/vpc";
import type { Run } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { cluster, count, nothings, subnets } from "./programs.ts";

/** What one run of the engine cost. */
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

/** Ours as a multiple of resources that do nothing. */
export interface Round extends Record<Verb, { readonly work: number; readonly time: number }> {
  /** Memory of the provider's process in `up`. */
  readonly memory: number;
  /** Size of the state after `up`. */
  readonly state: number;
}

/** Ours against nothing, verb by verb, each pair run one after the other. Who is first takes turns: it finds the machine's caches cold. */
export async function against(round: number, many = count): Promise<Round> {
  const seconds = Math.max(120, many);
  await using ours = await Stack.create({ program: subnets(many), programs: "language-host", unhurried: true, seconds });
  await using theirs = await Stack.create({ program: nothings(many), programs: "language-host", unhurried: true, seconds });
  const pair = async (verb: Verb): Promise<Omit<Cost, "memoryOfAll">> => {
    const first = round % 2 === 0 ? undefined : await cost(theirs, verb);
    const one = await cost(ours, verb);
    const other = first ?? (await cost(theirs, verb));
    return { work: one.work / other.work, time: one.time / other.time, memory: one.memory / other.memory };
  };
  const up = await pair("up");
  const state = statSync(ours.stateFile).size / statSync(theirs.stateFile).size;
  const preview = await pair("preview");
  const refresh = await pair("refresh");
  return { up, preview, refresh, destroy: await pair("destroy"), memory: up.memory, state };
}

export async function cost(stack: Stack, verb: Verb): Promise<Cost> {
  const [begun, worked] = [performance.now(), workOfChildren()];
  const run = stack.start(...verbs[verb]);
  let [memory, memoryOfAll] = [0, 0];
  // Looking for processes is work, too, which both have.
  const watching = setInterval(() => {
    const peaks = run.providers().map(peakOf);
    memory = Math.max(memory, ...peaks);
    memoryOfAll = Math.max(
      memoryOfAll,
      peaks.reduce((sum, peak) => sum + peak, 0),
    );
  }, 1000);
  const { code, output } = await run.ended;
  clearInterval(watching);
  if (code !== 0) throw new Error(output);
  return { work: workOfChildren() - worked, time: (performance.now() - begun) / 1000, memory, memoryOfAll };
}

/**
 * Processor time of all processes that this one has started and that have ended, and of those that they have started, in seconds. Linux
 * counts it in hundredths (proc_pid_stat(5): `cutime` and `cstime`).
 */
function workOfChildren(): number {
  const fields = afterName(readFileSync("/proc/self/stat", "utf8"));
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** The fields after a process's name, which may hold anything but a `)`. The first one is its state. */
function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

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
  await fill(stack, others);
  await stack.up();
  const before = stack.calls().length;
  await stack.refresh();
  return stack.calls().length - before;
}

async function fill(stack: Stack, others: number): Promise<void> {
  if (others === 0) return;
  const cloud = stack.cloud();
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "others", cidrBlock: "172.16.0.0/12" })).vpc;
  for (let index = 0; index < others; index++) {
    const cidrBlock = `172.${16 + Math.floor(index / 1024)}.${Math.floor((index % 1024) / 4)}.${(index % 4) * 64}/26`;
    await cloud.call(vpc.createSubnet, { vpcId, subnetName: `other-${index}`, cidrBlock, zone: "eu-frankfurt-2" });
  }
}

/** How much later than it was so a wait of so many seconds noticed it, as a share of what is allowed: 12 % of the wait and 0.3 s. */
export async function lateness(seconds: number): Promise<number> {
  await using stack = await Stack.create({ program: cluster, pace: "realistic", programs: "language-host", unhurried: true });
  stack.world.freeze();
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => stack.calls().some(({ action }) => action === "CreateCluster"));
  await sleep(seconds * 1000);
  stack.world.advance(10 * 60_000);
  const ready = stack.world.now();
  stack.world.unfreeze();
  await ended(run);
  const noticed = stack.calls().find(({ time }) => time >= ready)?.time ?? NaN;
  return (noticed - ready) / 1000 / (0.12 * seconds + 0.3);
}

async function ended(run: Run): Promise<void> {
  const { code, output } = await run.ended;
  if (code !== 0) throw new Error(output);
}
