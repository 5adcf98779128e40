import { argumentsChanged, openedByArguments } from "../../review/assess/access.ts";
import {
  always,
  type Before,
  type Changed,
  type Judgement,
  note,
  notUndone,
  protection,
  type ReviewOf,
  risky,
  takesAlong,
  undone,
} from "../../review/assess/reviewed.ts";
import { type Fields, isText, type Value } from "../../review/plan/values.ts";
import { controlPlaneRules } from "../../review/policy/rules/component-rules.ts";
import { outlivingCluster } from "./cluster-outliving.ts";

const reinstalled = "machines that join are reinstalled: what was on their system disks is lost";

export const review: ReviewOf<"Cluster"> = {
  seconds: {
    create: 300,
    update: 15,
    delete: 180,
    changes: { clusterVersion: 600, serviceAccounts: 60, oidcConfig: 60, extraArgs: 60, existingInstances: 120 },
  },
  ending: {
    loses: (subject) =>
      terminates(subject)
        ? "its workloads, their data on the nodes' disks, and the nodes, which are destroyed"
        : "its workloads; the nodes are kept as machines without a cluster",
    outliving: outlivingCluster,
    unreachable: () => ["the Kubernetes API", "every workload of the cluster"],
    undo: notUndone("a deleted cluster cannot be restored; a new one is empty, and has other credentials"),
    whileThere: takesAlong("clusterId"),
  },
  changes: {
    clusterName: "harmless",
    clusterDescription: "harmless",
    tags: "harmless",
    clusterVersion: upgraded,
    credentialsVersion: always("interrupts", "the kubeconfig's certificates are rotated: older kubeconfigs stop working", {
      unreachable: "the cluster's API, for clients with an older kubeconfig",
      undo: notUndone("the old certificates stay revoked"),
    }),
    serviceAccounts: always("interrupts", "the issuer of service accounts' tokens changes: tokens of the old issuer are refused", {
      unreachable: "the API, for workloads with a token of the old issuer",
      undo: undone("the old issuer can be set again; then tokens of the new issuer are refused"),
    }),
    oidcConfig: always("access-changed", "the identities that the cluster accepts change"),
    extraArgs: ({ before, after }) => [
      ...argumentsChanged(controlPlaneRules, withArguments(before), withArguments(after), "the control plane"),
      ...always("interrupts", "components of the control plane restart with other arguments", {
        unreachable: "the Kubernetes API, for short times",
      }),
    ],
    existingInstances: always("irreversible", `${reinstalled}; workloads on machines that leave are moved`, {
      unreachable: "workloads on machines that leave, until they run elsewhere",
      undo: notUndone("what was on the disks of machines that join is lost"),
    }),
    deletionProtection: protection,
    instanceDeleteMode: risky("terminate", "safeguard-weakened", "a deletion of the cluster will destroy its nodes, and not keep them"),
    resourceDeleteOptions: always("safeguard-weakened", "what a deletion of the cluster does with disks and load balancers changes"),
    upgradeNodes: note("it counts from the next upgrade of the cluster on"),
    eniSubnetIds: always("irreversible", "pods take addresses from more subnets", {
      undo: notUndone("a subnet for pods cannot be removed in place"),
    }),
    autoUpgradeClusterLevel: note("the price changes with the level"),
    clusterLevel: ({ before, after, live }) =>
      after === undefined || levelOf(after) >= levelOf(before ?? live("clusterLevel"))
        ? note("the price changes with the level")
        : always("interrupts", "the control plane serves fewer nodes from then on", { unreachable: "the Kubernetes API, under load" }),
  },
  opens: {
    decidedBy: ({ extraArgs }) => ({ extraArgs }),
    opening: ({ existingInstances, extraArgs }) => {
      const args = openedByArguments(controlPlaneRules, withArguments(extraArgs));
      if (args !== undefined) return { property: "extraArgs", sentence: `an argument of its control plane ${args}` };
      return existingInstances === undefined ? undefined : { code: "irreversible", property: "existingInstances", sentence: reinstalled };
    },
  },
  // Specification, Limits.
  limit: { what: "clusters in a region", limit: 20, per: ({ region }) => region ?? "the region", shared: true },
};

/** The inputs of a cluster with these arguments, as rules read them. */
function withArguments(extraArgs: Value | undefined): Fields {
  return extraArgs === undefined ? {} : { extraArgs };
}

/** The number of nodes in `L20`. A level that is left to the platform, or not known yet, may be any. */
function levelOf(level: Value | undefined): number {
  return isText(level) ? Number(level.replace(/^L/, "")) : NaN;
}

const terminates = ({ before }: Before): boolean => before?.["instanceDeleteMode"] !== "retain";

function upgraded({ after, live }: Changed): readonly Judgement[] {
  const now = live("clusterVersion");
  if (after === undefined) return note("its version is left to the platform from now on, and stays as it is");
  if (isText(after) && after === now) return note(`it has Kubernetes ${after} already`);
  const [from, to] = [
    typeof now === "string" ? ` from ${now}` : "",
    typeof after === "string" ? after : "a version that is known after apply",
  ];
  return always("irreversible", `Kubernetes is upgraded${from} to ${to}, and cannot be downgraded again`, {
    unreachable: "the Kubernetes API, for short times during the upgrade of the control plane",
    undo: notUndone("a cluster is never downgraded"),
  });
}
