import type { Kind } from "./definition.ts";

/** The inputs that name the place of a resource, or another part of an id that follows from inputs: their values may be unknown in a preview. */
export function placesOf({ sole = [], bounds = [], id, inputs }: Pick<Kind, "sole" | "bounds" | "id" | "inputs">): readonly string[] {
  const keyed = id.names.every((name) => name in inputs.shape) ? id.names : [];
  return [...new Set([...sole.flatMap((one) => one.in ?? []), ...bounds.map((one) => one.in), ...keyed])];
}
