import { type ErrorCode, type ErrorKind, type Operation, PlatformError } from "@container-platform/sdk";
import { catalogue, commonCodes } from "@container-platform/sdk/reference";
import { codes } from "../../provider/src/definition/codes.ts";
import { code, rowsIn, table, textOf } from "./markdown.ts";
import { pageOf } from "./operations.ts";

const file = "docs/reference/error-codes.md";

/** The tables of the error codes. Meanings and remedies are written in their page; kinds, operations and the provider's codes come from the sources. */
export function errorCodeParts() {
  const text = textOf(file);
  for (const kind of Object.keys(kinds))
    if (!text.includes(`\n| ${code(kind)} | `)) throw new Error(`${file} needs a row for the kind ${kind} with its meaning and its remedy`);
  return {
    api: table(["Code", "Kind", "Meaning", "Remedy", "Operations"], apiRows(text)),
    provider: table(
      ["Code", "Meaning", "Remedy"],
      Object.entries(codes).map(([name, [meaning, remedy]]) => [code(`Provider.${name}`), meaning, remedy]),
    ),
    classes: table(
      ["Class", "Kind"],
      rowsIn(text, "classes").map(([name = ""]) => [name, code(kindOf(name.slice(1, -1).replace("…", "Other")))]),
    ),
  };
}

/** Each kind has a row in the page: a new kind does not compile before it is here. */
const kinds: Readonly<Record<ErrorKind, true>> = {
  ...{ notFound: true, inUse: true, conflict: true, throttled: true, transient: true, unauthorized: true, protected: true },
  ...{ limit: true, invalid: true, unsupported: true, failed: true, unreachable: true, unsent: true },
};

const common: readonly string[] = commonCodes;

function apiRows(text: string): string[][] {
  const written = new Map(rowsIn(text, "api").map(([name, , meaning, remedy]) => [name, { meaning, remedy }]));
  const own = catalogue.flatMap(({ errors, remoteErrors }) => [...errors, ...remoteErrors]);
  return [...new Set([...commonCodes, ...own])].sort().map((name) => {
    const { meaning, remedy } = written.get(code(name)) ?? {};
    if (!meaning || !remedy) throw new Error(`${file} needs a row for ${name} with its meaning and its remedy`);
    const at = catalogue.filter(({ errors, remoteErrors }) => [...errors, ...remoteErrors].includes(name));
    const kinds = new Set(at.length === 0 ? [kindOf(name)] : at.map((operation) => kindOf(name, operation)));
    const operations = common.includes(name) ? "*all*" : operationsCell(name, at);
    return [code(name), [...kinds].map(code).join(", "), meaning, remedy, operations];
  });
}

function kindOf(name: string, { product, action }: Pick<Operation, "product" | "action"> = { product: "vpc", action: "" }): ErrorKind {
  return new PlatformError(name, "", { product, action, requestId: "" }).kind;
}

/** A cell with more operations than this counts them for each product. */
const most = 4;

function operationsCell(name: ErrorCode, at: readonly Operation[]): string {
  const linked = (one: Operation) => `[${one.action}](api/${pageOf(one)})${one.errors.includes(name) ? "" : " (cloud only)"}`;
  if (at.length <= most) return at.map(linked).join(", ");
  const products = [...new Set(at.map(({ product }) => product))];
  const count = (product: string) => at.filter((one) => one.product === product).length;
  return products.map((product) => `[${count(product)} of ${product}](api/README.md#${product})`).join(", ");
}
