import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { meansSame } from "./compare.ts";
import { marksOf, leftToPlatform } from "./marks.ts";
import { schemaOf } from "./property.ts";
import { isMarkedSecret } from "./secrets.ts";
import { cleanProps, isProps, type Props } from "./values.ts";

/** The inputs with which a program declares a resource that is there: what means the same when it is left out is left out. */
export function inputsForProgram(kind: Kind, values: Props): Props {
  const written = Object.keys(kind.inputs.shape).flatMap((key): [string, unknown][] => {
    const schema = schemaOf(kind, key);
    return isDefault(schema, values[key]) ? [] : [[key, withoutDefaults(schema, values[key])]];
  });
  return cleanProps(Object.fromEntries(written));
}

/** What is there, without what was left out before, at any depth, and means the same when it is. */
export function leavingOut(kind: Kind, before: Props, values: Props): Props {
  return leavingOutIn((key) => (key in kind.inputs.shape ? schemaOf(kind, key) : undefined), before, values);
}

function leavingOutIn(schemaAt: (key: string) => z.core.$ZodType | undefined, before: Props, values: Props): Props {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
      const schema = schemaAt(key);
      if (key in before) return [[key, schema ? likeBefore(schema, before[key], value) : value]];
      return schema && isDefault(schema, value) ? [] : [[key, value]];
    }),
  );
}

function likeBefore(schema: z.core.$ZodType, before: unknown, value: unknown): unknown {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value) && Array.isArray(before)) {
    const earlier: readonly unknown[] = before;
    return value.map((item: unknown, index) => likeBefore(type.element, earlier[index], item));
  }
  if (!(type instanceof z.ZodObject) || !isProps(before) || !isProps(value) || isMarkedSecret(value)) return value;
  const fields = fieldsOf(type);
  return leavingOutIn((key) => fields[key], before, value);
}

/** What the inputs are that a program leaves out, as far as that is always the same. */
export function defaultsOf(kind: Kind): Props {
  const fallbacks = Object.keys(kind.inputs.shape).map((key) => [key, defaultOf(schemaOf(kind, key))] as const);
  return cleanProps(Object.fromEntries(fallbacks));
}

function defaultOf(schema: z.core.$ZodType): unknown {
  return schema instanceof z.ZodDefault && !marksOf(schema).named ? z.safeParse(schema, undefined).data : undefined;
}

/** A value without the properties that mean the same when they are left out. */
function withoutDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withoutDefaults(type.element, item));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      const field = fields[key];
      return field === undefined || isDefault(field, inner) ? [] : [[key, withoutDefaults(field, inner)]];
    }),
  );
}

/** Whether leaving the input out means the same as this value. */
function isDefault(schema: z.core.$ZodType, value: unknown): boolean {
  if (value === undefined) return true;
  // The default of a name depends on the resource's name in the program.
  if (marksOf(schema).named) return false;
  if (schema instanceof z.ZodDefault) return meansSame(schema, defaultOf(schema), value);
  const { removed, choices = [] } = marksOf(schema);
  if (choices.some((choice) => meansSame(schema, choice, value))) return true;
  return removed !== undefined && (leftToPlatform(schema) ? isEmpty(value) : meansSame(schema, undefined, value));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined));
}
