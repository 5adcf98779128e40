import { InputError } from "../operation/errors.ts";

/** How fast things move: minutes as in the specification, seconds, or at once. */
export const paces = ["realistic", "fast", "instant"] as const;
export type Pace = (typeof paces)[number];

/** Milliseconds that each move takes, by pace. The specification names some; the others are typical. */
const durations = {
  clusterCreate: { realistic: 5 * 60_000, fast: 3000, instant: 0 },
  clusterDelete: { realistic: 3 * 60_000, fast: 1500, instant: 0 },
  clusterUpgrade: { realistic: 10 * 60_000, fast: 2000, instant: 0 },
  clusterModify: { realistic: 60_000, fast: 800, instant: 0 },
  endpointCreate: { realistic: 90_000, fast: 1500, instant: 0 },
  endpointDelete: { realistic: 45_000, fast: 800, instant: 0 },
  nodeCreate: { realistic: 2 * 60_000, fast: 2000, instant: 0 },
  nodeDelete: { realistic: 60_000, fast: 1000, instant: 0 },
  nodeUpgrade: { realistic: 5 * 60_000, fast: 1000, instant: 0 },
  poolCreate: { realistic: 30_000, fast: 500, instant: 0 },
  poolDelete: { realistic: 30_000, fast: 500, instant: 0 },
  registryPending: { realistic: 60_000, fast: 500, instant: 0 },
  registryCreate: { realistic: 4 * 60_000, fast: 2000, instant: 0 },
  registryDelete: { realistic: 60_000, fast: 1000, instant: 0 },
  registryEndpointOpen: { realistic: 30_000, fast: 800, instant: 0 },
  registryEndpointClose: { realistic: 15_000, fast: 500, instant: 0 },
  registryConnect: { realistic: 30_000, fast: 800, instant: 0 },
  registryDisconnect: { realistic: 15_000, fast: 500, instant: 0 },
  registryName: { realistic: 10_000, fast: 300, instant: 0 },
  addressRelease: { realistic: 10_000, fast: 300, instant: 0 },
} as const satisfies Record<string, Record<Pace, number>>;

export type Move = keyof typeof durations;

export function durationOf(move: Move, pace: Pace): number {
  return durations[move][pace];
}

/** @throws InputError if there is no pace of that name. */
export function paceNamed(name: string): Pace {
  const found = paces.find((pace) => pace === name);
  if (found === undefined) throw new InputError(`${name} is no pace: it is ${paces.join(", ")}`);
  return found;
}
