import { deleteImageAt } from "./images.ts";
import { isImmutable } from "./immutability.ts";
import type { Context } from "../states.ts";
import { images, type ImageRow, repositories, type RetentionRow, retentionRules } from "../tables.ts";

const day = 24 * 60 * 60 * 1000;

/**
 * The latest scheduled run of a rule up to a moment: at midnight UTC of every day, of every Monday, or of every first day of a month.
 * `undefined` for a manual rule.
 */
function latestRun(cronSetting: RetentionRow["cronSetting"], upTo: number): number | undefined {
  const date = new Date(upTo);
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (cronSetting === "manual") return undefined;
  if (cronSetting === "monthly") return Date.UTC(year, month);
  const sinceMonday = cronSetting === "weekly" ? (date.getUTCDay() + 6) % 7 : 0;
  return Date.UTC(year, month, dayOfMonth - sinceMonday);
}

/** The next scheduled run of a rule; `undefined` if it has none. */
export function nextRun({ cronSetting, disabled }: Pick<RetentionRow, "cronSetting" | "disabled">, now: number): number | undefined {
  const latest = latestRun(cronSetting, now);
  if (latest === undefined || disabled) return undefined;
  const date = new Date(latest);
  if (cronSetting === "monthly") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return latest + (cronSetting === "weekly" ? 7 : 1) * day;
}

/**
 * Carries out the runs of a registry's retention rules that are due. Of several missed runs only the last is carried out: it also
 * deletes what the earlier ones would have deleted.
 */
export function applyRetention(at: Context, registryId: string): void {
  const rows = at.world.rows(retentionRules, at.region, at.account);
  for (const rule of rows.list(registryId)) {
    const due = latestRun(rule.cronSetting, at.now);
    if (rule.disabled || due === undefined || due <= rule.doneUntil) continue;
    runRetention(at, rule, due);
    rows.update(rule.id, { doneUntil: due });
  }
}

/** Deletes the images that a rule does not keep, as of a moment: images pushed later do not count. */
export function runRetention(at: Context, { registryId, namespace, key, value }: RetentionRow, moment: number): void {
  const own = at.world
    .rows(repositories, at.region, at.account)
    .list(registryId)
    .filter((repository) => repository.namespace === namespace);
  for (const { id, name } of own) {
    const there = at.world
      .rows(images, at.region, at.account)
      .list(id)
      .filter(({ pushedAt }) => pushedAt <= moment);
    const gone =
      key === "latestPushedK" ? newestFirst(there).slice(value) : there.filter(({ pushedAt }) => pushedAt < moment - value * day);
    const path = { registryId, namespace, repository: name };
    for (const { version } of gone) if (!isImmutable(at, path, version)) deleteImageAt(at, path, version);
  }
}

/** Images in order of their push, newest first. Of images pushed at the same moment, the one inserted last is the newest. */
export function newestFirst(of: readonly ImageRow[]): ImageRow[] {
  return of.toReversed().sort((one, other) => other.pushedAt - one.pushedAt);
}
