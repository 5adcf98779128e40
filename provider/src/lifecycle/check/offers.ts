import { Doubt, type Referred } from "../../definition/offers.ts";
import type { Kind } from "../../definition/definition.ts";
import { partOf } from "../../schema/messages.ts";
import { holdsUnknown, type Props, same } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { privateStateOf } from "../private-state.ts";
import type { Members } from "../program/members/members.ts";
import { valueAt } from "../program/paths.ts";
import { guarded, StillUnknown } from "./rules.ts";

/** What is looked at. */
interface Look {
  readonly inputs: Props;
  /** The inputs as last deployed, or as they are on the platform; empty for a new resource. */
  readonly before: Props;
  /** The inputs of the program's resource that an unknown value is of, by path; `undefined` where nobody can tell. */
  readonly sourceOf?: (path: string) => Props | undefined;
}

/**
 * What the platform does not offer of what is new or has changed, one sentence each. What cannot be decided, because a value is unknown or
 * a list cannot be read, refuses nothing.
 */
export async function unofferedIn(
  kind: Kind,
  context: Pick<Context, "cloud" | "warn">,
  { inputs, before, sourceOf }: Look,
): Promise<string[]> {
  const referred: Referred = (path) => referredAt(inputs, path, sourceOf);
  const answers = await Promise.all(
    Object.entries(kind.offered ?? {}).map(async ([path, { flaw, beside = [] }]) => {
      const value = valueAt(inputs, path);
      const watched = [path, ...beside];
      if (value === undefined || holdsUnknown(value) || watched.every((one) => same(valueAt(inputs, one), valueAt(before, one)))) return [];
      const answer = await decided(context, path, () => flaw(context.cloud, value, guarded(inputs), referred));
      if (answer instanceof Doubt) context.warn(`${path}: ${answer.sentence}`);
      if (answer === undefined || answer instanceof Doubt) return [];
      return [typeof answer === "string" ? `${path}: ${answer}` : `${partOf(path, answer.of)}: ${answer.says}`];
    }),
  );
  return answers.flat();
}

/**
 * The same for what a program is checked for. What it imports is not new: it is compared with what is there.
 *
 * @param news with the private inputs that only `check` has
 */
export async function unofferedOfNew(
  kind: Kind,
  context: Pick<Context, "cloud" | "warn">,
  members: Members,
  { olds, news, inputs }: { readonly olds: Props; readonly news: Props; readonly inputs: Props },
): Promise<string[]> {
  const { __adopt: imported, __of: of } = privateStateOf(news);
  if (imported !== undefined && Object.keys(olds).length === 0) return [];
  return unofferedIn(kind, context, { inputs, before: olds, sourceOf: (path) => members.get(of[path])?.inputs });
}

/** @throws StillUnknown where neither an id nor what it is of is known */
function referredAt(inputs: Props, path: string, sourceOf: Look["sourceOf"]): ReturnType<Referred> {
  const value = valueAt(inputs, path);
  const ids: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((id, index) => [`${path}.${index}`, id])
    : [[path, value]];
  return ids.map(([place, id]) => {
    if (typeof id === "string" && !holdsUnknown(id)) return id;
    const source = sourceOf?.(place);
    if (source === undefined) throw new StillUnknown();
    return guarded(source);
  });
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
