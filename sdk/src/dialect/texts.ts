import type { Rule, TimeForm } from "./rule.ts";

type Side = "here" | "there";

/** A text as the other side writes it. */
export function textOf({ prefix, suffix, anywhere, values, time }: Rule, text: string, towards: Side): string {
  if (time !== undefined) return timeOf(text, time, towards);
  const whole = values && valueOf(values, text, towards);
  if (whole !== undefined) return whole;
  const changed = (anywhere ?? []).reduce((changing, ends) => withParts(ends, changing, towards), text);
  return withSuffix(suffix, withPrefix(prefix, changed, towards), towards);
}

type Ends = readonly [here: string, there: string] | undefined;

function withParts(ends: Ends, text: string, towards: Side): string {
  const [from, to] = turned(ends, towards);
  const before = /^\w/.test(from) ? "(?<![\\w.-])" : "";
  return text.replace(new RegExp(before + escaped(from), "g"), () => to);
}

/** What finds a text as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

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

/** A text that is no time stays as it is, and so does one that does not say where it is that time. */
function timeOf(text: string, form: TimeForm, towards: Side): string {
  if (towards === "here") return timeHere(text, form);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return text;
  const written = (hoursAhead: number) => new Date(moment + hoursAhead * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  if (form === "UTC") return `${written(0)} +0000 UTC`;
  return written(form === "Beijing" ? 8 : 0);
}

const timeThere = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?(?: ([+-]\d\d)(\d\d) \w+)?$/;

function timeHere(text: string, form: TimeForm): string {
  const [, day, clock, hours, minutes = "00"] = timeThere.exec(text) ?? [];
  const offset = hours ?? (form === "Beijing" ? "+08" : undefined);
  if (day === undefined || clock === undefined || offset === undefined) return text;
  const moment = Date.parse(`${day}T${clock}${offset}:${minutes}`);
  return Number.isNaN(moment) ? text : new Date(moment).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Whether a text is written as only the catalogue writes it. */
export function isOnlyHere({ prefix, suffix, values }: Rule, text: string): boolean {
  const begins = prefix !== undefined && prefix[0] !== "" && text.startsWith(prefix[0]);
  const ends = suffix !== undefined && suffix[0] !== "" && text.endsWith(suffix[0]);
  return begins || ends || (values !== undefined && Object.hasOwn(values, text) && !Object.values(values).includes(text));
}
