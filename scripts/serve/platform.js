import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { SetUpError } from "../command.js";
import { quietly } from "../processes.js";
import { ownFolder, root } from "../setup.js";
import { pulumi } from "../stack.js";

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

/** @typedef {{ vpcId: string, kubeconfig: string, pullSecret: string, imagePrefix: string }} Outputs */

/**
 * A repository of a served registry, and a login of it.
 * @typedef {{ address: string, repository: string, username: string, password: string }} Repository
 */

/** The repository of the image that is shown, in the team's namespace. */
const repositoryName = "hello";

const imageType = "application/vnd.oci.image.manifest.v1+json";

/** How long a port takes to open at most, in milliseconds. */
const patience = 20_000;

/** Shows that what was deployed answers: the cluster to `kubectl`, and the registry to who pushes an image and pulls it. @param {Platform} platform @param {string} stack */
export async function showAnswers(platform, stack) {
  const outputs = await outputsOf(platform, stack);
  await showImage(platform, outputs);
  await showNodes(platform, outputs);
}

/** @param {Platform} platform @param {Outputs} outputs */
async function showNodes({ withoutClusters, kubeconfig: file, env }, { kubeconfig }) {
  if (withoutClusters !== undefined) {
    console.log(`\nClusters are not served, and \`kubectl\` has nobody to talk to: ${withoutClusters}`);
    return;
  }
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const args = ["--kubeconfig", file, "get", "nodes", "--output", "wide"];
  console.log(`\nThe cluster answers: kubectl ${args.join(" ")}`);
  let { code, output } = await quietly("kubectl", args, { env, minutes: 3 });
  // The nodes come a moment after their cluster.
  for (const end = Date.now() + patience; code === 0 && output.startsWith("No resources") && Date.now() < end; await pause(500))
    ({ code, output } = await quietly("kubectl", args, { env, minutes: 3 }));
  // It could not be started.
  if (code === 127) console.log("  but `kubectl` is not on this machine: https://kubernetes.io/docs/tasks/tools");
  else if (code === 0) console.log(output.trim().replaceAll(/^/gm, "  "));
  else throw new SetUpError(`kubectl ended with code ${code}:\n${output.trim()}`);
}

/** @param {Platform} platform @param {Outputs} outputs */
async function showImage(platform, outputs) {
  const [{ username, password }] = Object.values(JSON.parse(outputs.pullSecret).auths);
  const { address } = await placeOf(platform, outputs.vpcId);
  const repository = { address, repository: `${teamOf(outputs)}/${repositoryName}`, username, password };
  console.log(`\nThe registry answers clients in ${outputs.vpcId} at ${address}, with the login of pullSecret:`);
  const pushed = await pushImage(repository);
  console.log(`  pushed ${address}/${repository.repository}:v1, ${pushed}`);
  const pulled = await pullImage(repository);
  if (pulled.digest !== pushed) throw new SetUpError(`what was pulled is ${pulled.digest}`);
  console.log(`  pulled it: the manifest and its ${pulled.parts} blobs have their digests`);
}

/** Takes back the image that was pushed to show it: a namespace with images in it is not deleted. @param {Platform} platform @param {string} stack */
export async function takeBack(platform, stack) {
  const outputs = await outputsOf(platform, stack);
  if (!outputs.pullSecret) return;
  const { registryId } = await placeOf(platform, outputs.vpcId);
  const repository = ["--RegistryId", registryId, "--NamespaceName", teamOf(outputs), "--RepositoryName", repositoryName];
  const args = [join(root, "sdk", "bin", "cpcli.cjs"), "registry", "DeleteRepository", ...repository, "--region", "eu-frankfurt"];
  const { code, output } = await quietly("node", args, { env: platform.env });
  if (code !== 0 && !output.includes("code:ResourceNotFound"))
    throw new SetUpError(`the image that \`npm run up -- --serve\` has pushed cannot be deleted:\n${output.trim()}`);
}

