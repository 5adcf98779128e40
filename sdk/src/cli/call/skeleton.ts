import { type Field, type Kind, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Json } from "../../operation/codec.ts";
import type { Given, outputOptions } from "../command/arguments.ts";
import { showing } from "../output/output.ts";

const words: Readonly<Record<Exclude<Kind, "object" | "list">, string>> = {
  string: "String",
  integer: "Integer",
  number: "Float",
  boolean: "Boolean",
};

/** Prints the input that `--cli-input-json` takes for an operation, with the names of types as values. */
export async function printSkeleton({ action, input }: Operation, given: Given<typeof outputOptions>): Promise<void> {
  const show = await showing(given);
  show(objectOf(ownFieldsOf(input)), action);
}

function objectOf(fields: readonly Field[]): Json {
  return Object.fromEntries(fields.filter(({ exposed }) => exposed).map((field) => [field.name, valueOf(field)]));
}

function valueOf({ kind, fields, item }: Field): Json {
  if (kind === "list") return item ? [valueOf(item)] : [];
  return kind === "object" ? objectOf(fields) : words[kind];
}
