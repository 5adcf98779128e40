import { fieldsOf, unwrapped } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { differs, meansSame, differencesIn } from "../schema/compare.ts";
import { marksOf } from "../schema/marks.ts";
import { schemaOf } from "../schema/parts.ts";
import { cleanProps, isProps, own, pick, type Props, unknown } from "../schema/values.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { isOnPlatform, isOtherwise, needsReplacement, refusalOf } from "../definition/changes.ts";
import { inputsLeftToPlatform } from "./resource.ts";

/*
 * Drift. The state has the live values of inputs that were changed outside Pulumi and that cannot be changed back in place. A resource that holds
 * workloads is not replaced for such a change: it keeps the live value, only a change of the program counts, and `__said` has the last applied value.
 */

/** The last applied inputs, by the state, which has the live values. */
export function asSaid({ inputs }: Kind, props: Props): Props {
  const { __said: said, __left: left } = privateStateOf(props);
  const managed = Object.keys(inputs.shape).filter((key) => !left.includes(key));
  return { ...pick(props, managed), ...wholeSaid(said, props) };
}

/** Version 0.1.0 remembered only parts of objects. */
function wholeSaid(said: Props, live: Props): Props {
  return mapped(said, (value, key) => (isProps(value) && isProps(live[key]) ? { ...live[key], ...value } : value));
}

/** Of the last applied inputs, those to which the live resource cannot be changed back. */
function lostOf(kind: Kind, said: Props, live: Props): Props {
  const isLost = (key: string) => said[key] !== undefined && cannotBecome(kind, key, said[key], live);
  return kind.holdsWorkloads ? pick(said, Object.keys(said).filter(isLost)) : {};
}

/** The same, as private state. */
export function saidOtherwise(kind: Kind, said: Props, live: Props): Props {
  const lost = lostOf(kind, said, live);
  return Object.keys(lost).length === 0 ? {} : { __said: lost };
}

function cannotBecome(kind: Kind, key: string, value: unknown, live: Props): boolean {
  if (isProps(value) !== isProps(live[key]) || !differs(schemaOf(kind, key), value, live[key])) return false;
  const desired = { ...live, [key]: value };
  return needsReplacement(kind, key, desired, live[key]) || refusalOf(kind, key, desired, live) !== undefined;
}

/** The properties for the state of a resource that has the desired inputs, except for lost ones. */
export function withDrift(kind: Kind, desired: Props, live: Props): Props {
  return { ...onTopOf(kind, desired, lostOf(kind, desired, live), live), ...saidOtherwise(kind, desired, live) };
}

/** The program's inputs, with the live values of lost inputs, or of parts of them, that the program has not changed. */
export function onTopOf(kind: Kind, desired: Props, said: Props, live: Props): Props {
  const whole = wholeSaid(said, live);
  return { ...desired, ...mapped(whole, (value, key) => unlessChanged(schemaOf(kind, key), desired[key], value, live[key])) };
}

/**
 * Refuses a change of the program to an input that was changed outside Pulumi, if the live value cannot become the new one in place.
 *
 * @param desired the program's inputs on top of the live ones
 * @param said the last applied values of inputs that the live resource cannot be changed back to
 */
export function refuseOnTop(kind: Kind, desired: Props, said: Props, live: Props, secrets: readonly string[]): void {
  for (const [key, before] of Object.entries(said)) {
    // Without the drift, the change could not be made in place either, or the platform itself rejects it.
    const isOwn = cannotBecome(kind, key, desired[key], { ...live, [key]: before }) || refusalOf(kind, key, desired, live) !== undefined;
    if (desired[key] === unknown || isOwn || !cannotBecome(kind, key, desired[key], live)) continue;
    const [first] = differencesIn(schemaOf(kind, key), live[key], desired[key], [key], secrets.includes(key));
    if (first)
      throw new ProviderError(
        "CannotChange",
        `${first.place}: was changed outside Pulumi to ${first.live}, and cannot become ${first.desired} in place. Set ${first.place} to the live value and run \`pulumi up\`, then change it`,
        { path: first.place },
      );
  }
}

/**
 * What an update writes on top of what is there. Only what the program has changed since `said`, its inputs before: a preview shows nothing
 * else. What somebody has changed outside of Pulumi meanwhile stays, until a refresh has shown it.
 */
