import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const resource = z.object({ urn: z.string(), id: z.string().optional(), type: z.string(), initErrors: z.array(z.string()).optional() });
const schema = z.object({ checkpoint: z.object({ latest: z.object({ resources: z.array(resource).optional() }) }) });

/** The resources in a stack's file, but the stack itself and providers. */
export function resourcesIn(file: string): z.output<typeof resource>[] {
  const { resources = [] } = schema.parse(JSON.parse(readFileSync(file, "utf8"))).checkpoint.latest;
  return resources.filter(({ type }) => type.startsWith("pulumi-nodejs:"));
}

/**
 * Makes a stack's file in Pulumi's folder of states whole again, from the copy that Pulumi keeps beside it. The file backend puts the
 * old file aside and then writes the new one: an engine that is killed in between leaves none, or a part. The copy is a step older.
 */
export function mendBackend(file: string): "whole" | "mended" {
  if (isWhole(file)) return "whole";
  if (!isWhole(`${file}.bak`)) throw new Error(`neither ${file} nor the copy beside it can be read`);
  copyFileSync(`${file}.bak`, file);
  return "mended";
}

function isWhole(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, "utf8"))).success;
  } catch {
    return false;
  }
}
