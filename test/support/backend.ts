import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const resource = z.object({ urn: z.string(), id: z.string().optional(), type: z.string(), initErrors: z.array(z.string()).optional() });
const schema = z.object({ checkpoint: z.object({ latest: z.object({ resources: z.array(resource).optional() }) }) });

/** The resources in a stack's file, but the stack itself and providers. */
export function resourcesIn(file: string): z.output<typeof resource>[] {
  const { resources = [] } = schema.parse(JSON.parse(readFileSync(file, "utf8"))).checkpoint.latest;
  return resources.filter(({ type }) => type.startsWith("pulumi-nodejs:"));
}

/**
 * Makes a stack's file in Pulumi's folder of states readable again. The file backend puts the old file aside, as `.bak`, and then writes
 * the new one and one with its attributes: an engine that is killed in between leaves none, or a part. The copy is a step older; the
 * attributes are of no use. True if something had to be mended.
 */
export function mendBackend(file: string): boolean {
  const attributes = readdirSync(dirname(file))
    .filter((name) => name.endsWith(".attrs"))
    .map((name) => join(dirname(file), name));
  const torn = attributes.filter((one) => jsonIn(one) === undefined);
  for (const one of torn) rmSync(one);
  if (isWhole(file)) return torn.length > 0;
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
    // It was not written to its end.
    return undefined;
  }
}
