import { isList, isObject, type Json } from "./codec.ts";

/**
 * The values of all fields that are called an id or a name, at any depth. A field that is just `Name` counts only at the top: deeper it is
 * the name of a filter or label.
 */
export function namesIn(value: Json, deeper = false): string[] {
  if (isList(value)) return value.flatMap((item) => namesIn(item, true));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const naming = /(Id|ID|Ids|ids|IdSet|Name|Uin)$/.test(name) && !(deeper && name === "Name");
    if (!naming)
      return name === "Resource" && typeof inner === "string" ? [inner, inner.slice(inner.lastIndexOf("/") + 1)] : namesIn(inner, true);
    return (isList(inner) ? inner : [inner]).flatMap((item) => (typeof item === "string" && item !== "" ? [item] : []));
  });
}
