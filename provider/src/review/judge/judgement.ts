import type { AccessChange } from "./access.ts";
import type { Reason, Undo } from "../verdict.ts";
import { differsInHidden, type Fields, holdsUnknown, type Value } from "../plan/values.ts";

/** What a change of an input means to the users of the resource. */
export interface Judgement {
  readonly code?: Reason["code"];
  readonly verdict: "safe" | "needs-approval";
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
  return differsInHidden(changed.before, changed.after) && found.every(({ verdict }) => verdict === "safe")
    ? [...found, undecided(hidden("what the change means", changed.after))]
    : found;
}

/** Why a question cannot be decided from a value. */
export function hidden(question: string, value: Value | undefined): string {
  return holdsUnknown(value) ? `${question} is known only after apply` : `${question} is not known, because the value is secret`;
}

export function undecided(sentence: string): Judgement {
  return { code: "undecided", verdict: "needs-approval", sentence };
}

export const undone = (sentence: string): Undo => ({ possible: "yes", sentence });
export const notUndone = (sentence: string): Undo => ({ possible: "no", sentence });
export const partlyUndone = (sentence: string): Undo => ({ possible: "partly", sentence });

/** The same judgement for all values. */
export function always(code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): readonly Judgement[] {
  return [{ code, verdict: "needs-approval", sentence, ...more }];
}

/** A change that is safe, and worth a sentence. */
export function note(sentence: string, more: Partial<Judgement> = {}): readonly Judgement[] {
  return [{ verdict: "safe", sentence, ...more }];
}

/** Judges an input that protects from deletion. */
export const protection: Judge = ({ before, after }) =>
  before === true && after !== true
    ? [{ code: "safeguard-weakened", verdict: "needs-approval", sentence: "its protection against deletion is taken away" }]
    : [];

/** Judges an input that is risky with one value. */
export function risky(position: Value, code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): Judge {
  return ({ after }) => (after === position ? [{ code, verdict: "needs-approval", sentence, ...more }] : []);
}

/** Judges an input that decides who has access. `what`: what is reached, as in "opens …". */
export function access(changeOf: (changed: Changed) => AccessChange, what: string, unreachable?: string): Judge {
  return (changed) => {
    const { opened, narrowed, undecided: isUndecided, reordered } = changeOf(changed);
    const found: Judgement[] = [];
    if (opened.length > 0) found.push({ code: "access-opened", verdict: "needs-approval", sentence: `opens ${what} to ${listed(opened)}` });
    if (narrowed.length > 0)
      found.push({
        code: "access-narrowed",
        verdict: "needs-approval",
        sentence: `closes ${what} to ${listed(narrowed)}`,
        ...(unreachable === undefined ? {} : { unreachable: `${unreachable}, for ${listed(narrowed)}` }),
      });
    if (reordered === true)
      found.push({
        code: "access-changed",
        verdict: "needs-approval",
        sentence: `the order of the rules on who may reach ${what} changes`,
      });
    if (isUndecided) found.push(undecided(`who may reach ${what} is known only after apply`));
    return found;
  };
}

/** The first ten texts, and how many more there are. */
export function listed(texts: readonly string[]): string {
  return texts.length > 10 ? `${texts.slice(0, 10).join(", ")} and ${texts.length - 10} more` : texts.join(", ");
}
