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

/** A platform that calls can be made on, until it is disposed of. */
export interface Connection extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly endpoint: string;
}

/** Where calls go: each setting as its option says, else the environment, else the profile. */
export interface Place {
  readonly endpoint: string;
  /** Empty where no region is configured. */
  readonly region: string;
  readonly access: Pick<ConnectOptions, "credentials" | "profile" | "environment">;
}

/**
 * Reaches the platform that options, environment and profile name.
 *
 * @param regional whether calls are made in a region, which then has to be configured
 * @throws ConfigurationError for what is missing or cannot be read, UsageError for numbers that are none.
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

/** Says that other users of the machine see command lines, and that shells keep them. */
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

/** What is asked for on the command line wins over the environment: keys, and a profile that has some. */
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
