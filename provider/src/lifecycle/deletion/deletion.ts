import { PlatformError, spoken } from "@container-platform/sdk";
import type { Context } from "../context.ts";
import type { Kind } from "../../definition/definition.ts";
import { saidOutliving } from "../../definition/outliving.ts";
import { Obstacle, type Search } from "./obstacle.ts";
import type { Poll } from "../poll.ts";
import { isGone } from "../gone.ts";
import { withReason } from "../reconcile.ts";
import type { Props } from "../../schema/values.ts";

interface Task {
  readonly kind: Kind;
  readonly context: Context;
  readonly poll: Poll;
  readonly known: Props;
  /** Whether the creation of the resource ended in a failed state. */
  readonly failed: boolean;
  /** Finds who is in the way, if the platform refuses. */
  readonly search?: Search;
}

const nobody: Search = { strangers: () => Promise.resolve([]), staying: () => Promise.resolve(undefined) };

/** Deletes one resource, and waits until nothing of it is left. It is no error if the resource is gone already. */
export class Deletion {
  readonly #task: Task;

  constructor(task: Task) {
    this.#task = task;
  }

  async carryOut(): Promise<void> {
    const { kind, context, poll, known } = this.#task;
    await this.#untilAccepted();
    if (kind.states) await poll.until(() => this.#stillThere());
    const { remains, outliving } = kind.rare ?? {};
    if (remains) await poll.until(() => remains(poll.cloud, known));
    for (const one of outliving?.(known) ?? []) context.warn(`${kind.id.of(known)}: ${saidOutliving(one)}`);
  }

  /** Tries to delete the resource until the platform accepts it. Refusals that pass by themselves are waited for. */
  async #untilAccepted(): Promise<void> {
    const { kind, context, poll, known, failed, search = nobody } = this.#task;
    const obstacle = new Obstacle(context, poll, search);
    let refusal: PlatformError | undefined;
    const ask = async () => {
      try {
        if (failed) await this.#unprotect();
        await kind.delete(context.cloud, known);
        return undefined;
      } catch (error) {
        if (error instanceof PlatformError && error.kind === "notFound") return undefined;
        if (!passesByItself(error)) throw error;
        refusal = error;
        await obstacle.look(error);
        const { remedy } = obstacle;
        // The progress shows it, too: a warning is soon out of sight.
        return remedy === undefined || obstacle.left < 1
          ? error.reason
          : `${error.reason}. ${remedy}. Gives up in ${spoken(obstacle.left)}`;
      }
    };
    await poll.until(ask, () => ({
      source: refusal && `${refusal.code}, request ${refusal.requestId}`,
      remedy: obstacle.remedy && `${obstacle.remedy}. Then run it again`,
    }));
  }

  /** Lifts the protection of a resource whose creation failed: it holds nothing, and an update could not lift it any more. */
  async #unprotect(): Promise<void> {
    const { kind, context, poll, known } = this.#task;
    const { protectedBy, changes } = kind;
    const step = protectedBy === undefined ? undefined : changes[protectedBy];
    if (protectedBy === undefined || known[protectedBy] !== true || typeof step !== "function") return;
    context.show(`lifts ${protectedBy}`);
    await step(context.cloud, { ...known, [protectedBy]: false }, known, (lacking) => poll.until(lacking));
  }

  async #stillThere(): Promise<string | undefined> {
    const { kind, poll, known } = this.#task;
    const live = await kind.read(poll.cloud, known);
    if (!live || isGone(kind, live)) return undefined;
    const states = Object.entries(kind.states ?? {}).flatMap(([key, readinessOf]) =>
      typeof live[key] === "string" ? [{ state: live[key], readiness: readinessOf[live[key]] }] : [],
    );
    const stuck = states.find(({ readiness }) => readiness === "deletionFailed");
    if (stuck) throw new Error(`it is ${withReason(stuck.state, live)}. The next \`pulumi destroy\` or \`up\` tries again`);
    return states.map(({ state }) => state).join(", ") || "still there";
  }
}

/** Whether a refusal to delete passes by itself: another resource that uses this one is being deleted, or another operation is under way. */
function passesByItself(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.kind === "inUse" || error.kind === "transient");
}
