import { type Cloud, InputError, PlatformError } from "@container-platform/sdk";
import { confirmLater, removeLater } from "./confirm.ts";
import { isGone } from "../lifecycle/reconcile.ts";
import { fixedOf } from "../lifecycle/plan.ts";
import { withTodo } from "../lifecycle/errors.ts";
import { JournalEntry } from "./intent-log.ts";
import type { Kind } from "../definition/definition.ts";
import { marksOf, newMarks, ownerKey, ownerOf, pending, stateKey, withMarks } from "./ownership-tags.ts";
import { PendingResources } from "./orphans.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Run } from "../lifecycle/poll.ts";

/** The kind of what the engine is known to know, by `nameOf`: it has asked about it, or was told of it. */
const known = new Map<string, Kind>();
/** What this process has taken over, and why it is therefore not deleted. */
const taken = new Map<string, string>();
/** What a killed run left behind was there before this one: it is listed once. */
const listing = new PendingResources();

/** What came of a creation. */
interface Made {
  /** What it tells of the thing. */
  readonly known: Props;
  /** It went wrong, but the thing is there. */
  readonly failure?: Error;
}

/**
 * One creation of a resource, so that there is one thing in the end, whoever was killed in the middle of it: the engine, or this
 * process between the platform's deed and its answer.
 *
 * What takes tags is made with two: whose it is, by a hash of the URN, and that it is `pending`. Before the first creation of a run
 * the pending things of the region are listed, once; one of the same URN that the engine has not asked about is taken over. When
 * the engine ends its provider in order it has saved everything, and what was made becomes `confirmed`, fifty things a call: a
 * forced replacement, which asks for a creation and nothing before it, then finds nothing pending, and makes a second one. No file
 * is needed, so that it works on a machine that was not there before. What was saved by a run that was killed later stays pending
 * until a run that changes something sees it. Replaced by force before that, it is taken over instead, and not deleted.
 *
 * What takes no tags can be there only once under its id, which its inputs tell: it is looked for before. What is there was made by
 * somebody else, unless the journal says that this resource began to make it; the platform then refuses to make it again.
 *
 * A creation that fails, and may have made something all the same, looks for that at once: what is found is kept with its id.
 */
export class Creation {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #place: readonly string[];

  constructor(kind: Kind, place: readonly string[], urn: string) {
    this.#kind = kind;
    this.#urn = urn;
    this.#place = place;
  }

