import { hash } from "node:crypto";
import type { Cloud, resourceKinds } from "@container-platform/sdk";
import type { AnyChange, AnyStep, Kind } from "../definition/definition.ts";
import { isGone } from "../definition/changes.ts";
import { ownTags } from "../definition/inputs.ts";
import { cleanProps, isProps, type Props } from "../schema/values.ts";

/**
 * The provider's three tags on a live resource. The creation sets them, each change of tags keeps them, and no input shows them:
 *
 * - the owner: a hash of the URN;
 * - the stack: `<project>/<stack>.<mark>`;
 * - the state: `pending` until Pulumi is known to have saved the ID, then `confirmed`.
 *
 * The mark distinguishes stacks of the same name in different backends: it is a hash of the random ID that the state has for the provider. A
 * resource that takes no tags, and whose secret only its creation returns, has the same three in a note, until Pulumi has saved it.
 */
export const { owner: ownerKey, state: stateKey, stack: stackKey } = ownTags;
export const pending = "pending";
export const confirmed = "confirmed";

/** The content of ownership tags, or of a note. */
export interface Ownership {
  readonly owner: string | undefined;
  /** `<project>/<stack>`; of version 0.1.0, a hash of both. */
  readonly stack: string | undefined;
  /** The mark of the state from which the resource was created. */
  readonly mark: string | undefined;
  readonly isPending: boolean;
}

/** The owner tag of the resource with a URN. It is the same for each creation of this resource. */
export const ownerOf = (urn: string): string => hash("sha256", urn).slice(0, 12);

/** The mark of a state, by the ID that it has for the provider. */
export const markOfProvider = (id: string): string => hash("sha256", id).slice(0, 8);

/** The project and the stack in a URN; `undefined` for states of early versions, which do not record the URN. */
export function stackIn(urn: string): { readonly project: string; readonly stack: string } | undefined {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : { stack, project };
}

/** Whether a stack tag, without its mark, names the stack of a URN. Version 0.1.0 wrote a hash. */
export function isOfStack(tag: string | undefined, urn: string): boolean {
  const { project, stack } = stackIn(urn) ?? {};
  return project !== undefined && (tag === `${project}/${stack}` || tag === hash("sha256", `${stack}::${project}`).slice(0, 12));
}

/** Whether version 0.1.0 wrote a stack tag. */
export const isOldStackTag = (tag: string | undefined): boolean => tag !== undefined && /^[0-9a-f]{12}$/.test(tag);

export function stackCalled(tag: string): string {
  const [project, stack] = tag.split("/");
  return stack === undefined ? `another stack (${stackKey}: ${tag})` : `stack ${stack} of project ${project}`;
}

const markForm = /\.([0-9a-f]{8})?$/;

export function ownershipIn(tags: Props): Ownership {
  const text = (key: string) => (typeof tags[key] === "string" ? tags[key] : undefined);
  const stack = text(stackKey)?.replace(markForm, "");
  const [, mark] = markForm.exec(text(stackKey) ?? "") ?? [];
  return { owner: text(ownerKey), stack: stack === "" ? undefined : stack, mark, isPending: text(stateKey) === pending };
}

/** The content of the tags of a live resource, as the `read` of `separatingOwnershipTags` returns them. */
export const ownershipOf = (live: Props): Ownership => ownershipIn(ownershipTagsOf(live));

export const newOwnershipTags = (urn: string, mark: string | undefined): Props => ({ ...ownerTags(urn, mark), [stateKey]: pending });

function ownerTags(urn: string, mark: string | undefined): Props {
  const { project, stack } = stackIn(urn) ?? {};
  const name = `${project}/${stack}`;
  // Without a mark, a name that looks as if it had one ends with a dot.
  const end = mark === undefined ? (markForm.test(name) ? "." : "") : `.${mark}`;
  return { [ownerKey]: ownerOf(urn), ...(project !== undefined && { [stackKey]: `${name}${end}` }) };
}

/** The desired properties of a live resource that is to belong to another owner, and to stay as it is otherwise. */
export function ownedBy(urn: string, live: Props): Props {
  const { stack, mark } = ownershipOf(live);
  const ownMark = isOfStack(stack, urn) ? mark : undefined;
  return { ...live, ownershipTags: { ...ownershipTagsOf(live), ...ownerTags(urn, ownMark) } };
}

/** Tags as they are on the platform: the user's, and the ownership tags. */
export function separated(all: Props): { readonly tags: Props; readonly ownershipTags: Props } {
  const own = (isOwn: boolean) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => Object.values<string>(ownTags).includes(key) === isOwn));
  return { tags: own(false), ownershipTags: cleanProps(own(true)) };
}

/** The input that holds the note of a resource until Pulumi has saved it; `undefined` if it has none. */
export const noteInput = ({ owned }: Pick<Kind, "owned">, props: Props): string | undefined =>
  isNoted(owned) ? owned.note(props) : undefined;

/** Whether the tag product keeps the tags of a type, and lists its pending resources. */
export function isInTagProduct(owned: Kind["owned"]): owned is keyof typeof resourceKinds {
  return typeof owned === "string" && owned !== "key";
}

