import * as registry from "@container-platform/sdk/registry";
import type { Drift, Drifts } from "../../every-kind/drift-law.ts";
import { alter, makeRegistry, retag } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Network } from "../../drifts/place.ts";

export function registryInstanceDrifts(stage: Stage, network: Network): Drifts {
  return {
    type: "RegistryInstance",
    unread: { deleteBucket: "is for the deletion" },
    cases: [...attributes(stage), ...publicAccess(stage), ...internalAccess(stage, network)],
  };
}

let registries = 0;
/** A registry of its own name for each case; a bucket that is not deleted would stay in the world. */
const images = () => ({ registryName: `drift-images-${registries++}`, deleteBucket: true });

function attributes(stage: Stage): Drift[] {
  const { cloud } = stage;
  const modify = ["ModifyInstance"];
  return [
    {
      input: "registryName",
      from: images(),
      byHand: (id) => alter(stage, "registries", id, { name: "drift-renamed" }),
      shows: { registryName: "drift-renamed" },
      tells: ["publicDomain"],
      plan: "replace",
      repairs: ["CreateInstance", "DeleteInstance"],
    },
    {
      input: "registryType",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, registryType: "premium", deletionProtection: false }),
      shows: { registryType: "premium" },
      repairs: modify,
    },
    {
      input: "deletionProtection",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, deletionProtection: true }),
      shows: { deletionProtection: true },
      repairs: modify,
    },
    {
      input: "enableCosVersioning",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, enableCosVersioning: true, deletionProtection: false }),
      shows: { enableCosVersioning: true },
      repairs: modify,
    },
    {
      input: "enableCosMaz",
      from: images(),
      byHand: (id) => alter(stage, "registries", id, { cosMaz: true }),
      shows: { enableCosMaz: true },
      plan: "delete-replace",
      repairs: ["DeleteInstance", "CreateInstance"],
    },
    {
      input: "tags",
      from: { ...images(), tags: { team: "a" } },
      byHand: (id) => retag(stage, "registry", id, { team: "b" }),
      shows: { tags: { team: "b" } },
      repairs: ["ModifyResourceTags"],
    },
    {
      input: "registryType",
      how: "and all else with its default",
      from: {
        ...images(),
        registryType: "basic",
        internalAccess: [],
        deletionProtection: false,
        enableCosVersioning: false,
        enableCosMaz: false,
        tags: {},
      },
    },
  ];
}

function publicAccess(stage: Stage): Drift[] {
  const { cloud } = stage;
  const office = { cidrBlock: "203.0.113.0/24", description: "office" };
  const runner = { cidrBlock: "198.51.100.7" };
  const open = () => ({ ...images(), publicAccess: { whitelist: [office, runner] } });
  const guest = { cidrBlock: "192.0.2.1/32", description: "guest" };
  // What the program says with its default.
  const [runs, room] = [
    { ...runner, description: "" },
    { cidrBlock: "2001:DB8::/64", description: "" },
  ];
  return [
    {
      input: "publicAccess.whitelist",
      from: open(),
      byHand: (registryId) => cloud.call(registry.createSecurityPolicy, { registryId, ...guest }),
      shows: { publicAccess: { whitelist: [office, runs, guest] } },
      repairs: ["DeleteSecurityPolicy"],
    },
    {
      input: "publicAccess.whitelist",
      how: "one described",
      from: open(),
      byHand: (registryId) => cloud.call(registry.modifySecurityPolicy, { registryId, policyIndex: 0, ...office, description: "mine" }),
      shows: { publicAccess: { whitelist: [runs, { ...office, description: "mine" }] } },
      repairs: ["ModifySecurityPolicy"],
    },
    {
      input: "publicAccess.whitelist",
      how: "in another order",
      from: { ...images(), publicAccess: { whitelist: [room, runner, office] } },
      byHand: (id) =>
        alter(stage, "whitelists", id, {
          entries: [office, { cidrBlock: "198.51.100.7/32", description: "" }, { cidrBlock: "2001:db8::/64", description: "" }],
        }),
    },
    {
      input: "publicAccess",
      how: "closed",
      from: open(),
      byHand: (registryId) => cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" }),
      shows: { publicAccess: undefined },
      repairs: ["ManageExternalEndpoint", "CreateSecurityPolicy", "CreateSecurityPolicy"],
    },
    {
      input: "publicAccess",
      how: "opened",
      from: images(),
      byHand: (registryId) => cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" }),
      shows: { publicAccess: { whitelist: [] } },
      repairs: ["ManageExternalEndpoint"],
    },
    { input: "publicAccess", how: "for nobody", from: { ...images(), publicAccess: { whitelist: [] } } },
  ];
}

function internalAccess(stage: Stage, { vpcId, subnetIds: [first, second] }: Network): Drift[] {
  const { cloud } = stage;
  const inside = () => ({ ...images(), internalAccess: [{ vpcId, subnetId: first }] });
  const link = (registryId: string, subnetId: string, operation: "Create" | "Delete") =>
    cloud.call(registry.manageInternalEndpoint, { registryId, operation, vpcId, subnetId });
  const connects = ["ManageInternalEndpoint", "CreateInternalEndpointDns"];
  const unnamed = async (instanceId: string) => {
    const { accessVpcSet } = await cloud.call(registry.describeInternalEndpoints, { registryId: instanceId });
    for (const { accessIp: eniLbIp } of accessVpcSet) await cloud.call(registry.deleteInternalEndpointDns, { instanceId, vpcId, eniLbIp });
  };
  return [
    {
      input: "internalAccess",
      how: "cut",
      from: inside(),
      byHand: (id) => link(id, first, "Delete"),
      shows: { internalAccess: undefined },
      tells: ["internalDomains", "internalEndpoint"],
      repairs: connects,
    },
    {
      input: "internalAccess",
      how: "in another subnet",
      from: inside(),
      byHand: async (id) => {
        await link(id, first, "Delete");
        await link(id, second, "Create");
      },
      shows: { internalAccess: [{ vpcId, subnetId: second, dns: false }] },
      tells: ["internalDomains", "internalEndpoint"],
      repairs: ["ManageInternalEndpoint", ...connects],
    },
    {
      input: "internalAccess",
      how: "no longer resolved",
      from: inside(),
      byHand: unnamed,
      shows: { internalAccess: [{ vpcId, subnetId: first, dns: false }] },
      tells: ["internalDomains"],
      repairs: ["CreateInternalEndpointDns"],
    },
  ];
}

