import { Cloud } from "../../client/client.ts";
import type { GivenCredentials } from "../../config/credentials.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { type Profile, profileNamed, readProfile } from "../../config/profiles.ts";
import { connect, type ConnectOptions, endpointChoices } from "../../transport/connect.ts";
import type { Transport } from "../../transport/transport.ts";
import { type Given, millisecondsFrom } from "../command/arguments.ts";
import { UsageError } from "../run/failures.ts";
import type { connectionOptions } from "../command/options.ts";
import type { Session } from "../run/session.ts";

export type ConnectionGiven = Given<typeof connectionOptions>;

/** An open connection to a platform, until it is disposed of. */
export interface Connection extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly endpoint: string;
}

/** Where calls go. Each setting is from its option, else from the environment, else from the profile. */
export interface Place {
  readonly endpoint: string;
  /** Empty if no region is configured. */
  readonly region: string;
  readonly access: Pick<ConnectOptions, "credentials" | "profile" | "environment">;
}

/**
 * Connects to the platform that options, environment and profile configure.
 *
 * @param regional whether the calls need a region
 * @throws ConfigurationError if something is missing or cannot be read, UsageError for a text where a number belongs.
 */
export async function connected(given: ConnectionGiven, session: Session, regional = true): Promise<Connection> {
  const { retries: times = process.env["CONTAINER_PLATFORM_RETRIES"] } = given;
  const retries = times === undefined ? undefined : countFrom(times);
  const timeout = given.timeout === undefined ? undefined : millisecondsFrom("timeout", given.timeout);
  const { endpoint, region, access } = await placeFrom(given);
  if (regional && region === "")
    throw new ConfigurationError(
      "no region is configured: give --region, or set CONTAINER_PLATFORM_REGION or the profile's region, for example to eu-frankfurt",
    );
  if (given.secretKey !== undefined || given.token !== undefined) warnOfSecrets(session);
  const reached = await connect(endpoint, { ...access, timeout });
  const transport = given.debug ? await traced(reached, endpoint, session) : reached;
  const policy = retries === undefined ? {} : { attempts: retries + 1 };
  return {
    cloud: new Cloud({ transport, region, retries: policy }),
    endpoint,
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Warns that other users of the machine can read command lines, and that shells keep them. */
export function warnOfSecrets(session: Session): void {
  session.say(
    "warning: a secret on the command line is seen in the list of processes and kept in the shell's history; " +
      "the environment, a profile and --cli-input-json file://- keep it out of both",
  );
}

export async function placeFrom(given: ConnectionGiven): Promise<Place> {
  const { CONTAINER_PLATFORM_ENDPOINT, CONTAINER_PLATFORM_REGION } = process.env;
  const profile = await readProfile(profileNamed(given.profile));
  const endpoint = given.endpoint || CONTAINER_PLATFORM_ENDPOINT || profile.endpoint;
  if (!endpoint)
    throw new ConfigurationError(
      `no endpoint is configured: give --endpoint, or set CONTAINER_PLATFORM_ENDPOINT or the profile's endpoint, to ${endpointChoices}`,
    );
  if (endpoint.startsWith("cli:"))
    throw new ConfigurationError(
      `the endpoint ${endpoint} is a client as this one is, and tells no platform: give --endpoint, or set the profile's endpoint, to ${endpointChoices}`,
    );
  const region = given.region || CONTAINER_PLATFORM_REGION || profile.region || "";
  return { endpoint, region, access: accessFrom(given, profile) };
}

/** On the command line, keys and a profile with keys win over the environment. */
function accessFrom({ secretId, secretKey, token, profile: name }: ConnectionGiven, profile: Profile): Place["access"] {
  if (secretId !== undefined || secretKey !== undefined) return { credentials: { secretId, secretKey, token }, environment: {} };
  if (token !== undefined) throw new UsageError("--token belongs to a --secretId and a --secretKey");
  if (name === undefined) return {};
  return hasKeys(profile) ? { credentials: profile, environment: {} } : { profile: name };
}

function hasKeys({ secretId, secretKey, credentialProcess }: GivenCredentials): boolean {
  return Boolean(secretId || secretKey || credentialProcess);
}

function traced(transport: Transport, endpoint: string, session: Session): Promise<Transport> {
  session.trace(`endpoint ${endpoint}`);
  return import("./traced.ts").then(({ TracedTransport }) => new TracedTransport(transport, session));
}

function countFrom(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`--retries is ${text}; it takes a whole number, 0 to 999`);
  return Number(text);
}
