import { existsSync } from "node:fs";
import { Cloud } from "../client/client.ts";
import type { GivenCredentials } from "../config/credentials.ts";
import { type Profile, profileNamed, projectFolder, readProfile } from "../config/profiles.ts";
import { ConfigurationError, PlatformError } from "../operation/errors.ts";
import { discreet, redacted } from "../operation/redact.ts";
import { connect, type ConnectOptions, endpointChoices, localFile, refuseEndpoint } from "../transport/connect.ts";
import type { Reply, Request, Transport } from "../transport/transport.ts";
import { operationsOf } from "./call/products.ts";
import { type connectionOptions, type Given, millisecondsFrom } from "./command.ts";
import { type Session, UsageError } from "./run.ts";

export type ConnectionGiven = Given<typeof connectionOptions>;

/** An open connection to a platform, until it is disposed of. */
export interface Connection extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly endpoint: string;
  /** Where the endpoint is from, such as `--endpoint`. */
  readonly source: string;
}

/** What a stack is configured with. It goes before a profile, unless an option names that. */
export interface Configured {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  readonly credentials?: GivenCredentials | undefined;
}

interface Reach {
  /** Whether the calls need a region. Default: true. */
  readonly regional?: boolean;
  /** Whether the database of the emulator has to exist. Default: false, which creates the database. */
  readonly mustExist?: boolean;
  /** The configuration of the stack, for commands that work beside one. They reach what it reaches, other clients included. */
  readonly configured?: Configured | undefined;
}

/** Where calls go. Each setting is from its option, else from the environment, else from the profile. */
export interface Place {
  readonly endpoint: string;
  /** Where the endpoint is from. */
  readonly source: string;
  /** Empty if no region is configured. */
  readonly region: string;
  readonly access: Pick<ConnectOptions, "credentials" | "chosenBy" | "profile">;
}

/**
 * Connects to the platform that options, environment and profile configure.
 *
 * @throws ConfigurationError if something is missing or cannot be read, UsageError for a text where a number belongs.
 */
