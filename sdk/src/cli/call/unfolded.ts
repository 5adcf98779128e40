import type { Field } from "../../operation/fields.ts";
import type { Json } from "../../operation/codec.ts";
import { UsageError } from "../run/failures.ts";

/** A parameter while it is put together: a whole value, or parts by name or index. */
type Part = { readonly whole: Json; readonly option: string } | { readonly parts: Map<string, Part>; readonly option: string };

/** Puts parameters together from options that give whole values or parts, such as `--Labels.0.Name`. */
export class Unfolded {
  readonly #top: Map<string, Part> = new Map<string, Part>();

  /**
   * @throws UsageError for a parameter that is given both as a whole and in parts (specification, Client options and parameter passing).
   */
  put(path: readonly string[], value: Json): void {
    const option = `--${path.join(".")}`;
    let level = this.#top;
    for (const name of path.slice(0, -1)) {
      const part = level.get(name) ?? { parts: new Map<string, Part>(), option };
      if ("whole" in part) throw bothWays(part.option, option);
      level.set(name, part);
      level = part.parts;
    }
    const last = path.at(-1) ?? "";
    const part = level.get(last);
    if (part) throw bothWays(option, part.option);
    level.set(last, { whole: value, option });
  }

  /** @throws UsageError for a list with a missing item. */
  body(fields: readonly Field[]): Record<string, Json> {
    return objectFrom(fields, this.#top);
  }
}

function bothWays(whole: string, part: string): UsageError {
  return new UsageError(`${whole} and ${part} give the same parameter`, "Give it as a whole, as JSON, or in parts: never both.");
}

function objectFrom(fields: readonly Field[], parts: ReadonlyMap<string, Part>, prefix = "--"): Record<string, Json> {
  const values = [...parts].map(([name, part]): [string, Json] => {
    const field = fields.find((known) => known.name === name);
    return [name, field ? valueOf(field, part, `${prefix}${name}`) : null];
  });
  return Object.fromEntries(values);
}

function valueOf(field: Field, part: Part, option: string): Json {
  if ("whole" in part) return part.whole;
  const { item } = field;
  if (!item) return objectFrom(field.fields, part.parts, `${option}.`);
  return Array.from({ length: part.parts.size }, (_, index) => {
    const at = part.parts.get(String(index));
    if (!at) throw new UsageError(`The index of the array parameter: ${option} must start from 0, and the step size is 1`);
    return valueOf(item, at, `${option}.${index}`);
  });
}

/** The field with a dotted name; `undefined` if the client offers none. */
export function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name = "", ...inner] = path;
  const field = fields.find((known) => known.name === name && known.exposed);
  return field && insideOf(field, inner);
}

function insideOf(field: Field, path: readonly string[]): Field | undefined {
  const [index = "", ...inner] = path;
  if (path.length === 0) return field;
  if (!field.item) return fieldAt(field.fields, path);
  return /^(0|[1-9]\d*)$/.test(index) ? insideOf(field.item, inner) : undefined;
}
