import type { Json } from "../../operation/codec.ts";
import { commonCodes } from "../../operation/errors.ts";
import { type Field, fieldsIn, ownFieldsOf, valuesToTell } from "../../operation/fields.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { inOrder } from "../../operation/versions.ts";
import { callOptions, operationNamed, operationsOf } from "./products.ts";
import { type Given, optionLines } from "../command.ts";
import { print } from "../run.ts";

/** Prints the actions of a product, or the parameters of an action. */
export async function tellHelp(
  product: Product,
  action: string | undefined,
  { version, detail }: Given<typeof callOptions>,
): Promise<void> {
  if (action === undefined) print(productHelp(product, inOrder(await operationsOf(product))));
  else {
    const operation = await operationNamed(product, action, version);
    print(detail ? detailedHelp(operation, version) : actionHelp(operation));
  }
}

function productHelp(product: Product, operations: readonly Operation[]): string {
  const heads = operations.map((operation) => headOf(operation, operations));
  const width = Math.max(...heads.map(({ length }) => length));
  const lines = operations.map(({ summary }, index) => `  ${(heads[index] ?? "").padEnd(width)}  ${summary}\n`);
  return `Usage: cpcli ${product} <Action> [--<Param> <value>]... [options]

Actions:
${lines.join("")}
cpcli ${product} <Action> help --detail prints the parameters of an action.
`;
}

/** The name of an action, with the version if there are several. */
function headOf({ action, version }: Operation, operations: readonly Operation[]): string {
  return operations.filter((other) => other.action === action).length > 1 ? `${action} --version ${version}` : action;
}

function actionHelp(operation: Operation): string {
  const { product, action } = operation;
  const own = ownFieldsOf(operation.input).filter(({ exposed }) => exposed);
  return `${beginningOf(operation)}
${own.length === 0 ? "No parameters.\n" : `Parameters:\n${own.map(headLine).join("")}`}
cpcli ${product} ${action} help --detail prints values, limits, nested parameters, errors and an example.
`;
}

export function detailedHelp(operation: Operation, version: string | undefined): string {
  const { action, input, output, errors, remoteErrors } = operation;
  const parameters = fieldsIn(input).filter(({ exposed }) => exposed);
  const hidden = fieldsIn(input).filter(({ exposed }) => !exposed);
  return `${beginningOf(operation)}
${parameters.length === 0 ? "No parameters.\n" : `Parameters:\n${parameters.map((field) => headLine(field) + saidOf(field)).join("")}`}
${hidden.map(({ path }) => `The parameter ${path} of the platform is not available here.\n\n`).join("")}Response:
${fieldsIn(output)
  .map((field) => `  ${field.path}  ${typeOf(field)}\n${saidOf(field)}`)
  .join("")}  RequestId  string
      ID of the call.

Errors of ${action}: ${[...errors, ...remoteErrors].toSorted().join(", ") || "none of its own"}.
Errors of every operation: ${[...commonCodes].toSorted().join(", ")}.

Example:
${exampleOf(operation, version)}
Options:
${optionLines(callOptions)}`;
}

function beginningOf({ product, action, version, summary, effect, repeatable, pages }: Operation): string {
  const facts = [
    `Version ${version}`,
    effect === "read" ? "reads" : `writes, and is ${repeatable ? "" : "not "}repeated if the response is lost`,
    ...(pages ? ["returns pages (--all)"] : []),
  ];
  return `Usage: cpcli ${product} ${action} [--<Param> <value>]... [options]

${summary.replaceAll("`", "")}
${facts.join("; ")}.
`;
}

function headLine(field: Field): string {
  return `  --${field.path.replaceAll("[]", ".N")}  ${typeOf(field)}${field.required ? ", required" : ""}\n`;
}

function typeOf({ type, limits }: Field): string {
  return limits === "" ? type : `${type}, ${limits}`;
}

function saidOf(field: Field): string {
  const { description, sensitive } = field;
  const values = valuesToTell(field);
  const sentences = [
    description.replaceAll("`", ""),
    values.length > 0 && `One of ${values.join(", ")}.`,
    sensitive && "A secret: never shown or logged.",
  ].filter(Boolean);
  return sentences.length === 0 ? "" : `      ${sentences.join(" ")}\n`;
}

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
