import type { Fields, Value } from "../plan/values.ts";
import type { Undo } from "../verdict.ts";
import type { Judge, Judgement } from "./judgement.ts";

/** A resource that goes, as its review sees it. */
export interface Before {
  /** The inputs as last deployed; `undefined` where there was no such resource. */
  readonly before: Fields | undefined;
}

/** What the end of a resource means to those who use it, whether it is deleted or replaced. */
export interface Ending {
  /** What is lost with it and is nowhere else, if there is anything. */
  readonly loses?: (resource: Before) => string | undefined;
  /** What cannot be reached any more, or until the new one is there. */
  readonly unreachable: (resource: Before) => readonly string[];
  readonly undo: Undo;
  /** When the platform itself refuses the deletion. */
  readonly refused?: string;
}

/** A replacement that is judged by what changes, and not as the end of the old resource. */
export interface Replaced extends Before {
  readonly inputs: Fields;
  /** The inputs that force it. */
  readonly replaceKeys: readonly string[];
}

/** Access that a new resource opens. */
export interface Opening {
  readonly property: string;
  readonly sentence: string;
}

/** How many of a kind there may be. */
export interface Limit {
  readonly what: string;
  readonly limit: number;
  /** Where, or for whom, they are counted. */
  readonly per: (resource: Before & { readonly inputs: Fields; readonly region: string | undefined }) => string;
  /** It is shared with other stacks: worth a word even far from the limit. */
  readonly shared?: true;
}

/**
 * All that the reviewer knows of one kind of resource, besides its definition. It stands in a file beside the resource.
 *
 * @typeParam Input the names of the inputs: `InputOf<"Vpc">`, which `npm run fix` writes from the definition
 */
export interface Reviewed<Input extends string = string> {
  /** Seconds that each step usually takes on the platform, from the specification where it names some. */
  readonly seconds: Readonly<Record<"create" | "update" | "delete", number>> & {
    /** Changes in place that take longer, or shorter, than others of the kind. */
    readonly changes?: Readonly<Partial<Record<Input, number>>>;
  };
  readonly ending: Ending;
  /** What a change in place of an input means. Inputs that are not here are safe to change and to change back. */
  readonly changes: Readonly<Partial<Record<Input, Judge>>>;
  /** Access that is open from the first day on. */
  readonly opens?: (inputs: Fields) => Opening | undefined;
  /** A replacement that is no end: what is to be said of it instead. `undefined`: it is one. */
  readonly replacement?: (
    replaced: Replaced,
  ) => (Required<Pick<Judgement, "code">> & { property: string; sentence: string; undo: Undo }) | undefined;
  readonly limit?: Limit;
}

/** Of resources of other providers, nothing is known. */
export const unknownEnding: Ending = {
  unreachable: () => [],
  undo: { possible: "no", sentence: "it is another provider's: whether it can be made again is not known here" },
};

/** A property that is a text, or what to say instead. */
export function textOr(value: Value | undefined, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
