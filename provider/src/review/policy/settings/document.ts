import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** A parsed YAML text, with the lines of its values. */
export interface Document {
  readonly value: unknown;
  /** The syntax errors. */
  readonly errors: readonly { readonly line: number; readonly says: string }[];
  /** The line of the value at a path. If there is none, the line of the value that would contain it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export function parsedYaml(text: string): Document {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const errors = document.errors.map(({ pos, message }) => ({ line: counter.linePos(pos[0]).line, says: message }));
  return {
    value: errors.length === 0 ? document.toJS() : undefined,
    errors,
    lineOf: (path) => counter.linePos(offsetOf(document.contents, path)).line || 1,
  };
}

function offsetOf(node: unknown, path: readonly PropertyKey[], found = 0): number {
  const [key, ...rest] = path;
  if (key === undefined) return found;
  if (isSeq(node)) {
    const item: unknown = typeof key === "number" ? node.items[key] : undefined;
    return item === undefined ? found : offsetOf(item, rest, startOf(item) ?? found);
  }
  const pair = isMap(node) ? node.items.find((one) => isScalar(one.key) && one.key.value === key) : undefined;
  return pair === undefined ? found : offsetOf(pair.value, rest, startOf(pair.key) ?? found);
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
}
