import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "./errors.ts";

const profileForm = z.strictObject({
  endpoint: z.string().optional(),
  region: z.string().optional(),
  secretId: z.string().optional(),
  secretKey: z.string().optional(),
  token: z.string().optional(),
});

/** What a profile of `~/.container-platform/credentials.yaml` can hold. */
export type Profile = z.output<typeof profileForm>;

function profilesFile(): string {
  return join(homedir(), ".container-platform", "credentials.yaml");
}

/**
 * Reads a profile: the file maps names to `endpoint`, `region`, `secretId`, `secretKey`, `token`. The profile `default` may be
 * missing, and is then empty.
 *
 * @throws InputError if the file or the profile cannot be read. Values of the file are never part of the message.
 */
export async function readProfile(name = "default", file = profilesFile()): Promise<Profile> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "{}";
  // Most users have no such file: the parser is loaded where there is one.
  const content: unknown = text === "{}" ? {} : (await import("yaml")).parse(text);
  const all = z.record(z.string(), z.unknown()).safeParse(content);
  if (!all.success) throw new InputError(`${file} is not a list of profiles by name`);
  const found: unknown = Reflect.get(all.data, name);
  if (found === undefined && name === "default") return {};
  if (found === undefined)
    throw new InputError(`there is no profile ${name} in ${file}; there are ${Object.keys(all.data).join(", ") || "none"}`);
  const profile = profileForm.safeParse(found);
  if (!profile.success)
    throw new InputError(`the profile ${name} in ${file} takes endpoint, region, secretId, secretKey and token, each a text`);
  return profile.data;
}
