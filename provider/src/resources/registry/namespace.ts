import { type Cloud, registryRules } from "@container-platform/sdk";
import { namespacesOf, retentionRulesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { allowed, cleared, object, tagPairs, told, unordered } from "../../definition/inputs.ts";
import { idOf, joined } from "../../definition/ids.ts";
import { recently } from "../../definition/context.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { tagList, tagRecord } from "../tags.ts";
import { imageNames, imageNamesOf } from "./pulling/image-names.ts";
import { RegistryInstance } from "./registry-instance.ts";

const retentionRule = object({
  key: z.enum(registry.retentionKeys),
  value: z.int().min(1),
  cronSetting: z.enum(registry.cronSettings),
  disabled: z.boolean().default(false),
});

/** The arguments of `Namespace`. */
export interface NamespaceArgs {
  /** The registry. A change replaces the namespace. */
  registryId: Input<string>;
  /** Name: 2 to 30 lower-case letters, digits and single separators (`.`, `_`, `-`) between them. A change replaces the namespace. */
  namespaceName: Input<string>;
  /** Whether images can be pulled without a login. */
  isPublic: Input<boolean>;
  /** Whether images are scanned when they are pushed. */
  autoScan?: Input<boolean | undefined>;
  /** Lowest severity of vulnerabilities that blocks the pull of an image. Default: none, nothing is blocked. */
  severity?: Input<"low" | "medium" | "high" | undefined>;
  /** Vulnerabilities to ignore, such as `CVE-2026-12345`. Default: none. */
  cveWhitelist?: Input<readonly Input<string>[] | undefined>;
  /** Images to keep. All others are deleted when the rule runs. Default: all images are kept. */
  retentionRule?: Input<NamespaceRetentionRule | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface NamespaceRetentionRule {
  /** Images to keep: `latestPushedK`, the newest images of each repository; `nDaysSinceLastPush`, the images pushed in the last days. */
  key: Input<"latestPushedK" | "nDaysSinceLastPush">;
  /** Number of images or days, at least 1. */
  value: Input<number>;
  /** Schedule on which the other images are deleted: `manual`, `daily`, `weekly` or `monthly`. */
  cronSetting: Input<"manual" | "daily" | "weekly" | "monthly">;
  /** Whether the rule is disabled. Default: false. */
  disabled?: Input<boolean | undefined>;
}

export interface NamespaceImagePrefixOutput {
  /** For pushes and pulls over the internet. */
  public: string;
  /** For pulls from a VPC that resolves the private domain. */
  vpc: string;
}

/** The properties of a `Namespace` once they are known. */
export interface NamespaceState extends ResolvedWithDefaults<NamespaceArgs, "autoScan" | "disabled"> {
  /** The first part of the names of its images, `<server>/<namespace>`, by the network that the images are pulled from. */
  imagePrefix: NamespaceImagePrefixOutput;
}

/**
 * A namespace of a registry: the first part of the names of its images, with their access, scans and retention.
 *
 * @example
 * const team = new Namespace("team", {
 *   registryId: images.registryId,
 *   namespaceName: "team",
 *   isPublic: false,
 *   severity: "high",
 *   retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
 * });
 */
export class Namespace extends resource<NamespaceArgs, NamespaceState>()("Namespace", {
  inputs: {
    registryId: idOf("tcr"),
    namespaceName: allowed(z.string(), registryRules.namespaceName),
    isPublic: z.boolean(),
    autoScan: z.boolean().default(false),
    severity: cleared(z.enum(registry.severities)),
    cveWhitelist: cleared(unordered(z.array(allowed(z.string(), registryRules.vulnerability)))),
    retentionRule: cleared(retentionRule),
    tags: cleared(tagPairs),
  },
  outputs: { imagePrefix: imageNames },
  id: joined("tcr-3f8a0c1e/team", "registryId", "namespaceName"),
}).managed({
  within: { kind: RegistryInstance.kind, by: "registryId", keeps: true },
  create: (cloud, { registryId, namespaceName, ...settings }) =>
    cloud.call(registry.createNamespace, { registryId, namespaceName, ...settingsOf(settings) }),
  owned: "namespace",
  read: async (cloud, { registryId, namespaceName, imagePrefix }) => {
    // DescribeNamespaces also returns namespaces whose names only contain this one.
    const found = (await namespacesOf(cloud, registryId)).find(({ name }) => name === namespaceName);
    if (!found) return undefined;
    const rule = (await retentionRulesOf(cloud, registryId)).find((one) => one.namespaceName === namespaceName);
    return {
      registryId,
      namespaceName,
      isPublic: found.public,
      autoScan: found.autoScan,
      severity: found.preventVul ? registry.severities.find((severity) => severity === found.severity) : undefined,
      cveWhitelist: found.cveWhitelistItems.length > 0 ? found.cveWhitelistItems.map(({ cveId }) => cveId) : undefined,
      retentionRule:
        rule &&
        told(retentionRule, { ...rule.retentionRuleList[0], cronSetting: rule.cronSetting, disabled: rule.disabled }, "retentionRule"),
      tags: tagRecord(found.tagSpecification.tags),
      imagePrefix: imagePrefix ?? (await imageNamesOf(cloud, registryId, namespaceName)),
    };
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) => (await namespacesOf(cloud, registryId)).map(({ name }) => ({ registryId, namespaceName: name }))),
  delete: (cloud, { registryId, namespaceName }) => cloud.call(registry.deleteNamespace, { registryId, namespaceName }),

  changes: {
    registryId: "replace",
    namespaceName: "replace",
    isPublic: modify,
    autoScan: modify,
    severity: modify,
    cveWhitelist: modify,
    tags: modify,
    retentionRule: settleRetention,
  },
  holdsWorkloads: true,
  hints: {
    "FailedOperation.ErrorTcrResourceConflict":
      'The namespace already exists. To manage it, add { import: "<registryId>/<namespaceName>" } to the options',
    "FailedOperation.PreconditionFailed": "Delete the repositories first, if their images are no longer needed",
  },
}) {}
export interface Namespace extends Outputs<NamespaceState> {}

type Settings = Omit<NamespaceState, "imagePrefix">;

function settingsOf({ isPublic, autoScan, severity, cveWhitelist = [], tags }: Omit<Settings, "registryId" | "namespaceName">) {
  return {
    isPublic,
    isAutoScan: autoScan,
    isPreventVul: severity !== undefined,
    severity,
    cveWhitelistItems: cveWhitelist.map((cveId) => ({ cveId })),
    tagSpecification: { resourceType: "namespace", tags: tagList(tags) },
  };
}

function modify(cloud: Cloud, { registryId, namespaceName, ...settings }: Settings) {
  return cloud.call(registry.modifyNamespace, { registryId, namespaceName, ...settingsOf(settings) });
}

/** A rule refers to its namespace by a number, and is changed and deleted by its own number. */
async function settleRetention(cloud: Cloud, { registryId, namespaceName, retentionRule: desired }: Settings) {
  // Both have just been read, to see that the rule differs.
  const just = cloud.tolerating(recently);
  const namespace = (await namespacesOf(just, registryId)).find(({ name }) => name === namespaceName);
  const live = (await retentionRulesOf(just, registryId)).find((one) => one.namespaceName === namespaceName);
  if (!namespace) return;
  if (!desired) {
    if (live) await cloud.call(registry.deleteTagRetentionRule, { registryId, retentionId: live.retentionId });
    return;
  }
  const { key, value, cronSetting, disabled } = desired;
  const rule = { registryId, namespaceId: namespace.namespaceId, cronSetting, disabled, retentionRule: { key, value } };
  if (live) await cloud.call(registry.modifyTagRetentionRule, { ...rule, retentionId: live.retentionId });
  else await cloud.call(registry.createTagRetentionRule, rule);
}