/** @param {Outputs} outputs */
function teamOf({ imagePrefix }) {
  return imagePrefix.split("/")[1] ?? "";
}

/** Those of a stack without resources are empty. @param {Platform} platform @param {string} stack @returns {Promise<Outputs>} */
async function outputsOf({ env }, stack) {
  const args = ["stack", "output", "--json", "--show-secrets", "--stack", stack];
  return JSON.parse(await pulumi(env, args, "the outputs of the stack cannot be read"));
}

/**
 * The registry that answers clients of a VPC, and where: the platform keeps that in a file, and opens the port a moment after the registry
 * is connected.
 * @param {Platform} platform
 * @param {string} vpcId
 */
async function placeOf({ images }, vpcId) {
  const file = join(images, "ports.json");
  for (const end = Date.now() + patience; Date.now() < end; await pause(200)) {
    const ports = existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8"))) : [];
    const [place, port] = ports.find(([each]) => each.endsWith(`/${vpcId}`)) ?? [];
    if (place !== undefined) return { registryId: place.split("/")[0] ?? "", address: `127.0.0.1:${port}` };
  }
  throw new SetUpError(`the platform has opened no port for ${vpcId} after ${patience / 1000} seconds`);
}

/** @param {Buffer} bytes */
const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** @param {unknown} value */
const json = (value) => Buffer.from(JSON.stringify(value));

/** Pushes a small image as image clients do, and returns its digest. @param {Repository} to */
async function pushImage(to) {
  const layer = Buffer.from("pushed by npm run up -- --serve\n".padEnd(1024, "\0"));
  const config = json({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [digestOf(layer)] }, config: {} });
  const parts = [
    { mediaType: "application/vnd.oci.image.config.v1+json", bytes: config },
    { mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", bytes: gzipSync(layer) },
  ];
  for (const { bytes } of parts) {
    const begun = await request(to, "blobs/uploads/", { method: "POST" });
    const place = new URL(begun.headers.get("location") ?? "", `http://${to.address}`);
    place.searchParams.set("digest", digestOf(bytes));
    await request(to, place, { method: "PUT", body: bytes, headers: { "content-type": "application/octet-stream" } });
  }
  const [described, ...layers] = parts.map(({ mediaType, bytes }) => ({ mediaType, digest: digestOf(bytes), size: bytes.length }));
  const manifest = json({ schemaVersion: 2, mediaType: imageType, config: described, layers });
  await request(to, "manifests/v1", { method: "PUT", body: manifest, headers: { "content-type": imageType } });
  return digestOf(manifest);
}

/** Pulls the image with all its parts, each of which has to have its digest. Returns its digest and how many parts it has. @param {Repository} from */
async function pullImage(from) {
  /** @param {string} path */
  const bytesOf = async (path) => Buffer.from(await (await request(from, path, { headers: { accept: imageType } })).arrayBuffer());
  const manifest = await bytesOf("manifests/v1");
  const { config, layers } = JSON.parse(manifest.toString());
  for (const { digest } of [config, ...layers]) {
    const found = digestOf(await bytesOf(`blobs/${digest}`));
    if (found !== digest) throw new SetUpError(`the registry at ${from.address} answers ${found} for the blob ${digest}`);
  }
  return { digest: digestOf(manifest), parts: 1 + layers.length };
}

/** @param {Repository} of @param {string | URL} path below the repository @param {RequestInit & { headers?: Record<string, string> }} init */
async function request({ address, repository, username, password }, path, init) {
  const url = new URL(path, `http://${address}/v2/${repository}/`);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const answer = await fetch(url, { ...init, headers: { ...init.headers, authorization } });
  if (!answer.ok)
    throw new SetUpError(`the registry refuses ${init.method ?? "GET"} ${url.pathname}: ${answer.status} ${await answer.text()}`);
  return answer;
}
