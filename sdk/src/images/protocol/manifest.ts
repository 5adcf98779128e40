import { z } from "zod";
import type { NewManifest } from "../../local/registry/content/images.ts";
import { type Digest, digestIn, shown } from "./digest.ts";
import { Refusal } from "./refusal.ts";

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
    const blobs = needed.map(({ digest: of, size }) => ({ digest: of, size }));
    return {
      ...known,
      ...sharedFacts(read),
      artifactType: read.artifactType || read.config.mediaType,
      blobs: distinct(blobs),
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

function distinct(blobs: NewManifest["blobs"]): NewManifest["blobs"] {
  return [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
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
