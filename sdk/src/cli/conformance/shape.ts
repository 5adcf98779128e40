import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import type { Operation } from "../../operation/operation.ts";

/** Where an answer is not what the catalogue says, by paths such as `ClusterSet[].Id`. No value of the answer is in it. */
export interface Differences {
  /** Fields that the catalogue says are always there, and that are not in every place where they belong. */
  readonly missing: readonly string[];
  /** The same fields, where they are there as `null`. */
  readonly empty: readonly string[];
  /** Fields that the catalogue does not have. */
  readonly fresh: readonly string[];
  /** Fields whose value has another type, or is none of the catalogue's. */
  readonly odd: readonly string[];
  /** Fields that may be absent, and are in no place where they belong. */
  readonly absent: readonly string[];
}

/** Compares an answer with what the catalogue says of it. */
export function differencesOf({ output }: Operation, body: JsonObject): Differences {
  const seen = { missing: new Set<string>(), empty: new Set<string>(), fresh: new Set<string>(), odd: new Set<string>() };
  const optional = { there: new Set<string>(), not: new Set<string>() };
  compare(ownFieldsOf(output), [body]);
  const sorted = (paths: Iterable<string>) => [...paths].sort();
  return {
    missing: sorted(seen.missing),
    empty: sorted(seen.empty),
    fresh: sorted(seen.fresh),
    odd: sorted(seen.odd),
    absent: sorted([...optional.not].filter((path) => !optional.there.has(path))),
  };

  /** Objects that stand in the same place: the items of a list, or a single one. */
  function compare(fields: readonly Field[], objects: readonly JsonObject[], prefix = ""): void {
    const names = new Set(fields.map(({ name }) => name));
    for (const object of objects)
      for (const name of Object.keys(object)) if (!names.has(name) && name !== "RequestId") seen.fresh.add(`${prefix}${name}`);
    for (const field of fields) {
      for (const object of objects) notePresence(field, object[field.name]);
      const values = objects.flatMap((object) => object[field.name] ?? []);
      const isOdd =
        objects.some((object) => isOtherForm(field, object[field.name])) || values.some((value) => !suits(field.item ?? field, value));
      if (isOdd) seen.odd.add(field.path);
      const path = field.item ? `${field.path}[].` : `${field.path}.`;
      const below = field.item?.fields ?? field.fields;
      if (below.length > 0) compare(below, values.filter(isObject), path);
    }
  }

  function notePresence({ path, required }: Field, value: Json | undefined): void {
    if (!required) (value === undefined || value === null ? optional.not : optional.there).add(path);
    else if (value === undefined) seen.missing.add(path);
    else if (value === null) seen.empty.add(path);
  }
}

/** Whether a list stands in the place of a single value, or the other way. */
function isOtherForm({ item }: Field, value: Json | undefined): boolean {
  return value !== undefined && value !== null && isList(value) !== (item !== undefined);
}

/** An empty text in place of a known value says nothing: what a platform's form does not have is read as that. */
function suits({ kind, values }: Field, value: Json): boolean {
  if (value === "" && kind === "string") return true;
  if (values.length > 0 && typeof value === "string") return values.includes(value);
  return kindsOf(value).includes(kind);
}

function kindsOf(value: Json): readonly string[] {
  if (isList(value)) return ["list"];
  if (isObject(value)) return ["object"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}
