import { fieldsOf, unwrapped } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { differs, leftToPlatform, meansSame } from "../schema/compare.ts";
import { marksOf } from "../schema/marks.ts";
import { differencesIn } from "../schema/describe-differences.ts";
import { schemaOf } from "../schema/property.ts";
import { asSecret } from "../schema/secrets.ts";
import { cleanProps, isProps, own, pick, type Props, unknown, without } from "../schema/values.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { isOnPlatform, isOtherwise, needsReplacement, refusalOf } from "./changes.ts";

/**
 * Drift that cannot be taken back in place: somebody has changed an input outside of Pulumi, and nothing but a new resource would have the
 * old value again. What holds workloads is not replaced for that. It stays as it is on the platform, and only a change of the program
 * counts, on top of what is there.
 *
 * So the state remembers what the program has said of such inputs, by input: of an object, only the parts in question.
 */
export type Said = Props;

/** The same as private state: nothing, if there is nothing to remember. */
interface Remembered extends Props {
  readonly __said?: Said;
}

/** What the program has said of the inputs in the state, where the live values are there now. */
export function asSaid({ inputs }: Kind, props: Props): Props {
  const { __said: said, __left: left } = privateStateOf(props);
  const managed = Object.keys(inputs.shape).filter((key) => !left.includes(key));
  return { ...pick(props, managed), ...mapped(said, (value, key) => overlaid(props[key], value)) };
}

function overlaid(live: unknown, said: unknown): unknown {
  return isProps(live) && isProps(said) ? { ...live, ...said } : said;
}

/** What the program has said (`said`: its inputs) of what is there otherwise, and cannot be changed back. */
function lostOf(kind: Kind, said: Props, live: Props): Said {
  if (!kind.holdsWorkloads) return {};
  return cleanProps(mapped(said, (value, key) => partsLost(kind, key, value, live)));
}

/**
 * The same, as private state.
 *
 * @param secrets the names of the inputs that the program gives as secrets
 */
export function saidOtherwise(kind: Kind, said: Props, live: Props, secrets: readonly string[]): Remembered {
  const lost = lostOf(kind, said, live);
  if (Object.keys(lost).length === 0) return {};
  return { __said: Object.keys(lost).some((key) => secrets.includes(key)) ? asSecret(lost) : lost };
}

/** The value, or those parts of it, that a live resource cannot have again; `undefined` if there are none. */
function partsLost(kind: Kind, key: string, said: unknown, live: Props): unknown {
  const now = live[key];
  if (said === undefined || isProps(said) !== isProps(now) || !cannotBecome(kind, key, said, live)) return undefined;
  if (!isProps(said) || !isProps(now)) return said;
  const fields = fieldsOf(unwrapped(schemaOf(kind, key)));
  const changed = Object.keys(said).filter((part) => fields[part] && differs(fields[part], said[part], now[part]));
  const lost = changed.filter((part) => cannotBecome(kind, key, { ...now, [part]: said[part] }, live));
  return pick(said, lost.length > 0 ? lost : changed);
}

function cannotBecome(kind: Kind, key: string, value: unknown, live: Props): boolean {
  if (!differs(schemaOf(kind, key), value, live[key])) return false;
  const desired = { ...live, [key]: value };
  return needsReplacement(kind, key, desired, live[key]) || refusalOf(kind, key, desired, live) !== undefined;
}

/** What the state has to say of a resource that is as the program wishes (`wish`: its inputs), but for what cannot be changed back. */
export function withDrift(kind: Kind, wish: Props, live: Props, secrets: readonly string[]): Props {
  return { ...onTopOf(kind, wish, lostOf(kind, wish, live), live), ...saidOtherwise(kind, wish, live, secrets) };
}

/** The program's wish on top of what is there: what it has not changed since stays as it is, and entries that others have added stay. */
export function onTopOf(kind: Kind, wish: Props, said: Said, live: Props): Props {
  return { ...wish, ...mapped(said, (value, key) => merged(schemaOf(kind, key), wish[key], value, live[key])) };
}

/**
 * What an update writes on top of what is there. Only what the program has changed since `said`, its inputs before: a preview shows nothing
 * else. What somebody has changed outside of Pulumi meanwhile stays, until a refresh has shown it.
 */
export function changesOnTop(kind: Kind, wish: Props, said: Props, live: Props): Props {
  const kept = Object.keys(kind.inputs.shape).flatMap((key): [string, unknown][] => {
    const schema = schemaOf(kind, key);
    // An input of its own that is left to the platform is not sent.
    const isLeft = !isOnPlatform(kind, key) || (wish[key] === undefined && leftToPlatform(schema));
    return isLeft ? [] : [[key, unlessChanged(schema, wish[key], said[key], live[key])]];
  });
  return onTopOf(kind, { ...wish, ...Object.fromEntries<unknown>(kept) }, lostOf(kind, said, live), live);
}

/**
 * The live value, where the wish is what was said before: as a whole, or a part of an object. Lists and tags are one value. A part that is
 * left to the platform stays, too: its object may be written as a whole.
 */
