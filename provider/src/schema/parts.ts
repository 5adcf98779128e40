import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { type IdPrefix, leftToPlatform, marksOf, type NamedId } from "./marks.ts";
import type { Path } from "./paths.ts";
import { at, isProps, type Props } from "./values.ts";

export type Schema = z.core.$ZodType;

/** The schema of a property. `undefined`: the kind has no such property. */
export function propertySchema({ inputs, outputs }: Kind, key: string): Schema | undefined {
  return fieldsOf(inputs)[key] ?? fieldsOf(outputs)[key];
}

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

/** The ids of other resources in a value, as far as they are known. */
export function idsIn(schema: Schema, given: unknown, inside: Path): readonly NamedId[] {
  return partsOf(schema, given, inside).flatMap(({ schema: part, value, path }) => {
    const { idOf: prefix } = marksOf(part);
    const isId = typeof value === "string" && value.startsWith(`${prefix}-`);
    return prefix !== undefined && isId ? [{ path, prefix, id: value }] : [];
  });
}

/** The ids that a value no longer has, where what is left out stays as it is on the platform. */
export function idsKept(schema: Schema, before: unknown, after: unknown, inside: Path): readonly NamedId[] {
  return partsLeftOut(schema, after, []).flatMap(({ schema: part, path }) => idsIn(part, at(before, path), [...inside, ...path]));
}

/** The path of the input, without the positions in lists: `native.securityGroupIds`. */
export const inputPath = ({ path }: NamedId): string => path.filter((part) => typeof part === "string").join(".");

/** The paths that a value leaves out, and where the platform may have an ID of the same kind. */
export function pathsLeftOut(schema: Schema, value: unknown, inside: Path, id: string): readonly Path[] {
  const takesIdsLike = ({ idOf: prefix }: { readonly idOf?: IdPrefix }) => prefix !== undefined && id.startsWith(`${prefix}-`);
  const alike = partsLeftOut(schema, value, inside).filter(({ schema: part }) => takesIdsLike(marksOf(itemsOf(part) ?? part)));
  return alike.map(({ path }) => path);
}

function partsLeftOut(schema: Schema, given: unknown, inside: Path) {
  return partsOf(schema, given, inside).filter(({ schema: part, value }) => value === undefined && leftToPlatform(part));
}
