import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../support/compiler.ts";
import { hostEnvironment } from "../support/hosts.ts";
import { nativeClasses, natively } from "../support/native-classes.ts";
import { Stack } from "../support/stack.ts";
import { type Cost, cost, type Verb } from "./cost.ts";
import { type Figure, median, repeated } from "./figure.ts";
import { count, nothings, subnets, subnetsInYaml } from "./programs.ts";

/** The native plugin beside the dynamic resources, and both beside resources that do nothing. */

const rounds = 11;
const goals: Readonly<Record<Verb, number>> = { up: 1, preview: 1, refresh: 0.95, destroy: 0.95 };
const allVerbs: readonly Verb[] = ["up", "preview", "refresh", "destroy"];

/** Who is measured. `nothing`: resources that do nothing. */
const subjects = ["nothing", "dynamic", "native", "yaml"] as const;
type Subject = (typeof subjects)[number];
type Costs = Readonly<Record<Verb, Cost>> & { /** Size of the state after `up`, in kB. */ readonly state: number };
type Round = Readonly<Record<Subject, Costs>>;

export async function native(): Promise<Figure[]> {
  console.error(`measuring ${rounds} rounds of ${count} subnets in each shell, and in YAML`);
  const all = await repeated(round, rounds);
  console.error("starting");
  const started = {
    dynamic: Array.from({ length: rounds }, () => start("dynamic")),
    native: Array.from({ length: rounds }, () => start("native")),
  };
  const share = (of: (round: Round) => number) => all.map(of);
  return [
    ...allVerbs.map((verb) => ({
      name: `${verb} of ${count}, native plugin: processor time, as a multiple of no-op dynamic resources`,
      atMost: goals[verb],
      measured: share((one) => one.native[verb].work / one.nothing[verb].work),
    })),
    ...allVerbs.flatMap((verb) => [
      {
        name: `${verb} of ${count}, dynamic resources: the same`,
        measured: share((one) => one.dynamic[verb].work / one.nothing[verb].work),
      },
      { name: `${verb} of ${count}, in YAML: the same`, measured: share((one) => one.yaml[verb].work / one.nothing[verb].work) },
    ]),
    {
      name: "start of the plugin's process, until a check is answered, as a share of the dynamic host's",
      atMost: 0.5,
      measured: started.native.map((time, index) => time / (started.dynamic[index] ?? Number.NaN)),
    },
    {
      name: "memory of the plugin's process in up, as a share of the dynamic host's processes",
      atMost: 0.5,
      measured: share((one) => one.native.up.memoryOfAll / one.dynamic.up.memoryOfAll),
    },
    ...(["dynamic", "native", "yaml"] as const).map((subject) => ({
      name: `state of ${count}, ${subject}, in kB`,
      measured: [median(all.map((one) => one[subject].state))],
    })),
  ];
}

/** Each subject, verb by verb, one after the other. Who is first takes turns: it finds the machine's caches cold. */
async function round(index: number): Promise<Round> {
  await using nothing = await stackOf("nothing");
  await using dynamic = await stackOf("dynamic");
  await using native = await stackOf("native");
  await using yaml = await stackOf("yaml");
  const stacks = { nothing, dynamic, native, yaml };
  const order = subjects.map((_, place) => subjects[(place + index) % subjects.length] ?? "nothing");
  const each = async (verb: Verb): Promise<Readonly<Record<Subject, Cost>>> => {
    const costs: Partial<Record<Subject, Cost>> = {};
    for (const subject of order) costs[subject] = await cost(stacks[subject], verb);
    const { nothing: floor, dynamic: one, native: other, yaml: third } = costs;
    if (!floor || !one || !other || !third) throw new Error(`${verb} was not measured for each`);
    return { nothing: floor, dynamic: one, native: other, yaml: third };
  };
  const up = await each("up");
  const states = mapped((subject) => statSync(stacks[subject].stateFile).size / 1000);
  const [preview, refresh, destroy] = [await each("preview"), await each("refresh"), await each("destroy")];
  return mapped((subject) => ({
    up: up[subject],
    preview: preview[subject],
    refresh: refresh[subject],
    destroy: destroy[subject],
    state: states[subject],
  }));
}

function mapped<T>(of: (subject: Subject) => T): Readonly<Record<Subject, T>> {
  return { nothing: of("nothing"), dynamic: of("dynamic"), native: of("native"), yaml: of("yaml") };
}

async function stackOf(subject: Subject): Promise<Stack> {
  const options = { programs: "language-host", unhurried: true } as const;
  switch (subject) {
    case "nothing":
      return Stack.create({ ...options, program: nothings() });
    case "dynamic":
      return Stack.create({ ...options, program: subnets() });
    case "native": {
      const stack = await Stack.create({ ...options, program: natively(subnets()), plugin: true });
      writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
      return stack;
    }
    case "yaml": {
      const stack = await Stack.create({ ...options, program: "", env: hostEnvironment("yaml") });
      writeFileSync(join(stack.folder, "Pulumi.yaml"), subnetsInYaml(join(root, "plugin")));
      return stack;
    }
  }
}

/** Milliseconds until a new process of a shell has answered a check. */
function start(shell: "dynamic" | "native"): number {
  const printed = execFileSync(process.execPath, [join(root, "test", "bench", "start.ts")], {
    cwd: root,
    env: { ...process.env, TESTED_SHELL: shell },
    encoding: "utf8",
  });
  return z.number().parse(JSON.parse(printed));
}
