import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "./errors.ts";

const profileForm = z.strictObject({
  endpoint: z.string().optional(),
  region: z.string().optional(),
  secretId: z.string().optional(),
  secretKey: z.string().optional(),
  token: z.string().optional(),
  credentialProcess: z.string().optional(),
});

/** What a profile of `~/.container-platform/credentials.yaml` can hold. */
export type Profile = z.output<typeof profileForm>;

/** What calls are signed with. */
export interface Credentials {
  readonly secretId: string;
  readonly secretKey: string;
  /** Of temporary credentials: sent along with each call. */
  readonly token: string | undefined;
}

/** Gives the credentials of a call. They can change from one to the next. */
export type CredentialSource = () => Promise<Credentials>;

/** Credentials as they are configured: keys, or the command of a program that prints them. */
export interface GivenCredentials {
  readonly secretId?: string | undefined;
  readonly secretKey?: string | undefined;
  readonly token?: string | undefined;
  readonly credentialProcess?: string | undefined;
}

function profilesFile(): string {
  return join(homedir(), ".container-platform", "credentials.yaml");
}

/**
 * Reads a profile: the file maps names to `endpoint`, `region`, `secretId`, `secretKey`, `token`, `credentialProcess`. The profile
 * `default` may be missing, and is then empty.
 *
 * @throws ConfigurationError if the file or the profile cannot be read. Values of the file are never part of the message.
 */
export async function readProfile(name = "default", file = profilesFile()): Promise<Profile> {
  // Most users have no such file: it is looked into, and the parser is loaded, where there is one.
  const content = existsSync(file) ? await contentOf(file) : {};
  const all = z.record(z.string(), z.unknown()).safeParse(content);
  if (!all.success) throw new ConfigurationError(`${file} is not a list of profiles by name`);
  const found: unknown = Reflect.get(all.data, name);
  if (found === undefined && name === "default") return {};
  if (found === undefined)
    throw new ConfigurationError(`there is no profile ${name} in ${file}; there are ${Object.keys(all.data).join(", ") || "none"}`);
  const profile = profileForm.safeParse(found);
  if (!profile.success)
    throw new ConfigurationError(`the profile ${name} in ${file} takes ${Object.keys(profileForm.shape).join(", ")}, each a text`);
  return profile.data;
}

/** The parser's own messages show the lines that they are about, and these may hold secrets. */
async function contentOf(file: string): Promise<unknown> {
  const text = textOf(file);
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text) ?? {};
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new ConfigurationError(`${file} is not YAML${line === undefined ? "" : `: look at line ${line}`}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Finds credentials: in the environment (`CONTAINER_PLATFORM_SECRET_ID` and so on), else those given, else in a profile. They are
 * taken from one place, never put together from several.
 *
 * @throws ConfigurationError if there are none, or a place has a part of them only.
 */
export async function findCredentials(
  endpoint: string,
  { credentials = {}, profile, environment = process.env }: FindOptions = {},
): Promise<CredentialSource> {
  const inEnvironment = {
    secretId: environment["CONTAINER_PLATFORM_SECRET_ID"],
    secretKey: environment["CONTAINER_PLATFORM_SECRET_KEY"],
    token: environment["CONTAINER_PLATFORM_TOKEN"],
    credentialProcess: environment["CONTAINER_PLATFORM_CREDENTIAL_PROCESS"],
  };
  const name = profile ?? environment["CONTAINER_PLATFORM_PROFILE"] ?? "default";
  const source =
    sourceFrom(inEnvironment, "the environment (CONTAINER_PLATFORM_…)") ??
    sourceFrom(credentials, "the configuration") ??
    sourceFrom(await readProfile(name), `the profile ${name}`);
  if (source) return source;
  throw new ConfigurationError(
    `no credentials are configured for ${endpoint}: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY, or ` +
      `container-platform:secretId and container-platform:secretKey, or give the profile ${name} in ${profilesFile()} a secretId ` +
      "and a secretKey, or a credentialProcess",
  );
}

export interface FindOptions {
  readonly credentials?: GivenCredentials | undefined;
  /** Name of a profile: that of `CONTAINER_PLATFORM_PROFILE` unless given, else `default`. */
  readonly profile?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The source that a place names; `undefined` if it says nothing of credentials. Empty texts say nothing. */
function sourceFrom({ secretId, secretKey, token, credentialProcess }: GivenCredentials, place: string): CredentialSource | undefined {
  if (secretId && secretKey) {
    const credentials = { secretId, secretKey, token: token || undefined };
    return () => Promise.resolve(credentials);
  }
  if (credentialProcess) return printed(credentialProcess);
  if (!secretId && !secretKey) return undefined;
  const [present, absent] = secretId ? ["secretId", "secretKey"] : ["secretKey", "secretId"];
  throw new ConfigurationError(`${place} has a ${present}, but no ${absent}: calls are signed with both`);
}

/** The program is loaded and run when a call needs it. */
function printed(command: string): CredentialSource {
  let source: Promise<CredentialSource> | undefined;
  return async () => {
    source ??= import("./credential-process.ts").then(({ credentialsPrintedBy }) => credentialsPrintedBy(command));
    return (await source)();
  };
}
