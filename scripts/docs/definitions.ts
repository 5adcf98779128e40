import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";
import { reportSchema } from "../../provider/src/review/report.ts";
import { formatted } from "./markdown.ts";
import { kinds } from "./resources.ts";

/** The parts of the resources' definitions that the reviewer needs, as data. */
export function reviewDefinitions(): Promise<string> {
  const all = Object.fromEntries(kinds.map((kind) => [kind.type, definitionOf(kind)]));
  const text = `// Written by \`npm run fix\` from the definitions of the resources.
export const definitions = ${JSON.stringify(all)} as const;
`;
  return formatted(text, "typescript");
}

/** The schema of the reviewer's report. */
export function reportJsonSchema(): Promise<string> {
  return formatted(JSON.stringify(z.toJSONSchema(reportSchema)), "json");
}

function definitionOf(kind: Kind) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = kind.inputs.shape;
  const secrets = Object.entries(shape).flatMap(([key, schema]) => secretPaths(schema, key));
  return {
    changes: Object.groupBy(Object.keys(kind.changes), (key) => effectOf(kind, key)),
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(kind.protectedBy === undefined ? {} : { protectedBy: kind.protectedBy }),
    ...(kind.unique === undefined ? {} : { unique: kind.unique.map(({ isFree: _ask, ...unique }) => unique) }),
    ...(kind.id.names.every((name) => name in shape) ? { idInputs: kind.id.names } : {}),
    ...(kind.detach ? { detaches: true } : {}),
  };
}

function effectOf(kind: Kind, key: string): string {
  const change = kind.changes[key];
  if (typeof change === "string") return change;
  return typeof change === "object" ? "mixed" : "in place";
}

function secretPaths(schema: z.core.$ZodType, path: string): string[] {
  const inner = unwrapped(schema);
  if (marksOf(schema).secret) return [path];
  if (inner instanceof z.ZodArray) return secretPaths(inner.element, `${path}[]`);
  return Object.entries(fieldsOf(inner)).flatMap(([key, field]) => secretPaths(field, `${path}.${key}`));
}
