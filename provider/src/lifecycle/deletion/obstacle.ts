import { type PlatformError, spoken } from "@container-platform/sdk";
import type { Stranger } from "../../recovery/strangers.ts";
import type { Context } from "../context.ts";
import type { Poll } from "../poll.ts";

/** In seconds: for so long, whatever is in the way may go away by itself. */
const patience = 10;
/** In seconds: for so much longer, a person may take away what is in the way and nobody deletes. */
const grace = 30;

/** How is found who a refusal names. */
export interface Search {
  readonly strangers: (sentence: string) => Promise<readonly Stranger[]>;
  /** What of the program is in the way and stays, and what to do. */
  readonly staying: (sentence: string) => Promise<Staying | undefined>;
}

interface Staying {
  readonly why: string;
  /** Whether something is still under way in this run that may take it out of the way. */
  readonly mayGo: boolean;
}

/** What keeps the platform from deleting a resource, if nobody in this run is going to remove it. */
export class Obstacle {
  readonly #context: Context;
  readonly #poll: Poll;
  readonly #search: Search;
  #since: number | undefined;
  #strangers: readonly Stranger[] = [];
  #warning = "";
  #warned: number | undefined;

  constructor(context: Context, poll: Poll, search: Search) {
    this.#context = context;
    this.#poll = poll;
    this.#search = search;
  }

  /**
   * Looks who is in the way, once the platform has refused for a while, and warns of it.
   *
   * @throws Error if it is of the program, and stays, or if no run is known that may delete it: to wait would change nothing
   */
  async look({ kind, reason, code, requestId }: PlatformError): Promise<void> {
    const now = performance.now();
    this.#since = kind === "inUse" ? (this.#since ?? now) : undefined;
    const { limit } = this.#poll;
    if (this.#since === undefined || (now - this.#since) / 1000 < Math.min(patience, limit / 3)) return;
    // The refusal says enough without these.
    const staying = await this.#search.staying(reason).catch(() => undefined);
    if (staying?.mayGo === true) return;
    if (staying) throw new Error(`${reason} (${code}, request ${requestId}). ${staying.why}`);
    this.#strangers = await this.#search.strangers(reason).catch(() => []);
    const { remedy } = this;
    if (remedy !== undefined && remedy === this.#warning && this.left === 0)
      throw new Error(`${reason} (${code}, request ${requestId}). ${remedy}. Then run it again`);
    if (remedy === undefined || remedy === this.#warning) return;
    this.#warning = remedy;
    this.#warned = now;
    this.#context.warn(`${remedy}. It is waited for, for another ${spoken(this.left)}`);
  }

  /** Seconds until it gives up. What another stack has, or another process of this run, may be deleted by them. */
  get left(): number {
    const { left, limit } = this.#poll;
    if (this.#warned === undefined || !this.#strangers.every(({ isNobodys }) => isNobodys)) return left;
    return Math.max(0, Math.min(left, Math.min(grace, limit / 3) - (performance.now() - this.#warned) / 1000));
  }

  /** What is in the way, and what to do; `undefined` if that is not known, or goes away by itself. */
  get remedy(): string | undefined {
    const ofStack = this.#strangers.filter(({ isOfStack }) => isOfStack);
    const others = this.#strangers.filter(({ isOfStack }) => !isOfStack);
    const foreign = others.filter(({ stack }) => stack !== undefined);
    const unmarked = others.filter(({ stack }) => stack === undefined);
    const remedies = [inStack(ofStack) ?? [], inOtherStacks(foreign), inPrograms(unmarked) ?? [], inNone(unmarked) ?? []].flat();
    return remedies.length === 0 ? undefined : remedies.join(". ");
  }
}

/** In the state, and not asked for so far: whether this run is to delete it, only the engine knows. */
function inStack(all: readonly Stranger[]): string | undefined {
  if (all.length === 0) return undefined;
  const [are, them] = all.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${namesOf(all)} of this stack ${are} in the way, and this run has not come to ${them} so far. What --target leaves out stays, and so may what has another Provider: take ${them} out of the program first, or run this without --target`;
}

/** What another stack has: it would miss what is deleted by hand. */
function inOtherStacks(all: readonly Stranger[]): readonly string[] {
  return Object.values(Object.groupBy(all, ({ stack }) => stack?.called ?? "")).flatMap((of = []) => {
    const [first] = of;
    if (!first?.stack) return [];
    const [are, them] = of.length === 1 ? ["is", "it"] : ["are", "them"];
    const otherwise = first.stack.saved ? "" : `. If no stack has ${them} any more, ${byHand(of)}`;
    return `${namesOf(of)} ${are} in the way, and of ${first.stack.called}: run \`pulumi destroy\` of that stack first, or take ${them} out of its program${otherwise}`;
  });
}

/** Of kinds that programs have: the state does not have them, or no longer, as with `retainOnDelete` and `deletedWith`. */
function inPrograms(strangers: readonly Stranger[]): string | undefined {
  const all = strangers.filter(({ type }) => type !== undefined);
  if (all.length === 0) return undefined;
  const [are, them] = all.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${namesOf(all)} ${are} in the way, and this stack does not manage ${them}: ${byHand(all)}`;
}

function byHand(all: readonly Stranger[]): string {
  const them = all.length === 1 ? "it" : "them";
  const imports = all.map(({ id, type }) => `a ${type} with { import: "${id}" }`).join(", ");
  return `delete ${them} on the platform, or take ${them} into the program: ${imports}`;
}

/** What no program has by itself, such as a machine, may be a part of a resource of this stack. */
function inNone(strangers: readonly Stranger[]): string | undefined {
  const all = strangers.filter(({ type }) => type === undefined);
  if (all.length === 0) return undefined;
  return `${namesOf(all)} ${all.length === 1 ? "is" : "are"} in the way, and may be a part of another resource. A node stays in the subnet that it was made in, also if its pool goes to others: take it out of the pool, or have a new pool made. What belongs to nobody is deleted on the platform`;
}

function namesOf(strangers: readonly Stranger[]): string {
  return strangers.map(({ called }) => called).join(", ");
}
