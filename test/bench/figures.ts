import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import * as vpc from "@container-platform/sdk/vpc";
import type { Run } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { cluster, count, namespaces, nothings, subnets } from "./programs.ts";

/** What one run of the engine cost. */
interface Cost {
  /** Wall time in milliseconds. */
  readonly time: number;
  /** The most memory that the provider's process was seen to hold, in kB. */
  readonly memory: number;
}

export const verbs = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;
export type Verb = keyof typeof verbs;

/**
 * Ours against nothing, verb by verb, each pair run one after the other: time as a ratio, and memory in `up`. Who is first takes
 * turns: it finds the machine's caches cold.
 */
export async function against(round: number): Promise<Record<Verb | "memory", number>> {
  await using ours = await Stack.create({ program: subnets, programs: "language-host", unhurried: true });
  await using theirs = await Stack.create({ program: nothings, programs: "language-host", unhurried: true });
  const ratios: Partial<Record<Verb | "memory", number>> = {};
  const pair = async (verb: Verb) => {
    const first = round % 2 === 0 ? undefined : await cost(theirs, verb);
    const one = await cost(ours, verb);
    const other = first ?? (await cost(theirs, verb));
    ratios[verb] = one.time / other.time;
    if (verb === "up") ratios.memory = one.memory / other.memory;
  };
  await pair("up");
  await pair("preview");
  await pair("refresh");
  await pair("destroy");
  return { up: 0, preview: 0, refresh: 0, destroy: 0, memory: 0, ...ratios };
}

async function cost(stack: Stack, verb: Verb): Promise<Cost> {
  const begun = performance.now();
  const run = stack.start(...verbs[verb]);
  let memory = 0;
  const watching = setInterval(() => {
    memory = Math.max(memory, ...run.providers().map(residentSize));
  }, 250);
  const { code, output } = await run.ended;
  clearInterval(watching);
  if (code !== 0) throw new Error(output);
  return { time: performance.now() - begun, memory };
}

function residentSize(pid: number): number {
  try {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8" }));
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
  const asked = stack.calls().length;
  stack.world.advance(10 * 60_000);
  const ready = stack.world.now();
  stack.world.unfreeze();
  await ended(run);
  const noticed = timeOfCall(stack, asked);
  return (noticed - ready) / 1000 / (0.12 * seconds + 0.3);
}

async function ended(run: Run): Promise<void> {
  const { code, output } = await run.ended;
  if (code !== 0) throw new Error(output);
}

/** The world's time of the first call after so many. */
function timeOfCall(stack: Stack, after: number): number {
  const row = stack.world.prepare("SELECT time FROM audit ORDER BY seq LIMIT 1 OFFSET ?").get(after);
  return Number(row?.["time"]);
}

export { count, namespaces, subnets };
