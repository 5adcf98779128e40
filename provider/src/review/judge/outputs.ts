import type { Plan } from "../plan/plan.ts";
import type { Reason } from "../verdict.ts";
import { listed } from "./judgement.ts";

/**
 * The reasons because of outputs of the stack that are gone afterwards, or are known only then, although others may read them.
 *
 * @param readers the stacks that read this one, by their states; `undefined` if no states were given
 */
export function outputsLost({ outputs }: Plan, readers: readonly string[] | undefined): Reason[] {
  if (!outputs || readers?.length === 0) return [];
  const { gone, changed } = outputs;
  const by = readers === undefined ? "" : `, which ${listed(readers)} read${readers.length === 1 ? "s" : ""}`;
  const lost = readers === undefined ? ". A stack that reads one fails from then on: give the states of the others with --stack-state" : by;
  return [
    ...(gone.length === 0 ? [] : [reason(`loses ${gone.length === 1 ? "its output" : "the outputs"} ${listed(gone)}${lost}`)]),
    // Without a reader, a new value of an output disturbs nobody.
    ...(changed.length === 0 || readers === undefined
      ? []
      : [reason(`gets another value of ${changed.length === 1 ? "its output" : "the outputs"} ${listed(changed)}${by}`)]),
  ];
}

function reason(sentence: string): Reason {
  return { code: "interrupts", verdict: "needs-approval", called: "stack", sentence };
}
