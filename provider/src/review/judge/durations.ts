import type { Graph } from "../plan/graph.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { effectOf } from "../plan/definition.ts";
import { definitions } from "../plan/definitions.ts";
import { topOf } from "../plan/graph.ts";
import type { Subject } from "../plan/subject.ts";
import { reviewed } from "../../resources/reviews.ts";

function secondsOf(subject: Subject, does: PlannedStep["does"]): number {
  const { kind, paths } = subject;
  if (kind === undefined || does === "adopt") return 2;
  const { changes = {}, ...usual } = reviewed(kind).seconds;
  if (does !== "update") return usual[does];
  const inputs = [...new Set(paths.map(topOf))].filter((input) => effectOf(definitions[kind], input) !== "local-only");
  const extra = inputs.map((input) => changes[input] ?? usual.update);
  return extra.length === 0 ? 1 : Math.max(...extra);
}

/** How many seconds a change of one resource takes. A replacement is a creation and a deletion. */
export function secondsFor(subject: Subject): number {
  switch (subject.operation) {
    case "replace":
      return secondsOf(subject, "create") + secondsOf(subject, "delete");
    case "create":
    case "update":
    case "delete":
      return secondsOf(subject, subject.operation);
    case "adopt":
      return 2;
    default:
      return 0;
  }
}

/** How many seconds the whole plan takes: the longest chain of dependencies, since all else happens in parallel. Deletions come last. */
export function secondsOfAll(changed: readonly Subject[], graph: Graph): number {
  const creationTimes = new Map<string, number>();
  const deletionTimes = new Map<string, number>();
  const secondsToCreate = (subject: Subject): number =>
    longestChain(subject, creationTimes, secondsToCreate, graph, ["create", "update", "replace", "adopt"], (one) =>
      secondsOf(one, one.operation === "update" ? "update" : one.operation === "adopt" ? "adopt" : "create"),
    );
  const secondsToDelete = (subject: Subject): number =>
    longestChain(subject, deletionTimes, secondsToDelete, graph, ["delete", "replace"], (one) => secondsOf(one, "delete"));
  return Math.max(0, ...changed.map(secondsToCreate)) + Math.max(0, ...changed.map(secondsToDelete));
}

function longestChain(
  subject: Subject,
  known: Map<string, number>,
  deeper: (subject: Subject) => number,
  graph: Graph,
  counted: readonly Subject["operation"][],
  own: (subject: Subject) => number,
): number {
  const found = known.get(subject.urn);
  if (found !== undefined) return found;
  known.set(subject.urn, 0);
  const dependencies = graph.dependenciesOf(subject).map(deeper);
  const total = Math.max(0, ...dependencies) + (counted.includes(subject.operation) ? own(subject) : 0);
  known.set(subject.urn, total);
  return total;
}
