import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";

export type Scalar = string | number | boolean | null;

export function isScalar(value: Json): value is Scalar {
  return !isList(value) && !isObject(value);
}

/** A scalar as the reference client prints it, in Python's spelling. */
export function printed(value: Scalar): string {
  if (value === null) return "None";
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

/** The fields of an object, sorted by name: scalars, and others. */
export function parted(object: JsonObject): { scalars: [string, Scalar][]; others: [string, Json][] } {
  const scalars: [string, Scalar][] = [];
  const others: [string, Json][] = [];
  for (const [name, value] of Object.entries(object).sort(byName)) {
    if (isScalar(value)) scalars.push([name, value]);
    else others.push([name, value]);
  }
  return { scalars, others };
}

/** Sorted, without duplicates. */
export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort(byCodePoint);
}

function byName([one]: [string, Json], [other]: [string, Json]): number {
  return byCodePoint(one, other);
}

/** Orders texts by their code points, as JMESPath and the output formats do; `<` orders UTF-16 units. */
export function byCodePoint(one: string, other: string): number {
  // The order of UTF-8 bytes is that of code points.
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
