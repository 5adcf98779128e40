import * as operations from "../../../catalogue/registry/retention.ts";
import { type Call, type Context, on } from "../../behaviour.ts";
import { pageOf } from "../../requests/listing.ts";
import { timestampOf } from "../../time.ts";
import { type Inside, newNumber, registryOf, requireInside, runningRegistry } from "../states.ts";
import { type ImageRow, images, type NamespaceRow, namespaces, repositories, type RetentionRow, retentionRules } from "../tables.ts";
import { removeImage, isImmutable, repositoryIn } from "./images.ts";

const day = 24 * 60 * 60 * 1000;

/**
 * The latest scheduled run of a rule up to a moment, and the next one: at midnight UTC of every day, of every Monday, or of every first
 * day of a month. `undefined` for a rule that is manual or disabled.
 */
function runsAround({ cronSetting, disabled }: RetentionRow, moment: number): { latest: number; next: number } | undefined {
  if (cronSetting === "manual" || disabled) return undefined;
  const date = new Date(moment);
  const [year, month, today] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (cronSetting === "monthly") return { latest: Date.UTC(year, month), next: Date.UTC(year, month + 1) };
  if (cronSetting === "daily") return { latest: Date.UTC(year, month, today), next: Date.UTC(year, month, today + 1) };
  const monday = today - ((date.getUTCDay() + 6) % 7);
  return { latest: Date.UTC(year, month, monday), next: Date.UTC(year, month, monday + 7) };
}

/**
 * Carries out the runs of a registry's retention rules that are due. Of several missed runs only the last is carried out: it also
 * deletes what the earlier ones would have deleted.
 */
export function applyRetention(at: Context, registryId: string): void {
  for (const rule of at.list(retentionRules, registryId)) {
    const runs = runsAround(rule, at.now);
    if (!runs || runs.latest <= rule.doneUntil) continue;
    runRetention(at, rule, runs.latest);
    at.rows(retentionRules).update(rule.id, { doneUntil: runs.latest });
  }
}

/** Deletes the images that a rule does not keep, as of a moment: images pushed later do not count. */
function runRetention(at: Context, { registryId, namespace, key, value }: RetentionRow, moment: number): void {
  const own = at.list(repositories, registryId).filter((repository) => repository.namespace === namespace);
  for (const { id, name } of own) {
    const there = at.list(images, id).filter(({ pushedAt }) => pushedAt <= moment);
    const gone =
      key === "latestPushedK" ? newestFirst(there).slice(value) : there.filter(({ pushedAt }) => pushedAt < moment - value * day);
    const repository = repositoryIn(at, { registryId, namespace, repository: name });
    for (const { version } of gone) if (!isImmutable(repository, version)) removeImage(repository, version);
  }
}

/** Images in order of their push, newest first. Of images pushed at the same moment, the one inserted last is the newest. */
export function newestFirst(of: readonly ImageRow[]): ImageRow[] {
  return of.toReversed().sort((one, other) => other.pushedAt - one.pushedAt);
}

export const retentionBehaviours = [
  on(operations.createTagRetentionRule, (call, { registryId, namespaceId, cronSetting, retentionRule, disabled = false }) => {
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
  }),

  on(operations.modifyTagRetentionRule, (call, { registryId, namespaceId, retentionId, cronSetting, retentionRule, disabled }) => {
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
  }),

  on(operations.describeTagRetentionRules, (call, { registryId, namespaceName, ...page }) => {
    registryOf(call, registryId);
    const found = call.list(retentionRules, registryId).filter(({ namespace }) => namespace === (namespaceName ?? namespace));
    return { retentionPolicyList: pageOf(call, found, page).map((rule) => recordOf(call, rule)), totalCount: found.length };
  }),

  on(operations.deleteTagRetentionRule, (call, { registryId, retentionId }) => {
    call.rows(retentionRules).remove(numberedRule(call, registryId, retentionId).id);
  }),

  on(operations.createTagRetentionExecution, (call, { registryId, retentionId, dryRun = false }) => {
    const rule = numberedRule(call, registryId, retentionId);
    if (!dryRun) runRetention(call, rule, call.now);
  }),
];

function numberedNamespace(call: Inside, registryId: string, namespaceId: number): NamespaceRow {
  const found = call.list(namespaces, registryId).find(({ number }) => number === namespaceId);
  return requireInside(call, registryId, `namespace with NamespaceId ${namespaceId}`, found);
}

/** The rule with a number. Its due runs are carried out first, so that a change only affects later ones. */
function numberedRule(call: Inside, registryId: string, retentionId: number): RetentionRow {
  registryOf(call, registryId);
  applyRetention(call, registryId);
  const found = call.list(retentionRules, registryId).find(({ number }) => number === retentionId);
  return requireInside(call, registryId, `retention rule ${retentionId}`, found);
}

function refuseValue(call: Call<"InvalidParameter.ErrorTcrInvalidParameter">, { key, value }: Pick<RetentionRow, "key" | "value">): void {
  if (value < 1)
    throw call.error(
      "InvalidParameter.ErrorTcrInvalidParameter",
      `RetentionRule has ${key} ${value}; it takes a number of ${key === "latestPushedK" ? "images" : "days"}, 1 or more`,
    );
}

function recordOf({ now }: Call, rule: RetentionRow) {
  const { number, namespace, key, value, cronSetting, disabled } = rule;
  const runs = runsAround(rule, now);
  return {
    retentionId: number,
    namespaceName: namespace,
    retentionRuleList: [{ key, value }],
    cronSetting,
    disabled,
    nextExecutionTime: runs ? timestampOf(runs.next) : "",
  };
}
