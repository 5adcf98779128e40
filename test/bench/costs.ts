import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Stack } from "../support/stack.ts";
import { allVerbs, type Verb, verbs } from "./cost.ts";
import { machine, tableOf } from "./page.ts";
import { count, subnets } from "./programs.ts";

/** Where the processor time of each verb goes, by profiles of the engine, of the program, and of the provider's process. */

const rounds = 3;
const greatest = 10;

type Process = "engine" | "program" | "provider";

export interface Sample {
  readonly process: Process;
  /** Functions and their files, one a line, the innermost first. */
  readonly stack: string;
  /** In milliseconds. */
  readonly time: number;
}

interface Category {
  readonly cost: string;
  readonly causedBy: string;
  /** Where it is looked for; everywhere unless given. */
  readonly process?: Process;
  /** What all have to be in the stack. */
  readonly frames: readonly RegExp[];
}

const own = /\/(sdk|provider)\/dist\//;
const loading = /node:internal\/modules\//;

/** The first that a sample fits has it. */
const categories: readonly Category[] = [
  {
    cost: "garbage collection",
    causedBy: "Pulumi",
    process: "engine",
    frames: [/\bruntime\.(gcBgMarkWorker|gcAssistAlloc|bgsweep|bgscavenge)\b/],
  },
  { cost: "writing the state before and after each step", causedBy: "Pulumi", process: "engine", frames: [/backend\/diy|SnapshotManager/] },
  { cost: "deriving the key of the stack from its passphrase", causedBy: "Pulumi", process: "engine", frames: [/pbkdf2/] },
  { cost: "messages", causedBy: "Pulumi", process: "engine", frames: [/google\.golang\.org\/(grpc|protobuf)|plugin\.(Unm|M)arshal/] },
  { cost: "display and event log", causedBy: "Pulumi", process: "engine", frames: [/backend\/display/] },
  { cost: "steps", causedBy: "Pulumi", process: "engine", frames: [/resource\/deploy|pkg\/v3\/engine/] },
  { cost: "everything else", causedBy: "Pulumi", process: "engine", frames: [] },
  { cost: "garbage collection", causedBy: "Pulumi, this package", frames: [/^\(garbage collector\)/] },
  { cost: "loading this package", causedBy: "this package", frames: [loading, own] },
  { cost: "loading Pulumi's SDK, TypeScript and npm's Arborist", causedBy: "Pulumi", frames: [/node:internal\/modules\/cjs/] },
  { cost: "loading this package", causedBy: "this package", frames: [loading] },
  { cost: "stack traces", causedBy: "Pulumi", frames: [/[pP]repareStackTrace|captureStackTrace|source-map-support/] },
  { cost: "messages", causedBy: "Pulumi", frames: [/google-protobuf|@grpc\/|_pb\.js|runtime\/rpc\.js/] },
  {
    cost: "emulator",
    causedBy: "this package; in production, the cloud",
    frames: [/sdk\/dist\/shared\/(world|network|tables|tags|behaviours|offers)\d*\.js/],
  },
  { cost: "API calls of the client", causedBy: "this package", frames: [/sdk\/dist\//] },
  { cost: "checks, plans, reads and steps", causedBy: "this package", process: "provider", frames: [own] },
  { cost: "constructors of resources", causedBy: "this package", process: "program", frames: [own] },
  { cost: "Pulumi's SDK", causedBy: "Pulumi", frames: [/@pulumi\/pulumi/] },
];
const rest = { cost: "Node itself", causedBy: "Node" };

export async function costs(): Promise<string> {
  const samples = new Map(allVerbs.map((verb): [Verb, Sample[]] => [verb, []]));
  for (let round = 0; round < rounds; round++) {
    console.error(`profiling ${count} subnets, round ${round + 1} of ${rounds}`);
    const folder = mkdtempSync(join(tmpdir(), "container-platform-profiles-"));
    const env = { NODE_OPTIONS: `--cpu-prof "--cpu-prof-dir=${folder}"` };
    try {
      await using stack = await Stack.create({ program: subnets(), programs: "language-host", unhurried: true, env });
      for (const verb of allVerbs) {
        await stack.ok(...verbs[verb], "--profiling", join(folder, "engine"));
        samples.get(verb)?.push(...samplesIn(folder));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const tables = [...samples].map(([verb, all]) =>
    tableOf(`| \`${verb}\` | Process | Caused by | Share |`, "| - | - | - | -: |", greatestOf(all)),
  );
  return [machine(), ...tables].join("\n\n");
}

/** The greatest costs, each with its process, who causes it, and its share of all samples. */
export function greatestOf(samples: readonly Sample[]): string[][] {
  const times = new Map<string, { readonly cells: string[]; time: number }>();
  let total = 0;
  for (const { process, stack, time } of samples) {
    const fits = (one: Category) => (one.process ?? process) === process && one.frames.every((frame) => frame.test(stack));
    const { cost, causedBy } = categories.find(fits) ?? rest;
    const cells = [cost, process, causedBy];
    const sum = times.get(cells.join()) ?? { cells, time: 0 };
    times.set(cells.join(), { cells, time: sum.time + time });
    total += time;
  }
  const sorted = [...times.values()].sort((one, other) => other.time - one.time).slice(0, greatest);
  return sorted.map(({ cells, time }) => [...cells, `${Math.round((time / total) * 100)} %`]);
}

/** What the profiles in a folder have, which are deleted. */
function samplesIn(folder: string): Sample[] {
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    const samples = name.endsWith(".cpuprofile") ? samplesOfNode(file) : name.endsWith(".cpu") ? samplesOfEngine(file) : [];
    rmSync(file);
    return samples;
  });
}

function samplesOfEngine(file: string): Sample[] {
  const printed = execFileSync("go", ["tool", "pprof", "-traces", "-unit=ms", file], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 28,
  });
  return printed.split(/^-+\+-+$/m).flatMap((trace): Sample[] => {
    const [, time, stack] = /^\s*([\d.]+)ms\s+([\s\S]*)$/.exec(trace) ?? [];
    return stack === undefined ? [] : [{ process: "engine", stack, time: Number(time) }];
  });
}

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      hitCount: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).default([]),
    }),
  ),
  /** In microseconds. */
  startTime: z.number(),
  endTime: z.number(),
});

function samplesOfNode(file: string): Sample[] {
  const { nodes, startTime, endTime } = profileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child): [number, number] => [child, id])));
  const ofHit = (endTime - startTime) / 1000 / nodes.reduce((sum, { hitCount }) => sum + hitCount, 0);
  const process = nodes.some(({ callFrame: { url } }) => url.includes("/dynamic-provider/")) ? "provider" : "program";
  return nodes.flatMap(({ id, hitCount, callFrame: { functionName } }): Sample[] => {
    if (hitCount === 0 || functionName === "(idle)") return [];
    const frames: string[] = [];
    for (let node = byId.get(id); node; node = byId.get(parents.get(node.id) ?? NaN)) {
      frames.push(`${node.callFrame.functionName} ${node.callFrame.url}`);
      // Node runs a program while it loads it.
      if (/container-platform-stack-.*\/index\.ts$/.test(node.callFrame.url)) break;
    }
    return [{ process, stack: frames.join("\n"), time: hitCount * ofHit }];
  });
}
