import type { z } from "zod";
import { valueAt } from "../operation/codec.ts";
import { fieldsOf, itemsOf, metaOf, type Operation } from "../operation/operation.ts";

/**
 * What is left of the answer to a write that does not have the catalogue's form: the write had its effect, and what it made has to be
 * known. `undefined` if what is missing may be an id, a secret, or have one inside of it: then nobody could go on with the rest.
 */
export function partialAnswer(operation: Operation, answer: unknown, issues: readonly z.core.$ZodIssue[]): object | undefined {
  if (operation.effect === "read" || typeof answer !== "object" || answer === null) return undefined;
  if (!issues.every(({ path }) => isDispensable(operation.output, path))) return undefined;
  for (const { path } of issues) {
    const owner = valueAt(answer, path.slice(0, -1));
    const [field] = path.slice(-1);
    if (typeof owner !== "object" || owner === null || field === undefined) return undefined;
    Reflect.deleteProperty(owner, field);
  }
  return answer;
}

function isDispensable(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let inside: z.core.$ZodType | undefined = schema;
  for (const key of path) inside = inside && (itemsOf(inside) ?? fieldsOf(inside)[String(key)]);
  const field = path.at(-1);
  return inside !== undefined && typeof field === "string" && !isVital(field, inside);
}

/** Whether a field is an id, a secret, or has one inside of it. */
function isVital(field: string, schema: z.core.$ZodType): boolean {
  if (/ids?$|uin$|^name$/i.test(field) || metaOf(schema)["sensitive"] === true) return true;
  return Object.entries(fieldsOf(itemsOf(schema) ?? schema)).some(([name, inner]) => isVital(name, inner));
}
