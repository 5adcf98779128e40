import { createHash } from "node:crypto";
import type { Kind, AnyChange, AnyStep } from "../definition/definition.ts";
import { ownPrefix } from "../definition/inputs.ts";
import { cleanProps, isProps, type Props } from "../schema/values.ts";

/**
 * The provider's own two tags: which resource of which stack owns it, and whether the engine is known to have saved it. They are set
 * by the creation, every change of tags keeps them, and nobody who reads inputs sees them.
 */
export const ownerKey = `${ownPrefix}owner`;
export const stateKey = `${ownPrefix}state`;
export const pending = "pending";
export const confirmed = "confirmed";

/** How the platform is told which resource of which stack owns something. It is the same for every creation of that resource. */
export function ownerOf(urn: string): string {
  return createHash("sha256").update(urn).digest("hex").slice(0, 12);
}

/** The ownership tags of what is being created. */
export function newOwnershipTags(urn: string): Props {
  return { [ownerKey]: ownerOf(urn), [stateKey]: pending };
}

/** Properties with ownership tags among their tags, where the kind takes tags. */
export function withOwnershipTags({ tagsInput }: Pick<Kind, "tagsInput">, props: Props, ownershipTags: Props): Props {
  if (tagsInput === undefined) return props;
  const tags = props[tagsInput];
  return { ...props, [tagsInput]: { ...(isProps(tags) ? tags : {}), ...ownershipTags } };
}

/** The ownership tags of a live resource, as the `read` of an `unmarked` kind tells them. */
function ownershipTagsOf({ ownershipTags }: Props): Props {
  return isProps(ownershipTags) ? ownershipTags : {};
}

/** Whether the ownership tags say that the engine is not known to have saved the resource. */
export function isPending(live: Props): boolean {
  return ownershipTagsOf(live)[stateKey] === pending;
}

// A cache: what it holds follows from its key.
const unmarkedKinds = new WeakMap<Kind, Kind>();

/** The same kind for those who need not know of ownership tags: its reads tell them apart from the tags, and its changes keep them. */
export function unmarked(kind: Kind): Kind {
  const { tagsInput } = kind;
  if (tagsInput === undefined) return kind;
  const known = unmarkedKinds.get(kind) ?? { ...kind, read: tellingApart(kind.read, tagsInput), changes: keptBy(kind) };
  unmarkedKinds.set(kind, known);
  return known;
}

function tellingApart(read: Kind["read"], tagsInput: string): Kind["read"] {
  return async (cloud, known) => {
    const live = await read(cloud, known);
    const all = live?.[tagsInput];
    if (!live || !isProps(all)) return live;
    const { [ownerKey]: owner, [stateKey]: state, ...tags } = all;
    const ownershipTags = cleanProps({ [ownerKey]: owner, [stateKey]: state });
    return { ...live, [tagsInput]: Object.keys(tags).length > 0 ? tags : undefined, ownershipTags };
  };
}

function keptBy(kind: Kind): Kind["changes"] {
  const steps = new Map<AnyStep, AnyStep>();
  // Inputs that one step serves are recognised by having the same step. They have to keep that.
  const keeping = (step: AnyStep): AnyStep => {
    const kept = steps.get(step) ?? ((cloud, desired, live, wait) => step(cloud, ...withTagsOf(kind, live, desired), wait));
    steps.set(step, kept);
    return kept;
  };
  const changed = (change: AnyChange): AnyChange => {
    if (typeof change === "function") return keeping(change);
    return typeof change === "object" ? { ...change, step: keeping(change.step) } : change;
  };
  return Object.fromEntries(Object.entries(kind.changes).map(([key, change]) => [key, changed(change)]));
}

/** What is desired and what is live, both with the ownership tags of what is live. */
function withTagsOf(kind: Kind, live: Props, desired: Props): [desired: Props, live: Props] {
  const tags = ownershipTagsOf(live);
  return Object.keys(tags).length === 0 ? [desired, live] : [withOwnershipTags(kind, desired, tags), withOwnershipTags(kind, live, tags)];
}
