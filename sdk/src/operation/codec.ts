import { z } from "zod";
import { InputError } from "./errors.ts";
import { fieldsOf, itemsOf, metaOf, unwrapped } from "./operation.ts";

/** A value on the wire: JSON, with the specification's spelling of names. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The most nested levels of lists and objects in a call: a few more than any operation takes. */
export const mostLevels = 64;

type Found = readonly [name: string, schema: z.core.$ZodType];

/** The fields of an object. */
interface Spelling {
  /** By field: its name on the wire. */
  readonly wire: ReadonlyMap<string, Found>;
  /** By name on the wire: the field. */
  readonly field: ReadonlyMap<string, Found>;
}

const spellings = new WeakMap<z.core.$ZodType, Spelling | undefined>();

/** `undefined` for what is no object. */
function spellingOf(schema: z.core.$ZodType): Spelling | undefined {
  if (spellings.has(schema)) return spellings.get(schema);
  const made = unwrapped(schema) instanceof z.ZodObject ? spelt(fieldsOf(schema)) : undefined;
  spellings.set(schema, made);
  return made;
}

function spelt(fields: Readonly<Record<string, z.core.$ZodType>>): Spelling {
  const all = Object.entries(fields).map(([field, inside]) => [field, wireName(field, inside), inside] as const);
  return {
    wire: new Map(all.map(([field, wire, inside]): [string, Found] => [field, [wire, inside]])),
    field: new Map(all.map(([field, wire, inside]): [string, Found] => [wire, [field, inside]])),
  };
}

/** The field of an object with this spelling on the wire, and its schema; `undefined` if there is none. */
export function fieldSpelt(schema: z.core.$ZodType, wire: string): Found | undefined {
  return spellingOf(schema)?.field.get(wire);
}

/** A field's spelling on the wire: its own (`spelt`), or its name with a capital first letter. */
export function wireName(field: string, schema: z.core.$ZodType): string {
  const { wire } = metaOf(schema);
  return typeof wire === "string" ? wire : field.charAt(0).toUpperCase() + field.slice(1);
}

/** A value in its form on the wire. Fields that are `undefined` are left out. */
function toWire(schema: z.core.$ZodType, value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  const items = itemsOf(schema);
  if (items && Array.isArray(value)) return value.map((item: unknown) => toWire(items, item));
  const spelling = spellingOf(schema);
  if (spelling && typeof value === "object") return fieldsToWire(spelling, value);
  throw new TypeError(`a ${typeof value} cannot be sent`);
}

/** @throws InputError for an unknown field, at any depth. */
export function objectToWire(schema: z.ZodObject, value: object): JsonObject {
  return fieldsToWire(spellingOf(schema), value);
}

function fieldsToWire(spelling: Spelling | undefined, value: object): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const found = spelling?.wire.get(field);
    if (!found) throw new InputError(`there is no field ${field}; there are ${[...(spelling?.wire.keys() ?? [])].join(", ") || "none"}`);
    fields[found[0]] = toWire(found[1], inner);
  }
  return fields;
}

/** A value from the wire, with TypeScript's spelling of names. `null` becomes `undefined`; unknown names stay as they are. */
export function fromWire(schema: z.core.$ZodType, value: Json | undefined): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return value;
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => fromWire(items, item));
  const spelling = spellingOf(schema);
  if (!spelling || !isObject(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const known = spelling.field.get(name);
    if (known) fields[known[0]] = fromWire(known[1], inner);
    else fields[name] = inner;
  }
  return fields;
}

/** A path of fields in the specification's spelling, such as `Native.SubnetIds.0`. */
export function wirePath(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const names: string[] = [];
  let at: z.core.$ZodType | undefined = schema;
  for (const key of path) {
    const inside: z.core.$ZodType | undefined = at && unwrapped(at);
    const next: z.core.$ZodType | undefined = inside && (itemsOf(inside) ?? fieldsOf(inside)[String(key)]);
    names.push(inside instanceof z.ZodObject && next ? wireName(String(key), next) : String(key));
    at = next;
  }
  return names.join(".");
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All texts in a value, at any depth. */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The value at a path inside of a value; `undefined` if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined), value);
}
