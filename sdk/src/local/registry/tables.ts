import { z } from "zod";
import { registryTypes } from "../../catalogue/registry/instances.ts";
import { replicationFilters } from "../../catalogue/registry/replication.ts";
import { cronSettings, retentionKeys } from "../../catalogue/registry/retention.ts";
import { severities } from "../../catalogue/registry/structures.ts";
import { tokenTypes } from "../../catalogue/registry/credentials.ts";
import { tags } from "../../catalogue/shared.ts";
import { table } from "../store/table.ts";
import { timelineSchema } from "../store/timeline.ts";

export const registries = table("registries", () => ({
  name: z.string(),
  type: z.enum(registryTypes),
  timeline: timelineSchema,
  /** The operation whose progress the timeline has. */
  doing: z.enum(["Create", "Update", "Delete"]),
  publicAccess: timelineSchema,
  createdAt: z.string(),
  prepaid: z.object({ expiredAt: z.string(), renewFlag: z.int() }).optional(),
  deletionProtection: z.boolean(),
  cosMaz: z.boolean(),
  cosVersioning: z.boolean(),
  /** The most bytes of its images; no limit if it is absent. */
  quota: z.int().optional(),
  tags,
}));
export type RegistryRow = z.output<typeof registries.row>;

/** Storage buckets of registries, which no operation lists. A bucket stays after its registry unless it is deleted with it. */
export const buckets = table("buckets", () => ({ registryId: z.string() }));

/** A registry's whitelist; its id is the registry's. The position of an entry in the list is its `PolicyIndex`. */
export const whitelists = table("whitelists", () => ({
  /** Grows by one at every change. */
  version: z.int(),
  entries: z.array(z.object({ cidrBlock: z.string(), description: z.string() })),
}));

/** A connection to a VPC. Belongs to its registry; its id is `<registry>/<vpc>/<subnet>`. */
export const internalEndpoints = table("internalEndpoints", () => ({
  registryId: z.string(),
  vpcId: z.string(),
  subnetId: z.string(),
  timeline: timelineSchema,
  address: z.string(),
}));
export type InternalEndpointRow = z.output<typeof internalEndpoints.row>;

/** A name of a registry that a VPC resolves. Belongs to its registry; its id is `<registry>/<vpc>/<domain>`. */
export const internalNames = table("internalNames", () => ({
  registryId: z.string(),
  vpcId: z.string(),
  domain: z.string(),
  address: z.string(),
  timeline: timelineSchema,
}));

/** Belongs to its registry. Only the fingerprint of the secret is kept. */
export const registryTokens = table("registryTokens", () => ({
  registryId: z.string(),
  type: z.enum(tokenTypes),
  username: z.string(),
  fingerprint: z.string(),
  desc: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.number(),
}));
export type TokenRow = z.output<typeof registryTokens.row>;

/** Belongs to its registry; its id is `<registry>/<name>`. */
export const namespaces = table("namespaces", () => ({
  registryId: z.string(),
  name: z.string(),
  /** The `NamespaceId` of operations. */
  number: z.int(),
  isPublic: z.boolean(),
  autoScan: z.boolean(),
  /** Images with a vulnerability of this severity or above are blocked; none if it is absent. */
  severity: z.enum(severities).optional(),
  cves: z.array(z.string()),
  signed: z.boolean(),
  /** Patterns of tags that stay as they were pushed. */
  immutableTags: z.array(z.string()).optional(),
  createdAt: z.string(),
  /** What the specification of its tags was given as; `instance` unless given (public API). */
  tagsOf: z.string().optional(),
  tags,
}));
export type NamespaceRow = z.output<typeof namespaces.row>;

/** Belongs to its registry; its id is `<registry>/<namespace>/<name>`. */
export const repositories = table("repositories", () => ({
  registryId: z.string(),
  namespace: z.string(),
  name: z.string(),
  briefDescription: z.string(),
  description: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
}));
export type RepositoryRow = z.output<typeof repositories.row>;

/** Belongs to its repository; its id is `<repository>:<version>`. */
export const images = table("images", () => ({
  version: z.string(),
  digest: z.string(),
  size: z.int(),
  pushedAt: z.number(),
  /** What a scan found. */
  vulnerabilities: z.array(z.object({ cveId: z.string(), severity: z.enum(severities) })),
}));
export type ImageRow = z.output<typeof images.row>;

/** A manifest whose content is there. Belongs to its repository; its id is `<repository>@<digest>`. A tag of it is an image. */
export const manifests = table("manifests", () => ({
  digest: z.string(),
  mediaType: z.string(),
  size: z.int(),
  artifactType: z.string().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  /** The digest of the manifest that it refers to. */
  subject: z.string().optional(),
  /** The blobs that it needs, each with its size. */
  blobs: z.array(z.object({ digest: z.string(), size: z.int() })),
  /** The manifests that it lists. */
  manifests: z.array(z.string()),
}));
export type ManifestRow = z.output<typeof manifests.row>;

/** A blob that may be pulled from a repository. Belongs to it; its id is `<repository>@<digest>`. */
export const blobs = table("blobs", () => ({
  digest: z.string(),
  size: z.int(),
  /** When it was last pushed, by the machine's clock: it is kept for a while, even if no manifest needs it yet. */
  linkedAt: z.number(),
}));
export type BlobRow = z.output<typeof blobs.row>;

/** Belongs to its registry; its id is `<registry>/<name>`. Only the fingerprint of the password is kept. */
export const serviceAccounts = table("serviceAccounts", () => ({
  registryId: z.string(),
  name: z.string(),
  fingerprint: z.string(),
  description: z.string(),
  disabled: z.boolean(),
  /** -1: never. */
  expiresAt: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  permissions: z.array(z.object({ resource: z.string(), actions: z.array(z.string()) })),
  /** Only calls in the public API's form set and read them. */
  tags: tags.optional(),
}));
export type ServiceAccountRow = z.output<typeof serviceAccounts.row>;

/** Belongs to its source registry; its id is `<source>/<name>`. */
export const replicationRules = table("replicationRules", () => ({
  number: z.int(),
  sourceId: z.string(),
  name: z.string(),
  description: z.string(),
  destination: z.object({ registryId: z.string(), region: z.string(), namespace: z.string() }),
  override: z.boolean(),
  deletion: z.boolean(),
  enabled: z.boolean().default(true),
  filters: replicationFilters,
  createdAt: z.string(),
  updatedAt: z.string(),
}));
export type ReplicationRow = z.output<typeof replicationRules.row>;

/** Belongs to its registry; its id is `<registry>/<namespace>`: a namespace has one. */
export const retentionRules = table("retentionRules", () => ({
  number: z.int(),
  registryId: z.string(),
  namespace: z.string(),
  key: z.enum(retentionKeys),
  value: z.int(),
  cronSetting: z.enum(cronSettings),
  disabled: z.boolean(),
  /** Runs up to this moment are done. */
  doneUntil: z.number(),
}));
export type RetentionRow = z.output<typeof retentionRules.row>;
