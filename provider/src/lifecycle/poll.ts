import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, pauseAfter, spoken } from "@container-platform/sdk";
import { ProviderError } from "../definition/codes.ts";
import type { Context } from "../definition/context.ts";

/** Where a poll has learned what is missing and, unless waiting helps, what to do. It is shown if the time is up. */
interface Lack {
  readonly source?: string | undefined;
  readonly remedy?: string | undefined;
}

interface PollOptions {
  /** What continues the work after this poll has ended, such as "The next `pulumi up` continues". */
  readonly next?: string;
  /** What gives the work longer, if anything does. The limit of work on a resource of the program is an option of that. */
  readonly longer?: string | undefined;
  /** A warning, and the seconds of the platform's clock after which it is shown. */
  readonly slow?: { readonly seconds: number; readonly warning: string } | undefined;
}

/** The greatest age of a shared reading that a poll accepts, as a fraction of the time waited so far. */
const toleratedAge = 0.02;

/** Polls until nothing is missing: at once, then after growing pauses. */
export class Poll {
  readonly #context: Context;
  /** Seconds in all. */
  readonly limit: number;
  readonly #options: PollOptions;
  readonly #begun = performance.now();
  readonly #begunThere: number;
  #since = performance.now();
  #isWarned = false;

  constructor(context: Context, limit: number, options: PollOptions = {}) {
    this.#context = context;
    this.limit = limit;
    this.#options = { next: "The next `pulumi up` continues", longer: "`customTimeouts` sets a longer limit", ...options };
    this.#begunThere = context.cloud.now();
  }

  /** The platform. The longer the wait has been, the older may shared readings be. */
  get cloud(): Cloud {
    return this.#context.cloud.tolerating((performance.now() - this.#since) * toleratedAge);
  }

  /** Seconds until it gives up. */
  get left(): number {
    return Math.max(0, this.limit - (performance.now() - this.#begun) / 1000);
  }

  /** Begins with the shortest pause again, after a change. */
  restart(): void {
    this.#since = performance.now();
  }

  /** Pauses until the next poll. @throws Error if the time is up, or the work has to end */
  async pause(lack: string, { source, remedy }: Lack = {}): Promise<void> {
    const { next = "", longer, slow } = this.#options;
    const waited = (performance.now() - this.#since) / 1000;
    if (this.left === 0) {
      const byWaiting = [`${next} to wait`, longer].filter((part) => part !== undefined).join("; ");
      const reported = source === undefined ? lack : `${lack} (${source})`;
      throw new ProviderError("TimedOut", `gave up after ${spoken(this.limit)}: ${reported}. ${remedy ?? byWaiting}`);
    }
    this.#context.show(waited < 1 ? lack : `${lack}, ${spoken(waited)}`);
    if (!this.#isWarned && slow && this.#context.cloud.now() - this.#begunThere >= slow.seconds * 1000) {
      this.#isWarned = true;
      this.#context.warn({ code: "TimedOut", message: slow.warning });
    }
    const seconds = Math.min(pauseAfter(waited), Math.max(this.left, 0.01));
    await sleep(seconds * 1000, undefined, { signal: this.#context.signal }).catch(() => {
      throw new ProviderError("Interrupted", `interrupted: ${lack}. ${next} from here`);
    });
  }

  /** Calls `lacking` until it returns `undefined`. */
  readonly until = async (lacking: () => Promise<string | undefined>, more?: () => Lack): Promise<void> => {
    for (let lack = await lacking(); lack !== undefined; lack = await lacking()) await this.pause(lack, more?.());
  };
}
