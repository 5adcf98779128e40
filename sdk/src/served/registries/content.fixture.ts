import { randomBytes } from "node:crypto";
import * as registry from "../../catalogue/registry.ts";
import { type Answer, type Ask, askerAt, basic, sha256, type Stage } from "./stage.fixture.ts";

export const types = {
  image: "application/vnd.oci.image.manifest.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
  dockerImage: "application/vnd.docker.distribution.manifest.v2+json",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const;

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Throws unless an answer has a status, with what was answered instead. */
export function expected(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.bytes.toString().slice(0, 500)}`);
  return answer;
}

export async function pushBlob(ask: Ask, name: string, bytes = randomBytes(64), digest = sha256(bytes)): Promise<Descriptor> {
  expected(await ask("POST", `/v2/${name}/blobs/uploads/?digest=${digest}`, { body: bytes }), 201);
  return { mediaType: types.layer, digest, size: bytes.length };
}

/** Puts a manifest, which may be an image as text, and answers as the registry does. */
export function putManifest(ask: Ask, name: string, reference: string, manifest: object | string, type: string = types.image) {
  const body = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  return ask("PUT", `/v2/${name}/manifests/${reference}`, { body, headers: { "content-type": type } });
}

export async function pushManifest(
  ask: Ask,
  name: string,
  reference: string,
  manifest: Readonly<Record<string, unknown>> & { mediaType: string },
): Promise<Descriptor> {
  expected(await putManifest(ask, name, reference, manifest, manifest.mediaType), 201);
  const body = JSON.stringify(manifest);
  return { mediaType: manifest.mediaType, digest: sha256(body), size: Buffer.byteLength(body) };
}

/** A manifest of an image whose config and layer are pushed. */
export async function imageOf(ask: Ask, name: string, given: object = {}) {
  const config = { ...(await pushBlob(ask, name, Buffer.from("{}"))), mediaType: types.config };
  return { schemaVersion: 2, mediaType: types.image, config, layers: [await pushBlob(ask, name)], ...given };
}

export async function pushImage(ask: Ask, name: string, reference: string, given: object = {}): Promise<Descriptor> {
  return pushManifest(ask, name, reference, await imageOf(ask, name, given));
}

export async function begin(ask: Ask, name: string, query = ""): Promise<string> {
  return expected(await ask("POST", `/v2/${name}/blobs/uploads/${query}`), 202).headers.get("location") ?? "";
}

export async function refusal(answer: Answer | Promise<Answer>): Promise<(number | string)[]> {
  const { status, json } = await answer;
  const { errors } = json as { errors: { code: string }[] };
  return [status, ...errors.map(({ code }) => code)];
}

/** Makes a rule that keeps the newest image of each repository of `team`, and answers with its run. */
export async function keepNewest({ cloud, registryId }: Stage, cronSetting: "daily" | "manual") {
  const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, namespaceName: "team" });
  const namespaceId = namespaceList[0]?.namespaceId ?? 0;
  const retentionRule = { key: "latestPushedK", value: 1 } as const;
  await cloud.call(registry.createTagRetentionRule, { registryId, namespaceId, cronSetting, retentionRule });
  const { retentionPolicyList } = await cloud.call(registry.describeTagRetentionRules, { registryId });
  return () => cloud.call(registry.createTagRetentionExecution, { registryId, retentionId: retentionPolicyList[0]?.retentionId ?? 0 });
}

/** Makes another registry, and a rule that copies to it what is pushed from now on, and deletes it there. */
export async function copyOf({ cloud, registryId, make, addressOf, username }: Stage, destNamespace: string, value: string) {
  const copyId = await make("copy-images");
  const rule = { name: "all", destNamespace, override: true, deletion: true, filters: [{ type: "name" as const, value }] };
  await cloud.call(registry.manageReplication, { sourceRegistryId: registryId, destinationRegistryId: copyId, rule });
  const { token } = await cloud.call(registry.createInstanceToken, { registryId: copyId, tokenType: "temp" });
  return { copyId, copy: askerAt(await addressOf(copyId), basic(username, token)) };
}
