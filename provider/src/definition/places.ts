import type { Kind } from "./definition.ts";

type Placed = Pick<Kind, "sole" | "bounds" | "joined" | "needs" | "id" | "inputs">;

/** The inputs that name the place of a resource, or another part of an id that follows from inputs: their values may be unknown in a preview. */
export function placesOf({ sole = [], bounds = [], id, inputs }: Placed): readonly string[] {
  const keyed = id.names.every((name) => name in inputs.shape) ? id.names : [];
  return [...new Set([...sole.flatMap((one) => one.in ?? []), ...bounds.map((one) => one.in), ...keyed])];
}

/** The same, and those that refer to what has to be in the same place, or to be there; in all that such an input holds. */
export function referringInputs(kind: Placed): readonly string[] {
  const joined = (kind.joined ?? []).flatMap(({ by, as }) => [by, typeof as === "string" ? as : as.by]);
  const needed = (kind.needs ?? []).flatMap(({ by, in: place }) => [by, place]);
  return [...new Set([...placesOf(kind), ...joined, ...needed].map((path) => path.split(".")[0] ?? path))];
}
