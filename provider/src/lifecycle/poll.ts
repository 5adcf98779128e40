import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, pauseAfter, spoken } from "@container-platform/sdk";
import type { Context } from "./context.ts";

/** A wait that took longer than it may. */
class TimedOut extends Error {}
/** A wait that was ended from outside. */
class Interrupted extends Error {}

/** A poll may share a reading that is no older than this share of the time waited so far. */
const sharing = 0.02;

/** Polls until nothing is missing: at once, then after pauses that grow. */
export class Poll {
  readonly #context: Context;
  readonly #limit: number;
  readonly #remark: { readonly seconds: number; readonly warning: string } | undefined;
  readonly #begun = performance.now();
  readonly #begunThere: number;
  #since = performance.now();
  #remarked = false;

  /** `limit`: seconds in all. `remark`: a warning, after so many seconds of the platform's clock. */
  constructor(context: Context, limit: number, remark?: { readonly seconds: number; readonly warning: string }) {
    this.#context = context;
    this.#limit = limit;
    this.#remark = remark;
    this.#begunThere = context.cloud.now();
  }

  /** The platform, with readings that are fresh enough after so long a wait. */
  get cloud(): Cloud {
    return this.#context.cloud.tolerating((performance.now() - this.#since) * sharing);
  }

  /** Something was changed: the pauses begin with the shortest again. */
  restart(): void {
    this.#since = performance.now();
  }

  /**
   * Pauses until the next poll.
   *
   * @param lack what is still missing
   * @param source which call told so; it is said if the time is up
   * @throws if the time is up, or the work is to end
   */
  async pause(lack: string, source?: string): Promise<void> {
    const waited = (performance.now() - this.#since) / 1000;
    if ((performance.now() - this.#begun) / 1000 >= this.#limit)
      throw new TimedOut(
        `gave up after ${spoken(this.#limit)}: ${lack}${source === undefined ? "" : ` (${source})`}. The next \`pulumi up\` goes on waiting; \`customTimeouts\` gives it longer`,
      );
    this.#context.show(waited < 1 ? lack : `${lack}, ${spoken(waited)}`);
    this.#warnIfAbnormal();
    const left = this.#limit - (performance.now() - this.#begun) / 1000;
    const next = Math.min(pauseAfter(waited), Math.max(left, 0.01));
    try {
      await sleep(next * 1000, undefined, { signal: this.#context.signal });
    } catch {
      throw new Interrupted(`interrupted: ${lack}. The next \`pulumi up\` goes on from here`);
    }
  }

  /** Asks until nothing is missing. */
  async until(lacking: () => Promise<string | undefined>, source?: () => string | undefined): Promise<void> {
    for (;;) {
      const lack = await lacking();
      if (lack === undefined) return;
      await this.pause(lack, source?.());
    }
  }

  #warnIfAbnormal(): void {
    if (this.#remarked || !this.#remark || this.#context.cloud.now() - this.#begunThere < this.#remark.seconds * 1000) return;
    this.#remarked = true;
    this.#context.warn(this.#remark.warning);
  }
}
