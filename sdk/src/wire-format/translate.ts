import type { z } from "zod";
import { isList, isObject, type Json, type JsonObject, wireName } from "../operation/codec.ts";
import { InputError } from "../operation/errors.ts";
import { fieldsOf, itemsOf } from "../operation/operation.ts";
import { type AnyFields, callRegion, type Rule, type TimeForm } from "./rule.ts";

type Side = "here" | "there";
type Form = (text: string) => string;
type Pair = readonly [from: string, to: string];

/** How the texts of a field are written on either side. */
export interface Texts {
  readonly here: Form;
  readonly there: Form;
  /** Whether a text is written as only the catalogue writes it. */
  readonly isOnlyHere: (text: string) => boolean;
}

/** How a rule writes texts; `undefined` if it leaves them as they are. It is worked out once, and not for each text of each answer. */
function textsBy(rule: Rule): Texts | undefined {
  const { prefix, suffix, values, time, decoded } = rule;
  if (time !== undefined) return { here: timesHere[time], there: timesThere[time], isOnlyHere: () => false };
  if (decoded) return { here: encodedText, there: decodedText, isOnlyHere: () => false };
  if ((prefix ?? suffix ?? values) === undefined) return undefined;
  return { here: formOf(rule, "here"), there: formOf(rule, "there"), isOnlyHere: onlyHere(rule) };
}

/** How a rule that changes values, beginnings or ends writes a text on a side. */
export function formOf({ prefix = ["", ""], suffix = ["", ""], values = {} }: Rule, towards: Side): Form {
  const turned = ([here, there]: Pair): Pair => (towards === "there" ? [here, there] : [there, here]);
  const whole = new Map(Object.entries(values).map(turned));
  const [[begin, otherBegin], [end, otherEnd]] = [turned(prefix), turned(suffix)];
  return (text) => {
    const known = whole.get(text);
    if (known !== undefined) return known;
    const begun = text.startsWith(begin) ? otherBegin + text.slice(begin.length) : text;
    // A text may have the end that the other side needs; every text has an empty one.
    if (!begun.endsWith(end) || (end === "" && begun.endsWith(otherEnd))) return begun;
    return begun.slice(0, begun.length - end.length) + otherEnd;
  };
}

