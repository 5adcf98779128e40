import type { AnyStep } from "../definition/definition.ts";
import { passes } from "../definition/failures.ts";

/** In milliseconds: how long the platform may take until it shows the effect of a call that has failed. */
const grace = 2000;
/** How often a step is taken that fails, and changes nothing. */
const attempts = 5;

/**
 * Steps that have failed for a passing reason. The platform may have carried them out all the same, so it is looked at before a step is
 * taken again, as the next run would do.
 */
export class PassingFailures {
  readonly #failed = new Map<AnyStep, { readonly times: number; readonly at: number }>();

  /**
   * Notes that a step has failed. Returns what the reconciliation waits for.
   *
   * @throws the error, if it does not pass by itself, or has not passed for too long
   */
  note(step: AnyStep, error: unknown): string {
    const times = (this.#failed.get(step)?.times ?? 0) + 1;
    if (!passes(error) || times >= attempts) throw error;
    this.#failed.set(step, { times, at: performance.now() });
    return error.reason;
  }

  /** Whether a step has failed, and has shown no effect for a while. */
  isToRepeat(step: AnyStep): boolean {
    const failed = this.#failed.get(step);
    return failed !== undefined && performance.now() - failed.at >= grace;
  }

  /** Notes that there is progress since a step has failed. */
  forget(step: AnyStep): void {
    this.#failed.delete(step);
  }
}
