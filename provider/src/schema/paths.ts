import { at, type Props } from "./values.ts";

/** Where a part of a value is: the names of properties, and the positions in lists. */
export type Path = readonly PropertyKey[];

/** The value at a path such as `native.subnetIds.0`. */
export function valueAt(inputs: Props, path: string): unknown {
  return at(inputs, path.split("."));
}

/** The paths that match a pattern, in which `*` stands for each item of a list: `permissions.*.resource`. */
export function expandPath(inputs: Props, pattern: string): readonly string[] {
  const [head, ...rest] = pattern.split(".*");
  if (head === undefined || rest.length === 0) return [pattern];
  const list = valueAt(inputs, head);
  return Array.isArray(list) ? list.map((_, index) => `${head}.${index}${rest.join(".*")}`) : [];
}

/** A path as messages show it: `permissions[0].resource`. */
export const displayPath = (path: string): string => path.replace(/\.(\d+)/g, "[$1]");

/** The path of a property as programs write it: `ingress[2].port`. */
export function placeOf(path: Path): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join("");
}

/** The path of a part of a value: a property of it, such as `port`, or of an item, such as `[2].port`. */
export function partOf(path: string, part: string): string {
  return part.startsWith("[") ? `${path}${part}` : `${path}.${part}`;
}

/** The paths of inputs, and what the program that gives them calls them: `native.scaling.minReplicas` is `nodePools.apps.min`. */
export type OtherNames = Readonly<Record<string, string>>;

/** A sentence with the program's names: `native.scaling: minReplicas 5 is above maxReplicas 2` is `nodePools.apps: min 5 is above max 2`. */
export function namedOtherwise(names: OtherNames, sentence: string): string {
  const paths = Object.keys(names).toSorted((one, other) => other.length - one.length);
  const path = paths.find((one) => sentence.startsWith(one) && /^[.[:]/.test(sentence.slice(one.length)));
  if (path === undefined) return sentence;
  const parts = paths.filter((one) => one.startsWith(`${path}.`));
  const rest = parts.reduce(
    (text, part) => text.replaceAll(new RegExp(`\\b${lastIn(part)}\\b`, "g"), lastIn(names[part] ?? part)),
    sentence.slice(path.length),
  );
  return `${names[path] ?? path}${rest}`;
}

const lastIn = (path: string): string => path.split(".").at(-1) ?? path;
