/** Whether tests do more than usual: `npm run test:long`. */
export const isLong = process.env["CONTAINER_PLATFORM_TESTS"] === "long";

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
