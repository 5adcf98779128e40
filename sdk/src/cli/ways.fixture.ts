import { isList, isObject, type Json, type JsonObject } from "../operation/codec.ts";

/** The ways in which a person can give parameters. */

/** An option for each parameter: a text or number as it is, a list or an object as JSON. */
export function asOptions(body: JsonObject): string[] {
  return Object.entries(body).flatMap(([name, value]) => option(name, isList(value) || isObject(value) ? JSON.stringify(value) : value));
}

/** An option for each part of a parameter, with the items of a list of texts as words. */
export function asParts(body: JsonObject): string[] {
  return ["--cli-unfold-argument", ...Object.entries(body).flatMap(([name, value]) => partsOf(name, value))];
}

function partsOf(path: string, value: Json): string[] {
  if (isList(value) && value.length > 1 && value.every((item) => typeof item === "string" && !item.startsWith("-")))
    return [`--${path}`, ...value.map(String)];
  if (isList(value) && value.length > 0) return value.flatMap((item, index) => partsOf(`${path}.${index}`, item));
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, inner]) => partsOf(`${path}.${name}`, inner));
  return option(path, isList(value) || isObject(value) ? JSON.stringify(value) : value);
}

function option(name: string, value: string | number | boolean | null): string[] {
  const word = String(value);
  return word.startsWith("--") ? [`--${name}=${word}`] : [`--${name}`, word];
}

/**
 * Fills a skeleton in: replaces the names of types by values, and removes fields without a value.
 *
 * @throws if the skeleton has no place for a value, or has another name for it.
 */
export function filledIn(skeleton: Json | undefined, value: Json): Json {
  if (isList(value) && skeleton !== undefined && isList(skeleton)) return value.map((item) => filledIn(skeleton[0], item));
  if (isObject(value) && isObject(skeleton))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(skeleton[name], inner)]));
  const types = { String: "string", Integer: "number", Float: "number", Boolean: "boolean" };
  const type = Object.entries(types).find(([word]) => word === skeleton)?.[1];
  if (typeof value !== type) throw new Error(`the skeleton has ${JSON.stringify(skeleton)} for ${JSON.stringify(value)}`);
  return value;
}
