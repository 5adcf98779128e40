import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Json } from "../../operation/codec.ts";

/** An example of a call: with the parameters that the usual one needs, or with the first one if it needs none. */
export function exampleOf({ product, action, input }: Operation, version: string | undefined): string {
  const offered = ownFieldsOf(input).filter(({ exposed }) => exposed);
  const needed = offered.filter(({ inExample }) => inExample);
  const given = needed.length > 0 ? needed : offered.slice(0, 1);
  const options = given.map((field) => ` \\\n      --${field.name} ${quoted(sampleOf(field))}`);
  return `  cpcli ${product} ${action}${version === undefined ? "" : ` --version ${version}`}${options.join("")}\n`;
}

function quoted(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** An example of a field's value: one from its description, or the first of its values. */
function sampleOf(field: Field): Json {
  const { kind, item, fields, values, description, limits, name } = field;
  if (item) return [sampleOf(item)];
  if (kind === "object")
    return Object.fromEntries(
      fields.filter(({ inExample, exposed }) => inExample && exposed).map((inner) => [inner.name, sampleOf(inner)]),
    );
  if (kind === "boolean") return true;
  const known = values[0] ?? /such as `([^`]+)`/.exec(description)?.[1];
  if (kind === "integer" || kind === "number") return Number(known ?? /\d+/.exec(limits)?.[0] ?? 1);
  return known ?? `<${name || "value"}>`;
}
