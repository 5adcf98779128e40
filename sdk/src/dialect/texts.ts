import type { Rule } from "./rule.ts";

type Side = "here" | "there";

/** A text as the other side writes it. */
export function textOf({ prefix, suffix, anywhere, values, hoursAhead }: Rule, text: string, towards: Side): string {
  if (hoursAhead !== undefined) return timeOf(text, hoursAhead, towards);
  const whole = values && valueOf(values, text, towards);
  if (whole !== undefined) return whole;
  const [part, other] = turned(anywhere, towards);
  const changed = part === "" ? text : text.replaceAll(part, other);
  return withSuffix(suffix, withPrefix(prefix, changed, towards), towards);
}

type Ends = readonly [here: string, there: string] | undefined;

function withPrefix(ends: Ends, text: string, towards: Side): string {
  const [from, to] = turned(ends, towards);
  return text.startsWith(from) ? to + text.slice(from.length) : text;
}

function withSuffix(ends: Ends, text: string, towards: Side): string {
  const [from, to] = turned(ends, towards);
  // A text may have the end that the other side needs; every text has an empty one.
  if (!text.endsWith(from) || (from === "" && text.endsWith(to))) return text;
  return text.slice(0, text.length - from.length) + to;
}

function turned([here, there]: readonly [string, string] = ["", ""], towards: Side): readonly [from: string, to: string] {
  return towards === "there" ? [here, there] : [there, here];
}

function valueOf(values: Readonly<Record<string, string>>, text: string, towards: Side): string | undefined {
  if (towards === "there") return values[text];
  return Object.entries(values).find(([, there]) => there === text)?.[0];
}

/** A text that is no time stays as it is. */
function timeOf(text: string, hoursAhead: number, towards: Side): string {
  const shift = hoursAhead * 3_600_000;
  const moment = towards === "there" ? Date.parse(text) : Date.parse(`${text.replace(" ", "T")}Z`);
  if (Number.isNaN(moment)) return text;
  const written = new Date(towards === "there" ? moment + shift : moment - shift).toISOString().replace(/\.\d+Z$/, "Z");
  return towards === "there" ? written.replace("T", " ").replace("Z", "") : written;
}
