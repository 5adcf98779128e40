import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allVerbs, cost, type Verb } from "./cost.ts";
import { middleOf } from "./figure.ts";
import { called, stackOf, type Subject } from "./native.ts";
import { machine, tableOf } from "./page.ts";

/** Settings of the Pulumi engine and of Node, and other ways to declare the same subnets, beside dynamic resources with the defaults. */

const rounds = 5;
/** The subnets of each program. */
const many = 50;

interface Lever {
  readonly name: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  readonly subject?: Subject;
}

const leversWith = (folder: string): readonly Lever[] => [
  { name: "`NODE_COMPILE_CACHE=<folder>`", env: { NODE_COMPILE_CACHE: folder } },
  { name: "`PULUMI_PARALLEL_DIFF=true`", env: { PULUMI_PARALLEL_DIFF: "true" } },
  { name: "`PULUMI_DIY_BACKEND_ZSTD=true`", env: { PULUMI_DIY_BACKEND_ZSTD: "true" } },
  { name: "`PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS=true`", env: { PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" } },
  { name: "`PULUMI_SKIP_CHECKPOINTS=true`", env: { PULUMI_SKIP_CHECKPOINTS: "true" } },
  { name: "`--parallel 32`", args: ["--parallel", "32"] },
  { name: called.native, subject: "native" },
  { name: called.yaml, subject: "yaml" },
];

type Times = Readonly<Record<Verb, number>>;

/** The processor time of each lever as a share of that without one, as a table. */
export async function levers(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-compiled-"));
  const all = leversWith(folder);
  const shares = all.map((): number[][] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      console.error(`measuring levers, round ${round + 1} of ${rounds}`);
      const base = await timesOf({ name: "" });
      for (const [index, lever] of all.entries()) {
        const times = await timesOf(lever);
        shares[index]?.push(allVerbs.map((verb) => times[verb] / base[verb]));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = all.map(({ name }, index) => {
    const cells = allVerbs.map((_, column) => {
      return middleOf((shares[index] ?? []).map((one) => one[column] ?? NaN));
    });
    return [name, ...cells];
  });
  return [machine(), tableOf(`| Lever | ${allVerbs.join(" | ")} |`, "| - | -: | -: | -: | -: |", rows)].join("\n\n");
}

/** Seconds of processor time of each verb, for the subnets of the bench. */
async function timesOf({ env = {}, args = [], subject = "dynamic" }: Lever): Promise<Times> {
  await using stack = await stackOf(subject, { env, many });
  const times = { up: 0, preview: 0, refresh: 0, destroy: 0 };
  for (const verb of allVerbs) times[verb] = (await cost(stack, verb, args)).work;
  return times;
}
