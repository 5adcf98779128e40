import { differs } from "../schema/compare.ts";
import { schemaOf } from "../schema/parts.ts";
import { type Coded, inputError } from "./codes.ts";
import type { Kind } from "./definition.ts";
import type { Props } from "../schema/values.ts";

/** Whether the platform has an input. The others are the program's alone. */
export function isOnPlatform({ changes }: Kind, key: string): boolean {
  return changes[key] !== "local-only" && changes[key] !== "order-only";
}

/** Whether the live value of an input is another one than the desired one, and that counts. */
export function isOtherwise(kind: Kind, key: string, desired: Props, live: Props): boolean {
  return differs(schemaOf(kind, key), desired[key], live[key]) && !(kind.ignoresDifference?.[key]?.(desired, live) ?? false);
}

/** Whether changing an input, which is known to differ, needs a new resource. */
export function needsReplacement({ changes }: Kind, key: string, desired: Props, before: unknown): boolean {
  const change = changes[key];
  return change === "replace" || (typeof change === "object" && (change.replaces?.(desired[key], before, desired) ?? false));
}

/** Why the platform never makes such a change of an input in place; `undefined` if it may. */
export function refusalOf({ never }: Kind, key: string, desired: Props, live: Props): Coded | undefined {
  const why = never?.[key]?.(desired, live) || undefined;
  return why === undefined ? undefined : inputError(key, why, "CannotChange");
}

/** Whether a state says that the resource does not exist any more. */
export function isGone({ states = {} }: Kind, live: Props): boolean {
  return Object.entries(states).some(([key, readinessOf]) => readinessOf[String(live[key])] === "gone");
}

/**
 * Returned by a step: values that the next `read` is given as known, and that are saved if it fails. An input whose change takes a further
 * call has the value between the two. `undefined` makes `read` ask the platform for the value again.
 */
export class StatePatch {
  readonly props: Props;
  constructor(props: Props) {
    this.props = props;
  }
}
