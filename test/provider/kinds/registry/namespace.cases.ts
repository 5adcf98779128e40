import { repositoriesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import { tagsOf } from "../../../lifecycle/template.ts";
import { unknown } from "../../../support/structs.ts";
import { type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { makeRegistry } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("Namespace");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-namespaces");
  let names = 0;
  const base = () => ({ registryId, namespaceName: `team-${names++}`, isPublic: false });
  const nameOf = (id: string): string => id.split("/")[1] ?? "";
  const modify = (change: object) => (id: string) =>
    cloud.call(registry.modifyNamespace, { registryId, namespaceName: nameOf(id), ...change });
  const retag = (value: string) => modify({ tagSpecification: { resourceType: "namespace", tags: [{ key: "team", value }] } });
  const rule = { key: "latestPushedK" as const, value: 10, cronSetting: "weekly" as const, disabled: false };
  const ruleOf = async (id: string) =>
    (await cloud.call(registry.describeTagRetentionRules, { registryId, namespaceName: nameOf(id) })).retentionPolicyList;
  const cves = ["CVE-2026-12345", "CVE-2026-00001"];
  const modifies = ["ModifyNamespace"];
  const changed = setByHand(modify, modifies);
  return {
    unread: { registryId: "is a part of the id", namespaceName: "is a part of the id" },
    cases: [
      changed(base(), { isPublic: true }),
      changed(base(), { autoScan: true }, { byHand: modify({ isAutoScan: true }) }),
      changed({ ...base(), severity: "high" }, { severity: "low" }, { byHand: modify({ severity: "low", isPreventVul: true }) }),
      changed(
        { ...base(), severity: "high" },
        { severity: undefined },
        { how: "no longer looked at", byHand: modify({ isPreventVul: false }) },
      ),
      {
        input: "cveWhitelist",
        from: { ...base(), cveWhitelist: cves },
        byHand: modify({ cveWhitelistItems: [...cves.toReversed(), "CVE-2026-77777"].map((cveId) => ({ cveId })) }),
        shows: { cveWhitelist: [...cves, "CVE-2026-77777"] },
        repairs: modifies,
      },
      unnoticed(
        "cveWhitelist",
        "in another order",
        { ...base(), cveWhitelist: cves },
        modify({ cveWhitelistItems: cves.toReversed().map((cveId) => ({ cveId })) }),
      ),
      {
        input: "retentionRule",
        from: { ...base(), retentionRule: rule },
        byHand: async (id) => {
          const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, namespaceName: nameOf(id) });
          const namespaceId = namespaceList.find(({ name }) => name === nameOf(id))?.namespaceId ?? 0;
          for (const { retentionId } of await ruleOf(id))
            await cloud.call(registry.modifyTagRetentionRule, {
              ...{ registryId, retentionId, namespaceId, cronSetting: "daily", disabled: false },
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
      changed({ ...base(), tags: { team: "a" } }, { tags: { team: "b" } }, { byHand: retag("b") }),
      unnoticed("tags", "the provider's own", { ...base(), tags: { team: "a" } }, retag("a")),
      unnoticed("cveWhitelist", "empty, as tags are", { ...base(), autoScan: false, cveWhitelist: [], tags: {} }),
    ],
  };
}

/** Two in the first registry, and one in the second that images are copied to. */
async function site({ cloud, idsOf }: Site): Promise<readonly string[]> {
  const [registryId = "", archiveId = ""] = idsOf("RegistryInstance");
  const checked = { isAutoScan: true, severity: "high" as const, isPreventVul: true };
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false, ...checked });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "public", isPublic: true });
  await cloud.call(registry.createNamespace, { registryId: archiveId, namespaceName: "copies", isPublic: false });
  return [`${registryId}/team`, `${registryId}/public`, `${archiveId}/copies`];
}

export const cases: KindCases = {
  drifts,
  creates: { operation: registry.createNamespace },
  killed: {
    tagged: ({ stage, registryId }) => ({
      args: { registryId, namespaceName: "crew", isPublic: false },
      count: () => stage.rows("namespaces"),
      beside: false,
      tags: async () => {
        const { namespaceList } = await stage.cloud.call(registry.describeNamespaces, { registryId, all: true });
        return tagRecord(namespaceList.find(({ name }) => name === "crew")?.tagSpecification.tags);
      },
    }),
  },
  site,
  idsIn: idsOfTable("namespaces"),
  program: {
    one: () => `const { namespaceName } = new Namespace("team", {
  registryId, namespaceName: "team", isPublic: false, tags,
  severity: "high", cveWhitelist: ["CVE-2026-12345", "CVE-2026-00001"],
  retentionRule: { key: "latestPushedK", value: 10, cronSetting: "weekly" },
});
const copies = new Namespace("copies", { registryId: archive.registryId, namespaceName: "copies", isPublic: false, tags });`,
  },
  random: {
    template: {
      needs: { registry: "RegistryInstance" },
      replaces: true,
      args: ({ version, place }, refer) => ({
        registryId: refer("registry", "registryId"),
        namespaceName: `place-${place}`,
        isPublic: version % 2 === 1,
        tags: tagsOf(version),
      }),
    },
    renamed: { exempt: "its name cannot be changed" },
    deleted: async (cloud, { id }) => {
      const [registryId = "", namespaceName = ""] = id.split("/");
      for (const { repositoryName } of await repositoriesOf(cloud, registryId, namespaceName))
        await cloud.call(registry.deleteRepository, { registryId, namespaceName, repositoryName });
      return cloud.call(registry.deleteNamespace, { registryId, namespaceName });
    },
    imported: { exempt: "would need a registry that was made by hand, too" },
  },
  judged: {
    "a new namespace of which is not known whether it is public": create({ isPublic: unknown }, ["undecided"], {
      says: "whether it lets somebody in is known only after apply",
    }),
    "a new namespace of which is secret whether it is public": create({ isPublic: "[secret]" }, ["undecided"], {
      says: "whether it lets somebody in is not known, because the value is secret",
    }),
    "a public namespace": update({ isPublic: false }, { isPublic: true }, ["access-opened"]),
    "a namespace of which is not known whether it is public": update({ isPublic: false }, { isPublic: unknown }, ["undecided"]),
    "another retention": update({}, { retentionRule: { key: "latestPushedK", value: 1 } }, ["irreversible"], { undo: "no" }),
  },
};
