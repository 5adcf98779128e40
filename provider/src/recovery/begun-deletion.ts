import type { Cloud } from "@container-platform/sdk";
import { isGoing, isGone } from "../lifecycle/gone.ts";
import { byCustomTimeouts, type Sequel } from "../lifecycle/poll.ts";
import type { Props } from "../schema/values.ts";
import { IntentLogEntry } from "./intent-log.ts";
import type { Subject } from "./possession.ts";

/** What goes on with a deletion: an `up` of a program that still has the resource does not. */
export const nextDeletion: Sequel = { next: "The next `pulumi destroy`, or `up` without it, goes on", longer: byCustomTimeouts };

/**
 * The deletion of a resource. From before the platform is asked for it until the engine has saved that the resource is gone, the intent log
 * has it. Otherwise, if the run is ended in between, the next `up` of a program that still has the resource would find it unchanged.
 */
export class BegunDeletion {
  readonly #subject: Subject;
  readonly #id: string;

  constructor(subject: Subject, id: string) {
    this.#subject = subject;
    this.#id = id;
  }

  /** Notes that the platform is going to be asked for it. */
  begin(): void {
    this.#entry.write(this.#id);
  }

  /** Notes that the resource is gone. */
  end(): void {
    this.#subject.session.removeAtEnd(this.#entry);
  }

  /** Notes that the resource is a new one. */
  forget(): void {
    this.#entry.remove();
  }

  /** @throws Error if an earlier run has begun it, and the resource that is to stay is going or gone */
  async refuseToStay(cloud: Cloud, known: Props): Promise<void> {
    if (this.#entry.read() === undefined) return;
    const { kind } = this.#subject;
    const live = await kind.read(cloud, known);
    if (!live || isGone(kind, live))
      throw new Error(
        `${kind.type} ${this.#id} is gone: an earlier run has deleted it, and was ended before that was saved. \`pulumi up --refresh\` makes it again, \`pulumi destroy\` goes on with the others`,
      );
    if (isGoing(kind, live))
      throw new Error(
        `${kind.type} ${this.#id} is being deleted, which an earlier run has begun: \`pulumi destroy\` goes on with it. To have it again, wait until it is gone, and run \`pulumi up --refresh\``,
      );
    this.forget();
  }

  get #entry(): IntentLogEntry {
    const { kind, place } = this.#subject;
    return new IntentLogEntry([...place, kind.type, this.#id, "deleted"]);
  }
}
