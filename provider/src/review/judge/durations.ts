import type { Graph } from "../plan/graph.ts";
import type { Move } from "../plan/plan.ts";
import { effectOf } from "./definition.ts";
import { definitions } from "./definitions.ts";
import { topOf } from "../plan/graph.ts";
import type { KindName, Subject } from "../plan/subject.ts";

/** Seconds that each move usually takes on the platform; the specification names some. */
const usual: Readonly<Record<KindName, Readonly<Record<"create" | "update" | "delete", number>>>> = {
  Vpc: { create: 2, update: 2, delete: 2 },
  Ipv6Block: { create: 2, update: 2, delete: 12 },
  Subnet: { create: 3, update: 3, delete: 12 },
  SecurityGroup: { create: 3, update: 3, delete: 3 },
  Cluster: { create: 300, update: 15, delete: 180 },
  NodePool: { create: 150, update: 10, delete: 90 },
  ClusterEndpoint: { create: 90, update: 10, delete: 45 },
  RegistryInstance: { create: 300, update: 30, delete: 60 },
  Namespace: { create: 3, update: 3, delete: 3 },
  Token: { create: 2, update: 2, delete: 2 },
  UserPermission: { create: 3, update: 3, delete: 3 },
};

/** Changes in place that take longer than others of their kind. */
const longer: Readonly<Record<string, number>> = {
  "Cluster.clusterVersion": 600,
  "Cluster.serviceAccounts": 60,
  "Cluster.oidcConfig": 60,
  "Cluster.extraArgs": 60,
  "Cluster.existingInstances": 120,
  "NodePool.native": 120,
  "RegistryInstance.publicAccess": 30,
};

function secondsOf(subject: Subject, does: Move["does"]): number {
  const { kind, paths } = subject;
  if (kind === undefined || does === "adopt") return 2;
  if (does !== "update") return usual[kind][does];
  const inputs = [...new Set(paths.map(topOf))].filter((input) => effectOf(definitions[kind], input) !== "noted");
  const extra = inputs.map((input) => longer[`${kind}.${input}`] ?? usual[kind].update);
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
