import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { isPrivate } from "../schema/private-state.ts";
import { isSecret } from "../schema/secrets.ts";
import { isProps, type Props, same } from "../schema/values.ts";

/** What happens to a value: it comes, goes, or is another one. */
export type Difference = "add" | "delete" | "update";

/**
 * The places in which the inputs of a resource differ, as Pulumi writes paths: `native.scaling.minReplicas`, `subnetIds[0]`,
 * `tags["cost centre"]`. What is secret is one place as a whole: its keys and its length are as secret as it is.
 *
 * @param secrets the names of the inputs that the program gives as secrets
 */
export function differencesIn(kind: Kind, before: Props, after: Props, secrets: readonly string[]): ReadonlyMap<string, Difference> {
  const fields: Readonly<Record<string, z.core.$ZodType>> = kind.inputs.shape;
  const found = new Map<string, Difference>();
  for (const key of keysOf(before, after))
    if (!isPrivate(key)) compare(before[key], after[key], { path: key, schema: secrets.includes(key) ? undefined : fields[key] }, found);
  return found;
}

interface At {
  readonly path: string;
  /** Left out: the value is compared as a whole. */
  readonly schema: z.core.$ZodType | undefined;
}

function compare(before: unknown, after: unknown, { path, schema }: At, found: Map<string, Difference>): void {
  if (same(before, after)) return;
  if (schema && !isSecret(schema)) {
    const type = unwrapped(schema);
    if (type instanceof z.ZodArray && Array.isArray(before) && Array.isArray(after)) {
      for (let index = 0; index < Math.max(before.length, after.length); index++)
        compare(before[index], after[index], { path: `${path}[${index}]`, schema: type.element }, found);
      return;
    }
    if (isProps(before) && isProps(after)) {
      const inner = type instanceof z.ZodRecord ? () => type.valueType : (key: string) => fieldsOf(type)[key];
      for (const key of keysOf(before, after)) compare(before[key], after[key], { path: `${path}${step(key)}`, schema: inner(key) }, found);
      return;
    }
  }
  found.set(path, before === undefined ? "add" : after === undefined ? "delete" : "update");
}

function keysOf(one: Props, other: Props): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function step(key: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
}
