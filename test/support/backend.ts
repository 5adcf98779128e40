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

/** An empty stack has none. */
const deployment = z.object({ resources: z.array(resource).optional() }).nullish();
const fileSchema = z.object({ checkpoint: z.object({ latest: z.unknown() }) });

/** The deployment in a stack's file. */
export function deploymentIn(file: string): unknown {
  return fileSchema.parse(JSON.parse(readFileSync(file, "utf8"))).checkpoint.latest;
}

/** The resources in a stack's file, without the stack itself and the providers. */
export const resourcesIn = (file: string): StateOfResource[] => resourcesOf(deploymentIn(file));

/** The same of a deployment. */
export function resourcesOf(found: unknown): StateOfResource[] {
  const { resources = [] } = deployment.parse(found) ?? {};
  return resources.filter(({ type }) => type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:"));
}
