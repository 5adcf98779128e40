import { appendFileSync } from "node:fs";

/** Whether random tests run all their rounds, and in every form: `npm run test:long`. */
export const isWhole = process.env["CONTAINER_PLATFORM_TESTS"] === "long";

export interface Rounds {
  /** How many there are in `npm run test:long`. */
  readonly whole: number;
  /** How long `npm run test:all` goes on with them, in seconds. One round is always run. */
  readonly seconds: number;
}

/**
 * Runs a random test round after round, each with a seed of its own. `npm run test:long` runs all rounds, from seed 1; otherwise the first
 * seed is a new one each time, and rounds are run for a share of the time. `CONTAINER_PLATFORM_SEED` names another first seed. How many
 * rounds were run, from which seed, stands in the last lines of the run.
 */
export async function inRounds(test: string, { whole, seconds }: Rounds, round: (seed: number) => Promise<unknown>): Promise<void> {
  const first = Number(process.env["CONTAINER_PLATFORM_SEED"] ?? (isWhole ? 1 : Date.now() % 1_000_000_000));
  const end = performance.now() + seconds * 1000;
  let done = 0;
  try {
    do {
      await round(first + done);
      done++;
    } while (isWhole ? done < whole : performance.now() < end);
  } catch (error) {
    throw new Error(
      `in the round with CONTAINER_PLATFORM_SEED=${first + done}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    report(`${String(done).padStart(8)}    ${test}, from seed ${first}`);
  }
}

function report(line: string): void {
  const file = process.env["CONTAINER_PLATFORM_ROUNDS"];
  if (file === undefined) console.log(line);
  else appendFileSync(file, `${line}\n`);
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const once = Math.imul(state ^ (state >>> 15), state | 1);
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
}
