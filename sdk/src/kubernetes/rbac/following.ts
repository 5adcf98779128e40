import type { Change } from "../control-plane/api-client.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { whileRunning } from "../control-plane/while-running.ts";

export type ChangedObject = Exclude<Change, { readonly type: "SYNCED" }>;

interface Followed {
  /** The path of a collection. */
  readonly path: string;
  /** Such as the type of objects with their metadata alone. */
  readonly accept?: string;
  /** Is called for what is there, and then for each change, one after the other. */
  readonly changed: (change: ChangedObject) => Promise<void> | void;
}

/** Follows collections of a cluster until it is disposed of, or the control plane ends. */
export class Following implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #report: (mistake: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #all: Promise<void>[] = [];

  constructor(plane: ControlPlane, report: (mistake: unknown) => void) {
    this.#plane = plane;
    this.#report = whileRunning(plane, report);
  }

  /** Begins to follow a collection. Is resolved once all has been told that was there. */
  begin({ path, accept, changed }: Followed): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve, reject) => {
      const follow = async () => {
        for await (const change of this.#plane.api.follow(path, signal, accept))
          if (change.type === "SYNCED") resolve();
          else await changed(change);
      };
      this.#all.push(
        follow().catch((error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          if (!signal.aborted) this.#report(error);
        }),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#all);
  }
}
