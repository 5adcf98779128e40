import { createHash } from "node:crypto";
import type { Kind, AnyChange, AnyStep } from "../definition/definition.ts";
import { ownPrefix } from "../definition/inputs.ts";
import { cleanProps, isProps, type Props } from "../schema/values.ts";

/**
 * The provider's own tags: whose a thing is, and whether the engine is known to have saved it. They are on it from its creation on,
 * stay through every change of tags, and are seen by nobody who reads inputs.
 */
export const ownerKey = `${ownPrefix}owner`;
export const stateKey = `${ownPrefix}state`;
export const pending = "pending";
export const confirmed = "confirmed";

/** How the thing of a resource is known on the platform: the same for every creation of it. */
export function ownerOf(urn: string): string {
  return createHash("sha256").update(urn).digest("hex").slice(0, 12);
}

/** The marks of a thing that is being made. */
export function newMarks(urn: string): Props {
  return { [ownerKey]: ownerOf(urn), [stateKey]: pending };
}

/** With marks among the tags. */
export function withMarks(props: Props, marks: Props): Props {
  return { ...props, tags: { ...(isProps(props["tags"]) ? props["tags"] : {}), ...marks } };
}

/** The provider's tags of a live thing, as the kind's `read` tells them. */
export function marksOf({ marks }: Props): Props {
  return isProps(marks) ? marks : {};
}

const kinds = new WeakMap<Kind, Kind>();

/** The same kind of thing, to those who need not know of the provider's tags: reads do not show them, and changes keep them. */
export function unmarked(kind: Kind): Kind {
  if (kind.tagsInput === undefined) return kind;
  const known = kinds.get(kind) ?? { ...kind, read: hiding(kind.read), changes: keptBy(kind.changes) };
  kinds.set(kind, known);
  return known;
}

function hiding(read: Kind["read"]): Kind["read"] {
  return async (cloud, known) => {
    const live = await read(cloud, known);
    if (!live || !isProps(live["tags"])) return live;
    const { [ownerKey]: owner, [stateKey]: state, ...tags } = live["tags"];
    const marks = cleanProps({ [ownerKey]: owner, [stateKey]: state });
    return { ...live, tags: Object.keys(tags).length > 0 ? tags : undefined, marks };
  };
}

function keptBy(changes: Kind["changes"]): Kind["changes"] {
  const steps = new Map<AnyStep, AnyStep>();
  // One step may serve several inputs, and is known by that.
  const keeping = (step: AnyStep): AnyStep => {
    const kept = steps.get(step) ?? ((cloud, wish, live, wait) => step(cloud, ...marked(wish, live), wait));
    steps.set(step, kept);
    return kept;
  };
  const changed = (change: AnyChange): AnyChange => {
    if (typeof change === "function") return keeping(change);
    return typeof change === "object" ? { ...change, step: keeping(change.step) } : change;
  };
  return Object.fromEntries(Object.entries(changes).map(([key, change]) => [key, changed(change)]));
}

function marked(wish: Props, live: Props): [wish: Props, live: Props] {
  const marks = marksOf(live);
  return Object.keys(marks).length === 0 ? [wish, live] : [withMarks(wish, marks), withMarks(live, marks)];
}
