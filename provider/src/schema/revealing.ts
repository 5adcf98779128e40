import type { Kind } from "../definition/definition.ts";
import type { Props } from "./values.ts";
import { Veil } from "./veil.ts";

/**
 * The outputs that have in them what the program gives as a secret input, such as the name of a namespace in those of its images: they are
 * as secret as that. An output that is a part of the id is not: ids are in clear in every state.
 *
 * @param given the inputs that the program gives as secrets, of this kind or another one
 */
export function revealingOutputs(kind: Kind, props: Props, given: { readonly kind: Kind; readonly secrets: Props }): string[] {
  const names = Object.keys(given.secrets);
  if (names.length === 0) return [];
  const veil = new Veil();
  veil.note(given.kind, "", given.secrets, names);
  const isHidden = (text: string) => veil.hide(text) !== text;
  return Object.keys(kind.outputs.shape).filter((key) => !kind.id.names.includes(key) && textsIn(props[key]).some(isHidden));
}

/**
 * The properties of a resource that is only read which have in them what other resources of the run have as a secret, such as the script of
 * a node pool that the same program manages.
 */
export function sharedSecrets(kind: Kind, props: Props, veil: Veil): string[] {
  const isHidden = (text: string) => veil.hide(text) !== text;
  const keys = Object.keys({ ...kind.inputs.shape, ...kind.outputs.shape });
  return keys.filter((key) => !kind.id.names.includes(key) && textsIn(props[key]).some(isHidden));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
