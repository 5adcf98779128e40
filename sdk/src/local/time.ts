import { InputError } from "../operation/errors.ts";

/** How long transitions take on the world's clock: minutes as in the specification, seconds, or no time. */
export const timeScales = ["realistic", "fast", "instant"] as const;
export type TimeScale = (typeof timeScales)[number];

/** Milliseconds of each transition, by time scale. The specification names some; the others are typical. */
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
  addressAllocate: { realistic: 5000, fast: 300, instant: 0 },
  natCreate: { realistic: 60_000, fast: 1000, instant: 0 },
  natUpdate: { realistic: 10_000, fast: 500, instant: 0 },
  natDelete: { realistic: 60_000, fast: 1000, instant: 0 },
  addressRelease: { realistic: 10_000, fast: 300, instant: 0 },
} as const satisfies Record<string, Record<TimeScale, number>>;

export type Transition = keyof typeof durations;

export function durationOf(transition: Transition, timeScale: TimeScale): number {
  return durations[transition][timeScale];
}

/** @param what what names it @throws InputError if there is no time scale of that name. */
export function timeScaleNamed(name: string, what = "the time scale"): TimeScale {
  const found = timeScales.find((timeScale) => timeScale === name);
  if (found === undefined) throw new InputError(`${what} is ${name || "empty"}; it takes one of ${timeScales.join(", ")}`);
  return found;
}

/** The moment some months after another. */
export function monthsAfter(moment: number, months: number): number {
  const date = new Date(moment);
  return date.setUTCMonth(date.getUTCMonth() + months);
}

/** A moment in milliseconds as records have it: `2026-01-31T12:00:00Z`. */
export function timestampOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d+Z$/, "Z");
}
