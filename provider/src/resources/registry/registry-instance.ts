import { type Cloud, readinessOf, registryRules } from "@container-platform/sdk";
import { everyRegistry, namespacesOf, registryFinder } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import { registryStatus } from "@container-platform/sdk/status/registry";
import { type Input, type Output, output } from "@pulumi/pulumi";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../definition/codes.ts";
import type { Live } from "../../definition/definition.ts";
import { allowed, cleared, tagPairs } from "../../definition/inputs.ts";
import { joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { outlivingRegistry } from "./registry-outliving.ts";
import { dedicatedDomain, disconnect, internalAccessSchema, liveInternalAccess, settleInternalAccess } from "./access/internal-access.ts";
import { isFree, unreservedName } from "./offers.ts";
import { inSameVpc } from "../network/same-vpc.ts";
import { wideRanges } from "../wide-ranges.ts";
import { livePublicAccess, publicAccessSchema, settlePublicAccess } from "./access/public-access.ts";
import { type PullSource, serverFor } from "./pulling/pull-server.ts";

/** The arguments of `RegistryInstance`. */
export interface RegistryInstanceArgs {
  /** Name, unique on the whole platform: 5 to 50 lower-case letters, digits and `-`. A change replaces the registry. */
  registryName: Input<string>;
  /** Edition: `basic`, `standard` or `premium`. */
  registryType?: Input<"basic" | "standard" | "premium" | undefined>;
  /** Public endpoint, with an IP allowlist. Default: closed. */
  publicAccess?: Input<RegistryInstancePublicAccess | undefined>;
  /** Private endpoints, one for each VPC. Default: none. */
  internalAccess?: Input<readonly Input<RegistryInstanceInternalAccess>[] | undefined>;
  /**
   * Protects the registry from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you delete the
   * registry.
   */
  deletionProtection?: Input<boolean | undefined>;
  /** Whether the storage bucket is deleted with the registry. Otherwise the bucket is retained and billed. */
  deleteBucket?: Input<boolean | undefined>;
  /** Whether the storage bucket keeps old versions of objects. */
  enableCosVersioning?: Input<boolean | undefined>;
  /** Whether the storage bucket spans several zones. A change replaces the registry. */
  enableCosMaz?: Input<boolean | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface RegistryInstancePublicAccess {
  /** IP allowlist for logins, pushes and pulls from the internet. If it is empty, no client is allowed. The order does not matter. */
  whitelist: Input<readonly Input<RegistryInstancePublicAccessWhitelist>[]>;
}

export interface RegistryInstancePublicAccessWhitelist {
  /** IPv4 or IPv6 CIDR block, or an IP address, such as `203.0.113.7/32`; a /0 is not allowed. */
  cidrBlock: Input<string>;
  /** Description of the entry. Default: empty. */
  description?: Input<string | undefined>;
}

export interface RegistryInstanceInternalAccess {
  /** The connected VPC. */
  vpcId: Input<string>;
  /** Subnet of the private endpoint. A change deletes the endpoint and creates another one. */
  subnetId: Input<string>;
  /** Whether the VPC resolves the registry's private domain, which pulls require. Default: true. */
  dns?: Input<boolean | undefined>;
}

/** The properties of a `RegistryInstance` once they are known. */
export interface RegistryInstanceState extends ResolvedWithDefaults<
  RegistryInstanceArgs,
  "registryType" | "deletionProtection" | "deleteBucket" | "enableCosVersioning" | "enableCosMaz" | "description" | "dns"
> {
  /** ID of the registry, such as `tcr-3f8a0c1e`. */
  registryId: string;
  /**
   * Domain of the public endpoint. It is reachable while `publicAccess` is set; on the emulator, only if the emulator serves registries.
   */
  publicDomain: string;
  /** IP address of the private endpoint; empty while no VPC is connected. Do not pull from this address: use `pullServer`. */
  internalEndpoint: string;
  /** The private domain by VPC ID, for each connected VPC that resolves the domain. */
  internalDomains: Record<string, string>;
}

/**
 * A registry of container images, with optional public and private endpoints.
 *
 * @example
 * const images = new RegistryInstance("images", {
 *   registryName: "acme-images",
 *   internalAccess: [{ vpcId: vpc.vpcId, subnetId: nodes.subnetId }],
 * });
 * export const server = images.pullServer({ vpcId: vpc.vpcId });
 */
export class RegistryInstance extends resource<RegistryInstanceArgs, RegistryInstanceState>()("RegistryInstance", {
  inputs: {
    registryName: allowed(z.string(), registryRules.registryName),
    registryType: z.enum(registry.registryTypes).default("basic"),
    publicAccess: publicAccessSchema,
    internalAccess: internalAccessSchema,
    deletionProtection: z.boolean().default(false),
    deleteBucket: z.boolean().default(false),
    enableCosVersioning: z.boolean().default(false),
    enableCosMaz: z.boolean().default(false),
    tags: cleared(tagPairs),
  },
  outputs: {
    registryId: z.string(),
    publicDomain: z.string(),
    internalEndpoint: z.string(),
    internalDomains: z.record(z.string(), z.string()),
  },
  states: { status: readinessOf.registry },
  id: joined("tcr-3f8a0c1e", "registryId"),
}).managed({
  create: (cloud, { publicAccess: _open, internalAccess: _connected, deleteBucket: _later, tags, ...settings }) =>
    cloud.call(registry.createInstance, { ...settings, tagSpecification: tags && { resourceType: "instance", tags: tagList(tags) } }),
  owned: "registry",
  read: async (cloud, { registryId, deleteBucket }) => {
    const found = await registryFinder.find(cloud, registryId);
    if (!found) return undefined;
    const { reason, requestId } = await registryStatus(cloud, found);
    const access = await accessOf(cloud, found);
    return { ...found, ...access, reason, requestId, deleteBucket, tags: tagRecord(found.tagSpecification.tags) };
  },
  list: everyRegistry,
  delete: async (cloud, { registryId, deleteBucket }) => {
    await refuseOtherNamespaces(cloud, registryId);
    return cloud.call(registry.deleteInstance, { registryId, deleteBucket });
  },

  changes: {
    registryName: "replace",
    enableCosMaz: "replace",
    registryType: modify,
    enableCosVersioning: modify,
    deletionProtection: modify,
    publicAccess: settlePublicAccess,
    internalAccess: settleInternalAccess,
    tags: (cloud, { registryId, tags }, live) => retagged(cloud, "registry", registryId, tags, live.tags),
    deleteBucket: "local-only",
  },
  offered: { registryName: unreservedName },
  invariants: { check: [inSameVpc("internalAccess.*.subnetId", "internalAccess.*.vpcId")] },
  warnings: [
    ({ publicAccess }) =>
      wideRanges(
        "publicAccess.whitelist",
        publicAccess?.whitelist.map(({ cidrBlock }) => cidrBlock),
      ),
  ],
  // Two registries with the same name cannot exist at the same time.
  unique: [{ by: "registryName", as: "name", isFree }],
  holdsWorkloads: true,
  protectedBy: "deletionProtection",
  hints: { "InvalidParameter.ErrorNameExists": "Take another registryName: it is unique over the platform, other accounts included" },
  // Specification, Limits: a registry that is not ready after an hour has to be asked about.
  seconds: { create: 3600, update: 3600, delete: 1800 },
  outliving: outlivingRegistry,
  detach: {
    input: "internalAccess",
    from: (cloud, { registryId }, id, wait) => disconnect(cloud, registryId, ({ subnetId }) => subnetId === id, wait),
  },
}) {
  /**
   * Returns the server for the login and the pulls of container clients: the public domain, or the private domain of a VPC.
   * Fails if the registry has no endpoint there. Public pulls cost a traffic fee.
   *
   * @param source `"public"`, or the VPC that the images are pulled from
   * @example
   * registry.pullServer("public"); // "acme-images.registry.example"
   * registry.pullServer({ vpcId: vpc.vpcId }); // "acme-images-vpc.registry.example"
   */
  pullServer(source: PullSource): Output<string> {
    const { registryName, publicDomain, publicAccess, internalEndpoint, internalDomains } = this;
    const vpcId = source === "public" ? undefined : source.vpcId;
    return output({ registryName, publicDomain, publicAccess, internalEndpoint, internalDomains, vpcId }).apply(serverFor);
  }
}
export interface RegistryInstance extends Outputs<RegistryInstanceState> {}

type Found = NonNullable<Awaited<ReturnType<typeof registryFinder.find>>>;

/** The access to the registry, once it is Running. */
async function accessOf(cloud: Cloud, { registryId, status, publicDomain }: Found) {
  if (status !== "Running")
    return { publicAccess: undefined, internalAccess: undefined, internalEndpoint: "", internalDomains: {}, lacking: undefined };
  const [{ publicAccess, lacking: opening }, { internalAccess, resolving, lacking }] = await Promise.all([
    livePublicAccess(cloud, registryId),
    liveInternalAccess(cloud, registryId),
  ]);
  const internalDomains = Object.fromEntries(resolving.map((vpcId) => [vpcId, dedicatedDomain(publicDomain)]));
  return { publicAccess, internalAccess, internalDomains, lacking: opening ?? lacking };
}

type Settings = Pick<RegistryInstanceState, "registryId" | "registryType" | "deletionProtection" | "enableCosVersioning">;

function modify(cloud: Cloud, { registryId, registryType, deletionProtection, enableCosVersioning }: Settings, live: Live<Settings>) {
  return cloud.call(registry.modifyInstance, {
    registryId,
    deletionProtection,
    ...(registryType === live.registryType ? {} : { registryType }),
    ...(enableCosVersioning === live.enableCosVersioning ? {} : { enableCosVersioning }),
  });
}

/** DeleteInstance deletes everything in a registry. What still stands in it was not created by this stack, or is kept, or names the registry by a literal id. */
async function refuseOtherNamespaces(cloud: Cloud, registryId: string): Promise<void> {
  const names = (await namespacesOf(cloud.tolerating(0), registryId)).map(({ name }) => name);
  if (names.length > 0)
    throw new ProviderError(
      "InUse",
      `not deleted: it still has namespaces, which would be deleted with their images: ${names.join(", ")}. Delete them first, in the program that declares them. To keep the registry without managing it, run \`pulumi state delete\``,
    );
}
