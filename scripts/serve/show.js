import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SetUpError } from "../command.js";
import { quietly } from "../processes.js";
import { root } from "../setup.js";
import { pullImage, pushImage } from "./image.js";

/** @typedef {import("../program.js").Program} Program */
/** @typedef {import("./platform.js").Platform} Platform */

/** The repository of the image that is shown, in the team's namespace. */
const repositoryName = "hello";

/** How long a port takes to open at most, in milliseconds. */
const patience = 20_000;

/** Shows that what was deployed answers: the cluster to `kubectl`, and the registry to who pushes an image and pulls it. @param {Platform} platform @param {Program} program */
export async function showAnswers(platform, program) {
  const outputs = await outputsOf(platform, program);
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
  const pushed = await pushImage(repository, "v1");
  console.log(`  pushed ${address}/${repository.repository}:v1, ${pushed}`);
  const pulled = await pullImage(repository, "v1");
  if (pulled.digest !== pushed) throw new SetUpError(`what was pulled is ${pulled.digest}`);
  console.log(`  pulled it: the manifest and its ${pulled.parts} blobs have their digests`);
}

/** Takes back the image that was pushed to show it: a namespace with images in it is not deleted. @param {Platform} platform @param {Program} program */
export async function takeBack(platform, program) {
  const outputs = await outputsOf(platform, program);
  if (!outputs.pullSecret) return;
  const { registryId } = await placeOf(platform, outputs.vpcId);
  const repository = ["--RegistryId", registryId, "--NamespaceName", teamOf(outputs), "--RepositoryName", repositoryName];
  const args = [join(root, "sdk", "bin", "cpcli.cjs"), "registry", "DeleteRepository", ...repository, "--region", "eu-frankfurt"];
  const { code, output } = await quietly("node", args, { env: platform.env });
  if (code !== 0 && !output.includes("code:ResourceNotFound"))
    throw new SetUpError(`the image that \`npm run up -- --serve\` has pushed cannot be deleted:\n${output.trim()}`);
}

/** @typedef {{ vpcId: string, kubeconfig: string, pullSecret: string, imagePrefix: string }} Outputs */

/** @param {Outputs} outputs */
function teamOf({ imagePrefix }) {
  return imagePrefix.split("/")[1] ?? "";
}

/** Those of a stack without resources are empty. @param {Platform} platform @param {Program} program @returns {Promise<Outputs>} */
async function outputsOf({ env }, { folder, stack }) {
  const args = ["stack", "output", "--json", "--show-secrets", "--stack", stack];
  const { code, output } = await quietly("pulumi", args, { cwd: folder, env });
  if (code !== 0) throw new SetUpError(`the outputs of the stack cannot be read:\n${output.trim()}`);
  return JSON.parse(output);
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