function encodedText(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A packed script, whose bytes are not text, stays as it is. */
function decodedText(text: string): string {
  const decoded = Buffer.from(text, "base64").toString();
  return encodedText(decoded) === text ? decoded : text;
}

/** What finds a text as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
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

/** Which part of a call is translated, and to which side. */
export interface Way {
  readonly part: "request" | "answer";
  readonly towards: Side;
  /** The region of the call. */
  readonly region: string;
  /** Whether nobody else has what is translated. Its objects are then written into where no name differs, which spares their copies. */
  readonly isOwn?: boolean;
  /** Gets each text that a rule is about, and what it became. */
  readonly noted?: Map<string, string>;
}

/** Where something is in a call or an answer, by the names of either side. */
interface Path {
  readonly here: string;
  readonly there: string;
}

interface Entry {
  readonly rule: Rule;
  /** That of its value, or of each item of its list. */
  readonly path: Path;
  /** Its names on the wire; it has none there if there is no such field. */
  readonly here: string;
  readonly there: string | undefined;
  /** Names on the wire of the fields that its rule names. */
  readonly same: string | undefined;
  readonly into: string | undefined;
  readonly gathered: { readonly list: string; readonly field: string } | undefined;
  readonly texts: Texts | undefined;
  /** The field of the same object on which `texts` depends. If it has another value, texts stay as they are. */
  readonly where: { readonly field: string; readonly is: readonly Json[] } | undefined;
  readonly inside: Translation | undefined;
}

/** The rules of an object, in the spelling of the wire. */
export interface Translation {
  /** What stands before the names of its fields. */
  readonly path: Path;
  readonly here: ReadonlyMap<string, Entry>;
  readonly there: ReadonlyMap<string, Entry>;
  /** Fields of a call there that have no effect. */
  readonly ignored: ReadonlySet<string>;
  /** The fields there whose values may be others than here. */
  readonly others: readonly (Entry & { readonly there: string })[];
  /** Nothing for each field that is not, if there is any: JSON leaves that out. */
  readonly untold: Readonly<Record<string, undefined>> | undefined;
  /** Whether a field has another name there. Where none has, an answer is copied at once, which is several times faster. */
  readonly renames: boolean;
  /** Those whose values come from other fields, go into them, or are made up where they lack: few objects have any. */
  readonly outward: readonly Entry[];
  readonly inward: readonly Entry[];
}

/**
 * Spells rules as the wire does, by the schema of the object that they belong to.
 *
 * @example The rule `{ useServiceDefault: { there: "UseTKEDefault" } }` gives `{ here: "UseServiceDefault", there: "UseTKEDefault", … }`.
 */
export function translationOf(
  schema: z.core.$ZodType,
  fields: AnyFields,
  ignored: readonly string[] = [],
  path: Path = { here: "", there: "" },
): Translation {
  const schemas = fieldsOf(schema);
  const entries = Object.entries(fields).flatMap(([field, rule]) => (rule && entryOf(field, rule, schemas, path)) ?? []);
  const untold = entries.filter(({ there }) => there === undefined);
  return {
    path,
    ignored: new Set(ignored),
    others: entries.flatMap((entry) => {
      const { there, texts, inside } = entry;
      return there === undefined || (texts ?? inside) === undefined ? [] : [{ ...entry, there }];
    }),
    untold: untold.length > 0 ? Object.fromEntries(untold.map(({ here }) => [here, undefined])) : undefined,
    here: new Map(entries.map((entry) => [entry.here, entry])),
    there: new Map(entries.flatMap((entry) => (entry.there === undefined ? [] : [[entry.there, entry]]))),
    renames: entries.some(({ here, there }) => there !== undefined && there !== here),
    outward: entries.filter(({ rule, same, into }) => (rule.usual ?? same ?? into) !== undefined),
    inward: entries.filter(({ rule, same, gathered }) => (rule.absent ?? same ?? gathered) !== undefined),
  };
}

type Schemas = Readonly<Record<string, z.core.$ZodType>>;

/** The rule of a field, in the spelling of the wire; `undefined` if the object has no such field. */
function entryOf(field: string, rule: Rule, schemas: Schemas, path: Path): Entry | undefined {
  const inner = schemas[field];
  if (!inner) return undefined;
  const here = wireName(field, inner);
  const isElsewhere = rule.there === false || rule.same !== undefined || rule.into !== undefined;
  const there = isElsewhere ? undefined : (rule.there ?? here);
  const end = itemsOf(inner) ? "[]" : "";
  const own = { here: path.here + here + end, there: path.there + (there ?? here) + end };
  const within = { here: `${own.here}.`, there: `${own.there}.` };
  const where = spelt(schemas, rule.where?.field);
  return {
    rule,
    path: own,
    here,
    there,
    same: spelt(schemas, rule.same),
    into: spelt(schemas, rule.into),
    gathered: gatheredBy(rule, schemas),
    texts: textsBy(rule),
    where: rule.where && where !== undefined ? { field: where, is: rule.where.is } : undefined,
    inside: rule.fields && translationOf(itemsOf(inner) ?? inner, rule.fields, rule.ignored, within),
  };
}

/** The name of a field on the wire; `undefined` if the object has no such field. */
function spelt(schemas: Schemas, field: string | undefined): string | undefined {
  const inner = field === undefined ? undefined : schemas[field];
  return field === undefined || !inner ? undefined : wireName(field, inner);
}

function gatheredBy({ gathered }: Rule, schemas: Schemas) {
  const list = gathered && schemas[gathered.list];
  const item = list && fieldsOf(itemsOf(list) ?? list)[gathered.field];
  return item && { list: wireName(gathered.list, list), field: wireName(gathered.field, item) };
}

/**
 * Translates an object.
 *
 * @throws InputError for a field of a call that the other side does not have
 */
export function translated(translation: Translation, value: JsonObject, way: Way): JsonObject {
  return way.towards === "there" ? outward(translation, value, way) : inward(translation, value, way);
}

function outward(translation: Translation, value: JsonObject, way: Way): JsonObject {
  const isCopied = way.part === "answer" && !translation.renames;
  const fields = isCopied ? copied(translation, value, way) : respelt(translation, value, way);
  for (const { here: own, there, into, same, rule } of translation.outward) {
    const inner = value[own];
    if (inner === undefined && there !== undefined && rule.usual !== undefined)
      fields[there] = rule.usual === callRegion ? way.region : rule.usual;
    if (inner !== undefined && same !== undefined) fields[same] ??= inner;
    if (inner !== undefined && into !== undefined) fields[into] = joined(fields[into], own, inner);
  }
  return isCopied && translation.untold ? Object.assign(fields, translation.untold) : fields;
}

function respelt({ here, path }: Translation, value: JsonObject, way: Way): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const entry = here.get(name);
    if (inner === undefined) continue;
    if (!entry) fields[name] = inner;
    else if (way.part === "request" && inner === entry.rule.absent && entry.rule.optional === undefined) continue;
    else if (entry.there !== undefined) fields[entry.there] = valueOf(entry, inner, value, way);
    else if (entry.rule.there === false && way.part === "request") throw noField(path.here + name, entry.rule.instead);
  }
  return fields;
}

function inward(translation: Translation, value: JsonObject, way: Way): JsonObject {
  const isCopied = way.part === "answer" && !translation.renames;
  const fields = isCopied ? copied(translation, value, way) : renamed(translation, value, way);
  if (way.part === "request") refuseIncomplete(translation, value);
  else for (const { here: own, rule } of translation.outward) if (isUsual(rule, fields[own])) Reflect.deleteProperty(fields, own);
  for (const entry of translation.inward) {
    const { here: own, same, gathered, rule } = entry;
    const known = same === undefined ? gathered && textsIn(fields[gathered.list], gathered.field) : fields[same];
    if (known !== undefined) fields[own] ??= known;
    const isTold = rule.vital === undefined || fields[own] === null;
    // The rule's own value is everybody's.
    if (rule.absent !== undefined && isTold) fields[own] ??= valueOf(entry, rule.absent, value, { ...way, isOwn: false });
  }
  return fields;
}

