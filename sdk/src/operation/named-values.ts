import { isList, isObject, type Json } from "./codec.ts";

/** Values of all that is called an id or a name, at any depth. `Name` alone counts at the top only: deeper it is that of a filter or label. */
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
