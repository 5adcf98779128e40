import { unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { lists } from "../../provider/src/functions/results.ts";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { capitalized, numberType, ref, type Spec, type Types } from "./schema-types.ts";

/** Names of structures that several records share: by the names of their fields, or by that of the field that holds them. */
const byFields: Readonly<Record<string, string>> = { "key, value": "TagRecord", "key, value, effect": "TaintRecord" };
const byHolder: Readonly<Record<string, string>> = {
  labels: "LabelRecord",
  annotations: "AnnotationRecord",
  instanceAdvancedSettings: "InstanceSettingsRecord",
};

/** The interfaces of the results, with the catalogue's descriptions as comments: the published form of `functions/results.ts`. */
export function resultInterfaces(): string {
  return [...records()].map(([name, fields]) => interfaceOf(name, fields)).join("\n");
}

/** The types of the same for the plugin, by token. */
export function recordTypes(): Types {
  const types = [...records()].map(([name, fields]) => {
    const properties = Object.fromEntries(fields.map(({ key, type, description }) => [key, { ...type.spec, description }]));
    const required = fields.filter(({ optional }) => !optional).map(({ key }) => key);
    return [nativeToken(name), { type: "object", properties, required }] as const;
  });
  return Object.fromEntries(types);
}

interface Field {
  readonly key: string;
  /** Its type in TypeScript, and in Pulumi's schema. */
  readonly type: { readonly text: string; readonly spec: Spec };
  readonly optional: boolean;
  readonly description: string;
}

function interfaceOf(name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ key, type, optional, description }) => {
    const comment = description.replaceAll("*/", "*\\/");
    return `  /** ${comment} */\n  readonly ${key}: ${type.text}${optional ? " | undefined" : ""};\n`;
  });
  return `export interface ${name} {\n${lines.join("")}}\n`;
}

type Records = Map<string, readonly Field[]>;

/** The fields of each record, by its name. The records inside a record come first. */
function records(): Records {
  const known: Records = new Map();
  for (const [name, list] of Object.entries<z.core.$ZodType>(lists())) {
    const inside = unwrapped(list);
    if (!(inside instanceof z.ZodArray)) throw new Error(`no list: ${inside._zod.def.type}`);
    collect(name, unwrapped(inside.element), known);
  }
  return known;
}

function collect(name: string, schema: z.core.$ZodType, known: Records): void {
  if (!(schema instanceof z.ZodObject)) throw new Error(`${name} is no object`);
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([key, field]) => ({
    key,
    type: typeOf(name, key, field, known),
    optional: field instanceof z.ZodOptional || field instanceof z.ZodNullable,
    description: descriptionOf(field),
  }));
  const form = (all: readonly Field[]) => all.map(({ key, type, optional }) => `${key}${optional ? "?" : ""}: ${type.text}`).join();
  const same = known.get(name);
  if (same && form(same) !== form(fields)) throw new Error(`${name} would have two forms: ${form(same)} and ${form(fields)}`);
  if (!same) known.set(name, fields);
}

function typeOf(owner: string, key: string, schema: z.core.$ZodType, known: Records): Field["type"] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodArray) {
    const { text, spec } = typeOf(owner, byHolder[key] === undefined ? singular(key) : key, inside.element, known);
    return { text: text.includes(" ") ? `(${text})[]` : `${text}[]`, spec: { type: "array", items: spec } };
  }
  if (inside instanceof z.ZodObject) {
    const fields = Object.keys(inside.shape).join(", ");
    const name = byFields[fields] ?? byHolder[key] ?? `${owner}${capitalized(key)}`;
    collect(name, inside, known);
    return { text: name, spec: ref(nativeToken(name)) };
  }
  const values = inside instanceof z.ZodEnum ? inside.options : z.globalRegistry.get(inside)?.["values"];
  // What has names now may have others in a newer platform.
  if (Array.isArray(values)) return { text: values.map((value) => JSON.stringify(value)).join(" | "), spec: { type: "string" } };
  const { type } = inside._zod.def;
  if (type === "number") return { text: type, spec: numberType(inside) };
  if (type === "unknown") return { text: type, spec: ref("pulumi.json#/Any") };
  if (type === "string" || type === "boolean") return { text: type, spec: { type } };
  throw new Error(`${owner}.${key} has a type that is not printed: ${type}`);
}

function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = { ...z.globalRegistry.get(unwrapped(schema)), ...z.globalRegistry.get(schema) };
  if (description === undefined) throw new Error("a field of a result is not described");
  return description;
}

function singular(key: string): string {
  return key.replace(/ies$/, "y").replace(/Set$|List$|(?<=[^s])s$/, "");
}
