import { isList, isObject, type Json } from "./codec.ts";

/** The values of all fields that are ids or names, at any depth. A deeper `Name` is left out: it is that of a filter or label. */
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
