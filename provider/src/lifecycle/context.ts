import type { Cloud } from "@container-platform/sdk";

/** What work on one resource may use: the platform, and a way to tell the person who watches. */
export interface Context {
  readonly cloud: Cloud;
  /** Aborted when the person or the engine wants the work to end. */
  readonly signal: AbortSignal;
  /** Shows in the resource's line what is waited for, until the next message. */
  readonly show: (message: string) => void;
  readonly note: (message: string) => void;
  readonly warn: (message: string) => void;
}
