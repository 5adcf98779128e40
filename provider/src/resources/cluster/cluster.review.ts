import { always, notUndone, note, protection, risky, undone } from "../../review/judge/judgement.ts";
import type { Before, Reviewed } from "../../review/judge/reviewed.ts";
import { type Value } from "../../review/plan/values.ts";
import type { InputOf } from "../../review/plan/definition.ts";

/** What the reviewer knows of a Cluster. */
export const review: Reviewed<InputOf<"Cluster">> = {
  seconds: {
    create: 300,
    update: 15,
    delete: 180,
    changes: { clusterVersion: 600, serviceAccounts: 60, oidcConfig: 60, extraArgs: 60, existingInstances: 120 },
  },
  ending: {
    loses: (subject) =>
      terminates(subject)
        ? "its workloads, what they keep on the nodes' disks, and the nodes, which are destroyed"
        : "its workloads; the nodes are kept as machines of no cluster",
    unreachable: () => ["the Kubernetes API", "every workload of the cluster"],
    undo: notUndone("a cluster that is deleted does not come back: a new one is empty, and has other credentials"),
  },
  changes: {
    clusterVersion: ({ after, old }) => [
      {
        code: "irreversible",
        verdict: "needs-approval",
        sentence: `Kubernetes is upgraded${typeof old["clusterVersion"] === "string" ? ` from ${old["clusterVersion"]}` : ""} to ${told(after)}, and never goes back`,
        unreachable: "the Kubernetes API, for moments while the control plane is upgraded",
        undo: notUndone("a cluster is never downgraded"),
      },
    ],
    credentialsVersion: always("interrupts", "the kubeconfig's certificates are rotated: older kubeconfigs stop working", {
      unreachable: "the cluster's API, for whoever has an older kubeconfig",
      undo: notUndone("revoked certificates stay revoked"),
    }),
    serviceAccounts: always("interrupts", "the issuer of service accounts' tokens changes: tokens of the old one are refused", {
      unreachable: "the API, for workloads with a token of the old issuer",
      undo: undone("the old issuer can be set again; tokens of the new one are refused then"),
    }),
    oidcConfig: always("access-changed", "which identities the cluster takes for its own changes"),
    extraArgs: always("interrupts", "components of the control plane start again with other arguments", {
      unreachable: "the Kubernetes API, for moments",
    }),
    existingInstances: always("interrupts", "machines join the cluster or leave it: what runs on those that leave is moved", {
      unreachable: "workloads on machines that leave, until they run elsewhere",
    }),
    deletionProtection: protection,
    instanceDeleteMode: risky("terminate", "safeguard-weakened", "once the cluster is deleted, its nodes are destroyed and not kept"),
    resourceDeleteOptions: always("safeguard-weakened", "what becomes of disks and load balancers once the cluster is deleted changes"),
    upgradeNodes: note("from the next upgrade on, nodes are upgraded as this says"),
    eniSubnetIds: note("pods take addresses of more subnets", {
      undo: notUndone("a subnet that pods take addresses from cannot be taken away in place"),
    }),
    autoUpgradeClusterLevel: note("the level changes what is billed"),
    clusterLevel: note("the level changes what is billed"),
  },
  // Specification, Limits.
  limit: { what: "clusters in a region", limit: 20, per: ({ region }) => region ?? "the region", shared: true },
};

const terminates = ({ before }: Before): boolean => before?.["instanceDeleteMode"] !== "retain";

function told(value: Value | undefined): string {
  return typeof value === "string" ? value : "a version that is known after apply";
}
