import type { AccessChange } from "./access.ts";
import type { Reason, Undo } from "../verdict.ts";
import type { Fields, Value } from "../plan/values.ts";

/** What a change of an input means to those who use the thing. */
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

/** Judges a change of an input. Nothing to say: it is safe, and can be undone. */
export type Judge = (changed: Changed) => readonly Judgement[];

export const undone = (sentence: string): Undo => ({ possible: "yes", sentence });
export const notUndone = (sentence: string): Undo => ({ possible: "no", sentence });
export const partlyUndone = (sentence: string): Undo => ({ possible: "partly", sentence });

/** The same whatever the values are. */
export function always(code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): Judge {
  return () => [{ code, verdict: "needs-approval", sentence, ...more }];
}

export function note(sentence: string, more: Partial<Judgement> = {}): Judge {
  return () => [{ verdict: "safe", sentence, ...more }];
}

/** Protection that is taken away. */
export const protection: Judge = ({ before, after }) =>
  before === true && after !== true
    ? [{ code: "safeguard-weakened", verdict: "needs-approval", sentence: "its protection against deletion is taken away" }]
    : [];

/** A switch that is risky in one position. */
export function risky(position: Value, code: Reason["code"], sentence: string, more: Partial<Judgement> = {}): Judge {
  return ({ after }) => (after === position ? [{ code, verdict: "needs-approval", sentence, ...more }] : []);
}

/** Somebody is let in, or kept out. `whom`: what is reached, as in "opens …". */
export function access(changeOf: (changed: Changed) => AccessChange, what: string, unreachable?: string): Judge {
  return (changed) => {
    const { opened, narrowed, undecided, moved } = changeOf(changed);
    const found: Judgement[] = [];
    if (opened.length > 0) found.push({ code: "access-opened", verdict: "needs-approval", sentence: `opens ${what} to ${listed(opened)}` });
    if (narrowed.length > 0)
      found.push({
        code: "access-narrowed",
        verdict: "needs-approval",
        sentence: `closes ${what} to ${listed(narrowed)}`,
        ...(unreachable === undefined ? {} : { unreachable: `${unreachable}, for ${listed(narrowed)}` }),
      });
    if (moved === true)
      found.push({ code: "access-changed", verdict: "needs-approval", sentence: `the order of who may reach ${what} changes` });
    if (undecided)
      found.push({ code: "undecided", verdict: "needs-approval", sentence: `who may reach ${what} is known only after apply` });
    return found;
  };
}

/** The first ten, and how many more. */
export function listed(texts: readonly string[]): string {
  return texts.length > 10 ? `${texts.slice(0, 10).join(", ")} and ${texts.length - 10} more` : texts.join(", ");
}