  /** Only some kinds have one, and a comparison should cost nothing. */
  get #entry(): JournalEntry {
    return new JournalEntry([...this.#place, this.#urn]);
  }

  /** The engine knows this thing. */
  noteKnown(id: string): void {
    known.set(nameOf(this.#kind, id), this.#kind);
    if (isJournalled(this.#kind) && this.#entry.read() === id) this.#entry.remove();
  }

  /** What an earlier creation left behind, taken over; or a new thing: what is known of it. */
  async carryOut(run: Run, wish: Props): Promise<Made> {
    const { owned } = this.#kind;
    if (owned === "key") return this.#underKey(run, wish, this.#kind.id.of(wish));
    if (typeof owned === "object" && "sweep" in owned) {
      const unsaved = this.#entry.read();
      await owned.sweep(run.cloud, wish, {
        draftNote: this.#words,
        unsaved: unsaved === undefined ? undefined : this.#kind.id.parts(unsaved),
      });
      const made = await this.#make(run, wish);
      this.#entry.write(this.#kind.id.of({ ...wish, ...made.known }));
      return made;
    }
    return (await this.#leftWithTag(run, wish)) ?? this.#make(run, withMarks(wish, newMarks(this.#urn)));
  }

  /** The engine is being told of it, whole or not. */
  tell(cloud: Cloud, id: string, props: Props): void {
    const kind = this.#kind;
    known.set(nameOf(kind, id), kind);
    if (isJournalled(kind)) removeLater(this.#entry);
    else confirmLater({ cloud, kind, id, live: { ...props, ...kind.id.parts(id), marks: newMarks(this.#urn) } });
  }

  /** One call. `begun`: the id that it will have, as far as that is known before. */
  async #make(run: Run, wish: Props, begun?: string): Promise<Made> {
    if (begun !== undefined) this.#entry.write(begun);
    try {
      const made = await this.#kind.create(run.cloud, wish, this.#words);
      return { known: isProps(made) ? made : {} };
    } catch (error) {
      // It may be there all the same. If that cannot be told now, the next creation looks for it.
      const found = await this.#madeAllTheSame(run, wish, { begun, refused: isRefused(error) }).catch(() => undefined);
      if (found === undefined || !(error instanceof Error)) throw error;
      return { known: this.#kind.id.parts(found) ?? {}, failure: error };
    }
  }

  /** The id of what was made although the answer says otherwise. */
  async #madeAllTheSame(run: Run, wish: Props, how: { begun: string | undefined; refused: boolean }): Promise<string | undefined> {
    const { owned } = this.#kind;
    const { begun, refused } = how;
    if (begun !== undefined) {
      // A creation of several calls may have been refused after the one that counts.
      if (await this.#look(run, begun, wish)) return begun;
      if (refused) this.#entry.remove();
    } else if (refused) {
      if (isJournalled(this.#kind)) this.#entry.remove();
    } else if (typeof owned === "object" && "sweep" in owned)
      await owned.sweep(run.cloud, wish, { draftNote: this.#words, unsaved: undefined });
    else if (owned !== "key") {
      listing.forget();
      return (await this.#lost(run, wish)).find(({ fixed }) => fixed.length === 0)?.id;
    }
    return undefined;
  }

  /** Marks a thing while it is being made, where there are words but no tags. */
  get #words(): string {
    return `being made by Pulumi (${ownerOf(this.#urn).slice(0, 8)})`;
  }

  async #underKey(run: Run, wish: Props, id: string): Promise<Made> {
    const live = await this.#look(run, id, wish);
    const begun = this.#entry.read();
    if (begun !== undefined && begun !== id)
      run.warn(`${begun} was begun by a run that was ended before it could save it: delete this ${this.#kind.type} if nobody needs it`);
    if (!live) return this.#make(run, wish, id);
    if (begun === id) return this.#takeOverKey(run, id, fixedOf(this.#kind, wish, live));
    try {
      return await this.#make(run, wish);
    } catch (error) {
      const todo = `It was there before: to take it over, add { import: "${id}" } to this resource's options`;
      throw new Error(withTodo(error, todo), { cause: error });
    }
  }

  #takeOverKey(run: Run, id: string, fixed: readonly string[]): Made {
    if (fixed.length === 0) return this.#takeOver(run, id);
    throw new Error(
      `${id} was made by a run that was ended before it could save it, and ${fixed.join(", ")} cannot be changed on it: delete this ${this.#kind.type} on the platform, or write it as it was`,
    );
  }

  async #leftWithTag(run: Run, wish: Props): Promise<Made | undefined> {
    for (const { id, fixed } of await this.#lost(run, wish)) {
      if (fixed.length === 0) return this.#takeOver(run, id);
      run.warn(
        `${id} was made by a run that was ended before it could save it, and cannot be taken over, because ${fixed.join(", ")} cannot be changed on it: delete this ${this.#kind.type} if nobody needs it`,
      );
    }
    return undefined;
  }

  /** The pending things of this URN that the engine does not know, each with what cannot be changed on it. */
  async #lost(run: Run, wish: Props): Promise<readonly { readonly id: string; readonly fixed: readonly string[] }[]> {
    const unknown = (await this.#pending(run, wish)).filter((id) => !known.has(nameOf(this.#kind, id)));
    const seen = await Promise.all(unknown.map(async (id) => ({ id, live: await this.#look(run, id, wish) })));
    return seen.flatMap(({ id, live }) =>
      live && marksOf(live)[stateKey] === pending ? [{ id, fixed: fixedOf(this.#kind, wish, live) }] : [],
    );
  }

  async #look(run: Run, id: string, wish: Props): Promise<Props | undefined> {
    const live = await this.#kind.read(run.cloud.tolerating(2000), { ...wish, ...this.#kind.id.parts(id) });
    return live && !isGone(this.#kind, live) ? live : undefined;
  }

  #takeOver(run: Run, id: string): Made {
    run.note(`takes over ${id}, which was made by a run that was ended before it could save it`);
    noteTaken(this.#kind, id, "run `pulumi up` again");
    return { known: this.#kind.id.parts(id) ?? {} };
  }

  /** The ids of the pending things of this URN. */
  async #pending({ cloud, warn }: Run, wish: Props): Promise<readonly string[]> {
    const { owned } = this.#kind;
    const owner = ownerOf(this.#urn);
    if (typeof owned === "object" && "tagged" in owned) {
      const tagged = await owned.tagged(cloud.tolerating(2000), wish, { key: stateKey, value: pending });
      return tagged.filter(({ tags }) => tags?.[ownerKey] === owner).map(({ id }) => id);
    }
    const all = await listing.read(cloud, warn);
    return all.filter((one) => one.owner === owner && one.kind === owned).map(({ id }) => id);
  }
}

/** Notes that a thing is taken over: the engine may want to replace it at once, and then it is not ours to delete. */
export function noteTaken({ type }: Kind, id: string, remedy: string): void {
  taken.set(`${type} ${id}`, remedy);
}

/** What to do instead of deleting a thing, if this process has taken it over. */
export function remedyIfTaken({ type }: Kind, id: string): string | undefined {
  return taken.get(`${type} ${id}`);
}

/** What is pending is to be confirmed where the engine knows it: a run that was killed has saved it before. */
export function confirmKnown(): void {
  for (const { cloud, kind, id } of listing.found) {
    const of = known.get(`${kind} ${id}`);
    if (of) confirmLater({ cloud, kind: of, id, live: { marks: { [stateKey]: pending } } });
  }
}

/** A thing, as both its resource and the tag product call it. */
function nameOf({ owned, type }: Kind, id: string): string {
  return `${typeof owned === "string" ? owned : type} ${id}`;
}

/** Whether a kind takes no tags. */
function isJournalled({ owned }: Kind): boolean {
  return owned === "key" || (typeof owned === "object" && "sweep" in owned);
}

/** Whether it is certain that nothing was made. */
function isRefused(error: unknown): boolean {
  if (error instanceof InputError) return true;
  return error instanceof PlatformError && !["unreachable", "transient", "failed"].includes(error.kind);
}
