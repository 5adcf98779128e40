import { at, type Props } from "./values.ts";

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
