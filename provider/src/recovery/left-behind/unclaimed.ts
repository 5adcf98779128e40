import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../lifecycle/context.ts";
import { heldByNone } from "./held.ts";
import { loggedCreations } from "../intent-log.ts";
import type { Leftovers } from "./leftovers.ts";
import type { Orphan } from "../orphans.ts";
import { forgetEnded, forgetGone } from "./outdated.ts";
import { stackOf } from "../ownership-tags.ts";
import { called, forgotten, isBegun, liveOf, nameIn, type Pending, pendingOf, removalCommand, type Search, unsaved } from "./pending.ts";
import type { Subject } from "../possession.ts";
import type { SavedStack } from "../saved-resources.ts";
import { settleSaved } from "./settled.ts";
import { recently } from "../../definition/recently.ts";

/** In milliseconds: how long the state may take. The engine waits five seconds for its provider to exit. */
const limit = 3500;

type Sight = Pick<Context, "cloud" | "warn">;

/**
 * What killed runs of the stack have left, and nobody in this run has asked about. A run that deletes something removes it first; others,
 * such as previews, only name it. The engine checks resources in no fixed order, so that is known when the run ends.
 *
 * It costs no call that the creation of what is new would not make: without anything new, only this user's intent log is read.
 */
export class Unclaimed {
  readonly #leftovers: Leftovers;
  #seen: { readonly sight: Sight; readonly subject: Subject } | undefined;
  #listing: Promise<readonly Orphan[]> | undefined;
  #settling: Promise<void> | undefined;

  constructor(leftovers: Leftovers) {
    this.#leftovers = leftovers;
  }

  /**
   * Notes that the program has a resource. If it is new, what is pending in the region is listed meanwhile. The first one waits until the
   * intent log is in step with the state: the engine drops nothing from that before all of the program is checked.
   */
  async noteChecked(sight: Sight, subject: Subject, isNew: boolean): Promise<void> {
    this.#seen ??= { sight, subject };
    this.#settling ??= settleSaved(subject);
    const { owned } = subject.kind;
    if (isNew && !this.#listing && typeof owned === "string" && owned !== "key") {
      this.#listing = subject.session.orphans.list(sight.cloud, sight.warn);
      // A creation asks again, and fails then.
      this.#listing.catch(() => undefined);
    }
    await this.#settling;
  }

  /** At the end of the run: what to warn of; `undefined` if nothing is left, or the run has taken care of it. */
  async warning(): Promise<string | undefined> {
    const stack = this.#seen && stackOf(this.#seen.subject.urn);
    if (!this.#seen || stack === undefined) return undefined;
    const { sight, subject } = this.#seen;
    const listing = await (this.#listing ?? Promise.resolve([])).catch(() => undefined);
    if (listing) forgetEnded(subject, stack, [...listing, ...subject.session.orphans.found]);
    if (this.#leftovers.areRemoved) return undefined;
    const listed = listing ?? [];
    if (!listed.some((one) => one.stack === stack) && loggedCreations(stack, subject.place).length === 0) return undefined;
    const { session, urn, place } = subject;
    const search: Search = { cloud: sight.cloud.tolerating(recently), stack, place, kinds: await session.kinds(), listed };
    const pending = session.unasked(await pendingOf(search, session.inState));
    const live = await Promise.all(pending.map((one) => liveOf(search.cloud, one)));
    const there = pending.filter((_, index) => live[index]);
    const gone = pending.filter(({ kind, id }, index) => !live[index] && kind.id.parts(id));
    forgetGone(gone, stack, place);
    if (there.length === 0) return undefined;
    const late = sleep(limit, undefined, { ref: false });
    const saved = await Promise.race([session.readSaved(urn), late]);
    if (!saved) return sentenceAbout(there, saved);
    const left = unsaved(there, saved);
    const held = heldByNone(left, session.otherStacks, stack, place).catch(() => left);
    return sentenceAbout((await Promise.race([held, late])) ?? left, saved);
  }
}

function sentenceAbout(left: readonly Pending[], saved: SavedStack | undefined): string | undefined {
  const begun = left.filter((one) => !saved || isBegun(one, saved));
  const others = saved ? left.filter((one) => !isBegun(one, saved)) : [];
  const was = saved ? "was" : "may have been";
  const about =
    begun.length > 0
      ? [
          `${begun.map((one) => named(one, saved)).join(", ")}: made by a run that ${was} ended before it could save it. \`pulumi up\` goes on with what the program still has. The rest is removed by the next run that deletes something, or by \`${removalCommand}\``,
        ]
      : [];
  const sentences = [...about, ...others.flatMap((one) => (saved ? [forgotten(one, saved)] : []))];
  return sentences.length > 0 ? sentences.join("\n") : undefined;
}

/** With its name in the program that has made it, if the state tells. */
function named(one: Pending, saved: SavedStack | undefined): string {
  const name = saved && nameIn(one, saved);
  return name === undefined ? called(one) : `${one.id} (${one.kind.type} "${name}")`;
}