export async function connected(
  given: ConnectionGiven,
  session: Session,
  { regional = true, mustExist = false, configured }: Reach = {},
): Promise<Connection> {
  const retries = retriesFrom(given);
  const timeout = given.timeout === undefined ? undefined : millisecondsFrom("timeout", given.timeout);
  const { endpoint, source, region, access } = await placeFrom(given, configured);
  if (!configured) refuseEndpoint(endpoint, endpointChoices);
  if (regional && region === "")
    throw new ConfigurationError(
      "no region is configured: give --region, or set CONTAINER_PLATFORM_REGION or the profile's region, for example to eu-frankfurt",
    );
  if (given.secretKey !== undefined || given.token !== undefined) warnOfSecrets(session);
  const file = localFile(endpoint);
  if (file !== undefined) warnOfUnusedKeys(given, session);
  if (mustExist && file !== undefined && !existsSync(file))
    throw new ConfigurationError(`the database ${file} (from ${source}) does not exist`);
  if (endpoint === "local" && projectFolder(process.cwd()) === undefined) session.say(`no Pulumi.yaml here or above: using ${file}`);
  const reached = await connect(endpoint, { ...access, timeout });
  const transport = given.debug ? traced(reached, session) : reached;
  if (given.debug) session.trace(`endpoint ${endpoint}`);
  const policy = retries === undefined ? {} : { attempts: retries + 1 };
  return {
    cloud: new Cloud({ transport, region, retries: policy }),
    endpoint,
    source,
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Keys of a profile are for its own endpoint; whoever gives others beside a local endpoint may think that they decide who calls. */
function warnOfUnusedKeys({ secretId, secretKey }: ConnectionGiven, session: Session): void {
  const {
    CONTAINER_PLATFORM_SECRET_ID: id,
    CONTAINER_PLATFORM_SECRET_KEY: key,
    CONTAINER_PLATFORM_CREDENTIAL_PROCESS: command,
  } = process.env;
  if (!secretId && !secretKey && !id && !key && !command) return;
  const place = secretId || secretKey ? "--secretId and --secretKey" : "the environment (CONTAINER_PLATFORM_…)";
  session.say(
    `warning: the credentials of ${place} are not used: calls of a local endpoint are not signed, and are made by its first account; ` +
      "`cpcli serve` checks them",
  );
}

/** Warns that other users of the machine can read command lines, and that shells keep them. */
export function warnOfSecrets(session: Session): void {
  session.say(
    "warning: a secret on the command line is seen in the list of processes and kept in the shell's history; " +
      "the environment, a profile and --cli-input-json file://- keep it out of both",
  );
}

export async function placeFrom(given: ConnectionGiven, configured?: Configured): Promise<Place> {
  const { CONTAINER_PLATFORM_ENDPOINT, CONTAINER_PLATFORM_REGION, CONTAINER_PLATFORM_PROFILE } = process.env;
  const chosen = given.profile ?? (CONTAINER_PLATFORM_PROFILE || configured?.profile);
  const name = profileNamed(chosen);
  const profile = await readProfile(name);
  const ofProfile = { ...profile, source: `the profile ${name}` };
  const ofStack = { ...configured, source: "the configuration of the stack" };
  const places = [
    { endpoint: given.endpoint, region: given.region, source: "--endpoint" },
    { endpoint: CONTAINER_PLATFORM_ENDPOINT, region: CONTAINER_PLATFORM_REGION, source: "CONTAINER_PLATFORM_ENDPOINT" },
    ...(given.profile === undefined ? [ofStack, ofProfile] : [ofProfile, ofStack]),
  ];
  const { endpoint = "", source = "" } = places.find((place) => place.endpoint) ?? {};
  if (endpoint === "")
    throw new ConfigurationError(
      `no endpoint is configured: give --endpoint, or set CONTAINER_PLATFORM_ENDPOINT or the profile's endpoint, to ${endpointChoices}. The configuration of a Pulumi stack is not read here`,
    );
  if (endpoint.startsWith("cli:") && !configured)
    throw new ConfigurationError(
      `the endpoint ${endpoint} is a client as this one is, and tells no platform: give --endpoint, or set the profile's endpoint, to ${endpointChoices}`,
    );
  const region = places.find((place) => place.region)?.region ?? "";
  // The keys of a stack are for its own platform.
  const credentials = given.endpoint === undefined ? configured?.credentials : undefined;
  return { endpoint, source, region, access: { profile: chosen, ...accessFrom(given, profile, credentials) } };
}

/** On the command line, keys and a profile with keys win over the environment. */
function accessFrom(
  { secretId, secretKey, token, profile: name }: ConnectionGiven,
  profile: Profile,
  credentials: GivenCredentials | undefined,
): Place["access"] {
  if (secretId !== undefined || secretKey !== undefined)
    return { credentials: { secretId, secretKey, token }, chosenBy: secretId === undefined ? "--secretKey" : "--secretId" };
  if (token !== undefined) throw new UsageError("--token belongs to a --secretId and a --secretKey");
  const hasKeys = profile.secretId || profile.secretKey || profile.credentialProcess;
  if (name !== undefined && hasKeys) return { chosenBy: "--profile" };
  return { credentials };
}

function retriesFrom({ retries }: ConnectionGiven): number | undefined {
  const variable = "CONTAINER_PLATFORM_RETRIES";
  const text = retries ?? process.env[variable];
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const name = retries === undefined ? variable : "--retries";
  throw new UsageError(`${name} is ${text || "empty"}; it takes a whole number, 0 to 999`);
}

/** A transport that prints what is sent and answered, without secrets. */
function traced(inner: Transport, session: Session): Transport {
  const send = async (request: Request, signal?: AbortSignal): Promise<Reply> => {
    const { product, action, version, region, body } = request;
    const operation = (await operationsOf(product)).find((known) => known.action === action && known.version === version);
    const shown = (schema: "input" | "output", value: Request["body"]) =>
      operation ? JSON.stringify(redacted(operation[schema], value)) : "[unknown]";
    session.trace(`> ${product} ${action} ${version} in ${region || "no region"}: ${shown("input", body)}`);
    const begun = performance.now();
    const took = () => `${Math.round(performance.now() - begun)} ms`;
    try {
      const reply = await inner.send(request, signal);
      session.trace(`< ${reply.requestId} after ${took()}: ${shown("output", reply.body)}`);
      return reply;
    } catch (raised) {
      const error = operation ? discreet(operation, body, raised) : raised;
      const said = error instanceof PlatformError ? `${error.code}: ${error.reason}` : String(error);
      const id = error instanceof PlatformError && error.requestId ? error.requestId : "no answer";
      session.trace(`< ${id} after ${took()}: ${said}`);
      throw error;
    }
  };
  return { callsPerSecond: inner.callsPerSecond, send, whoAmI: (signal) => inner.whoAmI(signal), close: () => inner.close() };
}
