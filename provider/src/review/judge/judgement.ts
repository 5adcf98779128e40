import type { AccessChange } from "./access.ts";
import type { Reason, Undo } from "../verdict.ts";
import type { Fields, Value } from "../plan/values.ts";

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
}

/** Judges a change of an input. An empty list: it is safe, and can be undone. */
export type Judge = (changed: Changed) => readonly Judgement[];

export const undone = (sentence: string): Undo => ({ possible: "yes", sentence });
export const notUndone = (sentence: string): Undo => ({ possible: "no", sentence });
export const partlyUndone = (sentence: string): Undo => ({ possible: "partly", sentence });

/** The same judgement for all values. */
export function always(code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): Judge {
  return () => [{ code, verdict: "needs-approval", sentence, ...more }];
}

export function note(sentence: string, more: Partial<Judgement> = {}): Judge {
  return () => [{ verdict: "safe", sentence, ...more }];
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
    const { opened, narrowed, undecided, reordered } = changeOf(changed);
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
    if (undecided)
      found.push({ code: "undecided", verdict: "needs-approval", sentence: `who may reach ${what} is known only after apply` });
    return found;
  };
}

/** The first ten texts, and how many more there are. */
export function listed(texts: readonly string[]): string {
  return texts.length > 10 ? `${texts.slice(0, 10).join(", ")} and ${texts.length - 10} more` : texts.join(", ");
}
