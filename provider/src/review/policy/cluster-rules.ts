import * as z from "@container-platform/sdk/zod";
import { isOlder } from "../../resources/cluster/versions.ts";
import { secondsOf } from "../../definition/duration.ts";
import { isPrivate, isWider, widths } from "./ranges.ts";
import { adjustable, rule, type Rule } from "./rule.ts";
import { all, any, not } from "./truth.ts";

/** Clusters. */
export const clusterRules: readonly Rule[] = [
  rule({
    id: "CP-CLU-001",
    kinds: ["Cluster"],
    title: "A cluster is protected from deletion",
    severity: "medium",
    enforcement: "advise",
    found: "leaves the cluster to be deleted by one call",
    why: "A cluster that is deleted takes its nodes and everything that runs on them along.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  }),
  rule({
    id: "CP-CLU-002",
    kinds: ["Cluster"],
    title: "The Kubernetes version is written down",
    severity: "low",
    enforcement: "advise",
    found: "is left to the platform, which takes the newest at creation",
    why: "Environments that are made from one program at different times are not the same.",
    remedy: "Set `clusterVersion`.",
    fails: (inputs) => inputs.at("clusterVersion").missing,
  }),
  adjustable(
    {
      oldest: z
        .string()
        .regex(/^\d+\.\d+(\.\d+)?$/, "takes a version such as 1.30")
        .default("1.30")
        .describe("Oldest version"),
    },
    {
      id: "CP-CLU-003",
      kinds: ["Cluster"],
      title: "The Kubernetes version still gets corrections",
      severity: "medium",
      enforcement: "require-approval",
      found: "is a version that gets no more corrections",
      why: "Weaknesses that become known stay open in it.",
      remedy: "Raise `clusterVersion`, one minor version at a time, and the nodes with it (`upgradeNodes`).",
      cis: ["GKE 1.6.0 5.5.4"],
      checkov: ["CKV_AWS_339"],
      fails: (inputs, { oldest }) => inputs.at("clusterVersion").text((version) => isOlder(version, oldest)),
    },
  ),
  rule({
    id: "CP-CLU-004",
    kinds: ["Cluster"],
    title: "Nodes are upgraded with their cluster",
    severity: "low",
    enforcement: "advise",
    found: "leaves nodes at the version that they have",
    why: "Nodes may lag behind the control plane by a few versions only, and get no corrections meanwhile.",
    remedy: "Set `upgradeNodes: true`, or raise the nodes of each pool in its turn.",
    fails: (inputs) => all(inputs.at("clusterVersion").given, not(inputs.at("upgradeNodes").is(true))),
  }),
  rule({
    id: "CP-CLU-005",
    kinds: ["Cluster"],
    title: "Nodes run containerd",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a container runtime that Kubernetes has given up",
    why: "Since version 1.24 Kubernetes drives Docker through an adapter that others keep alive.",
    remedy: "Take `containerd`; a change of the runtime makes a new cluster.",
    fails: (inputs) => inputs.at("containerRuntime").is("docker"),
  }),
  rule({
    id: "CP-CLU-006",
    kinds: ["Cluster"],
    title: "The platform runs the control plane",
    severity: "low",
    enforcement: "off",
    found: "is a cluster whose control plane has to be kept up and hardened by oneself",
    why: "Backups of etcd, certificates and upgrades of the control plane are one's own work then.",
    remedy: "Take `MANAGED_CLUSTER`.",
    fails: (inputs) => inputs.at("clusterType").is("INDEPENDENT_CLUSTER"),
  }),
  rule({
    id: "CP-CLU-007",
    kinds: ["Cluster"],
    title: "Machines survive the deletion of their cluster",
    severity: "low",
    enforcement: "off",
    found: "destroys the machines when the cluster is deleted",
    why: "What is on a machine that joined the cluster is lost with it.",
    remedy: 'Set `instanceDeleteMode: "retain"`; machines that are kept are still billed.',
    fails: (inputs) => not(inputs.at("instanceDeleteMode").is("retain")),
  }),
  rule({
    id: "CP-CLU-008",
    kinds: ["Cluster"],
    title: "Disks survive the deletion of their cluster",
    severity: "medium",
    enforcement: "off",
    found: "destroys disks when the cluster is deleted",
    why: "Volumes of workloads are disks, and there may be no other copy of what is on them.",
    remedy: 'Set `resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }]`.',
    fails: (inputs) =>
      inputs
        .at("resourceDeleteOptions")
        .some((option) => all(option.at("resourceType").is("CBS"), option.at("deleteMode").is("terminate"))),
  }),
  rule({
    id: "CP-CLU-009",
    kinds: ["Cluster"],
    title: "Tokens of service accounts are issued and checked over https",
    severity: "high",
    enforcement: "block",
    found: "is not an https address",
    why: "Who can change the keys on their way makes tokens that the cluster believes.",
    remedy: "Give `issuer` and `jwksUri` as https addresses.",
    fails: (inputs) => {
      const accounts = inputs.at("serviceAccounts");
      return any(accounts.at("issuer").text(isPlain), accounts.at("jwksUri").text(isPlain));
    },
  }),
  rule({
    id: "CP-CLU-010",
    kinds: ["Cluster"],
    title: "A control plane grows with its cluster",
    severity: "low",
    enforcement: "off",
    found: "leaves the control plane at its size, however many nodes there are",
    why: "A control plane that is too small answers late, or not at all, when many nodes come at once.",
    remedy: "Set `autoUpgradeClusterLevel: true`.",
    fails: (inputs) => not(inputs.at("autoUpgradeClusterLevel").is(true)),
  }),
];

/** How clusters are reached. */
export const endpointRules: readonly Rule[] = [
  rule({
    id: "CP-END-001",
    kinds: ["ClusterEndpoint"],
    title: "A cluster is not reached from the internet",
    severity: "medium",
    enforcement: "advise",
    found: "opens the API server to the internet",
    why: "The API server decides about everything in the cluster: a weakness of it is the whole world's to try.",
    remedy: "Use the access from the VPC (`isExtranet: false`) over a VPN or a bastion.",
    cis: ["EKS 1.7.0 5.4.2", "ACK 1.0.0 6.3.2", "GKE 1.6.0 5.6.4", "AKS 1.7.0 5.4.2"],
    checkov: ["CKV_TC_7", "CKV_AWS_39", "CKV_AZURE_115", "CKV_GCP_18"],
    fails: (inputs) => inputs.at("isExtranet").is(true),
  }),
  rule({
    id: "CP-END-002",
    kinds: ["ClusterEndpoint"],
    title: "Access from the internet is for listed ranges",
    severity: "high",
    enforcement: "require-approval",
    found: "is empty: whoever the security group lets in reaches the API server",
    why: "A security group serves nodes as well, and is widened for reasons that have nothing to do with the API server.",
    remedy: "List in `allowedCidrBlocks` where administrators and pipelines come from.",
    cis: ["EKS 1.7.0 5.4.1", "ACK 1.0.0 6.3.1", "GKE 1.6.0 5.6.3", "AKS 1.7.0 5.4.1"],
    checkov: ["CKV_AWS_38", "CKV_AZURE_6", "CKV_GCP_20"],
    fails: (inputs) => {
      const ranges = inputs.at("allowedCidrBlocks");
      const none = any(
        ranges.missing,
        ranges.count((count) => count === 0),
      );
      return all(inputs.at("isExtranet").is(true), none);
    },
  }),
  adjustable(widths(24, 48), {
    id: "CP-END-003",
    kinds: ["ClusterEndpoint"],
    title: "Ranges that reach a cluster from the internet are narrow",
    severity: "high",
    enforcement: "require-approval",
    found: "lets in more than one site",
    why: "Two halves of the internet are as good as all of it, and each stranger's network is one more to try passwords and tokens from.",
    remedy: "Give the addresses of one's own exits, best as single addresses.",
    cis: ["EKS 1.7.0 5.4.1", "ACK 1.0.0 6.3.1"],
    checkov: ["CKV_AWS_38"],
    fails: (inputs, given) =>
      inputs.at("allowedCidrBlocks").some((range) => range.text((text) => isWider(text, given) && !isPrivate(text))),
  }),
  adjustable(
    { most: z.int().min(1).default(20).describe("Most ranges") },
    {
      id: "CP-END-004",
      kinds: ["ClusterEndpoint"],
      title: "The list of who reaches a cluster is short enough to be read",
      severity: "low",
      enforcement: "advise",
      found: "has more ranges than anybody checks",
      why: "Entries of people and offices that are long gone stay where nobody looks any more.",
      remedy: "Take out what is no longer needed, or let everybody come through one exit.",
      fails: (inputs, { most }) => inputs.at("allowedCidrBlocks").count((count) => count > most),
    },
  ),
  adjustable(
    { hours: z.int().min(1).default(168).describe("Hours before the end, at least") },
    {
      id: "CP-END-005",
      kinds: ["ClusterEndpoint"],
      title: "A kubeconfig is renewed before it ends",
      severity: "medium",
      enforcement: "advise",
      found: "leaves little time for the `up` that renews the kubeconfig",
      why: "It is renewed by the next `up` only: between two of them its certificate may end, and everybody is locked out.",
      remedy: "Take a longer `renewBefore`, such as `720h`.",
      fails: (inputs, { hours }) => inputs.at("renewBefore").text((text) => (secondsOf(text) ?? Infinity) < hours * 3600),
    },
  ),
];

function isPlain(address: string): boolean {
  return !/^https:/i.test(address);
}
