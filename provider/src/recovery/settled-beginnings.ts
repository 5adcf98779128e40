import { IntentLogEntry } from "./intent-log.ts";
import type { BegunCreation, SavedStack } from "./saved-resources.ts";

type Beginning = Pick<BegunCreation, "urn" | "token">;

/**
 * The engine keeps the beginning of a creation for ever whose run was killed, also when a later run has made the resource. It would prove
 * for ever that this state has begun what a stack of the same name in another backend creates. So the intent log keeps how many of a
 * resource's beginnings are settled: the first ones, as the engine adds new ones behind them.
 */
export function withSettled(saved: SavedStack): SavedStack {
  const before = new Map<string, number>();
  const begun = saved.begun.map((one) => {
    const entry = entryOf(one);
    const key = `${one.token} ${one.urn}`;
    const index = before.get(key) ?? 0;
    before.set(key, index + 1);
    return { ...one, isSettled: index < Number(entry.read() ?? 0) };
  });
  return { ...saved, begun };
}

/** Notes that a run makes a resource, or has taken it over: of its beginnings, only the last one, which is that of the run itself, is open. */
export function noteSettled({ begun }: SavedStack, of: Beginning): void {
  const settled = begun.filter(({ urn, token }) => urn === of.urn && token === of.token).length - 1;
  if (settled > 0) entryOf(of).write(String(settled));
  else entryOf(of).remove();
}

function entryOf({ urn, token }: Beginning): IntentLogEntry {
  return new IntentLogEntry([urn, token, "settled"]);
}
