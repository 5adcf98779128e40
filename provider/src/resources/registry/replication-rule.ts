import { type Cloud, registryRules } from "@container-platform/sdk";
import { registryAnywhereFinder, replicationRulesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import { inputError, ProviderError, refusal } from "../../definition/codes.ts";
import { allowed, kept, object, unordered } from "../../definition/inputs.ts";
import { idElsewhere, idOf, joined } from "../../definition/ids.ts";
import { type ArgsOf, below, resource } from "../../definition/resource.ts";
import { destination, region } from "./offers.ts";
import { destinationNamespace, premiumSource, requires } from "./prerequisite.ts";
import { RegistryInstance } from "./registry-instance.ts";
import { recently } from "../../definition/context.ts";

const filterShape = {
  /** Part to match: `name` (`<namespace>/<repository>`), `tag` (the version) or `resource` (the type of artifact). */
  type: z.enum(registry.replicationFilterTypes),
  /** Pattern: `*` matches any characters except `/`, `**` matches any characters. An empty pattern matches all. */
  value: z.string().default(""),
};
type OfFilter = typeof filterShape;
/** By this name, published declarations lead to the comments above. */
export interface ReplicationFilterShape extends OfFilter {}

const filter: z.ZodObject<ReplicationFilterShape, z.core.$strict> = object(filterShape);
type Filter = z.output<typeof filter>;

/**
 * A replication rule: copies pushed images to another registry, in the same region or another one. The rule belongs to the region of the
 * source. It does not copy images that were pushed earlier, and copies remain when the rule is deleted.
 *
 * @example
 * const rule = new ReplicationRule("archive", {
 *   sourceRegistryId: images.registryId,
 *   ruleName: "archive",
 *   destinationRegistryId: archive.registryId,
 *   destNamespace: "copies",
 *   filters: [{ type: "name", value: "team/**" }, { type: "tag", value: "v*" }],
 * });
 */
export class ReplicationRule extends resource("ReplicationRule", {
  inputs: {
    /** The registry to copy from. A change replaces the rule. */
    sourceRegistryId: idOf("tcr"),
    /** Name, without `/`. A change replaces the rule. */
    ruleName: allowed(z.string(), registryRules.ruleName),
    /** The registry to copy to. A change replaces the rule. */
    destinationRegistryId: idElsewhere("tcr"),
    /**
     * Region of the destination, such as `ap-singapore`. Another region requires `registryType` `premium` of the source. Default: the
     * source's. A change replaces the rule.
     */
    destinationRegion: kept(z.string()),
    /** Name of an existing namespace of the destination. */
    destNamespace: allowed(z.string(), registryRules.namespaceName),
    /** Filters, at least one: an image is copied if it matches all of them. */
    filters: unordered(z.array(filter).min(1)),
    /** Whether an image of the same name at the destination is overwritten. */
    override: z.boolean().default(false),
    /** Whether deleting an image deletes its copy. The API does not return this value, so drift of it is not detected. */
    deletion: z.boolean().default(false),
    /** Whether the rule is enabled. */
    enabled: z.boolean().default(true),
    /** Description of the rule. */
    description: z.string().default(""),
  },
  outputs: {},
  id: joined("tcr-3f8a0c1e/archive", "sourceRegistryId", "ruleName"),
}).managed({
  within: { kind: RegistryInstance.kind, by: "sourceRegistryId" },
  create: async (cloud, { sourceRegistryId, ruleName, destinationRegistryId, destinationRegion, ...settings }) => {
    // ManageReplication would change the rule that is there, whoever made it.
    if (await ruleOf(cloud.tolerating(recently), sourceRegistryId, ruleName))
      throw new ProviderError("AlreadyExists", `registry ${sourceRegistryId} has a replication rule ${ruleName} already`);
    const { destNamespace, filters, override, deletion, description } = settings;
    await cloud.call(registry.manageReplication, {
      sourceRegistryId,
      destinationRegistryId,
      destinationRegionId: await regionIdOf(cloud, destinationRegistryId, destinationRegion),
      rule: { name: ruleName, destNamespace, filters, override, deletion },
      description,
    });
  },
  owned: "key",
  read: async (cloud, { sourceRegistryId, ruleName, deletion }) => {
    const found = await ruleOf(cloud, sourceRegistryId, ruleName);
    if (!found) return undefined;
    return {
      sourceRegistryId,
      ruleName,
      destinationRegistryId: found.destination.registryId,
      destinationRegion: found.destination.region,
      destNamespace: found.destination.namespace,
      // Of a filter whose type is not known here, nothing can be said.
      filters: found.filters.flatMap((one) => filter.safeParse(one).data ?? []),
      override: found.override,
      deletion,
      enabled: found.enabled,
      description: found.description,
    };
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) =>
      (await replicationRulesOf(cloud, registryId)).map(({ name }) => ({ sourceRegistryId: registryId, ruleName: name })),
    ),
  delete: (cloud, { sourceRegistryId, ruleName }) => cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName }),

  changes: {
    sourceRegistryId: "replace",
    ruleName: "replace",
    destinationRegistryId: "replace",
    destinationRegion: "replace",
    destNamespace: modify,
    filters: modify,
    override: modify,
    deletion: modify,
    enabled: modify,
    description: modify,
  },
  offered: { destinationRegion: region, destinationRegistryId: destination },
  needsByName: true,
  invariants: { check: [requires(premiumSource), requires(destinationNamespace)] },
  rules: [
    {
      of: "destinationRegistryId",
      broken: ({ sourceRegistryId, destinationRegistryId }) =>
        sourceRegistryId === destinationRegistryId && `${destinationRegistryId} is the source itself: name another registry`,
    },
  ],
  hints: {
    ResourceNotFound: "Both registries have to be there. If the destination is in another region, name that in destinationRegion",
    UnsupportedOperation: 'Set registryType: "premium" on the source registry',
  },
  namesOthers: {
    destNamespace: {
      kind: "Namespace",
      property: "namespaceName",
      parts: (namespaceName, { destinationRegistryId }) => ({ registryId: destinationRegistryId, namespaceName }),
    },
  },
  inputsToImport: (cloud, { destinationRegion }) =>
    Promise.resolve({ destinationRegion: destinationRegion === cloud.region ? undefined : destinationRegion }),
}) {}

