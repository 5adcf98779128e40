import { type Cloud, registryRules } from "@container-platform/sdk";
import { registryAnywhereFinder, replicationRulesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import { inputError, ProviderError, refusal } from "../../definition/codes.ts";
import type { Input } from "@pulumi/pulumi";
import { allowed, kept, object, unordered } from "../../definition/inputs.ts";
import { idElsewhere, idOf, joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { destination, region } from "./offers.ts";
import { destinationNamespace, premiumSource, requires } from "./prerequisite.ts";
import { RegistryInstance } from "./registry-instance.ts";
import { recently } from "../../definition/context.ts";

const filter = object({
  type: z.enum(registry.replicationFilterTypes),
  value: z.string().default(""),
});

/** The arguments of `ReplicationRule`. */
export interface ReplicationRuleArgs {
  /** The registry to copy from. A change replaces the rule. */
  sourceRegistryId: Input<string>;
  /** Name, without `/`. A change replaces the rule. */
  ruleName: Input<string>;
  /** The registry to copy to. A change replaces the rule. */
  destinationRegistryId: Input<string>;
  /** Name of an existing namespace of the destination. */
  destNamespace: Input<string>;
  /** Filters, at least one: an image is copied if it matches all of them. */
  filters: Input<readonly Input<ReplicationRuleFilter>[]>;
  /**
   * Region of the destination, such as `ap-singapore`. Another region requires `registryType` `premium` of the source. Default: the
   * source's. A change replaces the rule.
   */
  destinationRegion?: Input<string | undefined>;
  /** Whether an image of the same name at the destination is overwritten. */
  override?: Input<boolean | undefined>;
  /** Whether deleting an image deletes its copy. The API does not return this value, so drift of it is not detected. */
  deletion?: Input<boolean | undefined>;
  /** Whether the rule is enabled. */
  enabled?: Input<boolean | undefined>;
  /** Description of the rule. */
  description?: Input<string | undefined>;
}

export interface ReplicationRuleFilter {
  /** Part to match: `name` (`<namespace>/<repository>`), `tag` (the version) or `resource` (the type of artifact). */
  type: Input<"tag" | "name" | "resource">;
  /** Pattern: `*` matches any characters except `/`, `**` matches any characters. An empty pattern matches all. */
  value?: Input<string | undefined>;
}

/** The properties of a `ReplicationRule` once they are known. */
export type ReplicationRuleState = ResolvedWithDefaults<ReplicationRuleArgs, "override" | "deletion" | "enabled" | "description" | "value">;

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
export class ReplicationRule extends resource<ReplicationRuleArgs, ReplicationRuleState>()("ReplicationRule", {
  inputs: {
    sourceRegistryId: idOf("tcr"),
    ruleName: allowed(z.string(), registryRules.ruleName),
    destinationRegistryId: idElsewhere("tcr"),
    destinationRegion: kept(z.string()),
    destNamespace: allowed(z.string(), registryRules.namespaceName),
    filters: unordered(z.array(filter).min(1)),
    override: z.boolean().default(false),
    deletion: z.boolean().default(false),
    enabled: z.boolean().default(true),
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
      ...found,
      sourceRegistryId,
      ruleName,
      destinationRegistryId: found.destination.registryId,
      destinationRegion: found.destination.region,
      destNamespace: found.destination.namespace,
      // Of a filter whose type is not known here, nothing can be said.
      filters: found.filters.flatMap((one) => filter.safeParse(one).data ?? []),
      deletion,
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
export interface ReplicationRule extends Outputs<ReplicationRuleState> {}

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

function modify(cloud: Cloud, { sourceRegistryId, ruleName, description, ...settings }: ReplicationRuleState) {
  const { destNamespace, filters, override, deletion, enabled } = settings;
  const rule = { destNamespace, filters, override, deletion, enabled };
  return cloud.call(registry.modifyReplication, { sourceRegistryId, ruleName, rule, description });
}
