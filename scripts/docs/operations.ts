import type { Operation } from "@container-platform/sdk";
import { catalogue, commonCodes, type Field, fieldsIn, valuesToTell } from "@container-platform/sdk/reference";
import { code, codes, fileNameOf, firstSentence, page, table } from "./markdown.ts";
import { specification } from "./specification.ts";

/** The pages of the operations, by file name. */
export function operationPages(): [file: string, text: string][] {
  return catalogue.map((operation) => [`reference/api/${pageOf(operation)}`, operationPage(operation)]);
}

/** The page of an operation, as a path below `reference/api`. */
export function pageOf(operation: Operation): string {
  return `${operation.product}/${fileNameOf(title(operation).replaceAll(" ", "-"))}.md`;
}

/** The title of an operation's page. It has the version if there are several versions of the action. */
function title({ product, action, version }: Operation): string {
  const versions = catalogue.filter((other) => other.product === product && other.action === action);
  return versions.length > 1 ? `${action} ${version}` : action;
}

/** The index of the operations. */
export function operationParts() {
  const products = [...Map.groupBy(catalogue, ({ product }) => product)].flatMap(([product, operations]) => [
    `## ${product}`,
    table(
      ["Operation", "Version", "Description"],
      operations.map((one) => [`[${one.action}](${pageOf(one)})`, one.version, firstSentence(one.summary)]),
    ),
  ]);
  return { operations: page(...products), codes: codes([...commonCodes].sort()) };
}

function operationPage(operation: Operation): string {
  const { action, summary, input, output, errors, remoteErrors } = operation;
  const [parameters, response] = [fieldsIn(input), fieldsIn(output)];
  return page(
    `# ${title(operation)}`,
    summary,
    table(["Product", "Version", "Source", "Effect", "Retry after a lost response", "Pages"], [factsOf(operation)]),
    "## Parameters",
    ...(parameters.length === 0
      ? ["None."]
      : folded(["Parameter", "Type", "Required", "Description"], parameters, (field) => [
          code(field.path),
          typeOf(field),
          field.required ? "yes" : "no",
          described(field),
        ])),
    "## Response",
    ...(response.length === 0
      ? ["Only `RequestId`."]
      : folded(["Field", "Type", "Description"], response, (field) => [code(field.path), typeOf(field), described(field)])),
    unnamedLine(operation, [...parameters, ...response]),
    "## Error codes",
    errors.length === 0
      ? `Only the [codes of every operation](../README.md#common-error-codes).`
      : `${codes([...errors].sort())}, and the [codes of every operation](../README.md#common-error-codes).`,
    remoteErrors.length === 0 ? "" : `Only the cloud returns these, and the emulator does not: ${codes([...remoteErrors].sort())}.`,
    "## See also",
    `- \`cpcli ${operation.product} ${action} help\`\n- [All operations](../README.md)`,
  );
}

function factsOf({ product, version, source, effect, repeatable, pages }: Operation): string[] {
  return [
    code(product),
    version,
    source === "specification" ? "[specification](../../../contributing/specification.md)" : "public API",
    effect === "read" ? "reads" : "writes",
    effect === "read" || repeatable ? "yes" : "no",
    pages === undefined ? "" : "yes",
  ];
}

/** A table of the outer fields, and below it a folded one for the inner fields of each. */
function folded(heads: readonly string[], fields: readonly Field[], rowOf: (field: Field) => string[]): string[] {
  const outerOf = ({ path }: Field) => /^\w+/.exec(path)?.[0] ?? path;
  const outer = fields.filter((field) => field.path === outerOf(field));
  return [
    table(heads, outer.map(rowOf)),
    ...outer.flatMap(({ path }) => {
      const inner = fields.filter((field) => outerOf(field) === path && field.path !== path);
      if (inner.length === 0) return [];
      return [`<details>\n<summary>Fields of <code>${path}</code></summary>`, table(heads, inner.map(rowOf)), "</details>"];
    }),
  ];
}

const specified = new Set(specification().match(/\w+/g));

/** The fields of an operation that are not in the specification but in the public API, as a sentence. */
function unnamedLine({ source }: Operation, fields: readonly Field[]): string {
  const names = fields.flatMap(({ path }) => path.replaceAll("[]", "").split(".").slice(-1));
  const unnamed = [...new Set(names)].filter((name) => !specified.has(name)).sort();
  if (source !== "specification" || unnamed.length === 0) return "";
  return `Only the public API documents these fields: ${codes(unnamed)}.`;
}

function typeOf({ type, limits }: Field): string {
  return limits === "" ? type : `${type}, ${limits}`;
}

function described(field: Field): string {
  const { description, sensitive, exposed } = field;
  const values = valuesToTell(field);
  return [
    description,
    values.length > 0 && `One of ${codes(values)}.`,
    sensitive && "Never shown or logged.",
    !exposed && "`cpcli` does not have it as an option.",
  ]
    .filter(Boolean)
    .join(" ");
}
