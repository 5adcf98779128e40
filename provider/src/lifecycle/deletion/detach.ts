import type { Cloud } from "@container-platform/sdk";
import type { Kind, Wait } from "../../definition/definition.ts";
import type { Context } from "../../definition/context.ts";
import { Poll } from "../poll.ts";
import { holdsUnknown, type Props, textsIn } from "../../schema/values.ts";

interface Holder {
  /** Whether the state says that it refers to a resource, by its id. */
  readonly refersTo: (id: string) => boolean;
  readonly detach: (cloud: Cloud, id: string, wait: Wait) => Promise<void>;
  readonly attach: (cloud: Cloud, wait: Wait) => Promise<void>;
}

/** In seconds: for so long, it is tried to attach a resource again. */
const patience = 60;

/** Resources that may have to detach from another one, because that one is deleted before its replacement is created. */
export class Holders {
  /** By type and id. */
  readonly #holders = new Map<string, Holder>();

  /**
   * Notes a resource that changes in place, if the new value of an input that can be detached is not known yet. During an update, the
   * engine plans with unknown values for one reason only: it looks for the resources that have to be deleted together with one that is
   * deleted before its replacement. A resource that only changes stays, and the platform refuses to delete what it still refers to.
   */
  note(kind: Kind, id: string, known: Props, news: Props): void {
    const steps = Object.entries(kind.detach ?? {}).flatMap(([key, detach]) =>
      detach && holdsUnknown(news[key]) ? [{ key, detach, change: kind.changes[key] }] : [],
    );
    if (steps.length === 0) return;
    this.#holders.set(`${kind.type} ${id}`, {
      refersTo: (other) => steps.some(({ key }) => textsIn(known[key]).includes(other)),
      detach: async (cloud, of, wait) => {
        for (const { detach } of steps) await detach(cloud, known, of, wait);
      },
      attach: async (cloud, wait) => {
        for (const { key, change } of steps)
          if (typeof change === "function") await change(cloud, known, { ...known, [key]: undefined }, wait);
      },
    });
  }

  /**
   * Detaches those that refer to a resource which is about to be deleted, and does that. Their own updates follow later: but not if the
   * deletion fails. Then they are brought back to what the state says.
   */
  async whileDetached(context: Context, id: string, poll: Poll, work: () => Promise<void>): Promise<void> {
    const holders = [...this.#holders].filter(([, { refersTo }]) => refersTo(id));
    try {
      for (const [, { detach }] of holders) await detach(context.cloud, id, (lacking) => poll.until(lacking));
      await work();
    } catch (error) {
      await attachAgain(context, id, holders);
      throw error;
    }
  }
}

async function attachAgain(context: Context, id: string, holders: readonly (readonly [string, Holder])[]): Promise<void> {
  for (const [holder, { attach }] of holders)
    try {
      const poll = new Poll(context, patience);
      await attach(context.cloud, (lacking) => poll.until(lacking));
    } catch {
      context.warn(`${holder} was detached from ${id}, which is still there, and is not as its state says: run \`pulumi up --refresh\``);
    }
}