export function changesOnTop(kind: Kind, desired: Props, said: Props, live: Props, secrets: readonly string[]): Props {
  const left = inputsLeftToPlatform(kind, desired);
  // An input of its own that is left to the platform is not sent.
  const keys = Object.keys(kind.inputs.shape).filter((key) => isOnPlatform(kind, key) && !left.includes(key));
  const kept = keys.map((key): [string, unknown] => [key, unlessChanged(schemaOf(kind, key), desired[key], said[key], live[key])]);
  const onTop = { ...desired, ...Object.fromEntries<unknown>(kept) };
  refuseOnTop(kind, onTop, lostOf(kind, said, live), live, secrets);
  return onTop;
}

/**
 * The live value, where the program has not changed the last applied one: as a whole, or a part of an object. Lists and tags are one value. A
 * part that is left to the platform stays, too: its object may be written as a whole.
 */
function unlessChanged(schema: z.core.$ZodType, desired: unknown, said: unknown, live: unknown): unknown {
  if (meansSame(schema, desired, said)) return live;
  if (!isProps(desired) || !isProps(said) || !isProps(live)) return desired;
  const fields = fieldsOf(unwrapped(schema));
  const isChanged = (part: string) => fields[part] !== undefined && !meansSame(fields[part], own(desired, part), own(said, part));
  const parts = mapped(fields, (inner, part) => {
    const follows = own(desired, part) === undefined && (marksOf(inner).follows ?? []).some(isChanged);
    return follows ? undefined : unlessChanged(inner, own(desired, part), own(said, part), own(live, part));
  });
  return cleanProps({ ...desired, ...parts });
}

/**
 * What the state has to say of inputs whose update has failed: what the program says, as far as it is `reached`, and what it has `said` before
 * of the rest. What somebody has changed outside of Pulumi is not told: no preview has shown it.
 */
export function inputsAtFailure(kind: Kind, desired: Props, said: Props, reached: Props): Props {
  const left = inputsLeftToPlatform(kind, desired);
  const inputs = mapped(kind.inputs.shape, (_, key) =>
    left.includes(key) ? reached[key] : unlessMissing(schemaOf(kind, key), desired[key], said[key], reached[key]),
  );
  return withDrift(kind, inputs, reached);
}

/** The desired value, where it is reached: as a whole, or a part of an object. */
function unlessMissing(schema: z.core.$ZodType, desired: unknown, said: unknown, reached: unknown): unknown {
  if (meansSame(schema, desired, said) || !differs(schema, desired, reached)) return desired;
  if (!isProps(desired) || !isProps(said) || !isProps(reached)) return said;
  const parts = mapped(fieldsOf(unwrapped(schema)), (inner, part) =>
    unlessMissing(inner, own(desired, part), own(said, part), own(reached, part)),
  );
  return cleanProps({ ...said, ...parts });
}

/**
 * Notes on the differences that a plan or an update leaves: those that only a replacement could revert and, after an update (`live`), those that
 * the program has not changed.
 *
 * @param news the inputs of the program
 * @param desired the same on top of the live ones
 */
export function driftNotes(kind: Kind, id: string, news: Props, desired: Props, live: Props = desired): readonly string[] {
  const { __urn: urn, __veiled: secrets } = privateStateOf(news);
  const note = (keys: readonly string[], is: Props, says: Props, stays: string, advice: string): string[] => {
    const differences = keys.flatMap((key) => differencesIn(schemaOf(kind, key), is[key], says[key], [key], secrets.includes(key)));
    const lines = differences.map((one) => `  ${one.place}: ${one.live} (program: ${one.desired})`);
    return lines.length === 0 ? [] : [[`${id} was changed outside of Pulumi${stays}:`, ...lines, advice].join("\n")];
  };
  const keys = Object.keys(kind.inputs.shape);
  const left = keys.filter((key) => isOnPlatform(kind, key) && isOtherwise(kind, key, desired, live));
  const kept = `. Reverting the change would replace the ${kind.type}, so it is kept`;
  const toReplace = `To keep it, update the program. To replace the ${kind.type}, run \`pulumi up --target-replace '${urn}' --target-dependents\``;
  const untouched = ", and this update does not touch these properties";
  const toRevert = "To revert them, run `pulumi up --refresh`. To keep them, update the program";
  return [...note(keys, desired, news, kept, toReplace), ...note(left, live, desired, untouched, toRevert)];
}

function mapped<T>(props: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, change(value, key)]));
}
