import { type Cloud, listed, listingDelay, PlatformError } from "@container-platform/sdk";
import { type Context, recently } from "../definition/context.ts";
import { Terminal } from "./errors.ts";
import type { AnyChange, AnyLive, AnyStep, Kind } from "../definition/definition.ts";
import { isOnPlatform, isOtherwise, StatePatch } from "../definition/changes.ts";
import { isOldStackTag, ownedBy, ownerKey, ownerOf, ownershipOf } from "../ownership/tags.ts";
import { cleanProps, pick, type Props, same } from "../schema/values.ts";
import { changesOnTop } from "./drift.ts";
import { PassingFailures } from "./passing-failures.ts";
import { Poll } from "./poll.ts";

interface Task {
  readonly kind: Kind;
  readonly context: Context;
  readonly id: string;
  /** The inputs of the program, and the parts of the id. */
  readonly desired: Props;
  /** The inputs as the program has said them before, in an update of what is finished: only what has changed since is written. */
  readonly said?: Props | undefined;
  /** The names of the inputs that the program gives as secrets. */
  readonly secrets: readonly string[];
  /** How many seconds it may take. */
  readonly limit: number;
  /** The resource was just created: it may be missing from lists for a while, and a failed state is final. */
  readonly fresh: boolean;
  /** This run has created it, and not taken it over from an earlier one. */
  readonly isNew: boolean;
  /** Whether the resource has to be renewed, once. */
  readonly renew: boolean;
  /** The URN of the resource. */
  readonly urn: string;
  /** Whether it is imported or renamed, so that its tags have to name the owner before anything else is changed. */
  readonly isTaken: boolean;
}

/**
 * Makes a resource as desired: reads it, waits while a state is pending, takes the first step of the change table whose input differs,
 * and begins again, until nothing differs. Creations, updates, and both after an interruption are this same loop.
 */
export class Reconciliation {
  readonly #task: Task;
  readonly #poll: Poll;
  /** The steps taken so far, each with the live values before it. */
  readonly #taken = new Map<AnyStep, Props>();
  readonly #begun = performance.now();
  readonly #failures = new PassingFailures();
  #renew: boolean;
  /** Whether the last thing that happened was a write of this resource: what was read after it, for whatever purpose, tells its effect. */
  #hasWritten: boolean;
  #marked = false;
  /** The inputs that the creation could not carry, until they are set. */
  #uncarried: readonly string[];
  /** Whether the resource's tags name the owner, as far as they have to. */
  isMarked: boolean;
  /** The properties that are known so far. After a failure, they are saved. */
  reached: Props;

  constructor(task: Task, known: Props) {
    const { kind, context, limit, fresh, isNew, desired, renew, isTaken } = task;
    this.#task = task;
    this.#poll = new Poll(context, limit, fresh ? kind.slowCreation : undefined);
    this.#renew = renew;
    this.#hasWritten = fresh;
    const uncarried = isNew ? (kind.afterCreation ?? []) : [];
    this.#uncarried = uncarried.filter((key) => desired[key] !== undefined);
    this.isMarked = !isTaken || kind.tagsInput === undefined;
    const local = Object.keys(kind.changes).filter((key) => !isOnPlatform(kind, key));
    this.reached = { ...known, ...Object.fromEntries(local.map((key) => [key, desired[key]])) };
  }

  /** Resolves to the live resource once it is as desired. */
  async settle(): Promise<AnyLive> {
    await this.#complete();
    for (;;) {
      const live = await this.#lookAtLatest();
      const pending = live === undefined ? "not listed yet" : this.#pending(live);
      if (live === undefined || pending !== undefined) {
        await this.#poll.pause(pending ?? "");
        continue;
      }
      const outcome = await this.#advance(live);
      if (outcome === "settled") return live;
      this.#hasWritten = outcome === "advanced";
      if (outcome === "advanced") this.#poll.restart();
      else await this.#poll.pause(outcome.lack);
    }
  }

