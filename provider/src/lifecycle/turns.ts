import type { Kind } from "../definition/definition.ts";
import { pick, type Props } from "../schema/values.ts";

const queues = new Map<string, Promise<unknown>>();

/** Does work on things that share what the definition's `oneByOne` names one at a time. */
export async function inTurn<T>({ type, oneByOne }: Kind, props: Props, work: () => Promise<T>): Promise<T> {
  if (!oneByOne) return work();
  const key = JSON.stringify([type, pick(props, oneByOne)]);
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(key, turn);
  return turn;
}
