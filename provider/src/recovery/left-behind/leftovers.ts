import type { Context } from "../../lifecycle/context.ts";
import { isRefused, sentenceAbout } from "../../lifecycle/errors.ts";
import { stackOf } from "../ownership-tags.ts";
import { heldByNone } from "./held.ts";
import {
  called,
  forgotten,
  inOrderOfRemoval,
  isBegun,
  liveOf,
  mayStay,
  type Pending,
  pendingOf,
  removalCommand,
  remove,
  type Search,
  unsaved,
} from "./pending.ts";
import type { Subject } from "../possession.ts";
import type { RunSession } from "../run-session.ts";
import type { SavedStack } from "../saved-resources.ts";
import { settle } from "./settled.ts";
import { recently } from "../../definition/recently.ts";

const namedElsewhere = "it is not deleted before what a killed run has left behind, which another message names";

/** What a run has found of its stack. */
interface Found {
  /** What is pending, and may have been saved: the state cannot be read. */
  readonly unjudged: readonly Pending[];
}

/**
 * What killed runs of this stack have left on the platform: resources whose ids the engine has not saved, so that nothing but the next
 * `up` would ever ask about them. The first deletion of a run removes them, because they may stand on what is to be deleted, and because
 * nobody may run `up` again.
 *
 * An ownership tag alone does not make a leftover. What a killed run has saved stays pending, and another state may have a stack of the
 * same name. So the engine's own state decides: a leftover is not among its resources, and its creation is among the begun ones.
 */
export class Leftovers {
  readonly #session: RunSession;
  #first: Promise<Found> | undefined;

  constructor(session: RunSession) {
    this.#session = session;
  }

  /** Whether the run has looked for what is left, and has removed or named it. */
  get areRemoved(): boolean {
    return this.#first !== undefined;
  }

