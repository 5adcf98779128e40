import type { Plan } from "../plan/plan.ts";
import { differencesOf, propertiesOf } from "../plan/properties.ts";
import type { Change, Report } from "../report.ts";
import type { Reason, Undo } from "../verdict.ts";
import { displayNameOf, displayNameOfUrn, type Subject } from "../plan/subject.ts";
import { concluded, stays } from "./report/conclusion.ts";

/** The report of resources that were changed or deleted outside of Pulumi. */
export function driftOf(plan: Plan): Report {
  const found = plan.drift.filter((subject) => subject.operation === "delete" || differencesOf(subject).length > 0);
  const failures = plan.failures.map(({ urn, message }): Reason => ({
    code: "failed",
    verdict: "blocked",
    ...(urn === undefined ? {} : { urn, called: displayNameOfUrn(urn) }),
    sentence: message,
  }));
  return concluded(plan, {
    about: "drift",
    reasons: [...failures, ...found.map(reasonOf)],
    failures,
    changes: found.map(changeOf),
    quotas: [],
    moves: [],
    graph: [],
    findings: [],
    folded: [],
    seconds: 0,
    unanalysed: failures.length > 0 ? ["the refresh did not finish: further differences are not known"] : [],
  });
}

function reasonOf(subject: Subject): Reason {
  const [first] = differencesOf(subject);
  const gone = subject.operation === "delete";
  return {
    code: "drift",
    verdict: "needs-approval",
    urn: subject.urn,
    called: displayNameOf(subject),
    ...(gone || first === undefined ? {} : { property: first.path }),
    sentence: gone ? "was deleted outside of Pulumi" : "was changed outside of Pulumi",
  };
}

function undoOf({ operation, drifted }: Subject): Undo {
  if (operation === "delete")
    return { possible: "partly", sentence: "pulumi up --refresh creates a new one; what was in the old one is lost" };
  if (drifted.length > 0) return { possible: "no", sentence: `${drifted.join(", ")}: ${stays}` };
  return { possible: "yes", sentence: "pulumi up --refresh changes it back; to keep it, write it into the program" };
}

function changeOf(subject: Subject): Change {
  const { urn, kind, type, name, id, operation } = subject;
  const gone = operation === "delete";
  const called = displayNameOf(subject);
  return {
    urn,
    called,
    ...(kind === undefined ? {} : { kind }),
    type,
    name,
    ...(id === undefined ? {} : { id }),
    operation: gone ? "delete" : "update",
    verdict: "needs-approval",
    causes: [{ urn, called }],
    takesAlong: [],
    touches: [],
    unreachable: [],
    undo: undoOf(subject),
    notes: [],
    properties: propertiesOf(subject, displayNameOfUrn),
    seconds: 0,
  };
}