export type ReplicationRuleArgs = ArgsOf<typeof ReplicationRule>;

async function ruleOf(cloud: Cloud, registryId: string, ruleName: string) {
  return (await replicationRulesOf(cloud, registryId)).find(({ name }) => name === ruleName);
}

/** The number of the destination's region; none for the source's own, which is the one that the platform takes then. */
async function regionIdOf(cloud: Cloud, registryId: string, region = cloud.region): Promise<number | undefined> {
  if (region === cloud.region) return undefined;
  const found = await registryAnywhereFinder.find(cloud, registryId);
  if (!found) throw refusal([inputError("destinationRegistryId", `there is no registry ${registryId} in ${region}`, "NotFound")]);
  if (found.regionName !== region)
    throw refusal([inputError("destinationRegion", `registry ${registryId} is in ${found.regionName}, not in ${region}`)]);
  return found.regionId;
}

interface Settings {
  readonly sourceRegistryId: string;
  readonly ruleName: string;
  readonly destNamespace: string;
  readonly filters: readonly Filter[];
  readonly override: boolean;
  readonly deletion: boolean;
  readonly enabled: boolean;
  readonly description: string;
}

function modify(cloud: Cloud, { sourceRegistryId, ruleName, description, ...settings }: Settings) {
  const { destNamespace, filters, override, deletion, enabled } = settings;
  const rule = { destNamespace, filters: [...filters], override, deletion, enabled };
  return cloud.call(registry.modifyReplication, { sourceRegistryId, ruleName, rule, description });
}
