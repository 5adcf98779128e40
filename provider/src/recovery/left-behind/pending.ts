import type { Cloud } from "@container-platform/sdk";
import { Deletion } from "../../lifecycle/deletion/deletion.ts";
import type { Context } from "../../lifecycle/context.ts";
import { nameOf } from "../../schema/urn.ts";
import { isGone } from "../../lifecycle/gone.ts";
import { Poll, type Sequel } from "../../lifecycle/poll.ts";
import type { Kind } from "../../definition/definition.ts";
import { loggedCreations } from "../intent-log.ts";
import { isPending, ownerKey, ownerOf, pending, separatingOwnershipTags, stackKey, stateKey } from "../ownership-tags.ts";
import type { Orphan } from "../orphans.ts";
import type { SavedResource, SavedStack } from "../saved-resources.ts";
import { pick, type Props } from "../../schema/values.ts";

/** A resource of a stack on the platform that the engine is not known to have saved. */
export interface Pending {
  readonly kind: Kind;
  readonly id: string;
  /** Its owner, as its ownership tag or the intent log names it. */
  readonly owner: string | undefined;
  /** Removes its entry of the intent log, if that is what tells of it. */
  readonly forget?: () => void;
}

/** Where to look for what is pending. */
export interface Search {
  readonly cloud: Cloud;
  /** The stack, as ownership tags name it. */
  readonly stack: string;
  /** Endpoint, region and account. */
  readonly place: readonly string[];
  /** All kinds, with dependencies first. */
  readonly kinds: readonly Kind[];
  /** What the tag product has listed as pending. */
  readonly listed: readonly Orphan[];
}

/** What the engine has saved, as far as it is known. */
interface Saved {
  readonly resources: readonly Pick<SavedResource, "type" | "id">[];
}

/** The command that deletes the orphans of a stack. */
export const removalCommand = "npx container-platform-import --orphans --delete";

/**
 * All that is pending of a stack: by its tags, and by this user's intent log. What stands in others that keep its tags, such as a node
 * pool in its cluster, is found in those that the engine has saved: without these, with few calls, it is not looked for.
 */
export async function pendingOf({ cloud, stack, place, kinds, listed }: Search, saved?: Saved): Promise<readonly Pending[]> {
  const found: Pending[] = [];
  const logged = loggedCreations(stack, place);
  for (const kind of kinds) {
    const tagged = listed.flatMap((one) =>
      one.stack === stack && one.kind === kind.owned ? [{ kind, id: one.id, owner: one.owner }] : [],
    );
    const apart = await taggedApart(cloud, kind, stack, saved);
    const begun = logged.flatMap(({ type, id, owner, remove: forget }) => (type === kind.type ? [{ kind, id, owner, forget }] : []));
    found.push(...tagged, ...apart, ...begun);
  }
  return found;
}

/** Resources whose tags their own product keeps. */
async function taggedApart(cloud: Cloud, kind: Kind, stack: string, saved: Saved | undefined): Promise<readonly Pending[]> {
  const { owned } = kind;
  if (typeof owned !== "object" || !("tagged" in owned)) return [];
  const all = await Promise.all(parentsOf(kind, saved).map((parent) => owned.tagged(cloud, parent, { key: stateKey, value: pending })));
  return all
    .flat()
    .flatMap(({ id, tags }) => (tags?.[stateKey] === pending && tags[stackKey] === stack ? [{ kind, id, owner: tags[ownerKey] }] : []));
}

/** The parts of ids, known from the state, in which resources of a kind can stand: an empty one if they stand in nothing. */
function parentsOf({ id, inputs }: Kind, saved: Saved | undefined): readonly Props[] {
  const outer = id.names.filter((name) => name in inputs.shape);
  if (outer.length === 0) return [{}];
  // The kinds whose tags are kept apart stand in one other at most.
  const [part = ""] = outer;
  return (saved?.resources ?? []).flatMap(({ type, id: of }) => (part.toLowerCase() === `${type}id`.toLowerCase() ? [{ [part]: of }] : []));
}

/** What of it the engine has not saved. */
export function unsaved(found: readonly Pending[], { resources }: SavedStack): readonly Pending[] {
  return found.filter(({ kind, id }) => !resources.some((one) => one.type === kind.type && one.id === id));
}

