import type { Plan } from "../plan/plan.ts";
import type { Report } from "../report.ts";
import { type Subject } from "../plan/subject.ts";
import { holdsUnknown } from "../plan/values.ts";

/** What this review could not look at. It is said, and never taken for harmless. */
export function unanalysedOf(plan: Plan, changed: readonly Subject[]): Report["unanalysed"] {
  const { subjects, graph, logged, failures, violations } = plan;
  const foreign = changed.filter(({ kind }) => kind === undefined);
  const types = [...new Set(foreign.map(({ type }) => type))];
  const waiting = changed.filter(({ inputs }) => Object.values(inputs).some(holdsUnknown)).length;
  const orderless =
    failures.length === 0 && changed.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined);
  const found = [
    failures.length > 0 && "the preview did not come to its end: what it would have found after that is not known",
    foreign.length > 0 &&
      `${foreign.length} resource${foreign.length === 1 ? "" : "s"} of other providers (${types.join(", ")}): what their changes mean is not known here`,
    !graph && subjects.length > 0 && "what stands on what: an event log does not tell. Give the output of pulumi preview --json, too",
    graph &&
      subjects.length > 0 &&
      failures.length === 0 &&
      !subjects.some(({ operation }) => operation === "same") &&
      changed.some(({ operation }) => operation !== "create") &&
      "resources that stay as they are: this preview was made without --show-sames",
    orderless && "in which order things are replaced: this preview was made without --show-replacement-steps",
    !logged &&
      subjects.length > 0 &&
      violations.length === 0 &&
      "results of policy packs: only the engine's event log has them (--event-log)",
    waiting > 0 && `values that are known only after apply, in ${waiting} resource${waiting === 1 ? "" : "s"}`,
  ];
  return found.filter((sentence): sentence is string => typeof sentence === "string");
}
