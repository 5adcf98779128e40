import { randomBytes } from "node:crypto";
import { type Answer, type Ask, sha256 } from "./stage.fixture.ts";

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

/** Pushes a blob in one request. */
export async function pushBlob(ask: Ask, name: string, bytes = randomBytes(64), digest = sha256(bytes)): Promise<Descriptor> {
  expected(await ask("POST", `/v2/${name}/blobs/uploads/?digest=${digest}`, { body: bytes }), 201);
  return { mediaType: types.layer, digest, size: bytes.length };
}

export async function pushManifest(
  ask: Ask,
  name: string,
  reference: string,
  manifest: Readonly<Record<string, unknown>> & { mediaType: string },
): Promise<Descriptor> {
  const body = Buffer.from(JSON.stringify(manifest));
  expected(await ask("PUT", `/v2/${name}/manifests/${reference}`, { body, headers: { "content-type": manifest.mediaType } }), 201);
  return { mediaType: manifest.mediaType, digest: sha256(body), size: body.length };
}

/** A manifest of an image whose config and layer are pushed. */
export async function imageOf(ask: Ask, name: string, given: object = {}) {
  const config = { ...(await pushBlob(ask, name, Buffer.from("{}"))), mediaType: types.config };
  return { schemaVersion: 2, mediaType: types.image, config, layers: [await pushBlob(ask, name)], ...given };
}

/** Pushes a small image. */
export async function pushImage(ask: Ask, name: string, reference: string, given: object = {}): Promise<Descriptor> {
  return pushManifest(ask, name, reference, await imageOf(ask, name, given));
}

/** Begins an upload, and answers its address. */
export async function begin(ask: Ask, name: string, query = ""): Promise<string> {
  return expected(await ask("POST", `/v2/${name}/blobs/uploads/${query}`), 202).headers.get("location") ?? "";
}

/** The codes of an answer's errors. */
export function codesIn({ json }: Answer): string[] {
  const { errors } = json as { errors: { code: string }[] };
  return errors.map(({ code }) => code);
}
