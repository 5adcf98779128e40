import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { cleanProps, isProps, type Props } from "./values.ts";

/** Pulumi's own marks: an object with this key and value is a secret, wherever it leaves a provider. */
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The properties of a resource that are secret as a whole. */
export function secretsOf({ inputs, outputs }: Kind): string[] {
  return Object.entries({ ...inputs.shape, ...outputs.shape }).flatMap(([key, schema]: [string, z.core.$ZodType]) =>
    isSecret(schema) ? [key] : [],
  );
}

/** Properties as they leave for Pulumi: what is secret marked, however deep, and nothing in them that a state cannot hold. */
export function leaving(kind: Kind, props: Props): Props {
  const shape: Readonly<Record<string, z.core.$ZodType>> = { ...kind.outputs.shape, ...kind.inputs.shape };
  return Object.fromEntries(
    Object.entries(props).flatMap(([key, value]) => (value === undefined ? [] : [[key, carried(value, shape[key], key)]])),
  );
}

function carried(value: unknown, schema: z.core.$ZodType | undefined, path: string): unknown {
  const plain = carriable(value, schema && unwrapped(schema), path);
  return schema && isSecret(schema) ? { ...mark, value: plain } : plain;
}

function carriable(value: unknown, schema: z.core.$ZodType | undefined, path: string): unknown {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => carried(item, schema instanceof z.ZodArray ? schema.element : undefined, `${path}[${index}]`));
  const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  if (!isProps(value) || (prototype !== Object.prototype && prototype !== null))
    throw new Error(`${path} is nothing that a state can hold`);
  const shape = schema ? fieldsOf(schema) : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, carried(inner, shape[key], `${path}.${key}`)]])),
  );
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return "secret" in unwrapped(schema);
}

/** The secrets that a live thing does not tell: their places in its inputs and its outputs. */
export function untoldSecrets({ inputs, outputs }: Kind, live: Props): { readonly inputs: string[]; readonly outputs: string[] } {
  const untold = (shape: Readonly<Record<string, z.core.$ZodType>>) =>
    Object.entries(shape).flatMap(([key, schema]) => untoldIn(schema, live[key], key));
  return { inputs: untold(inputs.shape), outputs: untold(outputs.shape) };
}

function untoldIn(schema: z.core.$ZodType, value: unknown, place: string): string[] {
  if (isSecret(schema)) return value === undefined ? [place] : [];
  return Object.entries(fieldsOf(unwrapped(schema))).flatMap(([key, field]) =>
    isProps(value) ? untoldIn(field, value[key], `${place}.${key}`) : [],
  );
}

/** Properties without the secrets in them. */
export function withoutSecrets({ inputs }: Kind, props: Props): Props {
  const shape: Readonly<Record<string, z.core.$ZodType>> = inputs.shape;
  return cleanProps(Object.fromEntries(Object.entries(props).map(([key, value]) => [key, replacing(shape[key], value, undefined)])));
}

/** A value as it may be shown. */
export function veiled(schema: z.core.$ZodType, value: unknown): unknown {
  return replacing(schema, value, "[secret]");
}

function replacing(schema: z.core.$ZodType | undefined, value: unknown, by: string | undefined): unknown {
  if (!schema || value === undefined) return value;
  if (isSecret(schema)) return by;
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => replacing(type.element, item, by));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replacing(fields[key], inner, by)]));
}
