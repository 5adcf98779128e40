import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a Namespace does when it changes and when it is taken out. */
async function namespaceTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "laws-first");
  const other = await makeRegistry(stage, "laws-second");
  // Names are found by a part of them: this one is not to be taken for that of the table.
  await stage.before(
    () => cloud.call(registry.createNamespace, { registryId, namespaceName: "team-two", isPublic: true, severity: "low" }),
    () => cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team-two" }),
  );

  const base = { registryId, namespaceName: "team", isPublic: false };
  const rule = { key: "latestPushedK", value: 10, cronSetting: "weekly", disabled: false };
  const strict = { ...base, severity: "high", cveWhitelist: ["CVE-2026-12345", "CVE-2026-00001"] };
  const tidy = { ...base, retentionRule: rule };
  const tagged = { ...base, tags: { team: "a" } };
  const modify = ["ModifyNamespace"];
  const replaced = ["CreateNamespace", "DeleteNamespace"];
  return {
    type: "Namespace",
    inputs: ["registryId", "namespaceName", "isPublic", "autoScan", "severity", "cveWhitelist", "retentionRule", "tags"],
    base,
    creates: ["CreateNamespace"],
    full: { ...strict, ...tidy, ...tagged, isPublic: true, autoScan: true },
    createsFull: ["CreateNamespace", "CreateTagRetentionRule"],
    deletes: ["DeleteNamespace"],
    changes: [
      { of: "registryId", to: { registryId: other }, does: "replace", calls: replaced },
      { of: "namespaceName", to: { namespaceName: "crew" }, does: "replace", calls: replaced },
      { of: "isPublic", to: { isPublic: true }, does: "update", calls: modify },
      { of: "autoScan", to: { autoScan: true }, does: "update", calls: modify },
      { of: "autoScan, taken out", from: { ...base, autoScan: true }, to: { autoScan: undefined }, does: "update", calls: modify },
      { of: "severity, put in", to: { severity: "medium" }, does: "update", calls: modify },
      { of: "severity", from: strict, to: { severity: "low" }, does: "update", calls: modify },
      { of: "severity, taken out", from: strict, to: { severity: undefined }, does: "update", calls: modify },
      { of: "cveWhitelist", from: strict, to: { cveWhitelist: ["CVE-2026-00002"] }, does: "update", calls: modify },
      {
        of: "cveWhitelist, another order",
        from: strict,
        to: { cveWhitelist: ["CVE-2026-00001", "CVE-2026-12345"] },
        does: "nothing",
        calls: [],
      },
      { of: "cveWhitelist, taken out", from: strict, to: { cveWhitelist: undefined }, does: "update", calls: modify },
      { of: "retentionRule, put in", to: { retentionRule: rule }, does: "update", calls: ["CreateTagRetentionRule"] },
      { of: "retentionRule", from: tidy, to: { retentionRule: { ...rule, value: 3 } }, does: "update", calls: ["ModifyTagRetentionRule"] },
      {
        of: "retentionRule, resting",
        from: tidy,
        to: { retentionRule: { ...rule, disabled: true } },
        does: "update",
        calls: ["ModifyTagRetentionRule"],
      },
      { of: "retentionRule, taken out", from: tidy, to: { retentionRule: undefined }, does: "update", calls: ["DeleteTagRetentionRule"] },
      { of: "tags", from: tagged, to: { tags: { team: "b" } }, does: "update", calls: modify },
      { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: modify },
    ],
    unknowns: [
      { of: "registryId", to: { registryId: unknown }, does: "replace" },
      { of: "namespaceName", to: { namespaceName: unknown }, does: "replace" },
      { of: "isPublic", to: { isPublic: unknown }, does: "update" },
      { of: "autoScan", to: { autoScan: unknown }, does: "update" },
      { of: "severity", to: { severity: unknown }, does: "update" },
      { of: "cveWhitelist", to: { cveWhitelist: unknown }, does: "update" },
      { of: "one of cveWhitelist", to: { cveWhitelist: [unknown] }, does: "update" },
      { of: "retentionRule", to: { retentionRule: unknown }, does: "update" },
      { of: "a part of retentionRule", to: { retentionRule: { ...rule, value: unknown } }, does: "update" },
      { of: "tags", to: { tags: unknown }, does: "update" },
    ],
    vanish: () => cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team" }),
  };
}

await laws(namespaceTable);
