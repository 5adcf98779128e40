import { z } from "zod";
import { fieldsOf, itemsOf, metaOf, unwrapped } from "./operation.ts";
import { wireName } from "./wire.ts";

/** A field of an operation's input or output, as pages and help show it. */
export interface Field {
  /** Where it is, in the specification's spelling: `ClusterBasicSettings.VpcId`, `Taints[].Key`. */
  readonly path: string;
  /** In words: `string`, `integer`, `list of strings`, `object`. */
  readonly type: string;
  /** The values that it can have, where these are a closed set. */
  readonly values: readonly string[];
  /** Whether it is always there, wherever what it is a part of is. */
  readonly required: boolean;
  readonly sensitive: boolean;
  /** Whether the command-line client offers it. */
  readonly exposed: boolean;
  readonly description: string;
}

/** All fields of an input or output, each before its own. */
export function fieldsIn(schema: z.core.$ZodType, prefix = ""): Field[] {
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const path = `${prefix}${wireName(name, field)}`;
    const items = itemsOf(field);
    return [described(path, field), ...(items ? fieldsIn(items, `${path}[].`) : fieldsIn(field, `${path}.`))];
  });
}

function described(path: string, schema: z.core.$ZodType): Field {
  const meta = metaOf(schema);
  return {
    path,
    type: typeOf(schema),
    values: valuesOf(itemsOf(schema) ?? schema),
    required: !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault),
    sensitive: meta["sensitive"] === true,
    exposed: meta["unexposed"] !== true,
    description: typeof meta["description"] === "string" ? meta["description"] : "",
  };
}

function typeOf(schema: z.core.$ZodType): string {
  const items = itemsOf(schema);
  if (items) return `list of ${typeOf(items)}s`;
  const inside = unwrapped(schema);
  const { type } = inside._zod.def;
  if (type === "number") return inside instanceof z.ZodNumberFormat ? "integer" : "number";
  return type === "boolean" || type === "object" ? type : "string";
}

function valuesOf(schema: z.core.$ZodType): readonly string[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodEnum) return inside.options.map(String);
  if (inside instanceof z.ZodLiteral) return [...inside.values].map(String);
  const { values } = metaOf(schema);
  return Array.isArray(values) ? values.map(String) : [];
}
