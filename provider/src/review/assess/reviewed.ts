import type { Outliving } from "../../definition/outliving.ts";
import { displayNameOfUrn } from "../plan/names.ts";
import { differsInHidden, type Fields, holds, holdsUnknown, sourcesOf, type Value } from "../plan/values.ts";
import type { Reason, Undo } from "../verdict.ts";
import type { ChangeableOf, InputOf, KnownKind } from "../plan/definition.ts";

export interface Before {
  /** The inputs as last deployed; `undefined` if there was no such resource. */
  readonly before: Fields | undefined;
}

/** What the deletion or the replacement of a resource means to its users. */
export interface Ending {
  /** What is lost with it, if anything is. */
  readonly loses?: (resource: Before) => string | undefined;
  /** What stays on the platform, and is billed. */
  readonly outliving?: (inputs: Fields) => readonly Outliving[];
  /** What cannot be reached any more, or not until the new one is there. */
  readonly unreachable: (resource: Before) => readonly string[];
  readonly undo: Undo;
  /** When the platform refuses the deletion. */
  readonly refused?: string;
  /** What the platform does with others that are in it, or use it, when it is deleted. Default: nothing. */
  readonly whileThere?: WhileThere;
}

export interface Present {
  readonly kind: KnownKind | undefined;
  readonly id: string | undefined;
  readonly inputs: Fields;
}

/** What becomes of the deletion of a resource because of another one that is there: the platform refuses it, or deletes the other one, too. */
export type WhileThere = (own: Present, other: Present) => "refuses" | "is deleted with it" | undefined;

/** The platform refuses the deletion while one of some kinds names the resource by its id. */
export function refusedBy(...kinds: readonly KnownKind[]): WhileThere {
  return ({ id }, { kind, inputs }) =>
    kind !== undefined &&
    kinds.includes(kind) &&
    id !== undefined &&
    Object.values(inputs).some((value) => holds(value, (part) => part === id))
      ? "refuses"
      : undefined;
}

/** The platform deletes all with it that have its id in one of some inputs. */
export function takesAlong(...keys: readonly string[]): WhileThere {
  return ({ id }, { inputs }) => (id !== undefined && keys.some((key) => inputs[key] === id) ? "is deleted with it" : undefined);
}

/** A replacement, for kinds whose replacements are judged by what changes. */
export interface Replaced extends Before {
  readonly inputs: Fields;
  /** The inputs that force it. */
  readonly replaceKeys: readonly string[];
}

export interface Opening {
  /** Default: `access-opened`. */
  readonly code?: Judgement["code"];
  readonly property: string;
  readonly sentence: string;
}

/** Whether the id in an input may be of something that is there already, and not of what the same run makes. */
export type IsThere = (id: Value | undefined) => boolean;

/** How it is judged whether a new resource opens access. */
export interface Opens<Input extends string> {
  /** The values that decide it, by input. If one of them is hidden, the resource needs approval. */
  readonly decidedBy: (inputs: Fields) => { readonly [Key in Input]?: Value | undefined };
  readonly opening: (inputs: Fields, isThere: IsThere) => Opening | undefined;
}

/** A quota: how many resources of a kind there may be. */
export interface Limit {
  readonly what: string;
  readonly limit: number;
  /** Where, or for whom, they are counted. */
  readonly per: (resource: Before & { readonly inputs: Fields; readonly region: string | undefined }) => string;
  /** Other stacks use the same quota, so it is reported even if this stack is far from it. */
  readonly shared?: true;
}

/**
 * What the reviewer knows about one kind of resource, besides its definition. It is in a file beside the resource.
 * The names of the inputs are those that `npm run fix` writes from the definition.
 */
export type ReviewOf<Kind extends KnownKind> = Reviewed<InputOf<Kind>, ChangeableOf<Kind>>;

/** The same, for code that serves every kind. */
export interface Reviewed<Input extends string = string, Changeable extends string = string> {
  /** How many seconds each step usually takes on the platform. Times that the specification gives are used. */
  readonly seconds: Readonly<Record<"create" | "update" | "delete", number>> & {
    /** By input: changes in place that do not take the usual time. */
    readonly changes?: Readonly<Partial<Record<Input, number>>>;
  };
  readonly ending: Ending;
  /** What a change of each input means, if the resource stays. None may be left out. */
  readonly changes: Readonly<Record<Changeable, Meaning>>;
  /** The access that a new resource opens. */
  readonly opens?: Opens<Input>;
  /** The judgement on a replacement that means something else than its end, or (`ends`) something besides; `undefined` if it does not. */
  readonly replacement?: (
    replaced: Replaced,
  ) => (Required<Pick<Judgement, "code">> & { property: string; sentence: string; undo: Undo; ends?: boolean }) | undefined;
  readonly limit?: Limit;
}

