import { isOlderVersion } from "@container-platform/sdk";
import { presetRoles } from "@container-platform/sdk/cluster";
import * as z from "@container-platform/sdk/zod";
import { secondsOf } from "../../../definition/duration.ts";
import { areWide } from "../language/openings.ts";
import { adjustable, all, any, not, rulesFor, widths } from "../language/rule.ts";

export const clusterRules = rulesFor("Cluster", [
  {
    id: "CP-CLU-001",
    title: "A cluster is protected from deletion",
    severity: "medium",
    found: "lets one call delete the cluster",
    why: "Deleting a cluster also deletes its nodes and everything that runs on them.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  },
  {
    id: "CP-CLU-002",
    title: "The Kubernetes version is set",
    severity: "low",
    found: "is left to the platform, which takes the newest at creation",
    why: "Environments created from the same program at different times would differ.",
    remedy: "Set `clusterVersion`.",
    fails: (inputs) => inputs.at("clusterVersion").missing,
  },
  adjustable({
    id: "CP-CLU-003",
    parameters: {
      oldest: z
        .string()
        .regex(/^\d+\.\d+(\.\d+)?$/, "takes a version such as 1.30")
        .default("1.30")
        .describe("Oldest version"),
    },
    title: "The Kubernetes version still gets fixes",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a version that gets no more fixes",
    why: "Known vulnerabilities remain open.",
    remedy: "Raise `clusterVersion`, one minor version at a time, and the nodes with it (`upgradeNodes`).",
    cis: ["GKE 1.6.0 5.5.4"],
    checkov: ["CKV_AWS_339"],
    fails: (inputs, { oldest }) => inputs.at("clusterVersion").text((version) => isOlderVersion(version, oldest)),
  }),
  {
    id: "CP-CLU-004",
    title: "Nodes are upgraded with their cluster",
    severity: "low",
    found: "does not upgrade the nodes",
    why: "Kubernetes supports nodes only a few versions behind the control plane, and old nodes get no fixes.",
    remedy: "Set `upgradeNodes: true`, or upgrade the node pools in turn.",
    fails: (inputs) => all(inputs.at("clusterVersion").given, not(inputs.at("upgradeNodes").is(true))),
  },
  {
    id: "CP-CLU-005",
    title: "Nodes run containerd",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a container runtime that Kubernetes no longer supports",
    why: "Since version 1.24, Kubernetes requires an adapter for Docker, which is a separate project.",
    remedy: "Use `containerd`. A change of the runtime replaces the cluster.",
    fails: (inputs) => inputs.at("containerRuntime").is("docker"),
  },
  {
    id: "CP-CLU-006",
    title: "The platform runs the control plane",
    severity: "low",
    enforcement: "off",
    found: "is a cluster whose control plane you have to maintain and harden yourself",
    why: "You are responsible for etcd backups, certificates and upgrades of the control plane.",
    remedy: "Use `MANAGED_CLUSTER`.",
    fails: (inputs) => inputs.at("clusterType").is("INDEPENDENT_CLUSTER"),
  },
  {
    id: "CP-CLU-007",
    title: "Instances survive the deletion of their cluster",
    severity: "low",
    enforcement: "off",
    found: "destroys the machines when the cluster is deleted",
    why: "The data on instances that joined the cluster is lost.",
    remedy: 'Set `instanceDeleteMode: "retain"`. Retained instances are still billed.',
    fails: (inputs) => not(inputs.at("instanceDeleteMode").is("retain")),
  },
  {
    id: "CP-CLU-008",
    title: "Disks survive the deletion of their cluster",
    severity: "medium",
    enforcement: "off",
    found: "destroys disks when the cluster is deleted",
    why: "Volumes of workloads are on these disks, which may hold the only copy of the data.",
    remedy: 'Set `resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }]`.',
    fails: (inputs) =>
      inputs
        .at("resourceDeleteOptions")
        .some((option) => all(option.at("resourceType").is("CBS"), option.at("deleteMode").is("terminate"))),
  },
  {
    id: "CP-CLU-009",
    title: "Tokens of service accounts are issued and checked over https",
    severity: "high",
    found: "is not an https address",
    why: "An attacker who changes the keys in transit can create tokens that the cluster accepts.",
    remedy: "Give `issuer` and `jwksUri` as https addresses.",
    fails: (inputs) => {
      const accounts = inputs.at("serviceAccounts");
      return any(accounts.at("issuer").text(isPlain), accounts.at("jwksUri").text(isPlain));
    },
  },
  {
    id: "CP-CLU-010",
    title: "The control plane grows with the cluster",
    severity: "low",
    enforcement: "off",
    found: "keeps the size of the control plane, however many nodes there are",
    why: "A control plane that is too small responds slowly, or not at all, when many nodes join at once.",
    remedy: "Set `autoUpgradeClusterLevel: true`.",
    fails: (inputs) => not(inputs.at("autoUpgradeClusterLevel").is(true)),
  },
]);

export const endpointRules = rulesFor("ClusterEndpoint", [
  {
    id: "CP-END-001",
    title: "A cluster does not have a public endpoint",
    severity: "medium",
    found: "opens the API server to the internet",
    why: "The API server controls the whole cluster, and a public endpoint can be attacked from the internet.",
    remedy: "Use the private endpoint (`isExtranet: false`) over a VPN or a bastion.",
    cis: ["EKS 1.7.0 5.4.2", "ACK 1.0.0 6.3.2", "GKE 1.6.0 5.6.4", "AKS 1.7.0 5.4.2"],
    checkov: ["CKV_TC_7", "CKV_AWS_39", "CKV_AZURE_115", "CKV_GCP_18"],
    fails: (inputs) => inputs.at("isExtranet").is(true),
  },
  {
    id: "CP-END-002",
    title: "A public endpoint has an IP allowlist",
    severity: "high",
    enforcement: "require-approval",
    found: "is empty: whoever the security group lets in reaches the API server",
    why: "Security groups also protect nodes, and are widened for reasons that do not concern the API server.",
    remedy: "List the IP addresses of administrators and pipelines in `allowedCidrBlocks`.",
    cis: ["EKS 1.7.0 5.4.1", "ACK 1.0.0 6.3.1", "GKE 1.6.0 5.6.3", "AKS 1.7.0 5.4.1"],
    checkov: ["CKV_AWS_38", "CKV_AZURE_6", "CKV_GCP_20"],
    fails: (inputs) => all(inputs.at("isExtranet").is(true), inputs.at("allowedCidrBlocks").empty),
  },
  adjustable({
    id: "CP-END-003",
    parameters: widths(24, 48),
    title: "CIDR blocks with access to a public endpoint are narrow",
    severity: "high",
    enforcement: "require-approval",
    found: "lets in more than one site",
    why: "Each additional network can try passwords and tokens. Two halves of the internet are as open as a /0.",
    remedy: "List the public IP addresses of your networks, preferably single addresses.",
    cis: ["EKS 1.7.0 5.4.1", "ACK 1.0.0 6.3.1"],
    checkov: ["CKV_AWS_38"],
    fails: (inputs, given) => areWide(inputs.at("allowedCidrBlocks"), given),
  }),
  adjustable({
    id: "CP-END-004",
    parameters: { most: z.int().min(1).default(20).describe("Maximum number of CIDR blocks") },
    title: "The IP allowlist is short enough to review",
    severity: "low",
    found: "has more ranges than anybody will check",
    why: "A long list keeps entries of former employees and closed offices.",
    remedy: "Remove unused entries, or route all clients through one address.",
    fails: (inputs, { most }) => inputs.at("allowedCidrBlocks").count((count) => count > most),
  }),
  adjustable({
    id: "CP-END-005",
    parameters: { hours: z.int().min(1).default(168).describe("Minimum number of hours before the expiry") },
    title: "A kubeconfig is renewed before it expires",
    severity: "medium",
    found: "leaves little time for the `up` that renews the kubeconfig",
    why: "Only `pulumi up` renews the kubeconfig. If its certificate expires between two updates, all users lose access.",
    remedy: "Use a longer `renewBefore`, such as `720h`.",
    fails: (inputs, { hours }) => inputs.at("renewBefore").text((text) => (secondsOf(text) ?? Infinity) < hours * 3600),
  }),
]);

export const permissionRules = rulesFor("UserPermission", [
  {
    id: "CP-IAM-001",
    title: "Few people are administrators of a cluster",
    severity: "high",
    enforcement: "require-approval",
    found: "makes a user the cluster's administrator",
    why: "An administrator can read every secret of the cluster, and can grant any permission.",
    remedy: "Grant `svc:ops`, or `svc:ns:dev` in the required namespaces.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:admin"),
  },
  {
    id: "CP-IAM-002",
    title: "Users who change a cluster are limited to namespaces",
    severity: "medium",
    found: "lets a user change resources in every namespace",
    why: "A mistake, or a stolen key, can damage the work of every team.",
    remedy: "Grant `svc:ns:dev` in the required namespaces.",
    cis: ["EKS 1.7.0 4.5.1"],
    fails: (inputs) => inputs.at("roleName").is("svc:ops", "svc:dev"),
  },
  {
    id: "CP-IAM-003",
    title: "Users do not have Kubernetes' own administrator roles",
    severity: "critical",
    found: "is a built-in role of Kubernetes, which may do everything or is meant for a component",
    why: "It bypasses the platform's roles: `cluster-admin` has all permissions, and `system:` roles are for components.",
    remedy: "Grant a preset role, or a custom role with a list of permissions.",
    cis: ["EKS 1.7.0 4.1.1", "Kubernetes 1.11.0 5.1.1"],
    fails: (inputs) => inputs.at("roleName").text((name) => name === "cluster-admin" || name.startsWith("system:")),
  },
  {
    id: "CP-IAM-004",
    title: "Custom roles are reviewed",
    severity: "medium",
    found: "is a custom role, whose rights are defined only in the cluster",
    why: "The program does not contain its rights, so they can be extended without a review.",
    remedy: "Grant a preset role, or review the role's definition as well.",
    cis: ["EKS 1.7.0 4.1.3", "Kubernetes 1.11.0 5.1.3"],
    fails: (inputs) => inputs.at("roleName").text((name) => !Object.hasOwn(presetRoles, name)),
  },
  {
    id: "CP-IAM-005",
    title: "Users cannot change the cluster's own namespaces",
    severity: "critical",
    found: "is a namespace of the cluster itself",
    why: "A user who can start pods in `kube-system` can use the token of any component, and thereby control the whole cluster.",
    remedy: "Grant `svc:ns:ro` in this namespace, and use another namespace for the work.",
    fails: (inputs) => {
      const own = inputs.at("namespace").text((name) => name.startsWith("kube-"));
      return all(not(inputs.at("roleName").is("svc:ns:ro")), own);
    },
  },
  {
    id: "CP-IAM-006",
    title: "The namespace `default` is not used",
    severity: "low",
    found: "is the namespace of all objects that name none",
    why: "The namespace mixes the objects of several teams: you cannot separate or limit them.",
    remedy: "Use a separate namespace.",
    cis: ["EKS 1.7.0 4.5.2"],
    checkov: ["CKV_K8S_21"],
    fails: (inputs) => inputs.at("namespace").is("default"),
  },
  adjustable({
    id: "CP-IAM-007",
    parameters: { users: z.array(z.string()).default([]).describe("IDs of the users who may have permissions; an empty list allows all") },
    title: "Only listed users have permissions",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a user who is not on the list",
    why: "One wrong digit gives access to another user of the account.",
    remedy: "Correct the ID, or ask for its addition to the list.",
    fails: (inputs, { users }) => inputs.at("targetUin").text((uin) => users.length > 0 && !users.includes(uin)),
  }),
]);

function isPlain(address: string): boolean {
  return !/^https:/i.test(address);
}