  /** Sets the inputs that the creation could not carry. If the platform does not know the resource yet, or is busy, the loop sets them. */
  async #complete(): Promise<void> {
    const { kind, desired } = this.#task;
    const keys = this.#uncarried;
    const before = { ...this.reached, ...without(keys) };
    this.#uncarried = [];
    for (const step of new Set(keys.map((key) => stepOf(kind.changes[key]))))
      try {
        if (step) await this.#carryOut(step, {}, before, desired);
      } catch (error) {
        if (!step || !(error instanceof PlatformError) || error.kind !== "notFound") throw error;
        this.#taken.delete(step);
      }
  }

  /**
   * After a write of this resource, a recent look for another purpose will do to see that all is done. What is written next is planned on
   * a look of its own: others may have changed the resource since the recent one, and a step may write what it was planned on.
   */
  async #lookAtLatest(): Promise<AnyLive | undefined> {
    const { cloud } = this.#task.context;
    if (!this.#hasWritten) return this.#look(this.#poll.cloud);
    this.#hasWritten = false;
    const asked = performance.now();
    const live = await this.#look(cloud.tolerating(recently));
    if (!live || this.#pending(live) !== undefined || !this.#isToChange(live)) return live;
    return this.#look(cloud.tolerating(performance.now() - asked));
  }

  async #look(cloud: Cloud): Promise<AnyLive | undefined> {
    const { kind, id, fresh } = this.#task;
    const asked = performance.now();
    const live = await kind.read(cloud, this.reached);
    if (live) this.reached = { ...this.reached, ...ownProperties(kind, live) };
    else if (!fresh || asked > this.#begun + listingDelay * 1000)
      throw new Error(`${kind.type} ${id} no longer exists; \`pulumi up --refresh\` makes it again`);
    return live;
  }

  /** What the resource is still waiting for; `undefined` when it is ready. */
  #pending(live: AnyLive): string | undefined {
    const { kind, fresh } = this.#task;
    const states = Object.entries(kind.states ?? {}).flatMap(([key, readinessOf]) => {
      const state = live[key];
      return typeof state === "string" ? [{ state, readiness: readinessOf[state] ?? "pending" }] : [];
    });
    const failed = states.find(({ readiness }) => readiness !== "pending" && readiness !== "ready");
    if (failed) {
      const todo = fresh
        ? "The next `pulumi up` deletes it and makes a new one"
        : "Look at it in the console; `pulumi up` goes on once it has recovered";
      throw new Terminal(`it is ${withReason(failed.state, live)}`, todo);
    }
    const pending = states.filter(({ readiness }) => readiness === "pending").map(({ state }) => state);
    if (pending.length > 0) return [pending.join(", "), live.reason].filter(Boolean).join(": ");
    return live.lacking;
  }

  /** Takes the first step that is due. */
  async #advance(live: AnyLive): Promise<"settled" | "advanced" | { readonly lack: string }> {
    const { kind } = this.#task;
    const desired = this.#desiredOn(live);
    if (!this.isMarked || (isOldStackTag(ownershipOf(live).stack) && this.#isToChange(live))) {
      const outcome = await this.#mark(live);
      if (outcome !== "marked") return outcome;
    }
    const { renew } = kind;
    if (this.#renew && renew) {
      this.#renew = false;
      // A change of an input may do the same, and is made below.
      const isChange = Object.keys(kind.changes).some(
        (key) => stepOf(kind.changes[key]) === renew && isOtherwise(kind, key, desired, live),
      );
      if (!isChange) {
        await this.#take(renew, live, desired);
        return "advanced";
      }
    }
    for (const key of Object.keys(kind.changes)) {
      const step = stepOf(kind.changes[key]);
      if (!step || !isOtherwise(kind, key, desired, live)) continue;
      const inputs = inputsOf(kind, step);
      const before = cleanProps(pick(live, inputs));
      const isRepeated = same(this.#taken.get(step), before);
      if (isRepeated && !this.#failures.isToRepeat(step))
        return { lack: `${listed(inputs)} ${inputs.length === 1 ? "shows" : "show"} no change yet` };
      if (!isRepeated) this.#failures.forget(step);
      return this.#carryOut(step, before, live, desired);
    }
    return "settled";
  }

  /** Whether a step is due, or the resource still has to be marked or renewed. */
  #isToChange(live: AnyLive, desired = this.#desiredOn(live)): boolean {
    const { kind } = this.#task;
    const isStepDue = (key: string) => stepOf(kind.changes[key]) !== undefined && isOtherwise(kind, key, desired, live);
    return !this.isMarked || this.#renew || Object.keys(kind.changes).some(isStepDue);
  }

  #desiredOn(live: AnyLive): Props {
    const { kind, said, desired, secrets } = this.#task;
    return said ? changesOnTop(kind, desired, said, live, secrets) : desired;
  }

  /** Takes a step whose inputs were as `before`. If it fails for a passing reason, the looks show whether it has to be taken again. */
  async #carryOut(step: AnyStep, before: Props, live: AnyLive, desired: Props): Promise<"advanced" | { readonly lack: string }> {
    this.#taken.set(step, before);
    try {
      await this.#take(step, live, desired);
    } catch (error) {
      return { lack: this.#failures.note(step, error) };
    }
    this.reached = { ...this.reached, ...pick(desired, inputsOf(this.#task.kind, step)) };
    return "advanced";
  }

  /** Writes the owner and the stack into the tags. Changes of tags keep what they see there, so both have to be visible before them. */
  async #mark(live: AnyLive): Promise<"marked" | "advanced" | { readonly lack: string }> {
    const { kind, urn } = this.#task;
    const step = stepOf(kind.changes[kind.tagsInput ?? ""]);
    const { owner, stack } = ownershipOf(live);
    this.isMarked = owner === ownerOf(urn) && !isOldStackTag(stack);
    if (this.isMarked || !step) return "marked";
    if (this.#marked) return { lack: `${ownerKey} shows no change yet` };
    this.#marked = true;
    await this.#take(step, live, ownedBy(urn, live));
    return "advanced";
  }

  async #take(step: AnyStep, live: AnyLive, desired: Props): Promise<void> {
    const patch = await step(this.#task.context.cloud, desired, live, (lacking) => this.#poll.until(lacking));
    if (patch instanceof StatePatch) this.reached = { ...this.reached, ...patch.props };
  }
}

/** A failed state in words, with its reason and the id of the request that returned it. */
export function withReason(state: string, live: AnyLive): string {
  const request = live.requestId === undefined ? "" : ` (request ${live.requestId})`;
  return `${[state, live.reason].filter(Boolean).join(": ")}${request}`;
}

/** The step of a change in place, if the change has one. */
function stepOf(change: AnyChange | undefined): AnyStep | undefined {
  if (typeof change === "function") return change;
  return typeof change === "object" ? change.step : undefined;
}

function inputsOf({ changes }: Kind, step: AnyStep): string[] {
  return Object.keys(changes).filter((key) => stepOf(changes[key]) === step);
}

function without(keys: readonly string[]): Props {
  return Object.fromEntries(keys.map((key) => [key, undefined]));
}

/** The live properties. An input that the platform has no value for is `undefined`. */
function ownProperties(kind: Kind, live: Props): Props {
  const inputs = Object.keys(kind.inputs.shape);
  const absent = without(inputs.filter((key) => isOnPlatform(kind, key)));
  return { ...absent, ...pick(live, [...inputs, ...Object.keys(kind.outputs.shape)]) };
}

/** The state of a resource that cannot be used now; `undefined` if it is ready. */
export function unreadyState({ states = {} }: Kind, live: Props): string | undefined {
  const unready = Object.entries(states).find(([key, readinessOf]) => readinessOf[String(live[key])] !== "ready");
  return unready && String(live[unready[0]]);
}
