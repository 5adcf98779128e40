import type { Cloud } from "@container-platform/sdk";
import type { Kind, Wait } from "../definition/definition.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";

type Detach = (cloud: Cloud, id: string, wait: Wait) => Promise<unknown>;

/** Resources that may have to detach from another one, because that one is deleted before its replacement is created. */
export class Holders {
  /** By type and id. */
  readonly #detach = new Map<string, Detach>();

  /**
   * Notes a resource that changes in place, if the new value of an input that can be detached is not known yet. During an update, the
   * engine plans with unknown values for one reason only: it looks for the resources that have to be deleted together with one that is
   * deleted before its replacement. A resource that only changes stays, and the platform refuses to delete what it still refers to.
   */
  note(kind: Kind, id: string, known: Props, news: Props): void {
    const steps = Object.entries(kind.rare?.detach ?? {}).flatMap(([key, detach]) => (detach && holdsUnknown(news[key]) ? [detach] : []));
    if (steps.length === 0) return;
    this.#detach.set(`${kind.type} ${id}`, async (cloud, of, wait) => {
      for (const detach of steps) await detach(cloud, known, of, wait);
    });
  }

  /** Detaches all of them from a resource that is about to be deleted. Their own updates follow later. */
  async detachFrom(cloud: Cloud, id: string, wait: Wait): Promise<void> {
    for (const detach of this.#detach.values()) await detach(cloud, id, wait);
  }
}
