import { setTimeout as sleep } from "node:timers/promises";
import { nameOf } from "./claims.ts";

/** In milliseconds: when no check has come for so long, the program is taken to have none left that does not wait for an output. */
const pause = 150;

/**
 * The checks of a run, and what may be written meanwhile. In a run without preview, the engine writes the first resources while it still
 * has others checked, one after another, and a failed check does not keep it from beginning what it has planned before. So the first
 * write waits until checks are quiet, and none begins once one has failed.
 *
 * What takes an input from the output of another resource is checked after that is made. So is what a program makes after a pause.
 */
export class QuietChecks {
  #underWay = 0;
  /** When one has begun or ended; in milliseconds. */
  #last = -Infinity;
  /** By URN: which resource is refused, and why. The engine checks none twice after that, but a stand-in of it may, with other inputs. */
  readonly #refused = new Map<string, string>();
  #quiet: Promise<void> | undefined;
  /** The URNs of what this run has deleted. */
  readonly #deleted = new Set<string>();

  /** Checks a resource. @param reasonsIn why the result says no, as an error does */
  checking<T>(urn: string, check: () => Promise<T>, reasonsIn: (result: T) => readonly string[]): Promise<T> {
    return this.#during(urn, check, reasonsIn);
  }

  get haveRefused(): boolean {
    return this.#refused.size > 0;
  }

  /** Compares a resource with what is in the state. */
  comparing<T>(urn: string, compare: () => Promise<T>): Promise<T> {
    return this.#during(urn, compare, () => []);
  }

  async #during<T>(urn: string, work: () => Promise<T>, reasonsIn: (result: T) => readonly string[]): Promise<T> {
    this.#underWay++;
    this.#last = performance.now();
    try {
      const result = await work();
      const reasons = reasonsIn(result);
      if (reasons.length > 0) this.#refused.set(urn, `${calledIn(urn)} is refused: ${reasons.join("; ")}`);
      else this.#refused.delete(urn);
      return result;
    } catch (error) {
      this.#refused.set(urn, `${calledIn(urn)} is refused`);
      throw error;
    } finally {
      this.#underWay--;
      this.#last = performance.now();
    }
  }

  /**
   * Resolves when a resource may be written: the first of a run when checks are quiet, all others at once.
   *
   * @throws Error if a check has failed. What this run has deleted is made anew all the same
   */
  async beforeWriting(urn: string, write: "created" | "updated"): Promise<void> {
    await this.#untilAllowed(this.#deleted.has(urn) ? undefined : write);
  }

  /**
   * The same for a deletion.
   *
   * @param isMadeAnew whether the program has the resource, so that a new one has to follow
   */
  async beforeDeleting(urn: string, isMadeAnew: boolean): Promise<void> {
    await this.#untilAllowed(isMadeAnew ? "replaced" : undefined);
    this.#deleted.add(urn);
  }

  /** @param write what is not done after a refusal; `undefined`: it is done all the same */
  async #untilAllowed(write: string | undefined): Promise<void> {
    await this.#untilQuiet();
    if (write !== undefined) await this.#refuse(write);
  }

  async #refuse(write: string): Promise<void> {
    if (this.#refused.size === 0) return;
    // By then the engine has shown the refusal itself. At the end it shows all again, in no fixed order: each tells the reason.
    await this.#waitUntilQuiet();
    const [why] = this.#refused.values();
    if (why !== undefined) throw new Error(`not ${write}, because ${why}`);
  }

  #untilQuiet(): Promise<void> {
    return (this.#quiet ??= this.#waitUntilQuiet());
  }

  async #waitUntilQuiet(): Promise<void> {
    for (;;) {
      const left = this.#underWay > 0 ? pause : this.#last + pause - performance.now();
      if (left <= 0) return;
      await sleep(left);
    }
  }
}

/** A resource as its program calls it, with its kind. */
function calledIn(urn: string): string {
  const type = urn.split("::").at(-2)?.split(":").at(-1) ?? "";
  return `${type} "${nameOf(urn)}"`;
}
