import { z } from "zod";
import type { NewManifest } from "../../local/registry/content/images.ts";

/** The codes of the distribution specification ("Error Codes"). */
export type RefusalCode =
  | "BLOB_UNKNOWN"
  | "BLOB_UPLOAD_INVALID"
  | "BLOB_UPLOAD_UNKNOWN"
  | "DENIED"
  | "DIGEST_INVALID"
  | "MANIFEST_BLOB_UNKNOWN"
  | "MANIFEST_INVALID"
  | "MANIFEST_UNKNOWN"
  | "NAME_INVALID"
  | "NAME_UNKNOWN"
  | "SIZE_INVALID"
  | "UNAUTHORIZED"
  | "UNSUPPORTED"
  // Of what is no client's fault, for which the specification has no code.
  | "UNKNOWN";

/** An answer that refuses a request, to be thrown. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly detail: unknown;

  constructor(
    status: number,
    code: RefusalCode,
    message: string,
    { headers = {}, detail }: { readonly headers?: Readonly<Record<string, string>>; readonly detail?: unknown } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.detail = detail;
  }
}

/** A client that gets no answer, as from an address behind which nobody is. To be thrown. */
export class HungUp extends Error {
  override readonly name = "HungUp";
}

/** The algorithms whose digests are taken, with the number of their hexadecimal digits. */
const digits = { sha256: 64, sha512: 128 } as const;

export type Algorithm = keyof typeof digits;

/** What an image client names content by: `<algorithm>:<hex>`. */
export interface Digest {
  readonly text: string;
  readonly algorithm: Algorithm;
  readonly hex: string;
}

export function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(digits, text);
}

/** A digest; `undefined` for another text. */
function digestIn(text: string): Digest | undefined {
  const [, algorithm = "", hex = ""] = /^([a-z0-9]+):([0-9a-f]+)$/.exec(text) ?? [];
  return isAlgorithm(algorithm) && hex.length === digits[algorithm] ? { text, algorithm, hex } : undefined;
}

/** @throws Refusal for a text that is no digest. */
export function digestFrom(text: string): Digest {
  const digest = digestIn(text);
  if (digest) return digest;
  throw new Refusal(400, "DIGEST_INVALID", `${shown(text)} is no digest: it takes sha256: and 64, or sha512: and 128 hexadecimal digits`);
}

/** @throws Refusal for an algorithm that is not taken. */
export function algorithmFrom(text: string): Algorithm {
  if (isAlgorithm(text)) return text;
  throw new Refusal(400, "DIGEST_INVALID", `there is no algorithm ${shown(text)} here: it takes ${Object.keys(digits).join(" or ")}`);
}

export function digestOf(algorithm: Algorithm, hex: string): Digest {
  return { text: `${algorithm}:${hex}`, algorithm, hex };
}

/** The beginning of a text that somebody has sent. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** A part of some bytes; both ends belong to it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The part that a `Range` header asks for; `undefined` for all: other units and several parts are answered with the whole (RFC 9110, 14.2). */
export function askedSpan(header: string | undefined, size: number): Span | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  if (first >= size || (from === "" && Number(to) === 0)) {
    const headers = { "content-range": `bytes */${size}` };
    throw new Refusal(416, "SIZE_INVALID", `the content has ${size} bytes, and none of those that Range asks for`, { headers });
  }
  return { first, last };
}

/** The part that a chunk is, by its `Content-Range`; `undefined` without one. */
export function chunkSpan(header: string | undefined): Span | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d+|\*))?$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first))
    throw new Refusal(
      400,
      "BLOB_UPLOAD_INVALID",
      `Content-Range is ${JSON.stringify(header)}; it takes the first and the last byte, as in 0-1023`,
    );
  return { first: Number(first), last: Number(last) };
}

/** The full name of a repository (distribution specification, "Pulling manifests"). */
const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const fullName = new RegExp(`^${part}(?:/${part})*$`);
const tagName = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const mostCharacters = 255;

/** What a manifest is asked for by. */
export type Reference = { readonly tag: string; readonly digest?: undefined } | { readonly digest: Digest; readonly tag?: undefined };

