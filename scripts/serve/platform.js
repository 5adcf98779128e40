import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetUpError } from "../command.js";
import { ownFolder } from "../setup.js";

/** @typedef {import("../processes.js").Environment} Environment */

/**
 * A platform that is served on this machine.
 * @typedef {object} Platform
 * @property {string} url
 * @property {string} dashboardUrl the address of its dashboard
 * @property {string} images the folder in which it keeps the content of its registries
 * @property {string | undefined} withoutClusters why it serves no clusters, if it does not
 * @property {string} kubeconfig where a kubeconfig may be kept
 * @property {Environment} env that of the engine, which deploys to it
 */

const folder = join(ownFolder, "real");
const file = join(folder, "world.db");
/** A stack belongs to the address of its platform: it is the same in each run. */
const portFile = join(folder, "port");

const taken = "The platform of --serve had this port before, and its stack knows it by that: end what listens there";
const another = "It is that of another command with --serve in this folder: let that end, or end it with Control-C";

/**
 * Serves the platform of `--serve` while work is done.
 * @template T
 * @param {Environment} env
 * @param {(platform: Platform) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileServed(env, work) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = existsSync(portFile) ? readFileSync(portFile, "utf8").trim() : "0";
  const program = join(import.meta.dirname, "serve.js");
  const child = spawn("node", [program, file, port], { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  try {
    const { url, dashboardUrl, secretId, secretKey, withoutClusters, problem, isServed } = await answerOf(child, ended);
    if (problem) throw new SetUpError(`${problem}. ${isServed ? another : taken}`);
    writeFileSync(portFile, new URL(url).port);
    const endpoint = {
      CONTAINER_PLATFORM_ENDPOINT: url,
      CONTAINER_PLATFORM_SECRET_ID: secretId,
      CONTAINER_PLATFORM_SECRET_KEY: secretKey,
    };
    const kubeconfig = join(folder, "kubeconfig.yaml");
    return await work({ url, dashboardUrl, withoutClusters, kubeconfig, images: `${file}-images`, env: { ...env, ...endpoint } });
  } finally {
    if (child.connected) child.disconnect();
    await ended.catch(() => undefined);
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {Promise<unknown[]>} ended
 * @returns {Promise<{ url: string, dashboardUrl: string, secretId: string, secretKey: string, withoutClusters?: string, problem?: string, isServed?: boolean }>}
 */
async function answerOf(child, ended) {
  const early = ended.then(([code]) => {
    throw new SetUpError(`the platform could not be served: its process ended with code ${code}`);
  });
  const [message] = await Promise.race([once(child, "message"), early]);
  early.catch(() => undefined);
  return message;
}
