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

/** A place where credentials can be. */
export interface CredentialPlace {
  readonly name: string;
  /**
   * Looks there: their source, or why there are none.
   *
   * @throws ConfigurationError if there is only a part of them, or if the place cannot be read.
   */
  readonly look: () => Promise<{ readonly source: CredentialSource } | { readonly lacks: string }>;
}

/** What a search for credentials has found. It names no secret. */
export interface CredentialSearch {
  /** The first place that has any. */
  readonly taken: { readonly place: string; readonly source: CredentialSource } | undefined;
  /** The places before it. */
  readonly passed: readonly { readonly place: string; readonly lacks: string }[];
  /** The places after it, in which nobody has looked. */
  readonly left: readonly string[];
}

/** An option that gives credentials: those of the profile that it names, or `credentials` themselves. */
export type CredentialOption = "--profile" | "--secretId" | "--secretKey";

export interface FindOptions {
  readonly credentials?: GivenCredentials | undefined;
  /** The option of a command line that gives the credentials. They win over those of the environment. */
  readonly chosenBy?: CredentialOption | undefined;
  /** Name of a profile: that of `CONTAINER_PLATFORM_PROFILE` unless given, else `default`. */
  readonly profile?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where else credentials of this endpoint can be. These places are the last ones. */
  readonly further?: readonly CredentialPlace[];
}

/**
 * Finds credentials: in the environment (`CONTAINER_PLATFORM_SECRET_ID` and so on), else those given, else in a profile, else in the
 * further places. Those that an option gives win over the environment. All parts come from the same place.
 *
 * @throws ConfigurationError if there are none, or if a place has only a part of them.
 */
export async function findCredentials(endpoint: string, options: FindOptions = {}): Promise<CredentialSource> {
  return (await takenCredentials(endpoint, options)).source;
}

/** Like `findCredentials`; names the place, too. */
export async function takenCredentials(endpoint: string, options: FindOptions): Promise<NonNullable<CredentialSearch["taken"]>> {
  const { taken, passed } = await searchCredentials(options);
  if (taken) return taken;
  const names = new Set(options.further?.map(({ name }) => name));
  const further = passed.filter(({ place }) => names.has(place)).map(({ place, lacks }) => `\n- ${place}: ${lacks}`);
  throw new ConfigurationError(
    `no credentials are configured for ${endpoint}: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY, or ` +
      `container-platform:secretId and container-platform:secretKey, or give the profile ${profileNamed(options.profile, options.environment)} in ${profilesFile()} a ` +
      `secretId and a secretKey, or a credentialProcess${further.length === 0 ? "" : `. Nor are there any in the other places:${further.join("")}`}`,
  );
}

/** Like `findCredentials`; tells which place was taken, and why the others were not. */
export async function searchCredentials(options: FindOptions = {}): Promise<CredentialSearch> {
  const places = [...ownPlaces(options), ...(options.further ?? [])];
  const passed: { place: string; lacks: string }[] = [];
  for (const { name, look } of places) {
    const found = await look();
    if ("source" in found) {
      const left = places.slice(passed.length + 1).map((place) => place.name);
      return { taken: { place: name, source: found.source }, passed, left };
    }
    passed.push({ place: name, lacks: found.lacks });
  }
  return { taken: undefined, passed, left: [] };
}

function ownPlaces({ credentials = {}, environment = process.env, profile, chosenBy }: FindOptions): CredentialPlace[] {
  const inEnvironment = {
    secretId: environment["CONTAINER_PLATFORM_SECRET_ID"],
    secretKey: environment["CONTAINER_PLATFORM_SECRET_KEY"],
    token: environment["CONTAINER_PLATFORM_TOKEN"],
    credentialProcess: environment["CONTAINER_PLATFORM_CREDENTIAL_PROCESS"],
  };
  const name = profileNamed(profile, environment);
  const variables = "the environment (CONTAINER_PLATFORM_…)";
  const inProfile = (place = `the profile ${name}`) => placeOf(place, () => readProfile(name));
  if (chosenBy === undefined)
    return [placeOf(variables, () => inEnvironment), placeOf("the configuration", () => credentials), inProfile()];
  const unused = { name: variables, look: () => Promise.resolve({ lacks: `${chosenBy} is given, and wins over it` }) };
  if (chosenBy === "--profile") return [unused, inProfile(`the profile ${name} (--profile)`)];
  return [unused, placeOf("the command line (--secretId and --secretKey)", () => credentials), inProfile()];
}

function placeOf(name: string, read: () => GivenCredentials | Promise<GivenCredentials>): CredentialPlace {
  const lacks = "it has no secretId and secretKey, and no credentialProcess";
  return {
    name,
    look: async () => {
      const source = sourceFrom(await read(), name);
      return source ? { source } : { lacks };
    },
  };
}

/** The source that a place configures; `undefined` if it has no credentials. Empty texts count as absent. */
export function sourceFrom(
  { secretId, secretKey, token, credentialProcess }: GivenCredentials,
  place: string,
): CredentialSource | undefined {
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
  return async (refused) => {
    source ??= import("./credential-process.ts").then(({ credentialsPrintedBy }) => credentialsPrintedBy(command));
    return (await source)(refused);
  };
}
