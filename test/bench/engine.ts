import { against, againstUnchanged, allVerbs, callsOfRefresh, lateness, type Ratio, type Verb } from "./cost.ts";
import { callsOfExample, timeOfExample } from "./flagship.ts";
import { type Figure, type Goal, median, repeated } from "./figure.ts";
import { count, namespaces, subnets } from "./programs.ts";

/** Pulumi's engine with our provider, beside resources that do nothing. */

/** Processor time swings by a tenth from one run of an engine to the next: five rounds are too few to tell. */
const roundsOf200 = 11;
const roundsOf1000 = 5;
const roundsOfOthers = 5;

/** What each may be at most, and why it is more, by the profiles in docs/performance.md. */
const goals: Readonly<Record<Verb, Goal>> = {
  up: {
    atMost: 1.05,
    missed:
      "A resource that does nothing has no platform, and is not checked. Of the work of the provider's process, checks, plans and steps are 17 " +
      "%; the local platform, which does in it what a cloud does elsewhere, is 14 %; calls of the client are 4 %, loading this package is 3 %.",
  },
  preview: {
    atMost: 1.03,
    missed:
      "Of the work of the provider's process, checks and plans, which a resource that does nothing has not, are 18 %, loading this package is " +
      "3 %.",
  },
  refresh: {
    atMost: 1.05,
    missed:
      "The engine runs no program, so that the provider's process weighs more: of its work, 13 % is reading and comparing 201 resources, 3 % " +
      "is loading this package, and 2 % is the local platform.",
  },
  destroy: {
    atMost: 1.05,
    missed:
      "A resource that does nothing is not deleted anywhere. Of the work of the provider's process, the local platform is 15 %; calls of the " +
      "client are 6 %; loading this package is 5 %; looking what is in the way, and until each resource is gone, is 5 %.",
  },
};

/**
 * Why multiples grow with the number of resources, by profiles of the engine and the provider's process, and by their processor time with
 * 1,000 resources and PULUMI_SKIP_CHECKPOINTS, with which the engine writes the state once.
 */
const grown: Readonly<Record<Verb, string>> = {
  up:
    "The engine writes the whole state after each step, and ours is larger (below). Where it writes the state once, at the end, each of 1,000 " +
    "resources takes 3 to 5 ms more: less than each of 200.",
  preview: "From round to round, the multiples of 1,000 differ by more than what is missed. With 5,000, it is as with 200: see below.",
  refresh:
    "What a resource takes more does not grow. The multiple does, because the start, 2 s on either side, weighs less beside more resources. Of " +
    "what 1,000 take more, two fifths are the engine's, which copies each property that it sends or receives and writes it into its log: 18 of a " +
    "subnet, 10 of a resource that does nothing. The rest is reading and comparing, and the local platform's answers.",
  destroy:
    "The engine writes the whole state after each step, and ours is larger (below). Where it writes the state once, at the end, each of 1,000 " +
    "resources takes 1.4 ms more: less than each of 200.",
};

export async function engine(): Promise<Figure[]> {
  console.error(`measuring ${roundsOf200} rounds of ${count} subnets against ${count} resources that do nothing`);
  const few = await repeated((round) => against(round), roundsOf200);
  console.error("counting calls");
  const calls = await callsOfRefreshes();
  const { checks, again, further, up, refresh, destroy } = await callsOfExample();
  console.error("waiting");
  return [
    ...allVerbs.flatMap((verb) => [figure("work", verb, count, few, goals[verb]), figure("time", verb, count, few)]),
    {
      name: "memory of the provider process, as a multiple of no-op resources",
      atMost: 1.05,
      missed:
        "Pulumi's dynamic host has 135 MB when it has loaded its own modules. The definition of a subnet, the client, its operations and the local " +
        "platform, loaded and used for the first check, add 33 MB.",
      measured: few.map(({ memory }) => memory),
    },
    ...calls,
    { name: `preview of the example: calls (${checks.join(", ")})`, measured: [checks.length] },
    {
      name: `up of the example: calls, of which ${up.fewest} are needed, and the preview's`,
      atMost: up.fewest + checks.length + 16,
      measured: [up.made],
    },
    { name: "up of the example: calls that ask again what is known for longer than an answer serves", measured: [again] },
    ...further.map(({ action, times, most, why }) => ({
      name: `up of the example: further calls of ${action}: ${why}`,
      atMost: most,
      measured: [times],
    })),
    { name: `refresh of the example: calls, of which ${refresh.fewest} are needed`, measured: [refresh.made] },
    { name: `destroy of the example: calls, of which ${destroy.fewest} are needed`, measured: [destroy.made] },
    ...(await waits()),
  ];
}

