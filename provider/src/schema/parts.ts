import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import type { Path } from "./paths.ts";
import { isProps, type Props } from "./values.ts";

export type Schema = z.core.$ZodType;

/** The schema of a property. `undefined`: the kind has no such property. */
export function propertySchema({ inputs, outputs }: Kind, key: string): Schema | undefined {
  return fieldsOf(inputs)[key] ?? fieldsOf(outputs)[key];
}

/** The schema of an input or output. */
export function schemaOf(kind: Kind, key: string): Schema {
  const schema = propertySchema(kind, key);
  if (!schema) throw new TypeError(`${kind.type} has no property ${key}`);
  return schema;
}

/** The schema of a list's items; `undefined` if the schema is not a list. */
export function itemsOf(schema: Schema): Schema | undefined {
  const type = unwrapped(schema);
  return type instanceof z.ZodArray ? type.element : undefined;
}

/** The schema of an item of a list, of a value of a record, or of a property of an object. */
export function partSchema(schema: Schema, key: PropertyKey): Schema | undefined {
  const type = unwrapped(schema);
  return type instanceof z.ZodRecord ? type.valueType : (itemsOf(type) ?? fieldsOf(type)[String(key)]);
}

/** An item of a list, or a property of an object, whatever it is called: labels may be called `constructor`. */
export function partAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Whether two values are both lists, or both objects. */
export function areAlike(one: unknown, other: unknown): boolean {
  return Array.isArray(one) ? Array.isArray(other) : isProps(one) && isProps(other);
}

/** Returns the new value of a part. */
type Mapping = (schema: Schema | undefined, part: unknown, key: string | number) => unknown;

/** A list or an object with a new value for each of its parts; any other value as it is. */
export function mapParts(schema: Schema | undefined, value: Props, change: Mapping): Props;
export function mapParts(schema: Schema | undefined, value: unknown, change: Mapping): unknown;
export function mapParts(schema: Schema | undefined, value: unknown, change: Mapping): unknown {
  const changed = (part: unknown, key: string | number) => change(schema && partSchema(schema, key), part, key);
  if (Array.isArray(value)) return value.map(changed);
  return isProps(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, key)])) : value;
}

interface Part {
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: Path;
}

/** A value and all its parts, each with its schema: items of lists, and properties of objects, also those that are left out. */
export function partsOf(schema: Schema, value: unknown, path: Path): readonly Part[] {
  const items = itemsOf(schema);
  if (items && Array.isArray(value))
    return [{ schema, value, path }, ...value.flatMap((item, index) => partsOf(items, item, [...path, index]))];
  const fields = isProps(value) ? Object.entries(fieldsOf(schema)) : [];
  return [{ schema, value, path }, ...fields.flatMap(([key, field]) => partsOf(field, partAt(value, key), [...path, key]))];
}
