import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeRegistry } from "../../stage/outside.ts";

/** What each input of a Namespace does when it changes and when it is taken out. */
await laws(async (stage) => {
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
  return {
    type: "Namespace",
    base,
    creates: ["CreateNamespace"],
    full: { ...strict, ...tidy, tags: { team: "a" }, isPublic: true, autoScan: true },
    createsFull: ["CreateNamespace", "CreateTagRetentionRule"],
    updates: ["ModifyNamespace"],
    deletes: ["DeleteNamespace"],
    changes: [
      { to: { registryId: other }, does: "replace" },
      { to: { namespaceName: "crew" }, does: "replace" },
      { to: { isPublic: true } },
      ...inAndOut(base, { autoScan: true }),
      { to: { severity: "medium" } },
      { from: strict, to: { severity: "low" } },
      { from: strict, to: { severity: undefined } },
      { from: strict, to: { cveWhitelist: ["CVE-2026-00002"] } },
      { of: "cveWhitelist, another order", from: strict, to: { cveWhitelist: strict.cveWhitelist.toReversed() }, does: "nothing" },
      { from: strict, to: { cveWhitelist: undefined } },
      { to: { retentionRule: rule }, calls: ["CreateTagRetentionRule"] },
      { from: tidy, to: { retentionRule: { ...rule, value: 3 } }, calls: ["ModifyTagRetentionRule"] },
      { of: "retentionRule, resting", from: tidy, to: { retentionRule: { ...rule, disabled: true } }, calls: ["ModifyTagRetentionRule"] },
      { from: tidy, to: { retentionRule: undefined }, calls: ["DeleteTagRetentionRule"] },
      ...eachWay(base, { tags: [{ team: "a" }, { team: "b" }] }),
    ],
    unknowns: [
      ...notKnown("replace", ["registryId", "namespaceName"]),
      ...notKnown("update", ["isPublic", "autoScan", "severity", "cveWhitelist", "retentionRule", "tags"]),
      { of: "one of cveWhitelist", to: { cveWhitelist: [unknown] }, does: "update" },
      { of: "a part of retentionRule", to: { retentionRule: { ...rule, value: unknown } }, does: "update" },
    ],
    vanish: () => cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team" }),
  };
});
