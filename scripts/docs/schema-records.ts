import { unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { descriptionOf, itemKeyOf, itemOf, lists, nameFor } from "./results.ts";
import { numberType, ref, type Spec, type Types } from "./schema-types.ts";

/** The types of what functions answer, by name: the same as the interfaces of `functions/results.ts`. */
export function recordTypes(): Types {
  const types: Types = {};
  for (const [name, list] of Object.entries(lists())) record(name, itemOf(list), types);
  return types;
}

function record(name: string, schema: z.core.$ZodType, types: Types): Spec {
  const inside = unwrapped(schema);
  if (!(inside instanceof z.ZodObject)) throw new Error(`${name} is no object`);
  const fields = Object.entries<z.core.$ZodType>(inside.shape);
  types[nativeToken(name)] ??= {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([key, field]) => [key, { ...typeOf({ owner: name, key }, field, types), description: descriptionOf(field) }]),
    ),
    required: fields.filter(([, field]) => !(field instanceof z.ZodOptional || field instanceof z.ZodNullable)).map(([key]) => key),
  };
  return ref(nativeToken(name));
}

interface At {
  readonly owner: string;
  readonly key: string;
}

function typeOf({ owner, key }: At, schema: z.core.$ZodType, types: Types): Spec {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodArray) return { type: "array", items: typeOf({ owner, key: itemKeyOf(key) }, inside.element, types) };
  if (inside instanceof z.ZodObject) return record(nameFor(owner, key, inside), inside, types);
  const values = inside instanceof z.ZodEnum ? inside.options : z.globalRegistry.get(inside)?.["values"];
  // What has names now may have others in a newer platform.
  if (Array.isArray(values) && values.every((value) => typeof value === "string")) return { type: "string" };
  switch (inside._zod.def.type) {
    case "number":
    case "int":
      return numberType(inside);
    case "boolean":
      return { type: "boolean" };
    case "string":
      return { type: "string" };
    case "unknown":
      return ref("pulumi.json#/Any");
    default:
      throw new Error(`${owner}.${key} has a type that Pulumi's schema has not: ${inside._zod.def.type}`);
  }
}
