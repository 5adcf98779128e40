import type { Plan } from "../plan/plan.ts";
import type { Report } from "../report.ts";
import { type Subject } from "../plan/subject.ts";
import { differencesOf } from "../plan/properties.ts";
import { holds, holdsUnknown, Secret } from "../plan/values.ts";

/** What this review could not analyse. It is reported, and never taken for harmless. */
export function unanalysedOf(plan: Plan, changed: readonly Subject[]): Report["unanalysed"] {
  const { subjects, lacksSames, hasDependencies, hasEventLog, failures, violations } = plan;
  const foreign = changed.filter(({ kind }) => kind === undefined);
  const types = [...new Set(foreign.map(({ type }) => type))];
  const waiting = changed.filter(({ inputs }) => Object.values(inputs).some(holdsUnknown)).length;
  const differences = changed.map((subject) => differencesOf(subject).flatMap(({ before, after }) => [before, after]));
  const secretsIn = (isHashed: boolean): number =>
    differences.filter((values) =>
      values.some((value) => holds(value, (one) => one instanceof Secret && (one.digest !== undefined) === isHashed)),
    ).length;
  const [hashed, notShown] = [secretsIn(true), secretsIn(false)];
  const lacksOrder =
    failures.length === 0 && changed.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined);
  const found = [
    failures.length > 0 && "the preview did not finish: further changes are not known",
    foreign.length > 0 && `${counted(foreign.length)} of other providers (${types.join(", ")}): what their changes mean is not known here`,
    !hasDependencies &&
      subjects.length > 0 &&
      "dependencies: an event log does not have them. Give the output of pulumi preview --json, too",
    lacksSames &&
      failures.length === 0 &&
      changed.some(({ operation }) => operation !== "create") &&
      "resources that do not change: this preview was made without --show-sames",
    lacksOrder && "the order of replacements: this preview was made without --show-replacement-steps",
    !hasEventLog &&
      subjects.length > 0 &&
      violations.length === 0 &&
      "results of policy packs: only the engine's event log has them (--event-log)",
    waiting > 0 && `values that are known only after apply, in ${counted(waiting)}: the fingerprint does not bind them`,
    !plan.isKeyed &&
      hashed > 0 &&
      `secrets, in ${counted(hashed)}: without CONTAINER_PLATFORM_REVIEW_KEY, the fingerprint does not bind them`,
    notShown > 0 && `secrets that the engine does not show, in ${counted(notShown)}: the fingerprint does not bind them`,
  ];
  return found.filter((sentence): sentence is string => typeof sentence === "string");
}

function counted(resources: number): string {
  return `${resources} resource${resources === 1 ? "" : "s"}`;
}
