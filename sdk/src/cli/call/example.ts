import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Json } from "../../operation/codec.ts";

/** An example of a call: with the required parameters, or with the first one if none is required. */
export function exampleOf({ product, action, input }: Operation, version: string | undefined): string {
  const offered = ownFieldsOf(input).filter(({ exposed }) => exposed);
  const required = offered.filter(({ required }) => required);
  const given = required.length > 0 ? required : offered.slice(0, 1);
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
    return Object.fromEntries(fields.filter(({ required, exposed }) => required && exposed).map((inner) => [inner.name, sampleOf(inner)]));
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number") return Number(values[0] ?? /\d+/.exec(limits)?.[0] ?? 1);
  return values[0] ?? /such as `([^`]+)`/.exec(description)?.[1] ?? `<${name || "value"}>`;
}
