import { PlatformError, spoken } from "@container-platform/sdk";
import type { Context } from "../../definition/context.ts";
import type { Kind } from "../../definition/definition.ts";
import { saidOutliving } from "../../definition/outliving.ts";
import type { Blockers } from "./blockers.ts";
import type { Poll } from "../poll.ts";
import { isGone } from "../../definition/changes.ts";
import { withReason } from "../reconcile.ts";
import type { Props } from "../../schema/values.ts";

interface Task {
  readonly kind: Kind;
  readonly context: Context;
  readonly poll: Poll;
  readonly known: Props;
  /** Whether the creation of the resource ended in a failed state. */
  readonly failed: boolean;
  /** Finds what blocks the deletion, if the API rejects it. */
  readonly blockers?: Blockers;
}

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
    const { remains, outliving } = kind;
    if (remains) await poll.until(() => remains(poll.cloud, known));
    for (const one of outliving?.(known) ?? []) context.warn(`${kind.id.of(known)}: ${saidOutliving(one)}`);
  }

  /** Tries to delete the resource until the platform accepts it. Refusals that pass by themselves are waited for. */
  async #untilAccepted(): Promise<void> {
    const { kind, context, poll, known, failed, blockers } = this.#task;
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
        await blockers?.find(error);
        const explanation = blockers?.explanation?.split("\n", 1)[0]?.replace(/\.$/, "");
        return explanation === undefined || blockers === undefined || blockers.secondsLeft < 1
          ? error.reason
          : `${error.reason}. ${explanation}. Gives up in ${spoken(blockers.secondsLeft)}`;
      }
    };
    await poll.until(ask, () => ({
      source: refusal && `${refusal.code}, request ${refusal.requestId}`,
      remedy: blockers?.explanation,
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
