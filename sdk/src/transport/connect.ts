import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findCredentials, type GivenCredentials } from "../credentials.ts";
import { InputError } from "../errors.ts";
import { projectFolder } from "../project-folder.ts";
import type { Transport } from "./transport.ts";

const choices =
  "local (a platform in this project's .container-platform folder), local:<file>, or the http:// or https:// address of a platform";

export interface ConnectOptions {
  /** The folder that `local` and relative files are sought from; the current one unless given. */
  readonly from?: string;
  /** Credentials for calls over HTTP. Those of the environment win; where neither has any, the profile's are taken. */
  readonly credentials?: GivenCredentials | undefined;
  /** The profile of `~/.container-platform/credentials.yaml` that has credentials; `default` unless given. */
  readonly profile?: string | undefined;
}

/**
 * Reaches the platform that an endpoint names. `local` is the file `.container-platform/world.db` in the nearest folder, from
 * `from` upwards, that holds a Pulumi.yaml; where there is none, in the user's state folder. A relative file of `local:<file>`
 * is relative to the same folder. An address is called over HTTP, with signed calls.
 *
 * @throws InputError if the endpoint is missing or none of the forms, a local world cannot be read, or there are no credentials
 *   for an address.
 */
export async function connect(endpoint: string | undefined, { from = process.cwd(), ...options }: ConnectOptions = {}): Promise<Transport> {
  if (endpoint === undefined || endpoint === "")
    throw new InputError(`no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to ${choices}`);
  if (/^https?:/i.test(endpoint)) {
    const address = addressOf(endpoint);
    const credentials = await findCredentials(endpoint, options);
    return import("./http.ts").then(({ HttpTransport }) => new HttpTransport(address, credentials));
  }
  const file = localFile(endpoint, from);
  if (file === undefined) throw new InputError(`${endpoint} is no endpoint that this version reaches: use ${choices}`);
  return import("../local/open.ts").then(({ openLocal }) => openLocal(file, process.env["CONTAINER_PLATFORM_PACE"]));
}

/** An endpoint is kept in states, and shown: nothing that could be a secret belongs into it. */
function addressOf(endpoint: string): URL {
  const address = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!address?.hostname || address.username || address.password || address.search || address.hash)
    throw new InputError(
      "the endpoint is no address of a platform: it takes http:// or https://, a host, and if need be :<port> and a path",
    );
  return address;
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
