const shortest = 0.25;
const longest = 15;
/** The next poll comes after this share of the time already waited. Up to a fifth is taken off at random, so that waits spread. */
const share = 0.09;

/** How long a new resource may be missing from the platform's lists, in seconds. */
export const listingDelay = 60;

/** How long to pause before the next poll, after having waited so long. Both in seconds. */
export function pauseAfter(waited: number): number {
  return Math.min(longest, Math.max(shortest, waited * share * (1 - Math.random() / 5)));
}

/** Seconds in the words of a status line: `40 s`, `3 min 20 s`. */
export function spoken(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds < 1 ? seconds.toFixed(1) : whole} s`;
  return [`${Math.floor(whole / 60)} min`, whole % 60 > 0 && `${whole % 60} s`].filter(Boolean).join(" ");
}
