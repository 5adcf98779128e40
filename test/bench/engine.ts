import { against, againstUnchanged, allVerbs, callsOfRefresh, lateness, type Ratio, type Verb } from "./cost.ts";
import { callsOfExample, previewsOfExample, timeOfExample } from "./flagship.ts";
import { type Figure, type Goal, median, repeated } from "./figure.ts";
import { count, namespaces, subnets } from "./programs.ts";

/** Pulumi's engine with our provider, beside resources that do nothing. */

/** Processor time swings by a tenth from one run of an engine to the next: five rounds are too few to tell. */
const roundsOf200 = 11;
const roundsOf1000 = 5;
const roundsOfOthers = 5;

/** What each may be at most, and why it is more: `costs.ts` says where the time goes. */
const goals: Readonly<Record<Verb, Goal>> = {
  up: { atMost: 1.1, missed: "No-op resources have no API and no checks: see the costs below." },
  preview: { atMost: 1.03, missed: "No-op resources have no checks and no plans: see the costs below." },
  refresh: { atMost: 1.12, missed: "A refresh runs no program, so the provider's process counts more: see the costs below." },
  destroy: { atMost: 1.12, missed: "The deletion of a no-op resource calls no API: see the costs below." },
};

const smallerShare =
  "The extra time of each resource does not grow: see its rows. The multiple grows because the start of both programs takes a smaller share.";

/** Why multiples grow with the number of resources: `preview` and `refresh` by profiles of the engine and the provider's process. */
const grown: Readonly<Record<Verb, string>> = {
  up: smallerShare,
  destroy: smallerShare,
  preview:
    "The multiples of 1,000 resources vary between rounds by more than the miss. The multiples of 5,000 resources equal those of 200: see below.",
  refresh:
    "The extra time of each resource does not grow. The multiple grows because the start takes 2 s for both programs, and its share falls with more resources. Two fifths of the extra time of 1,000 resources are the Pulumi engine's: it copies and logs each property that it sends or receives. A subnet has 18 properties, a no-op resource 10. The remaining time is reading, comparing, and the emulator's responses.",
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
      atMost: 1.08,
      missed:
        "Pulumi's dynamic host needs 135 MB to load its own modules. The definition of a subnet, the client, its operations and the emulator add 33 MB when they are loaded for the first check.",
      measured: few.map(({ memory }) => memory),
    },
    ...calls,
    { name: `preview of the example: API calls (${checks.join(", ")})`, measured: [checks.length] },
    {
      name: "unchanged preview of the example: wall time, as a multiple of as many no-op resources",
      atMost: 1.25,
      measured: await previewsOfExample(roundsOfOthers),
    },
    {
      name: `up of the example: API calls, ${up.fewest} of them required, and the calls of the preview`,
      atMost: up.fewest + checks.length + 16,
      measured: [up.made],
    },
    { name: "up of the example: API calls that repeat a read because its cached response is stale", measured: [again] },
    ...further.map(({ action, times, most, why }) => ({
      name: `up of the example: further API calls of ${action}: ${why}`,
      atMost: most,
      measured: [times],
    })),
    { name: `refresh of the example: API calls, ${refresh.fewest} of them required`, measured: [refresh.made] },
    { name: `destroy of the example: API calls, ${destroy.fewest} of them required`, measured: [destroy.made] },
    ...(await waits()),
  ];
}

/**
 * Whether anything grows faster than the engine: programs of 1,000 resources, and beside each one of 200. The engine writes the state once:
 * otherwise, most of the time is its own, as it writes all resources after each step.
 */
export async function thousand(): Promise<Figure[]> {
  const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
  console.error(`measuring ${roundsOf1000} rounds of ${count} and of 1,000`);
  const rounds = await repeated(
    async (round) => ({ few: await against(round, count, env), many: await against(round, 1000, env) }),
    roundsOf1000,
  );
  const few = rounds.map((round) => round.few);
  const many = rounds.map((round) => round.many);
  return [
    ...allVerbs.flatMap((verb) => growth(verb, few, 1000, many)),
    {
      name: "state of 1,000, as a multiple of no-op resources",
      atMost: 1.05,
      missed: "A subnet also saves its URN, its account, endpoint and region, its generated name, and its ID as an output.",
      measured: many.map(({ state }) => state),
    },
  ];
}

/** What takes longer: 5,000 resources, and beside them 200; and the example at the time scale realistic. */
export async function large(): Promise<Figure[]> {
  console.error(`measuring ${roundsOf1000} rounds of ${count}, and one of 5,000`);
  const few = await repeated((round) => against(round), roundsOf1000);
  const many = [await againstUnchanged(5000)];
  console.error("deploying the example at the time scale realistic: about 10 minutes");
  return [
    ...(["preview", "refresh"] as const).flatMap((verb) => growth(verb, few, 5000, many)),
    {
      name: "up of the example at the time scale `realistic`, as a multiple of the longest path of the platform's transitions",
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
    figure("more", verb, many, rounds, { atMost: middle("more") }),
  ];
}

const descriptions: Readonly<Record<keyof Ratio, string>> = {
  work: "processor time, as a multiple of no-op resources",
  time: "wall time, as a multiple of no-op resources",
  more: "ms of processor time beyond no-op resources, for each resource",
};

function figure<V extends Verb>(of: keyof Ratio, verb: V, many: number, rounds: readonly OfVerb<V>[], goal: Goal = {}): Figure {
  const measured = rounds.map((round) => round[verb][of]);
  return { name: `${verb} of ${many.toLocaleString("en")}: ${descriptions[of]}`, ...goal, measured };
}

async function callsOfRefreshes(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, program] of Object.entries({ subnets, namespaces })) {
    const measured = await repeated(() => callsOfRefresh(program()), roundsOfOthers);
    figures.push({ name: `refresh of ${count} ${kind}, database of ${count} resources: API calls`, atMost: 6, measured });
  }
  const inLarge = await callsOfRefresh(subnets(), 9800);
  return [...figures, { name: `refresh of ${count} subnets, database of 10,000 resources: API calls`, atMost: count, measured: [inLarge] }];
}

async function waits(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const seconds of [3, 20]) {
    const measured = await Promise.all(Array.from({ length: roundsOfOthers }, () => lateness(seconds)));
    figures.push({
      name: `wait of ${seconds} s: delay until the provider notices the end, as a share of 12 % and 0.3 s`,
      atMost: 1,
      measured,
    });
  }
  return figures;
}
