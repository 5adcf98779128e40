import { against, callsOfRefresh, count, lateness, namespaces, subnets } from "./figures.ts";

/** Times that each figure is measured; the median counts. */
const rounds = 5;

interface Figure {
  readonly name: string;
  /** At most this. */
  readonly goal: number;
  readonly measured: readonly number[];
}

const figures: Figure[] = [];

console.error(`measuring ${rounds} rounds of ${count} subnets against ${count} resources that do nothing`);
const pairs = await repeated(against);
for (const verb of ["up", "preview", "refresh", "destroy"] as const)
  figures.push({ name: `${verb}: wall time, as a multiple of no-op resources`, goal: 1.25, measured: pairs.map((pair) => pair[verb]) });
figures.push({
  name: "memory of the provider process, as a multiple of no-op resources",
  goal: 1.25,
  measured: pairs.map(({ memory }) => memory),
});

console.error("counting the calls of a refresh");
for (const [things, program] of Object.entries({ subnets, namespaces }))
  figures.push({
    name: `refresh of ${count} ${things} in a world of ${count}: calls`,
    goal: 6,
    measured: await repeated(() => callsOfRefresh(program)),
  });
figures.push({
  name: `refresh of ${count} subnets in a world of 10,000: calls`,
  goal: count,
  measured: [await callsOfRefresh(subnets, 9800)],
});

console.error("waiting");
for (const seconds of [3, 20])
  figures.push({
    name: `wait of ${seconds} s: how late it notices, as a share of 12 % and 0.3 s`,
    goal: 1,
    measured: await Promise.all(Array.from({ length: rounds }, () => lateness(seconds))),
  });

for (const { name, goal, measured } of figures) {
  const middle = median(measured);
  const range = `${Math.min(...measured).toFixed(2)} to ${Math.max(...measured).toFixed(2)}`;
  console.log(`${middle <= goal ? "pass" : "FAIL"}  ${name}: ${middle.toFixed(2)} (goal: at most ${goal}; ${range})`);
}
process.exit(figures.every(({ goal, measured }) => median(measured) <= goal) ? 0 : 1);

async function repeated<T>(measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure());
  return results;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
