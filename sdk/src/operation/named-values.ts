import { isList, isObject, type Json, type JsonObject, mostLevels } from "./codec.ts";

/** A value in a body, and the name of the field that has it. An item of a list has the list's name. */
export interface Named {
  readonly name: string;
  readonly value: string | number | boolean | null;
}

/**
 * All values in a body, also in parameters that are a JSON object as text. A filter's values have the filter's own name. What a tag, a label
 * or a description says is left out: it names no resource.
 */
export function valuesIn(value: Json, name = "", levels = mostLevels): Named[] {
  if (levels < 0) return [];
  if (isList(value)) return value.flatMap((item) => valuesIn(item, name, levels - 1));
  if (isObject(value)) return fieldsIn(value).flatMap(([field, inner]) => valuesIn(inner, field, levels - 1));
  const inside = typeof value === "string" ? insideOf(value) : undefined;
  return inside ? valuesIn(inside, name, levels - 1) : [{ name, value }];
}

function fieldsIn(object: JsonObject): [string, Json][] {
  const { Name: named, Values: values } = object;
  if (typeof named === "string" && values !== undefined) return [[named, values]];
  const isPair = ["Value", "Version"].some((other) => other in object);
  return Object.entries(object).filter(([name]) => !/(Value|Description|Desc)$/.test(name) && !(isPair && name === "Name"));
}

/** The object or list that a text holds. */
function insideOf(text: string): JsonObject | readonly Json[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const inside: unknown = JSON.parse(text);
    return isObject(inside) || isList(inside) ? inside : undefined;
  } catch {
    return undefined;
  }
}

/** The values of all fields that are ids or names, at any depth. */
export function namesIn(body: Json): string[] {
  return valuesIn(body).flatMap(({ name, value }) => {
    if (typeof value === "number") return name.endsWith("Id") && !/(Region|Project)Id$/.test(name) ? [String(value)] : [];
    if (typeof value !== "string" || value === "") return [];
    if (name === "Resource") return [value, value.slice(value.lastIndexOf("/") + 1)];
    return /(Id|ID|Ids|ids|IdSet|Name|Uin|SecurityGroup|DestNamespace|-id)$/.test(name) ? [value] : [];
  });
}
