import type { Kind } from "../definition/definition.ts";
import { areAlike, partAt, partSchema, type Schema } from "../schema/parts.ts";
import { isPrivate } from "../schema/private-state.ts";
import { isSecret } from "../schema/secrets.ts";
import { type Props, same } from "../schema/values.ts";

/** What happens to a value: it comes, goes, or is another one. */
export type Difference = "add" | "delete" | "update";

/**
 * The places in which the inputs of a resource differ, as Pulumi writes paths: `native.scaling.minReplicas`, `subnetIds[0]`,
 * `tags["cost centre"]`. What is secret is one place as a whole: its keys and its length are as secret as it is.
 *
 * @param secrets the names of the inputs that the program gives as secrets
 */
export function differencesIn(kind: Kind, before: Props, after: Props, secrets: readonly string[]): ReadonlyMap<string, Difference> {
  const found = new Map<string, Difference>();
  for (const key of keysOf(before, after))
    if (!isPrivate(key)) compare(before[key], after[key], key, secrets.includes(key) ? undefined : partSchema(kind.inputs, key), found);
  return found;
}

/** Without a schema, the values are compared as a whole. */
function compare(before: unknown, after: unknown, path: string, schema: Schema | undefined, found: Map<string, Difference>): void {
  if (same(before, after)) return;
  if (schema && !isSecret(schema) && areAlike(before, after))
    for (const key of keysOf(before, after)) {
      const place = Array.isArray(before) ? `[${key}]` : step(key);
      compare(partAt(before, key), partAt(after, key), `${path}${place}`, partSchema(schema, key), found);
    }
  else found.set(path, before === undefined ? "add" : after === undefined ? "delete" : "update");
}

function keysOf(...values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((value) => Object.keys(value ?? {})))];
}

function step(key: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
}