export async function namespaceDrifts(stage: Stage): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-namespaces");
  let names = 0;
  const base = () => ({ registryId, namespaceName: `team-${names++}`, isPublic: false });
  const nameOf = (id: string): string => id.split("/")[1] ?? "";
  const modify = (change: object) => (id: string) =>
    cloud.call(registry.modifyNamespace, { registryId, namespaceName: nameOf(id), ...change });
  const rule = { key: "latestPushedK" as const, value: 10, cronSetting: "weekly" as const, disabled: false };
  const ruleOf = async (id: string) =>
    (await cloud.call(registry.describeTagRetentionRules, { registryId, namespaceName: nameOf(id) })).retentionPolicyList;
  const cves = ["CVE-2026-12345", "CVE-2026-00001"];
  const modifies = ["ModifyNamespace"];
  return {
    type: "Namespace",
    unread: { registryId: "is a part of the id", namespaceName: "is a part of the id" },
    cases: [
      { input: "isPublic", from: base(), byHand: modify({ isPublic: true }), shows: { isPublic: true }, repairs: modifies },
      { input: "autoScan", from: base(), byHand: modify({ isAutoScan: true }), shows: { autoScan: true }, repairs: modifies },
      {
        input: "severity",
        from: { ...base(), severity: "high" },
        byHand: modify({ severity: "low", isPreventVul: true }),
        shows: { severity: "low" },
        repairs: modifies,
      },
      {
        input: "severity",
        how: "no longer looked at",
        from: { ...base(), severity: "high" },
        byHand: modify({ isPreventVul: false }),
        shows: { severity: undefined },
        repairs: modifies,
      },
      {
        input: "cveWhitelist",
        from: { ...base(), cveWhitelist: cves },
        byHand: modify({ cveWhitelistItems: [...cves.toReversed(), "CVE-2026-77777"].map((cveId) => ({ cveId })) }),
        shows: { cveWhitelist: [...cves, "CVE-2026-77777"] },
        repairs: modifies,
      },
      {
        input: "cveWhitelist",
        how: "in another order",
        from: { ...base(), cveWhitelist: cves },
        byHand: modify({ cveWhitelistItems: cves.toReversed().map((cveId) => ({ cveId })) }),
      },
      {
        input: "retentionRule",
        from: { ...base(), retentionRule: rule },
        byHand: async (id) => {
          const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, namespaceName: nameOf(id) });
          const namespaceId = namespaceList.find(({ name }) => name === nameOf(id))?.namespaceId ?? 0;
          for (const { retentionId } of await ruleOf(id))
            await cloud.call(registry.modifyTagRetentionRule, {
              registryId,
              retentionId,
              namespaceId,
              cronSetting: "daily",
              disabled: false,
              retentionRule: { key: rule.key, value: 10 },
            });
        },
        shows: { retentionRule: { ...rule, cronSetting: "daily" } },
        repairs: ["ModifyTagRetentionRule"],
      },
      {
        input: "retentionRule",
        how: "taken away",
        from: { ...base(), retentionRule: rule },
        byHand: async (id) => {
          for (const { retentionId } of await ruleOf(id)) await cloud.call(registry.deleteTagRetentionRule, { registryId, retentionId });
        },
        shows: { retentionRule: undefined },
        repairs: ["CreateTagRetentionRule"],
      },
      {
        input: "tags",
        from: { ...base(), tags: { team: "a" } },
        byHand: modify({ tagSpecification: { resourceType: "namespace", tags: [{ key: "team", value: "b" }] } }),
        shows: { tags: { team: "b" } },
        repairs: modifies,
      },
      {
        input: "tags",
        how: "the provider's own",
        from: { ...base(), tags: { team: "a" } },
        byHand: modify({ tagSpecification: { resourceType: "namespace", tags: [{ key: "team", value: "a" }] } }),
      },
      { input: "cveWhitelist", how: "empty, as tags are", from: { ...base(), autoScan: false, cveWhitelist: [], tags: {} } },
    ],
  };
}

export async function tokenDrifts(stage: Stage): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-tokens");
  const tokenOf = (id: string) => ({ registryId, tokenId: id.split("/")[1] ?? "" });
  const modify = ["ModifyInstanceToken"];
  return {
    type: "Token",
    unread: {
      registryId: "is a part of the id",
      tokenType: "the id tells it",
      renewBefore: "is the program's own",
    },
    cases: [
      {
        input: "desc",
        from: { registryId, desc: "for nodes" },
        byHand: (id) => cloud.call(registry.modifyInstanceToken, { ...tokenOf(id), modifyFlag: 1, desc: "mine" }),
        shows: { desc: "mine" },
        repairs: modify,
      },
      {
        input: "enabled",
        from: { registryId },
        byHand: (id) => cloud.call(registry.modifyInstanceToken, { ...tokenOf(id), modifyFlag: 2, enable: false }),
        shows: { enabled: false },
        repairs: modify,
      },
      { input: "enabled", how: "and all else with its default", from: { registryId, tokenType: "longterm", desc: "", enabled: true } },
    ],
  };
}
