import {
  createTagRetentionExecution,
  createTagRetentionRule,
  deleteTagRetentionRule,
  describeTagRetentionRules,
  modifyTagRetentionRule,
} from "../../../catalogue/registry/retention.ts";
import { type Call, on } from "../../behaviour.ts";
import { pageOf } from "../paging.ts";
import { applyRetention, nextRun, runRetention } from "./retention-runs.ts";
import { newNumber, registryOf, runningRegistry } from "../states.ts";
import { timestampOf } from "../../timestamp.ts";
import { namespaces, type NamespaceRow, type RetentionRow, retentionRules } from "../tables.ts";

export const retentionBehaviours = [
  on(createTagRetentionRule, (call, { registryId, namespaceId, cronSetting, retentionRule, disabled = false }) => {
    runningRegistry(call, registryId);
    const namespace = numberedNamespace(call, registryId, namespaceId);
    refuseValue(call, retentionRule);
    const known = call.rows(retentionRules).get(namespace.id);
    if (known)
      throw call.error(
        "InternalError.ErrConflict",
        `namespace ${namespace.name} has retention rule ${known.number} already; a namespace has one, which ModifyTagRetentionRule changes`,
      );
    call.rows(retentionRules).insert(
      {
        id: namespace.id,
        number: newNumber(call.world),
        registryId,
        namespace: namespace.name,
        ...retentionRule,
        cronSetting,
        disabled,
        doneUntil: call.now,
      },
      registryId,
    );
    return {};
  }),

  on(modifyTagRetentionRule, (call, { registryId, namespaceId, retentionId, cronSetting, retentionRule, disabled }) => {
    const rule = numberedRule(call, registryId, retentionId);
    const namespace = numberedNamespace(call, registryId, namespaceId);
    if (namespace.name !== rule.namespace)
      throw call.error(
        "InvalidParameter.ErrorTcrInvalidParameter",
        `retention rule ${retentionId} is that of namespace ${rule.namespace}, not of ${namespace.name}; a rule stays with its namespace`,
      );
    if (retentionRule) refuseValue(call, retentionRule);
    call.rows(retentionRules).update(rule.id, {
      ...(retentionRule ?? { key: rule.key, value: rule.value }),
      cronSetting,
      disabled: disabled ?? rule.disabled,
      doneUntil: call.now,
    });
    return {};
  }),

  on(describeTagRetentionRules, (call, { registryId, namespaceName, ...page }) => {
    registryOf(call, registryId);
    const found = call
      .rows(retentionRules)
      .list(registryId)
      .filter(({ namespace }) => namespace === (namespaceName ?? namespace));
    return { retentionPolicyList: pageOf(call, found, page).map((rule) => recordOf(call, rule)), totalCount: found.length };
  }),

  on(deleteTagRetentionRule, (call, { registryId, retentionId }) => {
    call.rows(retentionRules).remove(numberedRule(call, registryId, retentionId).id);
    return {};
  }),

  on(createTagRetentionExecution, (call, { registryId, retentionId, dryRun = false }) => {
    const rule = numberedRule(call, registryId, retentionId);
    if (!dryRun) runRetention(call, rule, call.now);
    return {};
  }),
];

function numberedNamespace(call: Call<"ResourceNotFound.TcrResourceNotFound">, registryId: string, namespaceId: number): NamespaceRow {
  const found = call
    .rows(namespaces)
    .list(registryId)
    .find(({ number }) => number === namespaceId);
  if (!found)
    throw call.error("ResourceNotFound.TcrResourceNotFound", `registry ${registryId} has no namespace with NamespaceId ${namespaceId}`);
  return found;
}

/** The rule with a number. Its due runs are carried out first, so that a change only affects later ones. */
function numberedRule(
  call: Call<"ResourceNotFound" | "ResourceNotFound.TcrResourceNotFound">,
  registryId: string,
  retentionId: number,
): RetentionRow {
  registryOf(call, registryId);
  applyRetention(call, registryId);
  const found = call
    .rows(retentionRules)
    .list(registryId)
    .find(({ number }) => number === retentionId);
  if (!found) throw call.error("ResourceNotFound.TcrResourceNotFound", `registry ${registryId} has no retention rule ${retentionId}`);
  return found;
}

function refuseValue(call: Call<"InvalidParameter.ErrorTcrInvalidParameter">, { key, value }: Pick<RetentionRow, "key" | "value">): void {
  if (value < 1)
    throw call.error(
      "InvalidParameter.ErrorTcrInvalidParameter",
      `RetentionRule has ${key} ${value}; it takes a number of ${key === "latestPushedK" ? "images" : "days"}, 1 or more`,
    );
}

function recordOf({ now }: Call, { number, namespace, key, value, cronSetting, disabled }: RetentionRow) {
  const next = nextRun({ cronSetting, disabled }, now);
  return {
    retentionId: number,
    namespaceName: namespace,
    retentionRuleList: [{ key, value }],
    cronSetting,
    disabled,
    nextExecutionTime: next === undefined ? "" : timestampOf(next),
  };
}
