import type { Cloud } from "@container-platform/sdk";
import type { Kind, Wait } from "../definition/definition.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";

type Detach = (cloud: Cloud, id: string, wait: Wait) => Promise<unknown>;

/** Resources that may hold on to another one that has to be deleted before its replacement is created. */
export class Holders {
  /** By type and id. */
  readonly #detach = new Map<string, Detach>();

  /**
   * Notes a resource one of whose inputs changes in place and is not known yet. During an update, the engine compares with unknowns
   * for one reason: it looks for what has to be deleted together with a resource that is deleted before its replacement. What only
   * changes stays, and the platform would refuse to delete what it still refers to.
   */
  note(kind: Kind, id: string, known: Props, news: Props): void {
    const steps = Object.entries(kind.rare?.detach ?? {}).flatMap(([key, detach]) => (detach && holdsUnknown(news[key]) ? [detach] : []));
    if (steps.length === 0) return;
    this.#detach.set(`${kind.type} ${id}`, async (cloud, of, wait) => {
      for (const detach of steps) await detach(cloud, known, of, wait);
    });
  }

  /** Detaches all of them from a resource that is to be deleted. Their own updates follow. */
  async detachFrom(cloud: Cloud, id: string, wait: Wait): Promise<void> {
    for (const detach of this.#detach.values()) await detach(cloud, id, wait);
  }
}
