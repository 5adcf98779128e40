import { fieldsOf } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";

/** The schema of an input or output. */
export function schemaOf(kind: Kind, key: string): z.core.$ZodType {
  const schema = fieldsOf(kind.inputs)[key] ?? fieldsOf(kind.outputs)[key];
  if (!schema) throw new Error(`${kind.type} has no property ${key}`);
  return schema;
}
