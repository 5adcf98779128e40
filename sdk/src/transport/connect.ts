import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import {
  type CredentialOption,
  type CredentialSearch,
  type FindOptions,
  type GivenCredentials,
  searchCredentials,
  takenCredentials,
} from "../config/credentials.ts";
import { ConfigurationError, PlatformError } from "../operation/errors.ts";
import { projectFolder } from "../config/profiles.ts";
import type { Transport } from "./transport.ts";

const local = "local (a platform in this project's .container-platform folder), local:<file>";
const overHttp = "the http:// or https:// address of a platform";
/** The endpoints that a command-line client itself can have, in words. */
export const endpointChoices = `${local}, ${overHttp}, or public (the public API)`;
const choices = `${local}, ${overHttp}, public (the public API), or cli:<program> (a command-line client that reaches one)`;

export interface ConnectOptions {
  /** The folder from which `local` and relative files are searched. Default: the current one. */
  readonly from?: string;
  /** Credentials for calls over HTTP. Those of the environment win over these, and these over the profile's. */
  readonly credentials?: GivenCredentials | undefined;
  /** The option of a command line that gives the credentials: these win over those of the environment. */
  readonly chosenBy?: CredentialOption | undefined;
  /** The profile of `~/.container-platform/credentials.yaml`. Default: `default`. */
  readonly profile?: string | undefined;
  /** The environment variables. Default: the process's own. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long an answer may take, in milliseconds. Default over HTTP: a minute. */
  readonly timeout?: number | undefined;
}

/** What is said where no endpoint is configured. */
export const noEndpoint = `no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to ${choices}`;

/**
 * Reaches the platform that an endpoint names:
 *
 * - `local` is the file `.container-platform/world.db` in the nearest folder, from `from` upwards, that holds a Pulumi.yaml. If there
 *   is none, the file is in the user's state folder.
 * - `local:<file>` is another file. A relative one is relative to the same folder.
 * - `http://…` and `https://…` are addresses, for signed calls over HTTP.
 * - `public`, `public:<domain>` and `public:http(s)://…` are the public API, at its own hosts, in another domain, or at one address.
 * - `cli:<program>` is a command-line client: a command on the PATH, or a path. A relative path is relative to the same folder.
 *
 * @throws ConfigurationError if the endpoint is missing or has none of these forms, if a local world cannot be read, if there are no
 *   credentials for an address, or if there is no such program.
 */
export async function connect(endpoint: string | undefined, options: ConnectOptions = {}): Promise<Transport> {
  const { timeout } = options;
  const transport = await reached(endpoint, options);
  return timeout === undefined ? transport : timed(transport, timeout);
}

/** A transport whose calls fail if there is no answer within a number of milliseconds. */
function timed(inner: Transport, longest: number): Transport {
  return {
    callsPerSecond: inner.callsPerSecond,
    send: async (request, signal) => {
      const late = AbortSignal.timeout(longest);
      try {
        return await inner.send(request, signal ? AbortSignal.any([signal, late]) : late);
      } catch (error) {
        if (!late.aborted || (error !== late.reason && !(error instanceof Error && error.cause === late.reason))) throw error;
        const origin = { product: request.product, action: request.action, requestId: "" };
        throw new PlatformError("NoAnswer", `there was no answer within ${longest / 1000} s`, origin, "unreachable");
      }
    },
    whoAmI: (signal) => inner.whoAmI(signal),
    close: () => inner.close(),
  };
}

async function reached(endpoint: string | undefined, { from = process.cwd(), timeout, ...options }: ConnectOptions): Promise<Transport> {
  if (endpoint === undefined || endpoint === "") throw new ConfigurationError(noEndpoint);
  const place = placeIn(endpoint, from);
  if (!place) throw unknown(endpoint, choices);
  if ("file" in place)
    return import("../local/platform.ts").then(({ openLocal }) =>
      openLocal(place.file, process.env["CONTAINER_PLATFORM_TIME_SCALE"], timeout),
    );
  if ("program" in place) {
    const program = programAt(place.program, from);
    const credentials = (await searchCredentials(options)).taken?.source;
    const { profile } = options;
    return import("./cli.ts").then(({ CliTransport }) => new CliTransport(program, { folder: from, credentials, profile, timeout }));
  }
  const { source, place: signing } = await takenCredentials(endpoint, await everyPlace(endpoint, place, options));
  const timeouts = timeout === undefined ? {} : { timeouts: { connect: Math.min(10_000, timeout), answer: timeout } };
  const { HttpTransport } = await import("./http.ts");
  if ("address" in place) return new HttpTransport(place.address, source, { ...timeouts, place: signing });
  const { addressesIn, publicApi: wireFormat } = await import("../wire-format/wire-format.ts");
  const addresses = place.site instanceof URL ? place.site : addressesIn(place.site.domain);
  return new HttpTransport(addresses, source, { ...timeouts, place: signing, wireFormat });
}

