import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors.ts";
import type { Transport } from "./transport.ts";

const choices = "local (a platform in this project's .container-platform folder) or local:<file>";

/**
 * Reaches the platform that an endpoint names. `local` is the file `.container-platform/world.db` in the nearest folder, from
 * `from` upwards, that holds a Pulumi.yaml; where there is none, in the user's state folder. A relative file of `local:<file>`
 * is relative to the same folder.
 *
 * @throws InputError if the endpoint is missing or none of the forms, or a local world cannot be read.
 */
export async function connect(endpoint: string | undefined, from = process.cwd()): Promise<Transport> {
  if (endpoint === undefined || endpoint === "")
    throw new InputError(`no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to ${choices}`);
  const file = localFile(endpoint, from);
  if (file === undefined) throw new InputError(`${endpoint} is no endpoint that this version reaches: use ${choices}`);
  return import("../local/open.ts").then(({ openLocal }) => openLocal(file, process.env["CONTAINER_PLATFORM_PACE"]));
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

function projectFolder(from: string): string | undefined {
  if (existsSync(join(from, "Pulumi.yaml"))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : projectFolder(parent);
}
