import { listed } from "@container-platform/sdk";
import type { Props } from "../schema/values.ts";

/** A component that has been made. */
export interface Constructed {
  readonly urn: string;
  /** Its outputs, as they travel. */
  readonly state: Props;
  /** By output: the URNs of the resources that it depends on. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
}

/** How far a component has come. */
export class Progress {
  readonly #toDo = new Set<string>();
  #made: Constructed | undefined;

  /** A child that the component asks the engine for. @param settled rejects if it is not to be had */
  begin(child: string, settled: Promise<unknown>): void {
    this.#toDo.add(child);
    settled.then(
      () => this.#toDo.delete(child),
      // The engine tells why.
      () => undefined,
    );
  }

  /** Its outputs are known. The engine may still be busy with children that are not among them. */
  tells(made: Constructed): void {
    this.#made = made;
  }

  /** The component, if all of it is there. */
  get made(): Constructed | undefined {
    return this.#toDo.size === 0 ? this.#made : undefined;
  }

  /** Says that it is not made, and what of it is not. */
  get unfinished(): string {
    const toDo = this.#toDo.size === 0 ? "" : `; still to do: ${listed([...this.#toDo])}`;
    return `the update ended before all of it was made${toDo}`;
  }
}
