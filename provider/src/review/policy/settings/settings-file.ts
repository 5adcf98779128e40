import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PolicyError, type Settings, settingsFrom } from "./settings.ts";

const defaultName = "container-platform.policy.yaml";

/**
 * Reads settings from a file. Without one, it uses the nearest `container-platform.policy.yaml` in a folder or above it, if there is any.
 *
 * @throws PolicyError if the file does not exist or is not valid
 */
export function readSettings(file: string | undefined, from: string): Settings | undefined {
  const found = file ?? nearestFile(from);
  return found === undefined ? undefined : settingsFrom(textOf(found), found);
}

function nearestFile(folder: string): string | undefined {
  const file = join(folder, defaultName);
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
