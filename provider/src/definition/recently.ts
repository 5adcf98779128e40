/**
 * Milliseconds that an answer may be old where it was read for the same purpose just before. One that this process has outdated by a write
 * since is never used.
 */
export const recently = 2000;

/** Milliseconds that an answer may be old where it is only a first look: what matters is looked at again before anything is written. */
export const firstLook = 10_000;
