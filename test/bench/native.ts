import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../support/compiler.ts";
import { hostEnvironment } from "../support/hosts.ts";
import { nativeClasses, natively } from "../support/native-classes.ts";
import { Stack } from "../support/stack.ts";
import { allVerbs, type Cost, cost, type Verb } from "./cost.ts";
import { type Figure, type Goal, median, repeated } from "./figure.ts";
import { count, nothings, subnets, subnetsInYaml } from "./programs.ts";

/** The native plugin beside the dynamic resources, and both beside resources that do nothing. */

const rounds = 11;
/** What each may be at most, and why it is more, by profiles. */
const goals: Readonly<Record<Verb, Goal>> = {
  up: {
    atMost: 1,
    missed:
      "More than half of the processor time is the program's: Pulumi formats a stack trace for each output of a resource. A no-op resource has fewer outputs, and a program in YAML has none. In the plugin's process, the share of checks, plans and steps is 29 %, of the emulator 21 %, of loading 14 %.",
  },
  preview: {
    atMost: 1,
    missed:
      "As in up, Pulumi formats stack traces of outputs in the program. In the plugin's process, the share of checks and plans is 48 %, of messages 18 %, of loading 17 %.",
  },
  refresh: {
    atMost: 0.95,
    missed: "In the plugin's process, the share of reading and comparing is 36 %, of loading 11 %, of the emulator 8 %.",
  },
  destroy: {
    atMost: 0.95,
    missed:
      "After each deletion Pulumi writes the whole state, which is smaller with no-op resources: see the sizes below, and the cost of the larger state of YAML. In the plugin's process, the share of loading is 19 %, of the emulator 17 %, of steps 13 %, of the client's API calls 11 %.",
  },
};

/** Who is measured. `nothing`: resources that do nothing. */
const subjects = ["nothing", "dynamic", "native", "yaml"] as const;
export type Subject = (typeof subjects)[number];
export const called: Readonly<Record<Subject, string>> = {
  nothing: "no-op resources",
  dynamic: "dynamic resources",
  native: "native plugin",
  yaml: "native plugin, in YAML",
};
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
  const multiples = (subject: Subject, verb: Verb) => all.map((one) => one[subject][verb].work / one.nothing[verb].work);
  return [
    ...allVerbs.map((verb) => ({
      name: `${verb} of ${count}, native plugin: processor time, as a multiple of no-op dynamic resources`,
      ...goals[verb],
      measured: multiples("native", verb),
    })),
    ...allVerbs.flatMap((verb) => [
      {
        name: `${verb} of ${count}, dynamic resources: processor time, as a multiple of no-op dynamic resources`,
        measured: multiples("dynamic", verb),
      },
      {
        name: `${verb} of ${count}, native plugin, in YAML: processor time, as a multiple of no-op dynamic resources`,
        measured: multiples("yaml", verb),
      },
    ]),
    {
      name: "start of the plugin's process until its first response, as a share of the dynamic host's start",
      atMost: 0.5,
      measured: started.native.map((time, index) => time / (started.dynamic[index] ?? Number.NaN)),
    },
    {
      name: "memory of the plugin's process in up, as a share of the dynamic host's processes",
      atMost: 0.5,
      missed:
        "43 MB of the plugin's 114 MB are an empty Node process. Both processes hold gRPC, Pulumi's messages, the definitions and the emulator.",
      measured: all.map((one) => one.native.up.memoryOfAll / one.dynamic.up.memoryOfAll),
    },
    ...subjects.map((subject) => ({
      name: `state of ${count}, ${called[subject]}, in kB`,
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
    ...{ up: up[subject], preview: preview[subject], refresh: refresh[subject], destroy: destroy[subject] },
    state: states[subject],
  }));
}

function mapped<T>(of: (subject: Subject) => T): Readonly<Record<Subject, T>> {
  return { nothing: of("nothing"), dynamic: of("dynamic"), native: of("native"), yaml: of("yaml") };
}

export async function stackOf(
  subject: Subject,
  { env = {}, many = count }: { readonly env?: NodeJS.ProcessEnv; readonly many?: number } = {},
): Promise<Stack> {
  const options = { programs: "language-host", unhurried: true, env, seconds: 600 } as const;
  switch (subject) {
    case "nothing":
      return Stack.create({ ...options, program: nothings(many) });
    case "dynamic":
      return Stack.create({ ...options, program: subnets(many) });
    case "native": {
      const stack = await Stack.create({ ...options, program: natively(subnets(many)), plugin: true });
      writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
      return stack;
    }
    case "yaml": {
      const stack = await Stack.create({ ...options, program: "", env: { ...env, ...hostEnvironment("yaml") } });
      writeFileSync(join(stack.folder, "Pulumi.yaml"), subnetsInYaml(join(root, "plugin"), many));
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