/** For resources of other providers. */
export const unknownEnding: Ending = {
  unreachable: () => [],
  undo: { possible: "no", sentence: "it is another provider's resource: whether it can be created again is not known here" },
};

/** A property that is a text, or another text if it is none. */
export function textOr(value: Value | undefined, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

/** The meaning of a change of an input to the users of the resource. */
export interface Judgement {
  /** Why it needs approval; it is safe without one. */
  readonly code?: Reason["code"];
  readonly sentence: string;
  readonly unreachable?: string;
  readonly undo?: Undo;
}

export interface Changed {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** All inputs before. */
  readonly old: Fields;
  /** What the platform had when the state was written. */
  readonly live: (name: string) => Value | undefined;
}

/** Judges a change of an input by its values. An empty list: it is safe, and can be undone. */
export type Judge = (changed: Changed) => readonly Judgement[];

/** What a change of an input means: nothing to worry about, the same for all values, or what a judge says of the values. */
export type Meaning = "harmless" | readonly Judgement[] | Judge;

/** The judgements on a change of an input. What nobody has judged, or can judge before apply, needs approval. */
export function judgementsOn(meaning: Meaning | undefined, changed: Changed): readonly Judgement[] {
  if (meaning === undefined) return [undecided("what a change of this input means is not known here")];
  if (meaning === "harmless") return [];
  if (typeof meaning !== "function") return meaning;
  const found = meaning(changed);
  return differsInHidden(changed.before, changed.after) && found.every(({ code }) => code === undefined)
    ? [...found, undecided(hidden("what the change means", changed.after))]
    : found;
}

/** Why a question cannot be decided from a value, and the resources that the value comes from. */
export function hidden(question: string, value: Value | undefined): string {
  if (!holdsUnknown(value)) return `${question} is not known, because the value is secret`;
  const sources = sourcesOf(value).map(displayNameOfUrn);
  return `${question} is known only after apply${sources.length === 0 ? "" : `, as a value comes from ${listed(sources)}`}`;
}

export function undecided(sentence: string): Judgement {
  return { code: "undecided", sentence };
}

export const undone = (sentence: string): Undo => ({ possible: "yes", sentence });
export const notUndone = (sentence: string): Undo => ({ possible: "no", sentence });
export const partlyUndone = (sentence: string): Undo => ({ possible: "partly", sentence });

/** The same judgement for all values. */
export function always(code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): readonly Judgement[] {
  return [{ code, sentence, ...more }];
}

/** A change that is safe, and worth a sentence. */
export function note(sentence: string, more: Partial<Judgement> = {}): readonly Judgement[] {
  return [{ sentence, ...more }];
}

/** Judges an input that protects from deletion. */
export const protection: Judge = ({ before, after }) =>
  before === true && after !== true ? always("safeguard-weakened", "its protection against deletion is taken away") : [];

/** Judges an input that is risky with one value. */
export function risky(position: Value, code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): Judge {
  return ({ after }) => (after === position ? always(code, sentence, more) : []);
}

/** How a change of an input changes access. */
export interface AccessChange {
  /** Who gets access, one text for each entry. */
  readonly opened: readonly string[];
  /** Whether everyone has access then, and not before. */
  readonly everyone: boolean;
  /** Who loses access. */
  readonly narrowed: readonly string[];
  /** A value is not known yet. */
  readonly undecided: boolean;
  /** The same rules in another order, which matters because the first that matches decides. */
  readonly reordered?: boolean;
}

/** Judges an input that decides who has access. `what`: what is reached, as in "opens …". */
export function access(changeOf: (changed: Changed) => AccessChange, what: string, unreachable?: string): Judge {
  return (changed) => {
    const { opened, everyone, narrowed, undecided: isUndecided, reordered } = changeOf(changed);
    const cut = unreachable === undefined ? {} : { unreachable: `${unreachable}, for ${listed(narrowed)}` };
    return [
      ...(opened.length > 0 ? always("access-opened", `opens ${what} to ${everyone ? "everyone: " : ""}${listed(opened)}`) : []),
      ...(narrowed.length > 0 ? always("access-narrowed", `closes ${what} to ${listed(narrowed)}`, cut) : []),
      ...(reordered === true ? always("access-changed", `the order of the rules on who may reach ${what} changes`) : []),
      ...(isUndecided ? [undecided(`who may reach ${what} is known only after apply`)] : []),
    ];
  };
}

/** The first ten texts, and how many more there are. */
export function listed(texts: readonly string[]): string {
  return texts.length > 10 ? `${texts.slice(0, 10).join(", ")} and ${texts.length - 10} more` : texts.join(", ");
}
