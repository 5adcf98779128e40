import { type Field, fieldsIn } from "../../operation/fields.ts";
import { inOrder, type Product } from "../../operation/operation.ts";
import { operationsOf } from "../call/products.ts";

/** A parameter of an action, or a part of one with a dotted name, as `--cli-unfold-argument` takes it. */
export interface Parameter {
  /** `ClusterId`, `Labels.0.Name`. */
  readonly name: string;
  readonly values: readonly string[];
  readonly summary: string;
}

export interface Action {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
}

/** The actions of a product, as the catalogue describes them. */
export async function described(product: Product): Promise<readonly Action[]> {
  return inOrder(await operationsOf(product)).map(({ action, version, summary, input }) => ({
    name: action,
    version,
    summary: inOneLine(summary),
    parameters: fieldsIn(input)
      .filter(({ exposed }) => exposed)
      .map((field) => ({ name: field.path.replaceAll("[]", ".0"), values: valuesOf(field), summary: inOneLine(field.description) })),
  }));
}

function valuesOf({ kind, item, values }: Field): readonly string[] {
  return kind === "boolean" || item?.kind === "boolean" ? ["true", "false"] : values;
}

/** The first sentence, in one line and without backticks. */
function inOneLine(text: string): string {
  return (/^.*?[.!?](?=\s|$)/.exec(text.replaceAll(/\s+/g, " "))?.[0] ?? text).replaceAll("`", "").replaceAll("\n", " ");
}
