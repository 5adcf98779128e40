import { readFileSync } from "node:fs";
import { z } from "zod";

const resource = z.object({
  urn: z.string(),
  id: z.string().optional(),
  type: z.string(),
  protect: z.boolean().optional(),
  initErrors: z.array(z.string()).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});
export type StateOfResource = z.output<typeof resource>;

/** An empty stack has no deployment. */
const schema = z.object({ checkpoint: z.object({ latest: z.object({ resources: z.array(resource).optional() }).nullish() }) });

/** The resources in a stack's file, without the stack itself and the providers. */
export function resourcesIn(file: string): StateOfResource[] {
  const { resources = [] } = schema.parse(JSON.parse(readFileSync(file, "utf8"))).checkpoint.latest ?? {};
  return resources.filter(({ type }) => type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:"));
}
