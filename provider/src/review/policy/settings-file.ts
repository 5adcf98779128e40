import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PolicyError, type Settings, settingsFrom } from "./settings.ts";

const usual = "container-platform.policy.yaml";

/**
 * The settings of a file; without one, those of the nearest `container-platform.policy.yaml` from a folder upwards, if
 * there is one.
 *
 * @throws PolicyError if there is no such file, or it cannot be used
 */
export function readSettings(file: string | undefined, from: string): Settings | undefined {
  const found = file ?? nearestFile(from);
  return found === undefined ? undefined : settingsFrom(textOf(found), found);
}

function nearestFile(folder: string): string | undefined {
  const file = join(folder, usual);
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestFile(dirname(folder));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new PolicyError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
