import { execFile } from "node:child_process";
import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { ConfigurationError } from "../../operation/errors.ts";
import { build } from "./build.ts";
import { folderInCache, isWhole, programName } from "./cache.ts";
import { sourcesOf } from "./sources.ts";

/** The program that runs control planes. */
export interface Program {
  readonly file: string;
  /** The version of its Kubernetes, such as `1.34.4`. */
  readonly kubernetes: string;
}

const told = z.object({ kubernetes: z.string(), sources: z.string() });

/**
 * The program: the given one, else that of the PATH, else the one in this machine's cache, which is built if it is not there.
 *
 * @param tell is called with what takes long
 * @throws ConfigurationError that says what to install.
 */
export async function kubernetesProgram(given: string | undefined, tell: (line: string) => void): Promise<Program> {
  if (process.platform === "win32")
    throw new ConfigurationError("clusters are served on Linux and macOS; on Windows, use the Windows Subsystem for Linux");
  const installed = given ?? onPath();
  if (installed !== undefined) return checked(installed);
  const sources = sourcesOf();
  const folder = folderInCache(sources);
  if (!(await isWhole(folder))) await build(sources, folder, tell);
  return { file: join(folder, programName), kubernetes: sources.kubernetes };
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, programName)).find(existsSync);
}

/** A program that somebody has put there. */
async function checked(file: string): Promise<Program> {
  const refuse = (reason: string) => new ConfigurationError(`${file} is no ${programName}: ${reason}`);
  if (!existsSync(file)) throw refuse("there is no such file");
  await access(file, constants.X_OK).catch(() => {
    throw refuse("it cannot be executed");
  });
  const { stdout } = await promisify(execFile)(file, ["version"], { timeout: 30_000 }).catch((error: unknown) => {
    throw refuse(`it does not tell its version (${error instanceof Error ? error.message : String(error)})`);
  });
  const answer = told.safeParse(jsonOf(stdout));
  if (!answer.success) throw refuse(`its version is ${JSON.stringify(stdout.slice(0, 100))}`);
  return { file, kubernetes: answer.data.kubernetes };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
