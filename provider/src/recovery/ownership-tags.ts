import { hash } from "node:crypto";
import type { Kind, AnyChange, AnyStep } from "../definition/definition.ts";
import { ownTags } from "../definition/inputs.ts";
import { cleanProps, isProps, type Props } from "../schema/values.ts";

/**
 * The provider's own three tags on a live resource: which resource of which stack owns it, whether the engine is known to have saved it,
 * and the stack. The creation sets them, every change of tags keeps them, and they are never among the inputs that are read.
 */
export const { owner: ownerKey, state: stateKey, stack: stackKey } = ownTags;
const ownKeys: readonly string[] = Object.values(ownTags);
export const pending = "pending";
export const confirmed = "confirmed";

/** The tag's value for a resource of a stack. It is the same for every creation of that resource. */
export function ownerOf(urn: string): string {
  return hashOf(urn);
}

/** The tag's value for the stack of a resource, with its project. States of early versions do not tell their URN: `undefined`. */
export function stackOf(urn: string): string | undefined {
  const [, stack, project] = urnForm.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : stackTagOf({ stack, project });
}

/** The tag's value for a stack. */
export function stackTagOf({ stack, project }: { readonly stack: string; readonly project: string }): string {
  return hashOf(`${stack}::${project}`);
}

/** The stack's name in the URN of a resource. */
export function stackNameIn(urn: string): string | undefined {
  return urnForm.exec(urn)?.[1];
}

const urnForm = /^urn:pulumi:([^:]+)::([^:]+)::/;

function hashOf(text: string): string {
  return hash("sha256", text).slice(0, 12);
}

/** The ownership tags of a resource that is being created. */
export function newOwnershipTags(urn: string): Props {
  return { ...ownerTags(urn), [stateKey]: pending };
}

/** Those of them that say to whom it belongs. */
function ownerTags(urn: string): Props {
  return cleanProps({ [ownerKey]: ownerOf(urn), [stackKey]: stackOf(urn) });
}

/** The desired properties of a live resource that is to belong to another owner, and to stay as it is otherwise. */
export function ownedBy(urn: string, live: Props): Props {
  return { ...live, ownershipTags: { ...ownershipTagsOf(live), ...ownerTags(urn) } };
}

/** Tags as they are on the platform: the user's, and the ownership tags. */
export function separated(all: Props): { readonly tags: Props; readonly ownershipTags: Props } {
  const own = (isOwn: boolean) => Object.fromEntries(Object.entries(all).filter(([key]) => ownKeys.includes(key) === isOwn));
  return { tags: own(false), ownershipTags: cleanProps(own(true)) };
}

/** Properties with ownership tags added to their tags, if the kind takes tags. */
export function withOwnershipTags({ tagsInput }: Pick<Kind, "tagsInput">, props: Props, ownershipTags: Props): Props {
  if (tagsInput === undefined) return props;
  const tags = props[tagsInput];
  return { ...props, [tagsInput]: { ...(isProps(tags) ? tags : {}), ...ownershipTags } };
}

/** The ownership tags of a live resource, as the `read` of `separatingOwnershipTags` returns them. */
function ownershipTagsOf({ ownershipTags }: Props): Props {
  return isProps(ownershipTags) ? ownershipTags : {};
}

/** The owner that a live resource's tags name, if any. */
export function ownerIn(live: Props): string | undefined {
  const owner = ownershipTagsOf(live)[ownerKey];
  return typeof owner === "string" ? owner : undefined;
}

/** The stack that a live resource's tags name, if any. */
export function stackIn(live: Props): string | undefined {
  const stack = ownershipTagsOf(live)[stackKey];
  return typeof stack === "string" ? stack : undefined;
}

/** Whether the ownership tags say that the engine is not known to have saved the resource. */
export function isPending(live: Props): boolean {
  return ownershipTagsOf(live)[stateKey] === pending;
}

// A cache: each value follows from its key.
const separatingKinds = new WeakMap<Kind, Kind>();

/** The same kind, but its reads return the ownership tags apart from the user's tags, and its changes keep them. */
export function separatingOwnershipTags(kind: Kind): Kind {
  const { tagsInput } = kind;
  if (tagsInput === undefined) return kind;
  const known = separatingKinds.get(kind) ?? { ...kind, read: separatingRead(kind.read, tagsInput), changes: keepingChanges(kind) };
  separatingKinds.set(kind, known);
  // A kind that already separates its tags is returned unchanged.
  separatingKinds.set(known, known);
  return known;
}

function separatingRead(read: Kind["read"], tagsInput: string): Kind["read"] {
  return async (cloud, known) => {
    const live = await read(cloud, known);
    const all = live?.[tagsInput];
    if (!live || !isProps(all)) return live;
    const { tags, ownershipTags } = separated(all);
    return { ...live, [tagsInput]: Object.keys(tags).length > 0 ? tags : undefined, ownershipTags };
  };
}

function keepingChanges(kind: Kind): Kind["changes"] {
  const steps = new Map<AnyStep, AnyStep>();
  // Inputs that share a step are recognised by having the same function. They must share the wrapped function, too.
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

/** The desired and the live properties, both with the ownership tags of the live resource. Those that are desired win. */
function withTagsOf(kind: Kind, live: Props, { ownershipTags, ...desired }: Props): [desired: Props, live: Props] {
  const before = ownershipTagsOf(live);
  const after = { ...before, ...ownershipTagsOf({ ownershipTags }) };
  if (Object.keys(after).length === 0) return [desired, live];
  return [withOwnershipTags(kind, desired, after), withOwnershipTags(kind, live, before)];
}
