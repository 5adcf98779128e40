import { z } from "zod";
import { fieldsOf, itemsOf, metaOf, unwrapped } from "./operation.ts";
import { wireName } from "./codec.ts";

/** The type of a value in JSON. */
export type Kind = "string" | "integer" | "number" | "boolean" | "object" | "list";

/** A field of an operation's input or output, as documentation, help, skeletons and the command line use it. */
export interface Field {
  /** Its name, in the specification's spelling; empty for the items of a list. */
  readonly name: string;
  /** Where it is: `ClusterBasicSettings.VpcId`, `Taints[].Key`. */
  readonly path: string;
  readonly kind: Kind;
  /** The type for people: `string`, `integer`, `list of strings`, `object`. */
  readonly type: string;
  /** The values that it can have, if these are a closed set; for a list, those of its items. */
  readonly values: readonly string[];
  /** The limits of a number, for people: `0 to 1`, `at least 1`; empty if there are none. */
  readonly limits: string;
  /** Whether it is required in the object that it belongs to. */
  readonly required: boolean;
  /** Whether the example of a call has it: it is required, or the usual call needs it. */
  readonly inExample: boolean;
  readonly sensitive: boolean;
  /** Whether the command-line client offers it. */
  readonly exposed: boolean;
  readonly description: string;
  /** The fields of an object; empty for other types. */
  readonly fields: readonly Field[];
  /** The items of a list. */
  readonly item: Field | undefined;
}

/** The top-level fields of an input or output. Their inner fields are computed on demand. */
export function ownFieldsOf(schema: z.core.$ZodType, prefix = ""): Field[] {
  return Object.entries(fieldsOf(schema)).map(([field, inner]) => {
    const name = wireName(field, inner);
    return described(name, `${prefix}${name}`, inner);
  });
}

/** All fields of an input or output at any depth, each followed by its inner fields. */
export function fieldsIn(schema: z.core.$ZodType): Field[] {
  return ownFieldsOf(schema).flatMap(withInner);
}

/** The values of a field, if its description does not name all of them. */
export function valuesToTell({ values, description }: Field): readonly string[] {
  return values.some((value) => !description.includes(value)) ? values : [];
}

function withInner(field: Field): Field[] {
  return [field, ...(field.item?.fields ?? field.fields).flatMap(withInner)];
}

function described(name: string, path: string, schema: z.core.$ZodType): Field {
  const meta = metaOf(schema);
  const items = itemsOf(schema);
  const kind = kindOf(schema);
  const required = !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault);
  return {
    name,
    path,
    kind,
    type: typeOf(schema),
    values: valuesOf(items ?? schema),
    limits: kind === "integer" || kind === "number" ? limitsOf(schema) : "",
    required,
    inExample: required || meta["inExample"] === true,
    sensitive: meta["sensitive"] === true,
    exposed: meta["unexposed"] !== true,
    description: typeof meta["description"] === "string" ? meta["description"] : "",
    get fields() {
      return ownFieldsOf(schema, `${path}.`);
    },
    get item() {
      return items && described("", `${path}[]`, items);
    },
  };
}

function kindOf(schema: z.core.$ZodType): Kind {
  const inside = unwrapped(schema);
  const { type } = inside._zod.def;
  if (type === "array") return "list";
  if (type === "number") return inside instanceof z.ZodNumberFormat ? "integer" : "number";
  if (inside instanceof z.ZodLiteral) return kindOfValue([...inside.values][0]);
  return type === "boolean" || type === "object" ? type : "string";
}

function kindOfValue(value: unknown): Kind {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function typeOf(schema: z.core.$ZodType): string {
  const items = itemsOf(schema);
  return items ? `list of ${typeOf(items)}s` : kindOf(schema);
}

function valuesOf(schema: z.core.$ZodType): readonly string[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodEnum) return inside.options.map(String);
  if (inside instanceof z.ZodLiteral) return [...inside.values].map(String);
  const { values } = metaOf(schema);
  return Array.isArray(values) ? values.map(String) : [];
}

function limitsOf(schema: z.core.$ZodType): string {
  const inside = unwrapped(schema);
  if (!(inside instanceof z.ZodNumber)) return "";
  // Without own limits, zod limits integers to the safe ones.
  const least = (inside.minValue ?? -Infinity) > Number.MIN_SAFE_INTEGER ? inside.minValue : null;
  const most = (inside.maxValue ?? Infinity) < Number.MAX_SAFE_INTEGER ? inside.maxValue : null;
  if (least === null) return most === null ? "" : `at most ${most}`;
  return most === null ? `at least ${least}` : `${least} to ${most}`;
}
