import { z } from "zod";

/** A property and all properties inside it, by path: `ingress[].port`. */
export function fields(path: string, type: z.core.$ZodType): { readonly path: string; readonly type: z.core.$ZodType }[] {
  const inner = inside(type);
  const [holder, prefix] = inner instanceof z.ZodArray ? [inside(inner.element), `${path}[].`] : [inner, `${path}.`];
  const shape: Readonly<Record<string, z.core.$ZodType>> = holder instanceof z.ZodObject ? holder.shape : {};
  return [{ path, type }, ...Object.entries(shape).flatMap(([key, field]) => fields(`${prefix}${key}`, field))];
}

export function inside(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? inside(schema.unwrap()) : schema;
}