/**
 * Whether a run of this very state has begun to create it, and no run is known to have saved it. What is retained may have been saved since,
 * and have left the state: the engine drops that without a word, and keeps what was begun before.
 */
export function isBegun(one: Pending, saved: SavedStack): boolean {
  return isKnown(one, saved) && !isRetained(one, saved);
}

function isKnown({ owner }: Pending, { begun }: SavedStack): boolean {
  return begun.some(({ urn, isSettled }) => !isSettled && ownerOf(urn) === owner);
}

function isRetained({ owner }: Pending, { begun }: SavedStack): boolean {
  return begun.some((one) => one.isRetained && ownerOf(one.urn) === owner);
}

/** Whether it may stay although others are deleted: it may have been saved since. Of the others, the tags say that they are of this stack. */
export function mayStay(one: Pending, saved: SavedStack): boolean {
  return one.kind.tagsInput === undefined || isRetained(one, saved);
}

/** The name in the program of what a run of this very state has begun to create. */
export function nameIn({ owner }: Pending, { begun }: SavedStack): string | undefined {
  const found = begun.find(({ urn }) => ownerOf(urn) === owner);
  return found && nameOf(found.urn);
}

/** What to do about what is not known to be left. */
export function forgotten(one: Pending, saved: SavedStack): string {
  return `${doubtAbout(one, saved)}, \`${removalCommand} --id ${one.id}\` removes it`;
}

/** Why it is not known to be left, and when it is. */
export function doubtAbout(one: Pending, saved: SavedStack): string {
  if (isRetained(one, saved))
    return `${called(one)} was begun by a run that was ended, and stays by retainOnDelete, since a later run may have saved it: if nobody needs it`;
  if (one.kind.tagsInput === undefined)
    return `${called(one)} was begun by a run of this user, and the state does not know that, since it may have been saved: if nobody needs it`;
  return `${called(one)} bears the tags of this stack, and its state does not know it: if no stack of the same name elsewhere has it`;
}

/** A resource in words. */
export function called({ kind, id }: Pending): string {
  return `${id} (${kind.type})`;
}

/** The live properties of what is pending; `undefined` if it is gone, or has been confirmed since. */
export async function liveOf(cloud: Cloud, { kind, id }: Pending, inputs: Props = {}): Promise<Props | undefined> {
  const parts = kind.id.parts(id);
  if (!parts) return undefined;
  const separating = separatingOwnershipTags(kind);
  const live = await separating.read(cloud, { ...inputs, ...parts });
  if (!live || isGone(kind, live)) return undefined;
  return kind.tagsInput === undefined || isPending(live) ? { ...live, ...parts } : undefined;
}

/** Deletes what is pending, waits until nothing of it is left, and removes its entry of the intent log. @throws if it is protected, or the platform refuses */
export async function remove(context: Context, one: Pending, saved: SavedStack | undefined): Promise<"removed" | "gone"> {
  const { kind } = one;
  const inputs = localInputs(kind, saved?.begun.find(({ urn }) => ownerOf(urn) === one.owner)?.inputs ?? {});
  const known = await liveOf(context.cloud, one, inputs);
  if (!known) {
    one.forget?.();
    return "gone";
  }
  if (kind.protectedBy !== undefined && known[kind.protectedBy] === true) throw new Error(protectedLeftover(kind.protectedBy));
  const poll = new Poll(context, kind.seconds?.delete ?? 600, undefined, nextRemoval);
  await new Deletion({ kind, context, poll, known, failed: false }).carryOut();
  one.forget?.();
  return "removed";
}

const nextRemoval: Sequel = { next: `\`${removalCommand}\`, or the next run that deletes something, goes on` };

const protectedLeftover = (protectedBy: string): string =>
  `its ${protectedBy} is on. If the program still has it, set that to false there and run \`pulumi up\`, which goes on with it. Otherwise switch it off on the platform, in the console or with cpcli`;

/** The inputs that the platform does not tell, and by which a deletion goes. */
function localInputs({ changes }: Kind, inputs: Props): Props {
  return pick(
    inputs,
    Object.keys(changes).filter((key) => changes[key] === "local-only"),
  );
}

/** Groups of one kind each, in which what stands on others comes before them. */
export function inOrderOfRemoval(found: readonly Pending[]): readonly (readonly Pending[])[] {
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds.toReversed().map((kind) => found.filter((one) => one.kind === kind));
}