function unlessChanged(schema: z.core.$ZodType, wish: unknown, said: unknown, live: unknown): unknown {
  if (meansSame(schema, wish, said)) return live;
  if (!isProps(wish) || !isProps(said) || !isProps(live)) return wish;
  const fields = fieldsOf(unwrapped(schema));
  const isChanged = (part: string) => fields[part] !== undefined && !meansSame(fields[part], own(wish, part), own(said, part));
  const parts = mapped(fields, (inner, part) => {
    const follows = own(wish, part) === undefined && (marksOf(inner).follows ?? []).some(isChanged);
    return follows ? undefined : unlessChanged(inner, own(wish, part), own(said, part), own(live, part));
  });
  return cleanProps({ ...wish, ...parts });
}

/**
 * What the state has to say of inputs whose update has failed: what the program says, as far as it is `reached`, and what it has `said` before
 * of the rest. What somebody has changed outside of Pulumi is not told: no preview has shown it.
 */
export function inputsAtFailure(kind: Kind, wish: Props, said: Props, reached: Props, secrets: readonly string[]): Props {
  const inputs = Object.keys(kind.inputs.shape).map((key): [string, unknown] => {
    const isLeft = wish[key] === undefined && leftToPlatform(schemaOf(kind, key));
    return [key, isLeft ? reached[key] : unlessMissing(schemaOf(kind, key), wish[key], said[key], reached[key])];
  });
  return withDrift(kind, Object.fromEntries(inputs), reached, secrets);
}

/** The wish, where it is reached: as a whole, or a part of an object. */
function unlessMissing(schema: z.core.$ZodType, wish: unknown, said: unknown, reached: unknown): unknown {
  if (meansSame(schema, wish, said) || !differs(schema, wish, reached)) return wish;
  if (!isProps(wish) || !isProps(said) || !isProps(reached)) return said;
  const parts = mapped(fieldsOf(unwrapped(schema)), (inner, part) =>
    unlessMissing(inner, own(wish, part), own(said, part), own(reached, part)),
  );
  return cleanProps({ ...said, ...parts });
}

function merged(schema: z.core.$ZodType | undefined, wish: unknown, said: unknown, live: unknown): unknown {
  if (wish === unknown || !schema) return wish;
  if (isList(wish) && isList(said) && isList(live)) return [...wish, ...without(without(live, said), wish)];
  if (meansSame(schema, wish, said)) return live;
  if (!isProps(wish) || !isProps(said) || !isProps(live)) return wish;
  const fields = fieldsOf(unwrapped(schema));
  return { ...wish, ...mapped(said, (value, part) => merged(fields[part], own(wish, part), value, own(live, part))) };
}

/** Whether the program says of something that was changed outside of Pulumi what is there: from now on it is the program's. */
export function isWritten(kind: Kind, wish: Props, said: Said, live: Props): boolean {
  return Object.keys(said).some((key) => !differs(schemaOf(kind, key), wish[key], live[key]));
}

/**
 * What of a resource stays otherwise than the program says, as nothing but a new one could take it back: in words, a text or none.
 *
 * @param news what the program says
 * @param wish the same on top of what is there
 */
export function remarksOn(kind: Kind, id: string, news: Props, wish: Props): readonly string[] {
  const { __urn: urn } = privateStateOf(news);
  const advice = `Write what is there into the program. Or, to have a new ${kind.type}, run \`pulumi up --target-replace '${urn}' --target-dependents\``;
  const stays = `which only a new ${kind.type} could take back: it stays as it is`;
  return remark(kind, id, { is: wish, says: news }, Object.keys(kind.inputs.shape), [stays, advice]);
}

/** The same after an update, and what it has left as it is, as the program has not changed it. */
export function remarksAfter(kind: Kind, id: string, news: Props, wish: Props, live: Props): readonly string[] {
  const left = Object.keys(kind.inputs.shape).filter((key) => isOnPlatform(kind, key) && isOtherwise(kind, key, wish, live));
  const advice = "`pulumi up --refresh` changes it back. To keep it, write it into the program";
  const stays = "and what this update does not change stays as it is";
  return [...remarksOn(kind, id, news, wish), ...remark(kind, id, { is: live, says: wish, of: news }, left, [stays, advice])];
}

/** The differences of some inputs in words. `of`: what tells which of them are secret. */
function remark(
  kind: Kind,
  id: string,
  { is, says, of = says }: { readonly is: Props; readonly says: Props; readonly of?: Props },
  keys: readonly string[],
  [stays, advice]: readonly [stays: string, advice: string],
): readonly string[] {
  const { __veiled: secrets } = privateStateOf(of);
  const differences = keys.flatMap((key) => differencesIn(schemaOf(kind, key), is[key], says[key], [key], secrets.includes(key)));
  if (differences.length === 0) return [];
  const lines = differences.map(({ place, live, desired }) => `  ${place}: ${live}, and the program says ${desired}`);
  return [[`${id} was changed outside of Pulumi, ${stays}`, ...lines, advice].join("\n")];
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function mapped<T>(props: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, change(value, key)]));
}
