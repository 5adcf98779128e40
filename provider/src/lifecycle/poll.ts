import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, pauseAfter, spoken } from "@container-platform/sdk";
import type { Context } from "../definition/context.ts";

/** A wait took longer than its limit. */
class TimedOut extends Error {}
/** A wait was ended by the user or the engine. */
class Interrupted extends Error {}

/** What a poll says besides what is missing, if the time is up. */
interface Lack {
  readonly source?: string | undefined;
  readonly remedy?: string | undefined;
}

/** What a wait leads to that ended before what it waited for. */
export interface Sequel {
  /** What goes on with the work, such as "The next `pulumi up` goes on". */
  readonly next: string;
  /** What gives it longer, if anything does. */
  readonly longer?: string;
}

/** The limit of work on a resource of the program is an option of that. */
const byCustomTimeouts = "`customTimeouts` gives it longer";

/** A deletion continues only with an update that deletes the resource. */
export const nextDeletion: Sequel = { next: "The next `pulumi destroy`, or `up` without it, goes on", longer: byCustomTimeouts };

const nextUp: Sequel = { next: "The next `pulumi up` goes on", longer: byCustomTimeouts };

/** The greatest age of a shared reading that a poll accepts, as a fraction of the time waited so far. */
const toleratedAge = 0.02;

/** Polls until nothing is missing: at once, then after growing pauses. */
export class Poll {
  readonly #context: Context;
  /** Seconds in all. */
  readonly limit: number;
  readonly #remark: { readonly seconds: number; readonly warning: string } | undefined;
  readonly #sequel: Sequel;
  readonly #begun = performance.now();
  readonly #begunThere: number;
  #since = performance.now();
  #remarked = false;

  /**
   * @param limit seconds in all
   * @param remark a warning that is shown after so many seconds of the platform's clock
   */
  constructor(context: Context, limit: number, remark?: { readonly seconds: number; readonly warning: string }, sequel = nextUp) {
    this.#context = context;
    this.limit = limit;
    this.#remark = remark;
    this.#sequel = sequel;
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

  /**
   * Pauses until the next poll.
   *
   * @param lack what is still missing
   * @param source the call that reported this; the message names it if the time is up
   * @param remedy what to do if the time is up, unless waiting helps
   * @throws if the time is up, or the work has to end
   */
  async pause(lack: string, { source, remedy = this.#goesOnWaiting }: Lack = {}): Promise<void> {
    const waited = (performance.now() - this.#since) / 1000;
    if (this.left === 0)
      throw new TimedOut(`gave up after ${spoken(this.limit)}: ${lack}${source === undefined ? "" : ` (${source})`}. ${remedy}`);
    this.#context.show(waited < 1 ? lack : `${lack}, ${spoken(waited)}`);
    this.#warnIfAbnormal();
    const next = Math.min(pauseAfter(waited), Math.max(this.left, 0.01));
    try {
      await sleep(next * 1000, undefined, { signal: this.#context.signal });
    } catch {
      throw new Interrupted(`interrupted: ${lack}. ${this.#sequel.next} from here`);
    }
  }

  get #goesOnWaiting(): string {
    const { next, longer } = this.#sequel;
    return [`${next} waiting`, longer].filter((part) => part !== undefined).join("; ");
  }

  /** Calls `lacking` until it returns `undefined`. */
  async until(lacking: () => Promise<string | undefined>, more?: () => Lack): Promise<void> {
    for (;;) {
      const lack = await lacking();
      if (lack === undefined) return;
      await this.pause(lack, more?.());
    }
  }

  #warnIfAbnormal(): void {
    if (this.#remarked || !this.#remark || this.#context.cloud.now() - this.#begunThere < this.#remark.seconds * 1000) return;
    this.#remarked = true;
    this.#context.warn(this.#remark.warning);
  }
}
