import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { marksOf } from "./marks.ts";
import { cleanProps, isProps, type Props } from "./values.ts";

/** Pulumi takes an object with this key and value, returned by a provider, for a secret. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The properties of a resource that are secret as a whole, not only in part. */
export function secretsOf({ inputs, outputs }: Kind): string[] {
  return Object.entries({ ...inputs.shape, ...outputs.shape }).flatMap(([key, schema]: [string, z.core.$ZodType]) =>
    isSecret(schema) ? [key] : [],
  );
}

/**
 * Properties as Pulumi takes them from a provider: secrets at any depth are marked as such.
 *
 * @param also properties that are secret besides those of the schemas
 * @throws Error if a value cannot be stored in a state
 */
export function withSecretsMarked(kind: Kind, props: Props, also: readonly string[] = []): Props {
  const shape: Readonly<Record<string, z.core.$ZodType>> = { ...kind.outputs.shape, ...kind.inputs.shape };
  return Object.fromEntries(
    Object.entries(props).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, marked(value, shape[key], { path: key, hidden: also.includes(key) })]],
    ),
  );
}

interface At {
  readonly path: string;
  /** Whether it is secret, whatever the schema says. */
  readonly hidden?: boolean;
}

function marked(value: unknown, schema: z.core.$ZodType | undefined, { path, hidden = false }: At): unknown {
  const plain = storable(value, schema && unwrapped(schema), path);
  return hidden || (schema && isSecret(schema)) ? asSecret(plain) : plain;
}

export function asSecret(value: unknown): Props {
  return { ...secretSignature, value };
}

export function isMarkedSecret(value: Props): boolean {
  return Object.entries(secretSignature).every(([key, signature]) => value[key] === signature);
}

function storable(value: unknown, schema: z.core.$ZodType | undefined, path: string): unknown {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value))
    return value.map((item, index) =>
      marked(item, schema instanceof z.ZodArray ? schema.element : undefined, { path: `${path}[${index}]` }),
    );
  const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  if (!isProps(value) || (prototype !== Object.prototype && prototype !== null)) throw new Error(`${path} cannot be stored in a state`);
  const shape = schema && fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, marked(inner, shape?.[key], { path: `${path}.${key}` })]],
    ),
  );
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return marksOf(schema).secret === true;
}

/** The paths of secret inputs and outputs that the platform does not return for a live resource. */
export function unreadableSecrets({ inputs, outputs }: Kind, live: Props): { readonly inputs: string[]; readonly outputs: string[] } {
  const unreadable = (shape: Readonly<Record<string, z.core.$ZodType>>) =>
    Object.entries(shape).flatMap(([key, schema]) => unreadableIn(schema, live[key], key));
  return { inputs: unreadable(inputs.shape), outputs: unreadable(outputs.shape) };
}

function unreadableIn(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  if (isSecret(schema)) return value === undefined ? [path] : [];
  return Object.entries(fieldsOf(unwrapped(schema))).flatMap(([key, field]) =>
    isProps(value) ? unreadableIn(field, value[key], `${path}.${key}`) : [],
  );
}

export function withoutSecrets({ inputs }: Kind, props: Props): Props {
  const shape: Readonly<Record<string, z.core.$ZodType>> = inputs.shape;
  return cleanProps(Object.fromEntries(Object.entries(props).map(([key, value]) => [key, replacing(shape[key], value, undefined)])));
}

export function masked(schema: z.core.$ZodType, value: unknown): unknown {
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
