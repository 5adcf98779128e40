import { at, type Props } from "../../schema/values.ts";

/** The paths that a pattern stands for: `*` is each of a list. */
export function pathsOf(inputs: Props, pattern: string): readonly string[] {
  const [head, ...rest] = pattern.split(".*");
  if (head === undefined || rest.length === 0) return [pattern];
  const list = valueAt(inputs, head);
  return Array.isArray(list) ? list.map((_, index) => `${head}.${index}${rest.join(".*")}`) : [];
}

export function valueAt(inputs: Props, path: string): unknown {
  return at(inputs, path.split("."));
}

/** A path as messages have it: `permissions[0].resource`. */
export function shown(path: string): string {
  return path.replace(/\.(\d+)/g, "[$1]");
}