export function isNoted(owned: Kind["owned"]): owned is Extract<Kind["owned"], { readonly note: unknown }> {
  return typeof owned === "object" && "note" in owned;
}

export function withOwnershipTags(kind: Pick<Kind, "tagsInput" | "owned">, props: Props, ownershipTags: Props): Props {
  const { tagsInput } = kind;
  const note = noteInput(kind, props);
  if (note !== undefined) {
    const { owner, mark = "" } = ownershipIn(ownershipTags);
    return { ...props, [note]: [props[note], `(Pulumi ${owner}.${mark})`].filter(Boolean).join(" ") };
  }
  if (tagsInput === undefined) return props;
  const tags = props[tagsInput];
  return { ...props, [tagsInput]: { ...(isProps(tags) ? tags : {}), ...ownershipTags } };
}

/** A text without its note, and the content of the note. */
function noteIn(text: unknown): { readonly text: string; readonly ownershipTags: Props } | undefined {
  const [, before, owner, mark] = typeof text === "string" ? (/^(.*?) ?\(Pulumi ([0-9a-f]{12})\.([0-9a-f]{8})?\)$/s.exec(text) ?? []) : [];
  if (before === undefined || owner === undefined) return undefined;
  return { text: before, ownershipTags: { [ownerKey]: owner, [stackKey]: `.${mark ?? ""}`, [stateKey]: pending } };
}

/** The content of the note of a resource, as its `list` returns it. Version 0.1.0 wrote the beginning of the owner, and nothing else. */
export function noteOn(kind: Pick<Kind, "owned">, listed: Props): Ownership | undefined {
  const text = listed[noteInput(kind, listed) ?? ""];
  const [, old] = typeof text === "string" ? (/^being made by Pulumi \(([0-9a-f]{8})\)$/.exec(text) ?? []) : [];
  const tags = old === undefined ? noteIn(text)?.ownershipTags : { [ownerKey]: old, [stateKey]: pending };
  return tags && ownershipIn(tags);
}

export const isOwner = (owner: string | undefined, urn: string): boolean => owner === ownerOf(urn) || owner === ownerOf(urn).slice(0, 8);

export const ownershipTagsOf = ({ ownershipTags }: Props): Props => (isProps(ownershipTags) ? ownershipTags : {});

// A cache: each value follows from its key.
const separatingKinds = new WeakMap<Kind, Kind>();

/** The same kind, but its reads return the ownership tags apart from the user's inputs, and its changes keep them. */
export function separatingOwnershipTags(kind: Kind): Kind {
  if (kind.tagsInput === undefined && !isNoted(kind.owned)) return kind;
  const known = separatingKinds.get(kind) ?? separating(kind);
  separatingKinds.set(kind, known);
  // A kind that already separates its tags is returned unchanged.
  separatingKinds.set(known, known);
  return known;
}

/** A live resource with its ownership tags apart, and the parts of its ID; `undefined` if it does not exist. */
export async function liveOf(kind: Kind, cloud: Cloud, id: string, known: Props = {}): Promise<Props | undefined> {
  const parts = kind.id.parts(id);
  const live = parts && (await separatingOwnershipTags(kind).read(cloud, { ...known, ...parts }));
  return live && !isGone(kind, live) ? { ...live, ...parts } : undefined;
}

function separating(kind: Kind): Kind {
  const read: Kind["read"] = async (cloud, known) => {
    const live = await kind.read(cloud, known);
    return live && separate(kind, live);
  };
  return { ...kind, read, changes: kind.tagsInput === undefined ? kind.changes : keepingChanges(kind) };
}

function separate(kind: Kind, live: Props): Props {
  const { tagsInput } = kind;
  if (tagsInput === undefined) {
    const input = noteInput(kind, live) ?? "";
    const { text, ownershipTags } = noteIn(live[input]) ?? {};
    return text === undefined ? live : { ...live, [input]: text, ownershipTags };
  }
  const all = live[tagsInput];
  if (!isProps(all)) return live;
  const { tags, ownershipTags } = separated(all);
  return { ...live, [tagsInput]: Object.keys(tags).length > 0 ? tags : undefined, ownershipTags };
}

function keepingChanges(kind: Kind): Kind["changes"] {
  const steps = new Map<AnyStep, AnyStep>();
  // Inputs that share a step are recognised by having the same function. They must share the wrapped function, too.
  const keeping = (step: AnyStep): AnyStep => {
    const keepsTags: AnyStep = (cloud, { ownershipTags, ...desired }, live, wait) => {
      const before = ownershipTagsOf(live);
      // The tags that are desired win.
      const after = { ...before, ...ownershipTagsOf({ ownershipTags }) };
      if (Object.keys(after).length === 0) return step(cloud, desired, live, wait);
      return step(cloud, withOwnershipTags(kind, desired, after), withOwnershipTags(kind, live, before), wait);
    };
    const kept = steps.get(step) ?? keepsTags;
    steps.set(step, kept);
    return kept;
  };
  const changed = (change: AnyChange): AnyChange => {
    if (typeof change === "function") return keeping(change);
    return typeof change === "object" ? { ...change, step: keeping(change.step) } : change;
  };
  return Object.fromEntries(Object.entries(kind.changes).map(([key, change]) => [key, changed(change)]));
}
