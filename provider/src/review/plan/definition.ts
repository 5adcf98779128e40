import type { definitions } from "./definitions.ts";

/** What a change of an input does: `mixed` depends on the values. */
export type Effect = "replace" | "in place" | "mixed" | "local-only" | "order-only";

/** What the reviewer needs of a resource's definition. */
export interface Definition {
  /** The inputs by what a change of them does. */
  readonly changes: Readonly<Partial<Record<Effect, readonly string[]>>>;
  /** Paths of inputs that are never shown: `native.password`, `existingInstances[].loginSettings`. */
  readonly secrets: readonly string[];
  /** What is taken for an input that is left out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The inputs that may be left out, by what taking them out of the program does. */
  readonly removed: Readonly<Partial<Record<"clear" | "keep" | "refuse" | "default", readonly string[]>>>;
  /** The input that keeps the thing from being deleted. */
  readonly protectedBy?: string;
  /** It ends after a time, and is renewed so. */
  readonly renewed?: "in place" | "anew";
  /** After so many seconds the provider gives up waiting. */
  readonly seconds: Readonly<Record<"create" | "update" | "delete", number>>;
}

/** The kinds whose definitions are known. */
export type KnownKind = keyof typeof definitions;
type ChangesOf<Kind extends KnownKind> = (typeof definitions)[Kind]["changes"];
type Grouped<Changes> = Changes[keyof Changes];
/** The inputs of a kind. */
export type InputOf<Kind extends KnownKind> =
  Grouped<ChangesOf<Kind>> extends infer Group extends readonly string[] ? Group[number] : never;

const effects = ["replace", "in place", "mixed", "local-only", "order-only"] as const satisfies readonly Effect[];

/** What a change of an input does; `undefined` if it is none of the kind's. */
export function effectOf(definition: Definition, input: string): Effect | undefined {
  return effects.find((effect) => definition.changes[effect]?.includes(input));
}
