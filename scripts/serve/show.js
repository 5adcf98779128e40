import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { SetUpError } from "../command.js";
import { quietly } from "../processes.js";
import { root } from "../setup.js";
import { pulumi } from "../stack.js";

/** @typedef {import("./platform.js").Platform} Platform */
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