function isUsual({ usual }: Rule, value: Json | undefined): boolean {
  return value !== undefined && usual !== undefined && usual !== callRegion && JSON.stringify(value) === JSON.stringify(usual);
}

/** A call that lacks what is required there would be refused there. */
function refuseIncomplete({ outward: further, path }: Translation, value: JsonObject): void {
  // An empty object inside of a call counts as absent.
  if (path.there !== "" && Object.keys(value).length === 0) return;
  const lacking = further.find(({ there, rule }) => rule.usual !== undefined && there !== undefined && value[there] === undefined);
  if (lacking?.there !== undefined) throw new MissingError(`${path.there}${lacking.there} is required`);
}

/** A call lacks a field. */
export class MissingError extends InputError {}

/** Where no name differs, that is several times faster. */
function copied({ others }: Translation, value: JsonObject, way: Way): Record<string, Json> {
  const fields: Record<string, Json> = way.isOwn ? value : { ...value };
  for (const entry of others) {
    const inner = value[entry.there];
    if (inner !== undefined) fields[entry.there] = valueOf(entry, inner, value, way);
  }
  return fields;
}

function renamed({ here, there, ignored, path }: Translation, value: JsonObject, way: Way): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (ignored.has(name)) continue;
    const entry = there.get(name);
    // An answer may have the catalogue's name as well. A call that has it would be refused there.
    if (!entry && here.has(name) && way.part === "request") throw noField(path.there + name, insteadOf(here.get(name), path.there));
    fields[entry?.here ?? name] = entry ? valueOf(entry, inner, value, way) : inner;
  }
  return fields;
}

function valueOf(entry: Entry, value: Json, owner: JsonObject, way: Way): Json {
  if (typeof value === "string") return textThere(entry, value, owner, way);
  const { inside, rule } = entry;
  if (isList(value)) {
    if (way.part === "request" && rule.most !== undefined && value.length > rule.most)
      throw new InputError(`${pathOf(entry, way).slice(0, -2)} has ${value.length} items; the public API takes ${rule.most} at most`);
    return value.map((item) => valueOf(entry, item, owner, way));
  }
  if (!inside || !isObject(value)) return value;
  const fields = way.towards === "there" ? outward(inside, value, way) : inward(inside, value, way);
  return rule.whole?.[way.towards]?.(fields) ?? fields;
}

/** A text on the other side. One that only the catalogue writes in that way is no value of a call there. */
function textThere(entry: Entry, text: string, owner: JsonObject, way: Way): string {
  const { texts, where } = entry;
  if (!texts || (where && !where.is.includes(owner[where.field] ?? null))) return text;
  if (way.part === "request" && way.towards === "here" && texts.isOnlyHere(text))
    throw new InputError(`the public API has no ${pathOf(entry, way)} "${text}"; give "${texts.there(text)}"`);
  const written = texts[way.towards](text);
  way.noted?.set(text, written);
  return written;
}

/** By the names of the side that a call comes from. */
function pathOf({ path }: Entry, { towards }: Way): string {
  return towards === "there" ? path.here : path.there;
}

/** The platform's words about a call, with the names that the call's fields have there. */
export function namesThere(translation: Translation, text: string): string {
  return [...translation.here.values()].reduce((changing, { here, there, into, inside }) => {
    const deeper = inside ? namesThere(inside, changing) : changing;
    const other = into === undefined ? there : `${into}.${here}`;
    if (other === undefined || other === here) return deeper;
    // A field that moves is meant where it stands alone.
    const before = into === undefined ? "(?<!\\w)" : "(?<![\\w.])";
    return deeper.replace(new RegExp(`${before}${escaped(here)}(?!\\w)`, "g"), () => other);
  }, text);
}

/** The texts that the items of a list have in a field, without empty ones; `undefined` if it is no list. */
function textsIn(list: Json | undefined, field: string): Json | undefined {
  if (list === undefined || !isList(list)) return undefined;
  return list.flatMap((item) => (isObject(item) && typeof item[field] === "string" && item[field] !== "" ? [item[field]] : []));
}

/** An object with one more field, which it may have already. */
function joined(value: Json | undefined, name: string, inner: Json): JsonObject {
  const fields = isObject(value) ? value : {};
  const was = fields[name];
  if (was !== undefined && was !== inner) throw new InputError(`${name} is given twice, with different values; give it once`);
  return { ...fields, [name]: inner };
}

function insteadOf(entry: Entry | undefined, path: string): string | undefined {
  return entry?.rule.instead ?? (entry?.there === undefined ? undefined : path + entry.there);
}

function noField(path: string, instead: string | undefined): InputError {
  return new InputError(`the public API has no ${path}${instead === undefined ? "" : `; give ${instead}`}`);
}
