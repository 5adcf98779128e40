import type { Attach } from "../definition/definition.ts";
import { Poll } from "./poll.ts";
import { partsOf, type Resource } from "./resource.ts";
import type { Holder } from "./run-session.ts";

/** In seconds: how long the provider tries to attach a resource again. */
const patience = 60;

/** Detaches the resources that refer to a deleted one. If the deletion fails, they are attached again. */
export class Detachment {
  readonly #resource: Resource;
  readonly #poll: Poll;
  readonly #id: string;
  readonly #detached: (readonly [called: string, Attach])[] = [];

  constructor(resource: Resource, poll: Poll, id: string) {
    [this.#resource, this.#poll, this.#id] = [resource, poll, id];
  }

  /** Detaches a resource. Its update, which attaches it to the replacement, or its deletion follows. @returns whether it referred to the deleted one */
  async detach({ kind, id, inputs }: Holder): Promise<boolean> {
    const before = this.#detached.length;
    for (const input of inputs) {
      const attach = await kind.detach?.[input]?.(this.#resource.cloud, partsOf(kind, id), this.#id, this.#poll.until);
      if (attach) this.#detached.push([`${kind.type} ${id}`, attach]);
    }
    return this.#detached.length > before;
  }

  /** Deletes the resource while those that this update attaches to its replacement are detached. */
  async during(work: () => Promise<void>): Promise<void> {
    try {
      for (const holder of this.#resource.session.holdersOf(this.#id)) await this.detach(holder);
      await work();
    } catch (error) {
      const { until } = new Poll(this.#resource, patience);
      for (const [called, attach] of this.#detached)
        await attach(until).catch(() => {
          this.#resource.warn({ code: "SideEffect", message: notAttached(called, this.#id) });
        });
      throw error;
    }
  }
}

const notAttached = (called: string, id: string): string =>
  `${called} was detached from ${id}, which still exists, so ${called} differs from the state. Run \`pulumi up --refresh\``;
