import type { Kind } from "../definition/definition.ts";
import type { ProgramGraph } from "../program/program-graph.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { pick, type Props } from "../schema/values.ts";
import { Redactor } from "../schema/secrets.ts";

/**
 * The outputs that contain secrets of the program, although their schemas are not secret: of the resource itself, and of its parent. The URLs of
 * images contain the name of the registry.
 */
export function hiddenOutputs(kind: Kind, graph: ProgramGraph, props: Props) {
  const { __veiled: given, __hides: remembered } = privateStateOf(props);
  const id = kind.within && props[kind.within.by];
  const container = kind.within && typeof id === "string" ? graph.withId(kind.within.kind, id) : undefined;
  return {
    own: revealingOutputs(kind, props, kind, pick(props, given)),
    ofContainer: container
      ? revealingOutputs(kind, props, container.kind, pick(container.inputs, privateStateOf(container.inputs).__veiled))
      : remembered,
  };
}

/** The outputs that became secret with an input. Pulumi would copy those of an unchanged resource from the state, in plain text. */
export function newlyHidden(kind: Kind, graph: ProgramGraph, olds: Props, news: Props): readonly string[] {
  const { own, ofContainer } = hiddenOutputs(kind, graph, { ...olds, __veiled: privateStateOf(news).__veiled });
  const { __veiled: before, __hides: remembered } = privateStateOf(olds);
  const known = [...revealingOutputs(kind, olds, kind, pick(olds, before)), ...remembered];
  return [...new Set([...own, ...ofContainer])].filter((output) => !known.includes(output));
}

/** The outputs that contain secret inputs of a resource of this kind or another one. IDs are in plain text in every state. */
function revealingOutputs(kind: Kind, props: Props, owner: Kind, secrets: Props): string[] {
  const redactor = new Redactor();
  redactor.note(owner, "", secrets, Object.keys(secrets));
  return revealing(kind, Object.keys(kind.outputs.shape), props, redactor);
}

/** If a resource is only read: its properties that contain secrets of other resources. */
export function sharedSecrets(kind: Kind, props: Props, redactor: Redactor): string[] {
  return privateStateOf(props).__get ? revealing(kind, Object.keys({ ...kind.inputs.shape, ...kind.outputs.shape }), props, redactor) : [];
}

function revealing({ id }: Kind, keys: readonly string[], props: Props, redactor: Redactor): string[] {
  return keys.filter((key) => !id.names.includes(key) && textsIn(props[key]).some((text) => redactor.hide(text) !== text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