/** Whether anything grows faster than the engine: programs of 1,000 resources, and beside each one of 200. */
export async function thousand(): Promise<Figure[]> {
  console.error(`measuring ${roundsOf1000} rounds of ${count} and of 1,000`);
  const rounds = await repeated(async (round) => ({ few: await against(round), many: await against(round, 1000) }), roundsOf1000);
  const few = rounds.map((round) => round.few);
  const many = rounds.map((round) => round.many);
  return [
    ...allVerbs.flatMap((verb) => growth(verb, few, 1000, many)),
    { name: "state of 1,000, as a multiple of no-op resources", atMost: 1.2, measured: many.map(({ state }) => state) },
  ];
}

/** What takes longer: 5,000 resources, and beside them 200; and the example at the platform's own pace. */
export async function large(): Promise<Figure[]> {
  console.error(`measuring ${roundsOf1000} rounds of ${count}, and one of 5,000`);
  const few = await repeated((round) => against(round), roundsOf1000);
  const many = [await againstUnchanged(5000)];
  console.error("deploying the example at the pace of the platform: about 10 minutes");
  return [
    ...(["preview", "refresh"] as const).flatMap((verb) => growth(verb, few, 5000, many)),
    {
      name: "up of the example at realistic pace, as a multiple of the longest path of the platform's transitions",
      atMost: 1.05,
      measured: [await timeOfExample()],
    },
  ];
}

type OfVerb<V extends Verb> = Readonly<Record<V, Ratio>>;

/** Whether what ours takes more grows with the number of resources. */
function growth<V extends Verb>(verb: V, few: readonly OfVerb<V>[], many: number, rounds: readonly OfVerb<V>[]): Figure[] {
  const middle = (of: "work" | "more") => median(few.map((round) => round[verb][of]));
  return [
    figure("work", verb, count, few),
    figure("work", verb, many, rounds, { atMost: middle("work"), missed: grown[verb] }),
    figure("time", verb, many, rounds),
    figure("more", verb, count, few),
    figure("more", verb, many, rounds, { atMost: middle("more"), missed: grown[verb] }),
  ];
}

const inWords: Readonly<Record<keyof Ratio, string>> = {
  work: "processor time, as a multiple of no-op resources",
  time: "wall time, as a multiple of no-op resources",
  more: "ms of processor time beyond no-op resources, for each resource",
};

function figure<V extends Verb>(of: keyof Ratio, verb: V, many: number, rounds: readonly OfVerb<V>[], goal: Goal = {}): Figure {
  const measured = rounds.map((round) => round[verb][of]);
  return { name: `${verb} of ${many.toLocaleString("en")}: ${inWords[of]}`, ...goal, measured };
}

async function callsOfRefreshes(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, program] of Object.entries({ subnets, namespaces })) {
    const measured = await repeated(() => callsOfRefresh(program()), roundsOfOthers);
    figures.push({ name: `refresh of ${count} ${kind} in a world of ${count}: calls`, atMost: 6, measured });
  }
  const inLarge = await callsOfRefresh(subnets(), 9800);
  return [...figures, { name: `refresh of ${count} subnets in a world of 10,000: calls`, atMost: count, measured: [inLarge] }];
}

async function waits(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const seconds of [3, 20]) {
    const measured = await Promise.all(Array.from({ length: roundsOfOthers }, () => lateness(seconds)));
    figures.push({ name: `wait of ${seconds} s: how late it notices, as a share of 12 % and 0.3 s`, atMost: 1, measured });
  }
  return figures;
}
