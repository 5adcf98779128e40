import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "../operation/errors.ts";

/** The settings that a profile can have. */
export const profileSettings = ["endpoint", "region", "secretId", "secretKey", "token", "credentialProcess"] as const;
export type ProfileSetting = (typeof profileSettings)[number];

/** What a profile of `~/.container-platform/credentials.yaml` can hold. */
export type Profile = { [Setting in ProfileSetting]?: string | undefined };

/** The file of the profiles. */
export function profilesFile(): string {
  return join(homedir(), ".container-platform", "credentials.yaml");
}

/** Whether there is a file of profiles. Most users have none. */
export function hasProfiles(): boolean {
  return existsSync(profilesFile());
}

/** The name of the profile: the one given, else that of `CONTAINER_PLATFORM_PROFILE`, else `default`. */
export function profileNamed(given: string | undefined, environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return given ?? (environment["CONTAINER_PLATFORM_PROFILE"] || "default");
}

/**
 * Reads a profile: the file maps names to `endpoint`, `region`, `secretId`, `secretKey`, `token`, `credentialProcess`. The profile
 * `default` may be missing, and is then empty.
 *
 * @throws ConfigurationError if the file or the profile cannot be read. The message never shows values of the file.
 */
export async function readProfile(name = "default", file = profilesFile()): Promise<Profile> {
  const all = await readProfiles(file);
  const found: unknown = Reflect.get(all, name);
  if (found === undefined && name === "default") return {};
  if (found === undefined)
    throw new ConfigurationError(`there is no profile ${name} in ${file}; there are ${Object.keys(all).join(", ") || "none"}`);
  const profile = z.partialRecord(z.enum(profileSettings), z.string()).safeParse(found);
  if (!profile.success) throw new ConfigurationError(`the profile ${name} in ${file} takes ${profileSettings.join(", ")}, each a text`);
  return profile.data;
}

/** The content of the file by the names of profiles, unchecked. Throws as `readProfile` does. */
export async function readProfiles(file = profilesFile()): Promise<Readonly<Record<string, unknown>>> {
  // Most users have no such file: the parser is loaded where there is one.
  if (!existsSync(file)) return {};
  const { parsedProfiles } = await import("./profile-document.ts");
  const document = parsedProfiles(textOf(file), file);
  return z.record(z.string(), z.unknown()).parse(document.toJS() ?? {});
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The nearest folder, from one upwards, that holds a Pulumi.yaml. Relative files are relative to it, from whichever folder of the project a
 * program runs.
 */
export function projectFolder(from: string): string | undefined {
  if (existsSync(join(from, "Pulumi.yaml"))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}
