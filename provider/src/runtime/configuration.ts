import { CallRecord, Cloud, ConfigurationError, connect, hasProfiles, nearest, noEndpoint, readProfile } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { render } from "../definition/codes.ts";
import type { Here, Part } from "../lifecycle/home.ts";

/** Names of the configuration, as in `pulumi config set container-platform:region eu-frankfurt`. */
export const namespace = "container-platform";

/** The platform where resources are managed, and the credentials for it. */
type Configuration = Awaited<ReturnType<typeof configurationFrom>>;

const noRegion = `no region is configured: set ${namespace}:region or CONTAINER_PLATFORM_REGION, for example to eu-frankfurt`;

/** A connected platform, and the settings for every resource that is created there. */
export interface Connection extends Here {
  readonly cloud: Cloud;
  readonly defaultTags: Readonly<Record<string, string>>;
}

/**
 * All settings of a stack or a provider, by name, with their form in the plugin's schema. The schema has the comments from here and from
 * `ProviderArgs`.
 */
export const settings = {
  endpoint: { type: "string" },
  region: { type: "string" },
  profile: { type: "string" },
  /** The id of the key that calls are signed with. */
  secretId: { type: "string" },
  /** The key that calls are signed with. */
  secretKey: { type: "string", secret: true },
  /** The session of a temporary key. */
  token: { type: "string", secret: true },
  /** A command that prints the credentials. */
  credentialProcess: { type: "string" },
  defaultTags: { type: "object", additionalProperties: { type: "string" } },
  callsPerSecond: { type: "number" },
  record: { type: "string" },
} as const satisfies Readonly<Record<string, object>>;

/** `provider` is no setting: it is what a `Provider` says of itself. */
type Get = (key: keyof typeof settings | "provider") => string | undefined;

const ownForm = z.looseObject({ name: z.string(), given: z.array(z.string()) });

/** What a `Provider` says of itself: its name, and the settings that the program gives it. All others are the stack's. */
export type ProviderOwn = z.output<typeof ownForm>;

/**
 * Reads each setting from what the program gives a `Provider`, else from the environment (`CONTAINER_PLATFORM_REGION` and so on), else
 * from the stack's configuration, else from the profile. A profile that a `Provider` is given counts as given with all it has.
 */
export async function configurationFrom(configured: Get, environment: NodeJS.ProcessEnv = process.env) {
  const text = configured("provider");
  const provider = text === undefined ? undefined : ownForm.parse(JSON.parse(text));
  // A test's stack reaches its own platform only, whatever a Provider says.
  const isConfined = environment["CONTAINER_PLATFORM_CONFINED"] === "true";
  const own: Get = (key) => (!isConfined && provider?.given.includes(key) ? configured(key) : undefined);
  const given: Get = (key) => own(key) ?? inEnvironment(key, environment) ?? configured(key);
  /** The value of a setting, and the name that its source has for it. */
  const setting = (key: keyof typeof settings): readonly [value: string | undefined, name: string] => {
    if (provider && own(key) !== undefined) return [given(key), `${key} of the Provider ${provider.name}`];
    return [given(key), inEnvironment(key, environment) === undefined ? `${namespace}:${key}` : variableOf(key)];
  };
  const named = given("profile");
  const profile = await readProfile(named);
  const ownProfile = own("profile") === undefined ? {} : profile;
  const place = (key: Part) => own(key) ?? ownProfile[key] ?? given(key) ?? profile[key];
  const isFromEnvironment = (key: Part) => (own(key) ?? ownProfile[key]) === undefined && inEnvironment(key, environment) !== undefined;
  const [secretId, secretKey, token, command] = (["secretId", "secretKey", "token", "credentialProcess"] as const).map(configured);
  return {
    /** The name of the `Provider` that is configured with this; `undefined` for the stack's own. */
    provider: provider?.name,
    fromEnvironment: (["endpoint", "region"] as const).filter(isFromEnvironment),
    endpoint: place("endpoint"),
    region: place("region"),
    defaultTags: tagsFrom(...setting("defaultTags")),
    callsPerSecond: numberFrom(...setting("callsPerSecond")),
    record: given("record") || undefined,
    // Credentials of the environment win over these. The SDK ensures that, and that all of them come from one place.
    access: { credentials: { secretId, secretKey, token, credentialProcess: command }, profile: named },
  };
}

