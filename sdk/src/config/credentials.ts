import { ConfigurationError } from "../operation/errors.ts";
import type { CredentialSource } from "./credential-source.ts";
import { profileNamed, profilesFile, readProfile } from "./profiles.ts";

/** Credentials as they are configured: keys, or the command of a program that prints them. */
export interface GivenCredentials {
  readonly secretId?: string | undefined;
  readonly secretKey?: string | undefined;
  readonly token?: string | undefined;
  readonly credentialProcess?: string | undefined;
}

/**
 * Finds credentials: in the environment (`CONTAINER_PLATFORM_SECRET_ID` and so on), else those given, else in a profile. All parts
 * come from the same place.
 *
 * @throws ConfigurationError if there are none, or if a place has only a part of them.
 */
export async function findCredentials(endpoint: string, options: FindOptions = {}): Promise<CredentialSource> {
  const source = await credentialsIfAny(options);
  if (source) return source;
  throw new ConfigurationError(
    `no credentials are configured for ${endpoint}: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY, or ` +
      `container-platform:secretId and container-platform:secretKey, or give the profile ${profileNamed(options.profile, options.environment)} in ${profilesFile()} a ` +
      "secretId and a secretKey, or a credentialProcess",
  );
}

/** Like `findCredentials`; `undefined` where there are none. */
export async function credentialsIfAny(options: FindOptions = {}): Promise<CredentialSource | undefined> {
  const { credentials = {}, environment = process.env } = options;
  const inEnvironment = {
    secretId: environment["CONTAINER_PLATFORM_SECRET_ID"],
    secretKey: environment["CONTAINER_PLATFORM_SECRET_KEY"],
    token: environment["CONTAINER_PLATFORM_TOKEN"],
    credentialProcess: environment["CONTAINER_PLATFORM_CREDENTIAL_PROCESS"],
  };
  const name = profileNamed(options.profile, environment);
  return (
    sourceFrom(inEnvironment, "the environment (CONTAINER_PLATFORM_…)") ??
    sourceFrom(credentials, "the configuration") ??
    sourceFrom(await readProfile(name), `the profile ${name}`)
  );
}

export interface FindOptions {
  readonly credentials?: GivenCredentials | undefined;
  /** Name of a profile: that of `CONTAINER_PLATFORM_PROFILE` unless given, else `default`. */
  readonly profile?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The source that a place configures; `undefined` if it has no credentials. Empty texts count as absent. */
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
