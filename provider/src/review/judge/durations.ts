import type { Graph } from "../plan/graph.ts";
import type { Move } from "../plan/plan.ts";
import { effectOf } from "../plan/definition.ts";
import { definitions } from "../plan/definitions.ts";
import { topOf } from "../plan/graph.ts";
import type { Subject } from "../plan/subject.ts";
import { reviewed } from "../../resources/reviews.ts";

function secondsOf(subject: Subject, does: Move["does"]): number {
  const { kind, paths } = subject;
  if (kind === undefined || does === "adopt") return 2;
  const { changes = {}, ...usual } = reviewed(kind).seconds;
  if (does !== "update") return usual[does];
  const inputs = [...new Set(paths.map(topOf))].filter((input) => effectOf(definitions[kind], input) !== "local-only");
  const extra = inputs.map((input) => changes[input] ?? usual.update);
  return extra.length === 0 ? 1 : Math.max(...extra);
}

/** How long a change of one resource takes, its old and its new thing together. */
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

/** The longest way through what stands on what: things that do not are done side by side. What goes, goes after what comes. */
export function secondsOfAll(changed: readonly Subject[], graph: Graph): number {
  const comes = new Map<string, number>();
  const goes = new Map<string, number>();
  const coming = (subject: Subject): number =>
    longest(subject, comes, coming, graph, ["create", "update", "replace", "adopt"], (one) =>
      secondsOf(one, one.operation === "update" ? "update" : one.operation === "adopt" ? "adopt" : "create"),
    );
  const going = (subject: Subject): number =>
    longest(subject, goes, going, graph, ["delete", "replace"], (one) => secondsOf(one, "delete"));
  return Math.max(0, ...changed.map(coming)) + Math.max(0, ...changed.map(going));
}

function longest(
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
  const below = graph.directlyBelow(subject).map(deeper);
  const total = Math.max(0, ...below) + (counted.includes(subject.operation) ? own(subject) : 0);
  known.set(subject.urn, total);
  return total;
}
