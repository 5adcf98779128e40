import { listingDelay, PlatformError } from "@container-platform/sdk";
import { differs } from "../schema/compare.ts";
import { schemaOf } from "../schema/property.ts";
import { Terminal } from "./errors.ts";
import type { Kind, PlainChange, PlainStep } from "../definition/definition.ts";
import { StatePatch } from "../definition/state-patch.ts";
import { cleanProps, pick, type Props, same } from "../schema/values.ts";
import { Patience, type Run } from "./poll.ts";

interface Task {
  readonly kind: Kind;
  readonly run: Run;
  readonly id: string;
  /** What the user asked for, and the parts of the id. */
  readonly wish: Props;
  /** Seconds that it may take. */
  readonly limit: number;
  /** It was made just now: not to be listed yet is no wonder, and to end badly is final. */
  readonly fresh: boolean;
  /** It has to be renewed, once. */
  readonly renew: boolean;
}

/**
 * Brings a thing to what is wished, one move at a time: look; wait while a state says so; make the first move, in the order of
 * the change table, whose input differs; again, until nothing differs. Create, update and the going on after an interruption
 * are all this.
 */
export class Convergence {
  readonly #task: Task;
  readonly #patience: Patience;
  readonly #moves = new Map<PlainStep, Props>();
  #renew: boolean;
  /** What is there, as far as is known. Meaningful also after a failure: it is what was reached. */
  reached: Props;

  constructor(task: Task, known: Props) {
    const { kind, run, limit, fresh, wish, renew } = task;
    this.#task = task;
    this.#patience = new Patience(run, limit, fresh ? kind.abnormal : undefined);
    this.#renew = renew;
    const ours = Object.keys(kind.changes).filter((key) => kind.changes[key] === "noted" || kind.changes[key] === "order");
    this.reached = { ...known, ...Object.fromEntries(ours.map((key) => [key, wish[key]])) };
  }

  /** The live thing, once it is as wished. */
  async settle(): Promise<Props> {
    for (;;) {
      const live = await this.#look();
      const pending = live === undefined ? "not listed yet" : this.#pending(live);
      if (live === undefined || pending !== undefined) {
        await this.#patience.pause(pending ?? "");
        continue;
      }
      const moved = await this.#move(live);
      if (moved === "settled") return live;
      if (moved === "moved") this.#patience.moved();
      else await this.#patience.pause(moved.lack);
    }
  }

  async #look(): Promise<Props | undefined> {
    const { kind, id, fresh } = this.#task;
    const begun = performance.now();
    const live = await kind.read(this.#patience.cloud, this.reached);
    if (live) this.reached = { ...this.reached, ...onlyOwn(kind, live) };
    else if (!fresh || begun > this.#begunListing + listingDelay * 1000)
      throw new Error(`${kind.type} ${id} no longer exists; \`pulumi up --refresh\` makes it again`);
    return live;
  }
  readonly #begunListing = performance.now();

  /** What is waited for; `undefined` when every state is ready. */
  #pending(live: Props): string | undefined {
    const { kind, fresh } = this.#task;
    const told = Object.entries(kind.states ?? {}).flatMap(([key, readinessOf]) => {
      const state = live[key];
      return typeof state === "string" ? [{ state, readiness: readinessOf[state] ?? "pending" }] : [];
    });
    const failed = told.find(({ readiness }) => readiness !== "pending" && readiness !== "ready");
    if (failed) {
      const todo = fresh
        ? "The next `pulumi up` deletes it and makes it anew"
        : "Look at it in the console; `pulumi up` goes on once it has recovered";
      throw new Terminal(`it is ${withReason(failed.state, live)}`, todo);
    }
    const waited = told.filter(({ readiness }) => readiness === "pending").map(({ state }) => state);
    if (waited.length > 0) return [waited.join(", "), reasonOf(live)].filter(Boolean).join(": ");
    return typeof live["lacking"] === "string" ? live["lacking"] : undefined;
  }

  /** Makes the first move that is due. */
  async #move(live: Props): Promise<"settled" | "moved" | { readonly lack: string }> {
    const { kind, wish } = this.#task;
    if (this.#renew && kind.renew) {
      this.#renew = false;
      await this.#make(kind.renew, live);
      return "moved";
    }
    for (const key of Object.keys(kind.changes)) {
      const step = stepOf(kind.changes[key]);
      if (!step || !isDue(kind, key, wish, live)) continue;
      const together = Object.keys(kind.changes).filter((other) => stepOf(kind.changes[other]) === step);
      const sight = cleanProps(pick(live, together));
      if (same(this.#moves.get(step), sight)) return { lack: `${together.join(", ")} shows no change yet` };
      this.#moves.set(step, sight);
      await this.#make(step, live);
      this.reached = { ...this.reached, ...pick(wish, together) };
      return "moved";
    }
    return "settled";
  }

  async #make(step: PlainStep, live: Props): Promise<void> {
    const { run, wish } = this.#task;
    const patch = await step(run.cloud, wish, live, (lacking) => this.#patience.until(lacking));
    if (patch instanceof StatePatch) this.reached = { ...this.reached, ...patch.props };
  }
}

function reasonOf({ reason }: Props): string {
  return typeof reason === "string" ? reason : "";
}

/** A state that ends something, in words: why, and which call told. */
export function withReason(state: string, live: Props): string {
  const request = typeof live["requestId"] === "string" ? ` (request ${live["requestId"]})` : "";
  return `${[state, reasonOf(live)].filter(Boolean).join(": ")}${request}`;
}

/** A step is a function, alone or with the changes that take a new thing. */
function stepOf(change: PlainChange | undefined): PlainStep | undefined {
  if (typeof change === "function") return change;
  return typeof change === "object" ? change.step : undefined;
}

function isDue(kind: Kind, key: string, wish: Props, live: Props): boolean {
  return differs(schemaOf(kind, key), wish[key], live[key]) && !(kind.ignores?.[key]?.(wish, live) ?? false);
}

function onlyOwn({ inputs, outputs }: Kind, live: Props): Props {
  return pick(live, [...Object.keys(inputs.shape), ...Object.keys(outputs.shape)]);
}

/** Whether a state says that there is no such thing any more. */
export function isGone({ states = {} }: Kind, live: Props): boolean {
  return Object.entries(states).some(([key, readinessOf]) => readinessOf[String(live[key])] === "gone");
}

/** The state that says that a thing is not, or not yet, what it is made for. */
export function unreadyState({ states = {} }: Kind, live: Props): string | undefined {
  const unready = Object.entries(states).find(([key, readinessOf]) => readinessOf[String(live[key])] !== "ready");
  return unready && String(live[unready[0]]);
}

/** Whether a failure to delete passes by itself: something is still going, or something is under way. */
export function passesByItself(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.kind === "inUse" || error.kind === "transient");
}
