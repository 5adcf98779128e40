import type { Kind } from "../definition/definition.ts";
import { privateStateOf } from "../schema/private-state.ts";
import type { ProgramGraph } from "../program/program-graph.ts";
import { pick, type Props } from "../schema/values.ts";
import { Veil } from "../schema/secrets.ts";

/** The outputs that contain secrets of the program, although their schemas are not secret. */
interface Hidden {
  /** Secrets of the resource itself. */
  readonly own: readonly string[];
  /** Secrets of its parent: the URLs of images contain the name of the registry. */
  readonly ofContainer: readonly string[];
}

/** @param props inputs and outputs. If the update has not seen the parent, the secrets in the state count */
export function hiddenOutputs(kind: Kind, graph: ProgramGraph, props: Props): Hidden {
  const { __veiled: given, __hides: remembered } = privateStateOf(props);
  const own = revealingOutputs(kind, props, { kind, secrets: pick(props, given) });
  const id = kind.within && props[kind.within.by];
  const container = kind.within && typeof id === "string" ? graph.withId(kind.within.kind, id) : undefined;
  if (!container) return { own, ofContainer: remembered };
  const secrets = pick(container.inputs, privateStateOf(container.inputs).__veiled);
  return { own, ofContainer: revealingOutputs(kind, props, { kind: container.kind, secrets }) };
}

/**
 * The outputs that the state has in plain text although they are secret now, because the program has made an input a secret.
 *
 * Why: the engine copies the outputs of an unchanged resource from the state.
 */
export function newlyHidden(kind: Kind, graph: ProgramGraph, olds: Props, news: Props): readonly string[] {
  const { __veiled: given } = privateStateOf(news);
  const { own, ofContainer } = hiddenOutputs(kind, graph, { ...olds, __veiled: given });
  const { __veiled: before, __hides: remembered } = privateStateOf(olds);
  const known = [...revealingOutputs(kind, olds, { kind, secrets: pick(olds, before) }), ...remembered];
  return [...new Set([...own, ...ofContainer])].filter((output) => !known.includes(output));
}

/** The outputs that contain a secret input of a resource of this kind or another one. IDs are in plain text in every state. */
function revealingOutputs(kind: Kind, props: Props, given: { readonly kind: Kind; readonly secrets: Props }): string[] {
  const names = Object.keys(given.secrets);
  if (names.length === 0) return [];
  const veil = new Veil();
  veil.note(given.kind, "", given.secrets, names);
  return revealing(kind, Object.keys(kind.outputs.shape), props, veil);
}

/** The properties of a resource that is only read which contain secrets of other resources. */
export function sharedSecrets(kind: Kind, props: Props, veil: Veil): string[] {
  return revealing(kind, Object.keys({ ...kind.inputs.shape, ...kind.outputs.shape }), props, veil);
}

function revealing({ id }: Kind, keys: readonly string[], props: Props, veil: Veil): string[] {
  const isHidden = (text: string) => veil.hide(text) !== text;
  return keys.filter((key) => !id.names.includes(key) && textsIn(props[key]).some(isHidden));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
