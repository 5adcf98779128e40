import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The nearest folder, from one upwards, that holds a Pulumi.yaml. Relative files are relative to it, from whichever folder of the project a
 * program runs.
 */
export function projectFolder(from: string): string | undefined {
  if (existsSync(join(from, "Pulumi.yaml"))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}