/** @throws ConfigurationError for an endpoint that has none of the forms. Does not check whether the place exists. */
export function refuseEndpoint(endpoint: string, forms = choices): void {
  if (!placeIn(endpoint)) throw unknown(endpoint, forms);
}

function unknown(endpoint: string, forms: string): ConfigurationError {
  return new ConfigurationError(`${endpoint} is no endpoint that this version reaches: use ${forms}`);
}

/** Which credentials calls of an endpoint are signed with, and why others are not; `undefined` for one whose calls are not signed here. */
export async function credentialsFor(endpoint: string, options: ConnectOptions = {}): Promise<CredentialSearch | undefined> {
  const place = placeIn(endpoint);
  return place && ("site" in place || "address" in place) ? searchCredentials(await everyPlace(endpoint, place, options)) : undefined;
}

/** Where calls over HTTP go: to the public API, or to another platform. */
type Remote = { readonly site: URL | { readonly domain: string | undefined } } | { readonly address: URL };

/** The address, program or file that an endpoint names; `undefined` if it has none of the forms. */
function placeIn(endpoint: string, from?: string): Remote | { readonly program: string } | { readonly file: string } | undefined {
  if (/^public(:|$)/.test(endpoint)) return { site: publicSite(endpoint) };
  if (/^https?:/i.test(endpoint)) return { address: addressOf(endpoint) };
  if (/^cli:./.test(endpoint)) return { program: endpoint.slice("cli:".length) };
  const file = localFile(endpoint, from);
  return file === undefined ? undefined : { file };
}

/** Credentials of the public API's other clients sign calls of its own hosts, and no others. */
async function everyPlace(endpoint: string, remote: Remote, options: ConnectOptions): Promise<FindOptions> {
  const { credentials, chosenBy, profile } = options;
  const environment = chosenBy === undefined ? options.environment : {};
  const own: FindOptions = { credentials, chosenBy, profile, ...(environment && { environment }) };
  if ("address" in remote) return own;
  const { site } = remote;
  const sts = await import("../wire-format/wire-format.ts").then(({ addressesIn, isOwnDomain }) =>
    !(site instanceof URL) && isOwnDomain(site.domain) ? addressesIn(site.domain)("identity") : undefined,
  );
  return import("./public/places.ts").then(({ publicPlaces, unusedPlaces }) => ({
    ...own,
    further: sts ? publicPlaces(sts, environment) : unusedPlaces(endpoint, environment),
  }));
}

/** Where the public API is: at one address, or in a domain where each product has a host; its own one unless another is given. */
function publicSite(endpoint: string): URL | { readonly domain: string | undefined } {
  const site = endpoint === "public" ? undefined : endpoint.slice("public:".length);
  if (site === undefined) return { domain: undefined };
  if (/^https?:/i.test(site)) return addressOf(site);
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(site)) return { domain: site };
  throw new ConfigurationError(`${endpoint} is no endpoint of the public API: use public, public:<domain> or public:https://<address>`);
}

/** An endpoint is stored in states and shown, so that nothing in it may be a secret. */
function addressOf(endpoint: string): URL {
  const address = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!address?.hostname || address.username || address.password || address.search || address.hash)
    throw new ConfigurationError(
      "the endpoint is no address of a platform: it takes http:// or https://, a host, and if need be :<port> and a path",
    );
  return address;
}

/** The file of a program. A name with a folder is a path; any other is searched on the PATH. */
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

/** The file of the local world that an endpoint names; `undefined` for another endpoint. */
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
