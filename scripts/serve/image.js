import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { SetUpError } from "../command.js";

/**
 * A repository of a served registry, and a login of it.
 * @typedef {{ address: string, repository: string, username: string, password: string }} Repository
 */

const image = "application/vnd.oci.image.manifest.v1+json";

/** @param {Buffer} bytes */
const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** @param {unknown} value */
const json = (value) => Buffer.from(JSON.stringify(value));

/** Pushes a small image as image clients do, and returns its digest. @param {Repository} to @param {string} tag */
export async function pushImage(to, tag) {
  const layer = Buffer.from("pushed by npm run up -- --serve\n".padEnd(1024, "\0"));
  const config = json({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [digestOf(layer)] }, config: {} });
  const parts = [
    { mediaType: "application/vnd.oci.image.config.v1+json", bytes: config },
    { mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", bytes: gzipSync(layer) },
  ];
  for (const { bytes } of parts) await pushBlob(to, bytes);
  const [described, ...layers] = parts.map(({ mediaType, bytes }) => ({ mediaType, digest: digestOf(bytes), size: bytes.length }));
  const manifest = json({ schemaVersion: 2, mediaType: image, config: described, layers });
  await asked(to, `manifests/${tag}`, { method: "PUT", body: manifest, headers: { "content-type": image } });
  return digestOf(manifest);
}

/** Pulls an image with all its parts, each of which has to have its digest. Returns its digest and how many parts it has. @param {Repository} from @param {string} tag */
export async function pullImage(from, tag) {
  const manifest = await bytesOf(from, `manifests/${tag}`);
  const { config, layers } = JSON.parse(manifest.toString());
  for (const { digest } of [config, ...layers]) {
    const found = digestOf(await bytesOf(from, `blobs/${digest}`));
    if (found !== digest) throw new SetUpError(`the registry at ${from.address} answers ${found} for the blob ${digest}`);
  }
  return { digest: digestOf(manifest), parts: 1 + layers.length };
}

/** @param {Repository} to @param {Buffer} bytes */
async function pushBlob(to, bytes) {
  const begun = await asked(to, "blobs/uploads/", { method: "POST" });
  const place = new URL(begun.headers.get("location") ?? "", `http://${to.address}`);
  place.searchParams.set("digest", digestOf(bytes));
  await asked(to, place, { method: "PUT", body: bytes, headers: { "content-type": "application/octet-stream" } });
}

/** @param {Repository} from @param {string} path */
async function bytesOf(from, path) {
  return Buffer.from(await (await asked(from, path, { headers: { accept: image } })).arrayBuffer());
}

/** @param {Repository} of @param {string | URL} path below the repository @param {RequestInit & { headers?: Record<string, string> }} init */
async function asked({ address, repository, username, password }, path, init) {
  const url = new URL(path, `http://${address}/v2/${repository}/`);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const answer = await fetch(url, { ...init, headers: { ...init.headers, authorization } });
  if (!answer.ok)
    throw new SetUpError(`the registry refuses ${init.method ?? "GET"} ${url.pathname}: ${answer.status} ${await answer.text()}`);
  return answer;
}
