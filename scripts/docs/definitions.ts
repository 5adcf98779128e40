import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { format, resolveConfig } from "prettier";
import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";
import { reportSchema } from "../../provider/src/review/report.ts";
import { kinds } from "./kinds.ts";

const file = "../provider/src/review/plan/definitions.ts";
const schemaFile = "../provider/review.schema.json";

/** The files for the reviewer: the parts of the resources' definitions that it needs, as data, and the schema of its report. */
export async function reviewDefinitions(): Promise<Map<string, string>> {
  const all = Object.fromEntries(kinds.map((kind) => [kind.type, definitionOf(kind)]));
  const text = `// Written by \`npm run fix\` from the definitions of the resources.
export const definitions = ${JSON.stringify(all)} as const;
`;
  const config = await resolveConfig(new URL(import.meta.url));
  return new Map([
    [file, await format(text, { ...config, parser: "typescript" })],
    [schemaFile, await format(JSON.stringify(z.toJSONSchema(reportSchema)), { ...config, parser: "json" })],
  ]);
}

function definitionOf(kind: Kind) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = kind.inputs.shape;
  const inputs = Object.entries(shape);
  return {
    changes: grouped(Object.keys(kind.changes).map((key) => [effectOf(kind, key), key])),
    secrets: inputs.flatMap(([key, schema]) => secretPaths(schema, key)),
    ...(kind.protectedBy === undefined ? {} : { protectedBy: kind.protectedBy }),
    ...(kind.unique === undefined ? {} : { unique: kind.unique.map(({ isFree: _ask, ...unique }) => unique) }),
    ...(kind.id.names.every((name) => name in shape) ? { idInputs: kind.id.names } : {}),
    ...(kind.detach ? { detaches: true } : {}),
    ...(kind.tagsInput === undefined ? {} : { tagsInput: kind.tagsInput }),
  };
}

function effectOf(kind: Kind, key: string): string {
  const change = kind.changes[key];
  if (typeof change === "string") return change;
  return typeof change === "object" ? "mixed" : "in place";
}

function grouped(pairs: readonly (readonly [group: string, key: string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [group, key] of pairs) (groups[group] ??= []).push(key);
  return groups;
}

function secretPaths(schema: z.core.$ZodType, path: string): string[] {
  const inner = unwrapped(schema);
  if (marksOf(schema).secret) return [path];
  if (inner instanceof z.ZodArray) return secretPaths(inner.element, `${path}[]`);
  return Object.entries(fieldsOf(inner)).flatMap(([key, field]) => secretPaths(field, `${path}.${key}`));
}
