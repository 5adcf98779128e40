import type { Operation } from "@container-platform/sdk";
import { catalogue, commonCodes, type Field, fieldsIn, valuesToTell } from "@container-platform/sdk/reference";
import { code, codes, page, table } from "./markdown.ts";
import { specification } from "./specification.ts";

/** The pages of the operations, by file name: one for each product, and an overview. */
export function operationPages(): Map<string, string> {
  const products = [...new Set(catalogue.map(({ product }) => product))];
  return new Map([
    ["operations.md", overview()],
    ...products.map((product) => [`operations/${product}.md`, productPage(product)] as const),
  ]);
}

function overview(): string {
  return page(
    "# Operations",
    "Written from the SDK's catalogue by `npm run fix`. Every operation's page tells its parameters and answers one by one.",
    `Every operation can be refused with ${codes([...commonCodes].sort())}, besides its own codes.`,
    table(["Product", "Operation", "Version", "Source", "Parameters", "Codes of its own"], catalogue.map(overviewRow)),
  );
}

function overviewRow(operation: Operation): string[] {
  const { product, action, version, source, input, errors } = operation;
  const named = fieldsIn(input).filter(({ path }) => !/[.[]/.test(path));
  return [
    product,
    `[${action}](operations/${product}.md#${anchor(operation)})`,
    version,
    source,
    named.map(({ path, required }) => (required ? `**${path}**` : path)).join(", "),
    [...errors].sort().map(code).join(", "),
  ];
}

function productPage(product: string): string {
  const operations = catalogue.filter((operation) => operation.product === product);
  return page(
    `# Operations of the product \`${product}\``,
    "Written from the SDK's catalogue by `npm run fix`. Names are spelt as they travel.",
    `Every operation can be refused with ${codes([...commonCodes].sort())}, besides the codes that are listed with it.`,
    table(
      ["Operation", "Version", "What it does"],
      operations.map((operation) => [`[${operation.action}](#${anchor(operation)})`, operation.version, operation.summary]),
    ),
    ...operations.map(section),
  );
}

/** The title of an operation's section. It has the version if there are several versions of the action. */
function title({ product, action, version }: Operation): string {
  const versions = catalogue.filter((other) => other.product === product && other.action === action);
  return versions.length > 1 ? `${action} ${version}` : action;
}

function anchor(operation: Operation): string {
  // As GitHub derives them from headings.
  return title(operation).toLowerCase().replaceAll(" ", "-");
}

function section(operation: Operation): string {
  const { action, version, summary, source, effect, repeatable, pages, input, output, errors, remoteErrors } = operation;
  const facts = [
    `Version ${version}`,
    source === "specification" ? "from the specification" : "from the public API",
    effect === "read" ? "reads" : `writes, ${repeatable ? "and may be sent again" : "and is not sent again"} when its answer got lost`,
    ...(pages === undefined ? [] : ["answers page by page"]),
  ];
  const parameters = fieldsIn(input);
  const answer = fieldsIn(output);
  return [
    `## ${title(operation)}`,
    summary,
    `${facts.join("; ")}.`,
    parameters.length === 0
      ? "It takes no parameters."
      : table(["Parameter", "Type", "Required", "Description"], parameters.map(parameterRow)),
    answer.length === 0 ? `It answers nothing but \`RequestId\`.` : table(["Answer", "Type", "Description"], answer.map(answerRow)),
    unnamedLine(operation, [...parameters, ...answer]),
    errors.length === 0 ? `\`${action}\` has no codes of its own.` : `Codes: ${codes([...errors].sort())}.`,
    remoteErrors.length === 0 ? "" : `Only a real platform answers, never a local one: ${codes([...remoteErrors].sort())}.`,
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

const specified = new Set(specification().match(/\w+/g));

/** The fields of an operation that are not in the specification but in the public API, as a sentence. */
function unnamedLine({ source }: Operation, fields: readonly Field[]): string {
  const names = fields.flatMap(({ path }) => path.replaceAll("[]", "").split(".").slice(-1));
  const unnamed = [...new Set(names)].filter((name) => !specified.has(name)).sort();
  if (source !== "specification" || unnamed.length === 0) return "";
  return `The specification does not show these; they are the public API's: ${codes(unnamed)}.`;
}

function parameterRow(field: Field): string[] {
  return [code(field.path), typeOf(field), field.required ? "yes" : "no", said(field)];
}

function answerRow(field: Field): string[] {
  return [code(field.path), typeOf(field), said(field)];
}

function typeOf({ type, limits }: Field): string {
  return limits === "" ? type : `${type}, ${limits}`;
}

function said(field: Field): string {
  const { description, sensitive, exposed } = field;
  const values = valuesToTell(field);
  return [
    description,
    values.length > 0 && `One of ${codes(values)}.`,
    sensitive && "Never shown or logged.",
    !exposed && "The command-line client does not expose it.",
  ]
    .filter(Boolean)
    .join(" ");
}