/** @throws Refusal for a path that is not encoded as paths are. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "NAME_INVALID", `${shown(path)} is no path`);
  }
}

/** @throws Refusal for a text that is no name of a repository. */
export function nameFrom(text: string): string {
  if (fullName.test(text) && text.length <= mostCharacters) return text;
  throw new Refusal(
    400,
    "NAME_INVALID",
    `${shown(text)} is no name of a repository: it takes at most ${mostCharacters} lower-case letters, digits and separators (., _, -, /), as in team/web`,
  );
}

/** @throws Refusal for an invalid digest or tag. */
export function referenceFrom(text: string): Reference {
  return text.includes(":") ? { digest: digestFrom(text) } : { tag: tagFrom(text) };
}

/** @throws Refusal for a text that is no tag. */
export function tagFrom(text: string): string {
  if (tagName.test(text)) return text;
  throw new Refusal(
    400,
    "MANIFEST_INVALID",
    `${shown(text)} is no tag: it takes 1 to 128 letters, digits, _, - and ., the first none of - and .`,
  );
}

const imageTypes = ["application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json"] as const;
export const indexType = "application/vnd.oci.image.index.v1+json";
const indexTypes = [indexType, "application/vnd.docker.distribution.manifest.list.v2+json"] as const;
/** Layers that a registry need not have: whoever pulls them gets them elsewhere. */
const foreignType = /^application\/vnd\.(oci\.image\.layer\.nondistributable\.|docker\.image\.rootfs\.foreign\.)/;

const descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().refine((text) => digestIn(text) !== undefined, "is no digest of sha256 or sha512"),
  size: z.int().min(0),
  urls: z.array(z.string()).optional(),
});
const shared = {
  schemaVersion: z.literal(2),
  mediaType: z.string().optional(),
  artifactType: z.string().optional(),
  subject: descriptor.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
};
const image = z.object({ ...shared, config: descriptor, layers: z.array(descriptor) });
const index = z.object({ ...shared, manifests: z.array(descriptor) });

/** The most bytes of a manifest (distribution specification, "Pushing Manifests": at least 4 megabytes). */
export const mostManifestBytes = 4 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * What a manifest says of itself.
 *
 * @throws Refusal for a type that is not taken, and for what is no manifest of its type.
 */
export function readManifest(bytes: Uint8Array, contentType: string | undefined, digest: Digest): NewManifest {
  const json = jsonIn(bytes);
  const own = z.object({ mediaType: z.string().optional() }).safeParse(json).data?.mediaType;
  const given = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  const mediaType = given || own;
  if (mediaType === undefined) throw invalid("the manifest says no media type, neither as Content-Type nor as mediaType");
  if (own !== undefined && own !== mediaType)
    throw invalid(`Content-Type is ${shown(mediaType)}, but mediaType of the manifest is ${shown(own)}`);
  const known = { digest: digest.text, mediaType, size: bytes.byteLength };
  if (imageTypes.some((type) => type === mediaType)) {
    const read = checked(image, json);
    const needed = [read.config, ...read.layers].filter((one) => !foreignType.test(one.mediaType));
    const blobs = new Map(needed.map(({ digest: of, size }) => [of, { digest: of, size }]));
    return {
      ...known,
      ...sharedFacts(read),
      artifactType: read.artifactType || read.config.mediaType,
      blobs: [...blobs.values()],
      manifests: [],
    };
  }
  if (indexTypes.some((type) => type === mediaType)) {
    const read = checked(index, json);
    const listed = new Set(read.manifests.map(({ digest: of }) => of));
    return {
      ...known,
      ...sharedFacts(read),
      ...(read.artifactType && { artifactType: read.artifactType }),
      blobs: [],
      manifests: [...listed],
    };
  }
  throw invalid(`manifests of type ${shown(mediaType)} are not taken: it takes ${[...imageTypes, ...indexTypes].join(", ")}`);
}

function sharedFacts({ subject, annotations }: Pick<z.output<typeof index>, "subject" | "annotations">) {
  return { ...(subject && { subject: subject.digest }), ...(annotations && { annotations }) };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalid("the manifest is no JSON");
  }
}

function checked<Of extends z.ZodType>(schema: Of, json: unknown): z.output<Of> {
  const { data, error } = schema.safeParse(json);
  if (error) {
    const [first] = error.issues;
    throw invalid(`the manifest is none of its type: ${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`);
  }
  return data;
}

function invalid(message: string): Refusal {
  return new Refusal(400, "MANIFEST_INVALID", message);
}
