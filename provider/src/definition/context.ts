import type { Cloud } from "@container-platform/sdk";
import type { Coded } from "./codes.ts";

/** What work on one resource uses: the platform, and messages to the user. */
export interface Context {
  readonly cloud: Cloud;
  /** Aborted when the user or the engine wants the work to end. */
  readonly signal: AbortSignal;
  /** Shows in the resource's line of the display what the work waits for, until the next message. */
  readonly show: (message: string) => void;
  readonly note: (message: string) => void;
  readonly warn: (warning: Coded) => void;
}

/** Milliseconds for which reads may be late: they may show the platform before a write of this process. */
export const readDelay = 10_000;

/** Milliseconds that a response may be old if it was read for the same purpose just before, and nothing was written since. */
export const recently = 2000;

/** Milliseconds that a response may be old for a first look. It is read again before anything is written. */
export const firstLook = 10_000;
