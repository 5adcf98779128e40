import { exportOf } from "./stack-export.ts";
import type { Props } from "./structs.ts";

interface Saved {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
  readonly isOfThisUpdate: boolean;
}

interface Begun {
  readonly urn: string;
  readonly inputs: Props;
}

/** The ID of the provider in the state, from which the mark is made. */
export const providerId = "7c4c1a5e-0000-4000-8000-000000000002";

/** What Pulumi would have saved of the resources that tests create and delete: for `pulumi stack export`. */
export class SimulatedState {
  #resources: readonly Saved[] = [];
  #begun: readonly Begun[] = [];
  #isReadable = true;
  /** Whether the program has the option `retainOnDelete`. */
  isRetaining = false;
  changed: () => void = () => undefined;

  async creating<T extends { readonly id: string; readonly outputs: Props }>(inputs: Props, create: () => Promise<T>): Promise<T> {
    const begun = { urn: String(inputs["__urn"]), inputs };
    this.#set(this.#resources, [...this.#begun, begun]);
    const end = (made: { readonly id: string; readonly outputs: Props } | undefined) => {
      // Pulumi was killed meanwhile.
      if (!this.#begun.includes(begun)) return;
      const saved = made ? [{ ...begun, ...made, isOfThisUpdate: true }] : [];
      this.#set(
        [...this.#resources, ...saved],
        this.#begun.filter((one) => one !== begun),
      );
    };
    try {
      const made = await create();
      end(made);
      return made;
    } catch (error) {
      end(isMade(error) ? { id: error.id, outputs: error.properties } : undefined);
      throw error;
    }
  }

  /** A resource was deleted. The states of early versions do not record its URN. */
  deleted(id: string, { __urn: urn }: Props): void {
    this.#set(
      this.#resources.filter((one) => one.id !== id || (urn !== undefined && one.urn !== urn)),
      this.#begun,
    );
  }

  /** A resource has got another URN, by the option `aliases`. */
  renamed(id: string, from: unknown, to: unknown): void {
    this.#set(
      this.#resources.map((one) => (one.id === id && one.urn === from ? { ...one, urn: String(to) } : one)),
      this.#begun,
    );
  }

  /** The update has ended. With `SIGKILL`, Pulumi was killed, and has saved nothing but that creations began. */
  ended(by: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    const isKilled = by === "SIGKILL";
    const lost = this.#resources.filter((one) => isKilled && one.isOfThisUpdate);
    this.#set(
      this.#resources.filter((one) => !lost.includes(one)).map((one) => ({ ...one, isOfThisUpdate: false })),
      // The copies are left by creations that are under way.
      isKilled ? [...this.#begun, ...lost].map(({ urn, inputs }) => ({ urn, inputs })) : this.#begun,
    );
  }

  clearPendingCreates(): void {
    this.#set(this.#resources, []);
  }

  forget(): void {
    this.#set([], []);
  }

  /** `pulumi stack export` fails from now on, or no longer. */
  setReadable(isReadable: boolean): void {
    this.#isReadable = isReadable;
    this.changed();
  }

  /** As `pulumi stack export` prints it; empty if that fails. */
  get exported(): string {
    if (!this.#isReadable) return "";
    const retained = <T extends Begun>(one: T) => ({ ...one, retainOnDelete: this.isRetaining });
    return exportOf({
      project: "laws",
      providerId,
      resources: this.#resources.map(retained),
      pending: this.#begun.map((one) => ({ type: "creating", resource: retained(one) })),
    });
  }

  #set(resources: readonly Saved[], begun: readonly Begun[]): void {
    this.#resources = resources;
    this.#begun = begun;
    this.changed();
  }
}

function isMade(error: unknown): error is { readonly id: string; readonly properties: Props } {
  return typeof error === "object" && error !== null && "id" in error && typeof error.id === "string" && "properties" in error;
}
