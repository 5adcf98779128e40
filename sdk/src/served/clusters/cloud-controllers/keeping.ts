import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { Watched } from "../control-plane/watched.ts";

/** After work that failed, in milliseconds. */
const pause = 1000;

/** What the controllers of a cluster share while its control plane runs. */
export class Keeping {
  readonly controlPlane: ControlPlane;
  /** Aborted when the control plane ends. */
  readonly signal: AbortSignal;
  readonly #report: (mistake: unknown) => void;
  #turn: Promise<void> = Promise.resolve();

  constructor(controlPlane: ControlPlane, signal: AbortSignal, report: (mistake: unknown) => void) {
    this.controlPlane = controlPlane;
    this.signal = signal;
    this.#report = report;
  }

  /** Handles each object of a collection that is new or has changed, one after the other. A failure is reported, and handled again later. */
  keep<T extends { readonly metadata: { readonly name: string; readonly namespace: string } }>(
    collection: Watched<T>,
    work: (object: T) => Promise<void>,
  ): void {
    const look = async (object: T): Promise<void> => {
      const isCurrent = () => !this.signal.aborted && collection.get(object.metadata.name, object.metadata.namespace) === object;
      if (!isCurrent()) return;
      try {
        await work(object);
      } catch (error) {
        if (!isCurrent()) return;
        this.#report(error);
        await sleep(pause, undefined, { signal: this.signal, ref: false }).catch(() => undefined);
        collection.changed?.(object);
      }
    };
    collection.changed = (object) => {
      this.#turn = this.#turn.then(() => look(object));
    };
  }

  /** Resolved once all work that was begun is done. */
  get done(): Promise<void> {
    return this.#turn;
  }
}
