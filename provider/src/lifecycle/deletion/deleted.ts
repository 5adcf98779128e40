import type { Kind } from "../../definition/definition.ts";
import { type Props, textsIn } from "../../schema/values.ts";

/** What a run has deleted, or has begun to delete; and what it has not found, of which the engine's state then knows no more. */
export class Deleted {
  /** The ids, by type. */
  readonly #ids = new Map<string, Set<string>>();
  readonly #missing = new Set<string>();

  note({ type }: Kind, id: string): void {
    this.#ids.set(type, (this.#ids.get(type) ?? new Set()).add(id));
  }

  noteMissing({ type }: Kind, id: string): void {
    this.#missing.add(`${type} ${id}`);
  }

  /** Whether the platform has told this run that it is gone, although the state had it. */
  wasMissing({ type }: Kind, id: string): boolean {
    return this.#missing.has(`${type} ${id}`);
  }

  /** Whether it has deleted something of a kind that was inside of a resource. */
  hasInside({ type, id: form, within }: Kind, container: string): boolean {
    return [...(this.#ids.get(type) ?? [])].some((id) => within !== undefined && form.parts(id)?.[within.by] === container);
  }

  has({ type }: Kind, id: string): boolean {
    return this.#ids.get(type)?.has(id) ?? false;
  }

  /**
   * The error of a creation, which may have been told of something that is gone: if the engine deletes first, and the user has limited the
   * run to that one resource, what depends on it is made again with its old inputs.
   */
  explaining(error: unknown, desired: Props): unknown {
    const gone = textsIn(desired).find((text) => [...this.#ids.values()].some((ids) => ids.has(text)));
    if (gone === undefined || !(error instanceof Error)) return error;
    const why = `${gone} was deleted in this same run, and the engine has not told the new one: run \`pulumi up\` (or add --target-dependents)`;
    return new Error(`${error.message}. ${why}`, { cause: error });
  }
}
