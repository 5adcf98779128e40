import { startsOfClient } from "./client.ts";
import { against, callsOfRefresh, count, lateness, namespaces, subnets } from "./figures.ts";
import { callsOfExample } from "./flagship.ts";
import { emptyPreview, installed, loading } from "./packages.ts";
import { reviewOfMany, reviewOfTenTimesAsMany } from "./review.ts";
import { callsInProcess, describesOverHttp, largeWorld, startOfServer } from "./platform.ts";

// `npm run bench`: everything. `npm run bench -- platform`: only what is named so.

/** Times that each figure is measured; the median counts. */
const rounds = 5;
/** Wall time of engines swings by a fifth from one run to the next: five rounds are too few to tell. */
const roundsOfEngines = 11;

interface Figure {
  readonly name: string;
  /** At most this; nothing is compared without it. */
  readonly goal?: number;
  readonly measured: readonly number[];
}

const groups: Readonly<Record<string, () => Figure[] | Promise<Figure[]>>> = { packages, engine, platform, client, review };
const selected = process.argv.slice(2);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(groups))
  if (selected.length === 0 || selected.includes(name)) figures.push(...(await measure()));

for (const { name, goal, measured } of figures) {
  const middle = median(measured);
  const range = `${Math.min(...measured).toFixed(2)} to ${Math.max(...measured).toFixed(2)}`;
  const verdict = goal === undefined ? "    " : middle <= goal ? "pass" : "FAIL";
  console.log(`${verdict}  ${name}: ${middle.toFixed(2)} (${goal === undefined ? "" : `goal: at most ${goal}; `}${range})`);
}
process.exit(figures.every(({ goal, measured }) => goal === undefined || median(measured) <= goal) ? 0 : 1);

/** What is installed, and loaded by every program. */
async function packages(): Promise<Figure[]> {
  console.error("packing");
  const { packed, unpacked, packages, unpackedPackages } = installed();
  console.error("loading");
  const required = Array.from({ length: rounds }, () => loading("require"));
  const imported = Array.from({ length: rounds }, () => loading("import"));
  const previews = await repeated(emptyPreview);
  return [
    { name: "both packages, packed, in kB", goal: 1000, measured: [packed] },
    { name: "both packages, unpacked, in kB", goal: 6000, measured: [unpacked] },
    { name: "packages installed with them, besides Pulumi's", goal: 25, measured: [packages] },
    { name: "those packages, unpacked, in kB", measured: [unpackedPackages] },
    { name: "loading by require, in ms beyond Pulumi", measured: required.map(({ time }) => time) },
    { name: "loading by require, as a share of what Pulumi takes", goal: 0.4, measured: required.map(({ share }) => share) },
    { name: "loading by import, in ms beyond Pulumi", measured: imported.map(({ time }) => time) },
    { name: "loading by import, as a share of what Pulumi takes", goal: 0.4, measured: imported.map(({ share }) => share) },
    { name: "preview of a program that only imports it, as a multiple of Pulumi's alone", goal: 1.25, measured: previews },
  ];
}

/** Pulumi's engine with our provider. */
async function engine(): Promise<Figure[]> {
  console.error(`measuring ${roundsOfEngines} rounds of ${count} subnets against ${count} resources that do nothing`);
  const pairs = await repeated(against, roundsOfEngines);
  console.error("counting the calls of a refresh");
  const calls: Figure[] = [];
  for (const [kind, program] of Object.entries({ subnets, namespaces }))
    calls.push({
      name: `refresh of ${count} ${kind} in a world of ${count}: calls`,
      goal: 6,
      measured: await repeated(() => callsOfRefresh(program)),
    });
  const many = await callsOfRefresh(subnets, 9800);
  const example = Object.entries(await callsOfExample());
  console.error("waiting");
  const late: Figure[] = [];
  for (const seconds of [3, 20])
    late.push({
      name: `wait of ${seconds} s: how late it notices, as a share of 12 % and 0.3 s`,
      goal: 1,
      measured: await Promise.all(Array.from({ length: rounds }, () => lateness(seconds))),
    });
  return [
    ...(["up", "preview", "refresh", "destroy"] as const).map((verb) => ({
      name: `${verb}: wall time, as a multiple of no-op resources`,
      goal: 1.25,
      measured: pairs.map((pair) => pair[verb]),
    })),
    {
      name: "memory of the provider process, as a multiple of no-op resources",
      goal: 1.25,
      measured: pairs.map(({ memory }) => memory),
    },
    ...calls,
    { name: `refresh of ${count} subnets in a world of 10,000: calls`, goal: count, measured: [many] },
    ...example.map(([verb, { made, fewest }]) => ({
      name: `${verb} of the example: calls, of which ${fewest} are needed`,
      measured: [made],
    })),
    ...late,
  ];
}

/** The local platform by itself. */
async function platform(): Promise<Figure[]> {
  console.error("describing over HTTP, at 32 connections");
  const describes = await describesOverHttp(rounds);
  console.error("calling in process");
  const calls = await repeated(callsInProcess);
  console.error("starting the server");
  const starts = await repeated(startOfServer);
  console.error("filling a world");
  const { slower, memory } = await largeWorld();
  return [
    { name: "describe over HTTP: calls a second", measured: describes.map(({ rate }) => rate) },
    { name: "describe over HTTP: how many times faster a bare server is", goal: 4, measured: describes.map((one) => one.slower) },
    { name: "describe over HTTP: 99 of 100 answers, in ms", goal: 10, measured: describes.map(({ slowest }) => slowest) },
    { name: "a bare server: 99 of 100 answers, in ms", measured: describes.map(({ barely }) => barely) },
    { name: "in process: reads a second", measured: calls.map(({ reads }) => reads) },
    { name: "in process: writes a second", measured: calls.map(({ writes }) => writes) },
    { name: "start of cpcli serve to its first answer, in ms beyond node -e 0", goal: 100, measured: starts },
    { name: "describe by id in a world of 10,000, as a multiple of one of 100", goal: 2, measured: [slower] },
    { name: "memory of the server of a world of 10,000, in MB", goal: 150, measured: [memory] },
  ];
}

/** The command-line client. */
function client(): Figure[] {
  console.error("starting cpcli");
  const starts = startsOfClient(rounds);
  return [
    { name: "cpcli --version, in ms beyond node -e 0", goal: 60, measured: starts.map(({ version }) => version) },
    { name: "cpcli describes VPCs in process, in ms beyond node -e 0", goal: 110, measured: starts.map(({ describe }) => describe) },
  ];
}

/** The reviewer. */
function review(): Figure[] {
  return [
    { name: "review of 1,000 changes and its comment, in ms of work", goal: 1000, measured: Array.from({ length: rounds }, reviewOfMany) },
    {
      name: "review of 10,000 changes and its comment, in ms of work",
      goal: 1000,
      measured: Array.from({ length: rounds }, reviewOfTenTimesAsMany),
    },
  ];
}

async function repeated<T>(measure: (round: number) => Promise<T>, times = rounds): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round++) results.push(await measure(round));
  return results;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
