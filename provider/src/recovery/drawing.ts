import type { Kind } from "../definition/definition.ts";
import { isRefused } from "../lifecycle/errors.ts";
import { IntentLogEntry } from "./intent-log.ts";
import type { Subject } from "./possession.ts";

/**
 * An output that only the answer to its drawing tells, such as a password. From before the drawing until the engine has saved the
 * output, the intent log says that the one in the state may be dead. Otherwise a run that is killed in between would leave a dead one,
 * and nobody would know if the program is put back to what it was.
 */
export class Drawing {
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Why the output in the state may be dead; `undefined` if it is not known to be. */
  get doubt(): ReturnType<NonNullable<Kind["due"]>> {
    const { session, urn } = this.#subject;
    const property = this.#property;
    if (property === undefined || session.drawn.has(urn) || this.#entry.read() === undefined) return undefined;
    const why = `the ${property} in the state may not be the one that works: a run was ended while another was drawn. \`up\` draws another`;
    return { property, why };
  }

  /** Draws it anew. */
  async carryOut<T>(draw: () => Promise<T>): Promise<T> {
    if (this.#property === undefined) return draw();
    const { session, urn } = this.#subject;
    const isDoubtful = this.doubt !== undefined;
    session.drawn.delete(urn);
    this.#entry.write(this.#property);
    try {
      const drawn = await draw();
      session.drawn.add(urn);
      session.removeAtEnd(this.#entry);
      return drawn;
    } catch (error) {
      if (isRefused(error) && !isDoubtful) this.#entry.remove();
      throw error;
    }
  }

  /** Notes that the resource is a new one, or gone. */
  forget(): void {
    if (this.#property !== undefined) this.#entry.remove();
  }

  get #property(): string | undefined {
    return this.#subject.kind.rare?.toldOnce;
  }

  get #entry(): IntentLogEntry {
    const { place, urn } = this.#subject;
    return new IntentLogEntry([...place, urn, "drawn"]);
  }
}
