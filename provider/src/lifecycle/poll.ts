import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, pauseAfter, spoken } from "@container-platform/sdk";

/** What a run of the lifecycle may use: the platform, and the person who watches. */
export interface Run {
  readonly cloud: Cloud;
  /** Aborted when the person or the engine wants no more of it. */
  readonly signal: AbortSignal;
  /** Shows what is waited for, in the resource's line. */
  readonly show: (message: string) => void;
  readonly note: (message: string) => void;
  readonly warn: (message: string) => void;
}

/** A wait that took longer than it may. */
class TimedOut extends Error {}
/** A wait that was ended from outside. */
class Interrupted extends Error {}

/** A look may be shared with others that were made this share of the time already waited ago. */
const sharing = 0.02;

/** One wait: looks at once, then ever less often, until nothing is missing. */
export class Patience {
  readonly #run: Run;
  readonly #limit: number;
  readonly #remark: { readonly seconds: number; readonly warning: string } | undefined;
  readonly #begun = performance.now();
  readonly #begunThere: number;
  #since = performance.now();
  #remarked = false;

  /** `limit`: seconds in all. */
  constructor(run: Run, limit: number, remark?: { readonly seconds: number; readonly warning: string }) {
    this.#run = run;
    this.#limit = limit;
    this.#remark = remark;
    this.#begunThere = run.cloud.now();
  }

  /** The platform, seen freshly enough for a look after so long a wait. */
  get cloud(): Cloud {
    return this.#run.cloud.tolerating((performance.now() - this.#since) * sharing);
  }

  /** Something moved: what comes now is a wait of its own. */
  moved(): void {
    this.#since = performance.now();
  }

  /** Pauses until the next look; throws if the time is up, naming what is still missing. `source`: who says so, for that message only. */
  async pause(lack: string, source?: string): Promise<void> {
    const waited = (performance.now() - this.#since) / 1000;
    if ((performance.now() - this.#begun) / 1000 >= this.#limit)
      throw new TimedOut(
        `gave up after ${spoken(this.#limit)}: ${lack}${source === undefined ? "" : ` (${source})`}. The next \`pulumi up\` goes on waiting; \`customTimeouts\` gives it longer`,
      );
    this.#run.show(waited < 1 ? lack : `${lack}, ${spoken(waited)}`);
    this.#sayIfAbnormal();
    const left = this.#limit - (performance.now() - this.#begun) / 1000;
    const next = Math.min(pauseAfter(waited), Math.max(left, 0.01));
    try {
      await sleep(next * 1000, undefined, { signal: this.#run.signal });
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

  #sayIfAbnormal(): void {
    if (this.#remarked || !this.#remark || this.#run.cloud.now() - this.#begunThere < this.#remark.seconds * 1000) return;
    this.#remarked = true;
    this.#run.warn(this.#remark.warning);
  }
}
