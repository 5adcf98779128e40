import { Doubt } from "../definition/offers.ts";
import type { Kind } from "../definition/definition.ts";
import { partOf } from "../schema/messages.ts";
import { at, holdsUnknown, type Props, same } from "../schema/values.ts";
import type { Context } from "./context.ts";
import { isUnseen } from "./errors.ts";
import { privateStateOf } from "./private-state.ts";
import { guarded, StillUnknown } from "./rules.ts";

/**
 * What the platform does not offer of what is new or has changed, one sentence each. What cannot be decided, because a value is unknown or
 * a list cannot be read, refuses nothing.
 *
 * @param before the inputs as last deployed, or as they are on the platform; empty for a new resource
 */
export async function unofferedIn(kind: Kind, context: Pick<Context, "cloud" | "warn">, inputs: Props, before: Props): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(kind.offered ?? {}).map(async ([path, { flaw, beside = [] }]) => {
      const value = valueAt(inputs, path);
      const watched = [path, ...beside];
      if (value === undefined || holdsUnknown(value) || watched.every((one) => same(valueAt(inputs, one), valueAt(before, one)))) return [];
      const answer = await decided(context, path, () => flaw(context.cloud, value, guarded(inputs)));
      if (answer instanceof Doubt) context.warn(`${path}: ${answer.sentence}`);
      if (answer === undefined || answer instanceof Doubt) return [];
      return [typeof answer === "string" ? `${path}: ${answer}` : `${partOf(path, answer.of)}: ${answer.says}`];
    }),
  );
  return answers.flat();
}

/** The same for what a program is checked for. What it imports is not new: it is compared with what is there. */
export function unofferedOfNew(kind: Kind, context: Pick<Context, "cloud" | "warn">, inputs: Props, olds: Props): Promise<string[]> {
  const isImported = privateStateOf(inputs).__adopt !== undefined && Object.keys(olds).length === 0;
  return isImported ? Promise.resolve([]) : unofferedIn(kind, context, inputs, olds);
}

function valueAt(inputs: Props, path: string): unknown {
  return at(inputs, path.split("."));
}

async function decided<T>({ warn }: Pick<Context, "warn">, path: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StillUnknown) return undefined;
    if (!isUnseen(error)) throw error;
    warn(`${path}: cannot be checked before it is used, because the platform does not tell what it offers: ${error.message}`);
    return undefined;
  }
}