/**
 * What a stack's configuration has that is spelt like a setting, and is none, one sentence each. A project that is called like the
 * namespace may have settings of its own there.
 */
export function misspelt(keys: readonly string[]): string[] {
  const all: readonly string[] = Object.keys(settings);
  return keys.flatMap((key) => {
    if (key === "pulumi:autonaming") return [withoutAutonaming];
    const [, name] = key.split(`${namespace}:`);
    if (name === undefined || all.includes(name)) return [];
    const [likely] = nearest(name, all);
    if (likely === undefined) return [];
    const message = `${key} is not a setting, and has no effect; maybe you meant ${namespace}:${likely}`;
    return [render({ code: "Configuration", message })];
  });
}

export const withoutAutonaming = render({
  code: "Unwise",
  message:
    "pulumi:autonaming has no effect on resources of @container-platform/pulumi: a default name is the resource's name and a short suffix. Set the inputs for names instead",
});

function inEnvironment(key: string, environment: NodeJS.ProcessEnv): string | undefined {
  return environment[variableOf(key)];
}

/** The environment variable of a setting. */
export function variableOf(key: string): string {
  return `CONTAINER_PLATFORM_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** What is said of an empty variable, which a pipeline sets whose secret is missing. */
function emptyVariable(key: Part): string {
  return `${variableOf(key)} is set in the environment, and empty: give it a value, or unset it to use the stack's ${namespace}:${key}`;
}

/**
 * What the stack lacks, so that it reaches no platform, as far as that can be told at once: profiles are read later.
 *
 * @param configured the stack's configuration
 */
export function lacking(configured: Get, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const isMissing = (key: Part): boolean => !(inEnvironment(key, environment) ?? configured(key));
  const empty = (["endpoint", "region"] as const).find((key) => inEnvironment(key, environment) === "");
  if (empty) return [emptyVariable(empty)];
  if (hasProfiles()) return [];
  return isMissing("endpoint") ? [noEndpoint] : isMissing("region") ? [noRegion] : [];
}

function numberFrom(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number >= 1) return number;
  throw new ConfigurationError(`${name} is ${text}; it takes a number from 1 on`);
}

function tagsFrom(text: string | undefined, name: string): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError(`${name} takes an object of texts, such as {"team": "platform"}`);
  }
}

/**
 * Connects to the configured platform.
 *
 * @param redacted a value as it may be recorded
 * @param stopped aborted when the user wants to end: reads that get no answer fail then
 */
export async function openConnection(
  { endpoint, region, defaultTags, callsPerSecond, record, access, provider, fromEnvironment }: Configuration,
  { redacted, stopped }: { readonly redacted?: (value: unknown) => unknown; readonly stopped?: AbortSignal } = {},
): Promise<Connection> {
  const empty = fromEnvironment.find((key) => ({ endpoint, region })[key] === "");
  if (empty) throw new ConfigurationError(emptyVariable(empty));
  if (provider !== undefined && !endpoint)
    throw new ConfigurationError(
      `the Provider ${provider} has no endpoint, and none is configured: give it one, or set ${namespace}:endpoint or CONTAINER_PLATFORM_ENDPOINT`,
    );
  const transport = await connect(endpoint, access);
  if (region === undefined || region === "")
    throw new ConfigurationError(
      provider === undefined ? noRegion : `the Provider ${provider} has no region: give it one, for example region: "eu-frankfurt"`,
    );
  const calls = record === undefined ? undefined : new CallRecord(record, undefined, redacted);
  const cloud = new Cloud({ transport, region, callsPerSecond, record: calls, stopped });
  const home = { endpoint: endpoint ?? "", region, account: await cloud.account() };
  return { cloud, home, defaultTags, provider, fromEnvironment };
}
