import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { credentialsIfAny, findCredentials, type GivenCredentials } from "../config/credentials.ts";
import { ConfigurationError } from "../operation/errors.ts";
import { projectFolder } from "../config/project-folder.ts";
import type { Transport } from "./transport.ts";

const local = "local (a platform in this project's .container-platform folder), local:<file>";
const overHttp = "the http:// or https:// address of a platform";
/** What the endpoint of a client itself can be, in words. */
export const endpointChoices = `${local}, or ${overHttp}`;
const choices = `${local}, ${overHttp}, or cli:<program> (a command-line client that reaches one)`;

export interface ConnectOptions {
  /** The folder that `local` and relative files are sought from; the current one unless given. */
  readonly from?: string;
  /** Credentials for calls over HTTP. Those of the environment win; where neither has any, the profile's are taken. */
  readonly credentials?: GivenCredentials | undefined;
  /** The profile of `~/.container-platform/credentials.yaml` that has credentials; `default` unless given. */
  readonly profile?: string | undefined;
  /** What counts as the environment; the process's own unless given. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long an answer is waited for, in milliseconds; over HTTP a minute unless given. */
  readonly timeout?: number | undefined;
}

/**
 * Reaches the platform that an endpoint names. `local` is the file `.container-platform/world.db` in the nearest folder, from
 * `from` upwards, that holds a Pulumi.yaml; where there is none, in the user's state folder. A relative file of `local:<file>`
 * is relative to the same folder. An address is called over HTTP, with signed calls. `cli:<program>` is a command-line client: the
 * name of a command on the PATH, or a path, if relative, relative to the same folder too.
 *
 * @throws ConfigurationError if the endpoint is missing or none of the forms, a local world cannot be read, there are no credentials
 *   for an address, or there is no such program.
 */
export async function connect(endpoint: string | undefined, options: ConnectOptions = {}): Promise<Transport> {
  const { timeout } = options;
  const transport = await reached(endpoint, options);
  if (timeout === undefined) return transport;
  return import("./timed.ts").then(({ TimedTransport }) => new TimedTransport(transport, timeout));
}

async function reached(endpoint: string | undefined, { from = process.cwd(), timeout, ...options }: ConnectOptions): Promise<Transport> {
  if (endpoint === undefined || endpoint === "")
    throw new ConfigurationError(`no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to ${choices}`);
  if (/^https?:/i.test(endpoint)) {
    const address = addressOf(endpoint);
    const credentials = await findCredentials(endpoint, options);
    const patience = timeout === undefined ? {} : { patience: { connect: Math.min(10_000, timeout), answer: timeout } };
    return import("./http.ts").then(({ HttpTransport }) => new HttpTransport(address, credentials, patience));
  }
  if (isClient(endpoint)) {
    const program = programAt(endpoint.slice("cli:".length), from);
    const credentials = await credentialsIfAny(options);
    const { profile } = options;
    return import("./cli.ts").then(
      ({ CliTransport }) => new CliTransport(program, { folder: from, credentials, profile, patience: timeout }),
    );
  }
  const file = localFile(endpoint, from);
  if (file === undefined) throw new ConfigurationError(`${endpoint} is no endpoint that this version reaches: use ${choices}`);
  return import("../local/open.ts").then(({ openLocal }) => openLocal(file, process.env["CONTAINER_PLATFORM_PACE"], timeout));
}

/** @throws ConfigurationError for an endpoint of none of the forms; whether there is such a place is not looked at. */
export function refuseEndpoint(endpoint: string): void {
  if (/^https?:/i.test(endpoint)) addressOf(endpoint);
  else if (!isClient(endpoint) && localFile(endpoint) === undefined)
    throw new ConfigurationError(`${endpoint} is no endpoint that this version reaches: use ${choices}`);
}

function isClient(endpoint: string): boolean {
  return /^cli:./.test(endpoint);
}

/** An endpoint is kept in states, and shown: nothing that could be a secret belongs into it. */
function addressOf(endpoint: string): URL {
  const address = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!address?.hostname || address.username || address.password || address.search || address.hash)
    throw new ConfigurationError(
      "the endpoint is no address of a platform: it takes http:// or https://, a host, and if need be :<port> and a path",
    );
  return address;
}

/** The file of a program: a path where the name has a folder, else the first of that name on the PATH. */
function programAt(name: string, from: string): string {
  const isPath = /[/\\]/.test(name);
  const path = process.env["PATH"] ?? "";
  const places = isPath ? [resolve(projectFolder(from) ?? from, name)] : path.split(delimiter).map((folder) => resolve(from, folder, name));
  const found = places.find(isExecutable);
  if (found !== undefined) return found;
  const [place = ""] = places;
  throw new ConfigurationError(
    isPath
      ? `the endpoint cli:${name} is no program: ${place} ${existsSync(place) ? "cannot be executed" : "does not exist"}`
      : `the endpoint cli:${name} is no program: there is no command ${name} on the PATH; put it there, or give its path, such as cli:./node_modules/.bin/${name}`,
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The file of the local world that an endpoint names; `undefined` if it names none. */
export function localFile(endpoint: string, from = process.cwd()): string | undefined {
  if (endpoint === "local") return join(localFolder(from), "world.db");
  if (!endpoint.startsWith("local:") || endpoint === "local:") return undefined;
  const file = endpoint.slice("local:".length);
  return file === ":memory:" ? file : resolve(projectFolder(from) ?? from, file);
}

function localFolder(from: string): string {
  const project = projectFolder(from);
  if (project !== undefined) return join(project, ".container-platform");
  return join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "container-platform");
}
