import type { UniqueConstraint } from "../../definition/invariants.ts";
import type { definitions } from "./definitions.ts";

/** What a change of an input does: `mixed` depends on the values. */
const effects = ["replace", "in place", "mixed", "local-only", "order-only"] as const;
export type Effect = (typeof effects)[number];

/** The part of a resource's definition that the reviewer needs. @internal */
export interface Definition {
  /** The inputs, grouped by what a change of them does. */
  readonly changes: Readonly<Partial<Record<Effect, readonly string[]>>>;
  /** Paths of inputs that are never shown: `native.password`, `existingInstances[].loginSettings`. */
  readonly secrets?: readonly string[];
  /** The input that, while true, forbids deletion. */
  readonly protectedBy?: string;
  /** What only one resource at a time can have. */
  readonly unique?: readonly Omit<UniqueConstraint, "isFree">[];
  /** The inputs that make up the id, if nothing else does. */
  readonly idInputs?: readonly string[];
  /** Whether it is detached from another one that is deleted before it is changed. */
  readonly detaches?: true;
}

export type KnownKind = keyof typeof definitions;
type ChangesOf<Kind extends KnownKind> = (typeof definitions)[Kind]["changes"];
type Grouped<Changes, Effects> = Changes[keyof Changes & Effects] extends infer Group extends readonly string[] ? Group[number] : never;
export type InputOf<Kind extends KnownKind> = Grouped<ChangesOf<Kind>, Effect>;
/** The inputs of a kind that can change while the resource stays. */
export type ChangeableOf<Kind extends KnownKind> = Grouped<ChangesOf<Kind>, "in place" | "mixed" | "local-only">;

/** What a change of an input does; `undefined` if the kind has no such input. @internal */
export function effectOf(definition: Definition, input: string): Effect | undefined {
  return effects.find((effect) => definition.changes[effect]?.includes(input));
}
