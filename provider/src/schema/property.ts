import { fieldsOf } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { namesIds } from "./ids.ts";

/** The schema of an input or output. */
export function schemaOf(kind: Kind, key: string): z.core.$ZodType {
  const schema = fieldsOf(kind.inputs)[key] ?? fieldsOf(kind.outputs)[key];
  if (!schema) throw new Error(`${kind.type} has no property ${key}`);
  return schema;
}

/** The inputs that refer to other resources of the program, or are part of the ID: their values may be unknown in a preview. */
export function referringInputs(kind: Kind): readonly string[] {
  const keys = Object.keys(kind.inputs.shape);
  return kind.needsByName ? keys : keys.filter((key) => kind.id.names.includes(key) || namesIds(schemaOf(kind, key)));
}
