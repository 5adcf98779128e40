/** Something measured, and what it may be. Without a bound, it is only told. */
export interface Figure {
  readonly name: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Why the bound cannot be kept, as a profile shows it: told where it is missed. */
  readonly missed?: string;
  /** One value a round; the median counts. */
  readonly measured: readonly number[];
}

/** What a figure may be at most, and why it is more. */
export type Goal = Pick<Figure, "atMost" | "missed">;

export type Verdict = "pass" | "FAIL" | "";

export function verdictOf({ atMost, atLeast, measured }: Figure): Verdict {
  if (atMost === undefined && atLeast === undefined) return "";
  const middle = median(measured);
  return middle <= (atMost ?? Infinity) && middle >= (atLeast ?? -Infinity) ? "pass" : "FAIL";
}

/** The bound in words; empty where there is none. */
export function boundOf({ atMost, atLeast }: Figure): string {
  if (atLeast !== undefined) return `at least ${atLeast.toFixed(2)}`;
  return atMost === undefined ? "" : `at most ${atMost.toFixed(2)}`;
}

export function rangeOf({ measured }: Figure): string {
  return `${Math.min(...measured).toFixed(2)} to ${Math.max(...measured).toFixed(2)}`;
}

/** The middle of what was measured, and in brackets the least and the most. */
export function middleOf(measured: readonly number[]): string {
  return `${median(measured).toFixed(2)} (${rangeOf({ name: "", measured })})`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export async function repeated<T>(measure: (round: number) => Promise<T>, times: number): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round++) results.push(await measure(round));
  return results;
}
