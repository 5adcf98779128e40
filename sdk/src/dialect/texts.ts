import type { Rule, TimeForm } from "./rule.ts";

type Side = "here" | "there";
type Form = (text: string) => string;

/** How the texts of a field are written on either side. */
export interface Texts {
  readonly here: Form;
  readonly there: Form;
  /** Whether a text is written as only the catalogue writes it. */
  readonly isOnlyHere: (text: string) => boolean;
}

/** How a rule writes texts; `undefined` if it leaves them as they are. It is worked out once, and not for each text of each answer. */
export function textsBy(rule: Rule): Texts | undefined {
  const { prefix, suffix, values, time, decoded } = rule;
  if (time !== undefined) return { here: timesHere[time], there: timesThere[time], isOnlyHere: () => false };
  if (decoded) return { here: encodedText, there: decodedText, isOnlyHere: () => false };
  if ((prefix ?? suffix ?? values) === undefined) return undefined;
  return { here: formOf(rule, "here"), there: formOf(rule, "there"), isOnlyHere: onlyHere(rule) };
}

function formOf({ prefix, suffix, values = {} }: Rule, towards: Side): Form {
  const pairs = Object.entries(values);
  const whole = new Map(towards === "there" ? pairs : pairs.map(([here, there]) => [there, here]));
  const [begin, end] = [turned(prefix, towards), turned(suffix, towards)];
  return (text) => whole.get(text) ?? withSuffix(end, withPrefix(begin, text));
}

function encodedText(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A packed script, whose bytes are not text, stays as it is. */
function decodedText(text: string): string {
  const decoded = Buffer.from(text, "base64").toString();
  return encodedText(decoded) === text ? decoded : text;
}

type Ends = readonly [from: string, to: string];

function turned([here, there]: readonly [string, string] = ["", ""], towards: Side): Ends {
  return towards === "there" ? [here, there] : [there, here];
}

/** What finds a text as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function withPrefix([from, to]: Ends, text: string): string {
  return text.startsWith(from) ? to + text.slice(from.length) : text;
}

function withSuffix([from, to]: Ends, text: string): string {
  // A text may have the end that the other side needs; every text has an empty one.
  if (!text.endsWith(from) || (from === "" && text.endsWith(to))) return text;
  return text.slice(0, text.length - from.length) + to;
}

function onlyHere({ prefix = ["", ""], suffix = ["", ""], values = {} }: Rule): (text: string) => boolean {
  const theirs = new Set(Object.values(values));
  const beside = ([here]: readonly [string, string], has: (end: string) => boolean) => here !== "" && has(here);
  return (text) =>
    beside(prefix, (begin) => text.startsWith(begin)) ||
    beside(suffix, (end) => text.endsWith(end)) ||
    (Object.hasOwn(values, text) && !theirs.has(text));
}

/** A time as the catalogue and the platform write it. */
const timeHere = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?Z$/;
const timeThere = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?(?: ([+-]\d\d)(\d\d) \w+)?$/;

// A text that is no time stays as it is, and so does one that does not say where it is that time. Each record of a list has times: what
// need not be worked out by `Date` is cut out of the text.

const timesThere: Readonly<Record<TimeForm, Form>> = {
  Beijing: (text) => written(text, 8),
  zoneless: (text) => (timeHere.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : written(text, 0)),
  UTC: (text) => (timeHere.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 19)} +0000 UTC` : written(text, 0, " +0000 UTC")),
};

const timesHere: Readonly<Record<TimeForm, Form>> = {
  Beijing: (text) => read(text, "+08"),
  zoneless: (text) => (text.length === "2026-01-31 12:00:00".length ? text : read(text, undefined)),
  UTC: (text) => read(text, undefined),
};

function written(text: string, hoursAhead: number, zone = ""): string {
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return text;
  return new Date(moment + hoursAhead * 3_600_000).toISOString().slice(0, 19).replace("T", " ") + zone;
}

function read(text: string, usualZone: string | undefined): string {
  const [, day, clock, hours = usualZone, minutes = "00"] = timeThere.exec(text) ?? [];
  if (day === undefined || clock === undefined || hours === undefined) return text;
  const moment = Date.parse(`${day}T${clock}${hours}:${minutes}`);
  return Number.isNaN(moment) ? text : new Date(moment).toISOString().replace(/\.\d+Z$/, "Z");
}
