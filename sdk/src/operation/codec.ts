import { z } from "zod";
import { InputError } from "./errors.ts";
import { fieldsOf, itemsOf, metaOf, unwrapped } from "./operation.ts";

/** What travels: JSON, with the specification's spelling of names. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

interface Spelling {
  /** Wire name by field. */
  readonly wire: ReadonlyMap<string, string>;
  /** Field by wire name. */
  readonly field: ReadonlyMap<string, string>;
}

const spellings = new WeakMap<z.ZodObject, Spelling>();

function spellingOf(schema: z.ZodObject): Spelling {
  const known = spellings.get(schema);
  if (known) return known;
  const pairs = Object.entries(fieldsOf(schema)).map(([field, inside]): [string, string] => [field, wireName(field, inside)]);
  const made = { wire: new Map(pairs), field: new Map(pairs.map(([field, wire]): [string, string] => [wire, field])) };
  spellings.set(schema, made);
  return made;
}

/** The field of an object that has this spelling on the wire, and its schema; `undefined` if there is none. */
export function fieldSpelt(schema: z.ZodObject, wire: string): readonly [field: string, schema: z.core.$ZodType] | undefined {
  const field = spellingOf(schema).field.get(wire);
  const inside = field === undefined ? undefined : fieldsOf(schema)[field];
  return field === undefined || !inside ? undefined : [field, inside];
}

/** A field's spelling on the wire: with a capital first letter, unless it says otherwise. */
export function wireName(field: string, schema: z.core.$ZodType): string {
  const { wire } = metaOf(schema);
  return typeof wire === "string" ? wire : field.charAt(0).toUpperCase() + field.slice(1);
}

/** A value as it is sent. Fields that are `undefined` are left out. */
function toWire(schema: z.core.$ZodType, value: unknown): Json {
  const inside = unwrapped(schema);
  const items = itemsOf(schema);
  if (value === undefined || value === null) return null;
  if (items && Array.isArray(value)) return value.map((item: unknown) => toWire(items, item));
  if (inside instanceof z.ZodObject && typeof value === "object") return objectToWire(inside, value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new TypeError(`a ${typeof value} cannot be sent`);
}

/** @throws InputError for a field that the schema lacks, however deep. */
export function objectToWire(schema: z.ZodObject, value: object): JsonObject {
  const { wire } = spellingOf(schema);
  const schemas = fieldsOf(schema);
  const fields: Record<string, Json> = {};
  for (const [field, inner] of Object.entries(value)) {
    const inside = schemas[field];
    if (inner === undefined) continue;
    if (!inside) throw new InputError(`there is no field ${field}; there are ${Object.keys(schemas).join(", ") || "none"}`);
    fields[wire.get(field) ?? field] = toWire(inside, inner);
  }
  return fields;
}

/** A value from the wire, with TypeScript's spelling of names. `null` becomes `undefined`; names that the schema lacks stay as they are. */
export function fromWire(schema: z.core.$ZodType, value: Json | undefined): unknown {
  const inside = unwrapped(schema);
  const items = itemsOf(schema);
  if (value === null || value === undefined) return undefined;
  if (items && isList(value)) return value.map((item) => fromWire(items, item));
  if (!(inside instanceof z.ZodObject) || !isObject(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const known = fieldSpelt(inside, name);
    if (known) fields[known[0]] = fromWire(known[1], inner);
    else fields[name] = inner;
  }
  return fields;
}

/** A path of fields as the specification spells it, such as `Native.SubnetIds.0`. */
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

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The part of a value at a path; `undefined` if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined), value);
}
