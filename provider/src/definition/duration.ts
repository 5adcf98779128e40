import * as z from "@container-platform/sdk/zod";
import { type Coded, inputError } from "./codes.ts";
import { withRule } from "./inputs.ts";

const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** A duration such as `1h30m` in seconds; `undefined` if it is none. */
export function secondsOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
}

/** What is wrong with the option `customTimeouts`. */
export function flawsInTimeouts(timeouts: object): Coded[] {
  const verbs = ["create", "read", "update", "delete"];
  return Object.entries(timeouts).flatMap(([verb, time]: [string, unknown]) => {
    if (time === undefined) return [];
    if (!verbs.includes(verb)) return [inputError(`customTimeouts.${verb}`, `is not an operation. Use ${verbs.join(", ")}`)];
    const seconds = typeof time === "string" ? secondsOf(time) : undefined;
    if (seconds === undefined)
      return [inputError(`customTimeouts.${verb}`, `${JSON.stringify(time)} is not a time such as 90s, 20m or 1h30m`)];
    return seconds > 0 ? [] : [inputError(`customTimeouts.${verb}`, `${JSON.stringify(time)} is not more than 0`)];
  });
}

/** A time as text. `examples`: some that suit the input. */
export function timeText(examples: string): z.ZodString {
  return withRule(z.string(), (text) =>
    secondsOf(text) === undefined ? `takes a time such as ${examples}, not ${JSON.stringify(text)}` : undefined,
  );
}
