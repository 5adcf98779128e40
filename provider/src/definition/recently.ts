/**
 * Milliseconds that an answer may be old where it was read for the same purpose just before. One that this process has outdated by a write
 * since is never used.
 */
export const recently = 2000;
