import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
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

/**
 * Repairs a stack's file in Pulumi's folder of states. The file backend renames the old file to `.bak`, then writes the new one and a
 * file of attributes. An engine that is killed in between leaves no file, or a part of one. The copy is one step older, and the
 * attributes are not needed. Returns true if something was repaired.
 */
export function repairBackend(file: string): boolean {
  const attributes = readdirSync(dirname(file))
    .filter((name) => name.endsWith(".attrs"))
    .map((name) => join(dirname(file), name));
  const broken = attributes.filter((one) => jsonIn(one) === undefined);
  for (const one of broken) rmSync(one);
  if (isWhole(file)) return broken.length > 0;
  if (!isWhole(`${file}.bak`)) throw new Error(`neither ${file} nor the copy beside it can be read`);
  copyFileSync(`${file}.bak`, file);
  return true;
}

function isWhole(file: string): boolean {
  return existsSync(file) && schema.safeParse(jsonIn(file)).success;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // It was not written completely.
    return undefined;
  }
}
