import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { compileFilter, EvaluationError } from "../filter/filter.ts";
import { isScalar, printed } from "../output/text.ts";
import { type Session, UsageError } from "../run.ts";

/** An answer, with and without its secrets. */
export interface Answer {
  readonly whole: JsonObject;
  readonly redacted: () => JsonObject;
}

/** Repeats a call until its answer meets the condition. */
export type Waiter = (ask: () => Promise<Answer>, session: Session) => Promise<JsonObject>;

const form = `{"expr": "<filter>", "to": "<value>", "timeout": <seconds>, "interval": <seconds>}`;
const names = ["expr", "to", "timeout", "interval"];

/**
 * The waiter that `--waiter` asks for. It prints the values that do not meet the condition on stderr.
 *
 * @throws UsageError for what is no waiter, FilterError for an `expr` that is no filter.
 */
export function waiterFrom(text: string): Waiter {
  const { expression, to, timeoutSeconds, intervalSeconds } = conditionFrom(text);
  const valueOf = compileFilter(expression);
  return async (ask, session) => {
    const end = performance.now() + timeoutSeconds * 1000;
    for (;;) {
      const answer = await ask();
      const value = valueOf(answer.whole);
      if (isDeepStrictEqual(value, to)) return answer.whole;
      const now = isSecret(value, () => valueOf(answer.redacted())) ? "a secret" : printedWhole(value);
      if (performance.now() >= end)
        throw new Error(`Request timeout, wait \`${expression}\` to \`${printedWhole(to)}\` timeout, last request is ${now}`);
      session.say(`Inquiry result is ${now}.`);
      await sleep(intervalSeconds * 1000, undefined, { signal: session.signal });
    }
  };
}

/** Whether a value contains a secret: without secrets, the answer gives another value. */
function isSecret(value: Json, redactedValue: () => Json): boolean {
  try {
    return !isDeepStrictEqual(value, redactedValue());
  } catch (error) {
    if (error instanceof EvaluationError) return true;
    throw error;
  }
}

/** Reads an object as JSON, or as Python writes it. The reference client evaluates it as code; here it is only parsed. */
export function conditionFrom(text: string) {
  const given = objectIn(text);
  if (!given) throw new UsageError(`--waiter takes ${form}, not ${text}`);
  const surplus = Object.keys(given).filter((name) => !names.includes(name));
  if (surplus.length > 0) throw new UsageError(`--waiter takes ${form}, and no ${surplus.join(", ")}`);
  const { expr: expression, to } = given;
  if (typeof expression !== "string") throw new UsageError("`expr` in `--waiter` must be defined", `It is a filter: ${form}`);
  if (to === undefined) throw new UsageError("`to` in `--waiter` must be defined", `It is the value to wait for: ${form}`);
  const timeoutSeconds = secondsFrom(given, "timeout", 180);
  return { expression, to, timeoutSeconds, intervalSeconds: Math.min(secondsFrom(given, "interval", 5), timeoutSeconds) };
}

function printedWhole(value: Json): string {
  return isScalar(value) ? printed(value) : JSON.stringify(value);
}

function secondsFrom(given: JsonObject, name: string, usual: number): number {
  const seconds = given[name] ?? usual;
  if (typeof seconds === "number" && seconds >= 0) return seconds;
  throw new UsageError(`\`${name}\` in \`--waiter\` is a number of seconds, not ${printedWhole(seconds)}`);
}

/** Strings in either kind of quotes, and the words that Python spells differently from JSON. */
const pythonic = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b(?:True|False|None)\b/gs;
const words: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(pythonic, (part) => words[part] ?? jsonString(part)));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonString(quoted: string): string {
  const text = quoted.slice(1, -1).replace(/\\([\\'"nrt])/g, (_, letter: string) => escapes[letter] ?? letter);
  return JSON.stringify(text);
}