  /**
   * Removes what is left of the stack, before one of its resources is deleted.
   *
   * @throws if something of it cannot be removed
   */
  async removeBefore(context: Context, subject: Subject, id: string): Promise<void> {
    const stack = stackOf(subject.urn);
    if (stack === undefined) return;
    const isFirst = this.#first === undefined;
    this.#first ??= this.#removeAll(context, subject, stack);
    let found: Found;
    try {
      found = await this.#first;
    } catch (error) {
      if (isFirst) throw error;
      throw new Error(namedElsewhere, { cause: error });
    }
    const left: Pending[] = [];
    for (const one of found.unjudged) if (!(await this.#removeIfOn(context, one, id))) left.push(one);
    if (left.length > 0) this.#refuseToJudge(context, left);
  }

  async #removeAll(context: Context, { urn, place }: Subject, stack: string): Promise<Found> {
    const search = await this.#search(context, place, stack);
    const pending = this.#session.unasked(await pendingOf(search));
    if (pending.length === 0) return { unjudged: [] };
    const saved = await this.#session.readSaved(urn);
    if (!saved) return { unjudged: pending };
    settle(stack, place, saved);
    const found = unsaved(this.#session.unasked(await pendingOf(search, saved)), saved);
    const left = await this.#heldByNone(context, found, stack, place);
    if (left.length === 0) return { unjudged: [] };
    if (saved.providers > 1 && this.#isProgramSeen) {
      // Another process of the same run may be creating them, also when this one only deletes what goes along.
      context.warn(`${listed(left)}: not in the state. If no Provider of this program is creating it, \`${removalCommand}\` removes it`);
      return { unjudged: [] };
    }
    await this.#removeThese(context, left, saved);
    return { unjudged: [] };
  }

  /**
   * Creates a resource. If the platform refuses, and a killed run has left one of the same kind that nothing in the program has asked
   * about, that one may hold the name or the range, such as before a resource was renamed: it is removed, and the creation repeated.
   */
  async makingRoom<T>(context: Context, subject: Subject, create: () => Promise<T>): Promise<T> {
    try {
      return await create();
    } catch (error) {
      const refused = isRefused(error) || (error instanceof Error && isRefused(error.cause));
      if (!refused || !(await this.#removeAlike(context, subject))) throw error;
      return create();
    }
  }

  /** Returns whether there was anything. */
  async #removeAlike(context: Context, { kind, urn, place }: Subject): Promise<boolean> {
    const stack = stackOf(urn);
    if (stack === undefined) return false;
    const pending = await pendingOf(await this.#search(context, place, stack));
    const alike = this.#session.unasked(pending).filter((one) => one.kind.type === kind.type);
    const saved = alike.length > 0 ? await this.#session.readSaved(urn) : undefined;
    if (!saved || saved.providers > 1) return false;
    const begun = unsaved(this.#session.unasked(alike), saved).filter((one) => isBegun(one, saved));
    const left = await this.#heldByNone(context, begun, stack, place);
    const failures = await this.#removeInOrder(context, left, saved);
    if (failures.length > 0) throw new Error(failures.map((why) => `${why}, run \`pulumi up\` again`).join("\n"));
    return left.length > 0;
  }

  /** Nothing of it may be removed if it cannot be told whether another stack has it. */
  async #heldByNone(context: Context, left: readonly Pending[], stack: string, place: readonly string[]): Promise<readonly Pending[]> {
    try {
      return await heldByNone(left, this.#session.otherStacks, stack, place);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      context.warn(
        `${listed(left)}: not in the state, and not removed, since the other stacks of the backend cannot be read: ${why}. If none has it, \`${removalCommand}\` removes it`,
      );
      return [];
    }
  }

  async #search({ cloud, warn }: Context, place: readonly string[], stack: string): Promise<Search> {
    const [kinds, listedAsPending] = await Promise.all([this.#session.kinds(), this.#session.orphans.list(cloud, warn)]);
    return { cloud: cloud.tolerating(recently), stack, place, kinds, listed: listedAsPending };
  }

  async #removeThese(context: Context, left: readonly Pending[], saved: SavedStack): Promise<void> {
    const known = left.filter((one) => isBegun(one, saved));
    const failures = await this.#removeInOrder(context, known, saved);
    const doubtful = left.filter((one) => !isBegun(one, saved));
    for (const one of doubtful.filter((each) => mayStay(each, saved)))
      if (await liveOf(context.cloud.tolerating(recently), one)) context.warn(forgotten(one, saved));
      else one.forget?.();
    const kept = doubtful.filter((one) => !mayStay(one, saved)).map((one) => forgotten(one, saved));
    const refused = failures.map((why) => `${why}, \`${removalCommand}\` removes it`);
    if (refused.length + kept.length > 0) throw new Error([...refused, ...kept].join("\n"));
  }

  /** Returns why some cannot be removed. */
  async #removeInOrder(context: Context, left: readonly Pending[], saved: SavedStack | undefined): Promise<readonly string[]> {
    const failures: string[] = [];
    for (const group of inOrderOfRemoval(left)) {
      const outcomes = await Promise.all(group.map((one) => this.#remove(context, one, saved)));
      failures.push(...outcomes.filter((why) => why !== undefined));
    }
    return failures;
  }

  async #remove(context: Context, one: Pending, saved: SavedStack | undefined): Promise<string | undefined> {
    // The run may have taken it over meanwhile.
    if (this.#session.unasked([one]).length === 0) return undefined;
    const removal = remove(context, one, saved);
    if (one.owner !== undefined)
      this.#session.removals.set(
        one.owner,
        removal.catch(() => undefined),
      );
    try {
      if ((await removal) === "removed")
        context.note(`removed ${called(one)}, which was made by a run that was ended before it could save it`);
      return undefined;
    } catch (error) {
      return `${sentenceAbout(error, `removing ${called(one)}, which was made by a run that was ended before it could save it`, one.kind.hints)}. After that`;
    }
  }

  get #isProgramSeen(): boolean {
    return this.#session.inProgram.size > 0 || this.#session.graph.hasProgram;
  }

  /** Removes it if it stands on what is deleted: the engine deletes first what it knows of that. Returns whether it may be gone, or saved. */
  async #removeIfOn(context: Context, one: Pending, id: string): Promise<boolean> {
    if (one.id === id || this.#session.unasked([one]).length === 0) return true;
    const live = await liveOf(context.cloud.tolerating(recently), one);
    if (!live) return true;
    if (!holds(live, id)) return false;
    const why = await this.#remove(context, one, undefined);
    if (why !== undefined) throw new Error(`${why}, \`${removalCommand}\` removes it`);
    return true;
  }

  /** @throws unless the run has a program: then a `Provider` of its own may be creating it */
  #refuseToJudge(context: Context, left: readonly Pending[]): void {
    const why = `${listed(left)}: created by a run that may have been ended before it could save it. \`pulumi stack export\` would tell, and cannot be run`;
    const remedy = "Have `pulumi` on the PATH, then run this again: it removes what was not saved";
    if (this.#isProgramSeen) {
      for (const said of this.#session.unsaid("", [`${why}: only what stands on a resource that is deleted is removed. ${remedy}`]))
        context.warn(said);
      return;
    }
    const [first] = this.#session.unsaid("", [`nothing is deleted before it is known what is left. ${why}. ${remedy}`]);
    throw new Error(first ?? namedElsewhere);
  }
}

function listed(found: readonly Pending[]): string {
  return found.map(called).join(", ");
}

/** Whether a value holds a text, at any depth. */
function holds(value: unknown, text: string): boolean {
  return value === text || (typeof value === "object" && value !== null && Object.values(value).some((inner) => holds(inner, text)));
}
