import * as z from "@container-platform/sdk/zod";
import { adjustable, all, any, not, rulesFor } from "../language/rule.ts";

const secretLooks = ["private key", "kubeconfig", "JWT", "credential"] as const;

export const nodeRules = rulesFor("NodePool", [
  {
    id: "CP-POOL-001",
    title: "Nodes do not have public IP addresses",
    severity: "high",
    enforcement: "require-approval",
    found: "gives nodes an address on the internet",
    why: "One mistake in a security group exposes a node with a public IP address.",
    remedy: "Remove `internetAccessible`, and let nodes reach the internet through a gateway. The change replaces the node pool.",
    cis: ["EKS 1.7.0 5.4.3", "ACK 1.0.0 6.3.3", "GKE 1.6.0 5.6.5", "AKS 1.7.0 5.4.3"],
    checkov: ["CKV_TC_2", "CKV_AZURE_143", "CKV_GCP_64"],
    fails: (inputs) => {
      const access = inputs.at("native").at("internetAccessible");
      return all(access.given, not(access.at("maxBandwidthOut").is(0)));
    },
  },
  {
    id: "CP-POOL-002",
    title: "Logins to nodes require a key",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a password that opens every node of the pool",
    why: "Passwords are shared, guessed and found in files. Every node keeps the same password until you replace it.",
    remedy: "Use `keyIds`, or no login.",
    checkov: ["CKV_AZURE_49"],
    fails: (inputs) => inputs.at("native").at("password").given,
  },
  {
    id: "CP-POOL-003",
    kinds: ["Cluster"],
    title: "Logins to joining instances require a key",
    severity: "medium",
    enforcement: "require-approval",
    found: "is a password that opens the machines",
    why: "Passwords are shared, guessed and found in files.",
    remedy: "Use `keyIds`.",
    checkov: ["CKV_AZURE_1"],
    fails: (inputs) => inputs.at("existingInstances").some((entry) => entry.at("loginSettings").at("password").given),
  },
  {
    id: "CP-POOL-004",
    title: "Scripts of nodes contain no secrets",
    severity: "critical",
    found: "is a script that contains a key, a token or a password",
    why: "Every process on the node can read the script, and every user who may read the node pool.",
    remedy: "Let the script fetch the secret from a secret store, and replace the secret: the old secret is known.",
    checkov: ["CKV_TC_13", "CKV_AWS_46"],
    fails: (inputs) => {
      const scripts = inputs.at("native").at("lifecycle");
      return any(scripts.at("preInit").looks(...secretLooks), scripts.at("postInit").looks(...secretLooks));
    },
  },
  {
    id: "CP-POOL-005",
    kinds: ["Cluster"],
    title: "Scripts of joining instances contain no secrets",
    severity: "critical",
    found: "is a script that contains a key, a token or a password",
    why: "Every process on the instance can read the script, and every user who may read the cluster.",
    remedy: "Let the script fetch the secret from a secret store, and replace the secret: the old secret is known.",
    checkov: ["CKV_TC_13", "CKV_AWS_46"],
    fails: (inputs) =>
      inputs.at("existingInstances").some((entry) => {
        const settings = entry.at("instanceAdvancedSettings");
        return any(settings.at("userScript").looks(...secretLooks), settings.at("preStartUserScript").looks(...secretLooks));
      }),
  },
  {
    id: "CP-POOL-006",
    title: "Broken nodes are repaired",
    severity: "medium",
    found: "does not let the platform repair broken nodes",
    why: "A node that hangs keeps its pods until an operator repairs it.",
    remedy: "Set `native.autoRepair: true`.",
    cis: ["GKE 1.6.0 5.5.2"],
    checkov: ["CKV_ALI_31", "CKV_GCP_9"],
    fails: (inputs) => not(inputs.at("native").at("autoRepair").is(true)),
  },
  {
    id: "CP-POOL-007",
    title: "Nodes are upgraded automatically",
    severity: "low",
    enforcement: "off",
    found: "leaves the nodes to be upgraded by hand",
    why: "Fixes of the kubelet and the runtime are more frequent than manual upgrades.",
    remedy: "Set `native.upgradeSettings: { autoUpgrade: true }`.",
    cis: ["GKE 1.6.0 5.5.3"],
    checkov: ["CKV_GCP_10"],
    fails: (inputs) => not(inputs.at("native").at("upgradeSettings").at("autoUpgrade").is(true)),
  },
  adjustable({
    id: "CP-POOL-008",
    parameters: { least: z.int().min(1).default(2).describe("Minimum number of subnets") },
    title: "The nodes of a node pool are in several subnets",
    severity: "medium",
    found: "puts the nodes into too few subnets",
    why: "A subnet is in one zone. If that zone fails, the whole node pool fails.",
    remedy: "List a subnet of each zone in `native.subnetIds`.",
    fails: (inputs, { least }) =>
      inputs
        .at("native")
        .at("subnetIds")
        .count((count) => count < least),
  }),
  {
    id: "CP-POOL-009",
    title: "Nodes are spread over their subnets",
    severity: "low",
    found: "fills the first zone before it uses the next",
    why: "If the first zone fails, nearly all nodes are lost.",
    remedy: "Use `ZoneEquality`.",
    fails: (inputs) => inputs.at("native").at("scaling").at("createPolicy").is("ZonePriority"),
  },
  adjustable({
    id: "CP-POOL-010",
    parameters: { least: z.int().min(1).default(2).describe("Minimum number of nodes") },
    title: "A node pool has a spare node",
    severity: "low",
    found: "leaves no spare node",
    why: "While the only node is repaired or upgraded, the workloads are down.",
    remedy: "Use at least two nodes, in `scaling.minReplicas` or `replicas`.",
    fails: (inputs, { least }) => {
      const [bound, fixed] = [inputs.at("native").at("scaling").at("minReplicas"), inputs.at("native").at("replicas")];
      const few = (count: number): boolean => count < least;
      return any(bound.number(few), all(bound.missing, fixed.number(few)));
    },
  }),
  adjustable({
    id: "CP-POOL-011",
    parameters: { most: z.int().min(1).default(100).describe("Maximum number of nodes") },
    title: "The size of a node pool is limited",
    severity: "medium",
    enforcement: "require-approval",
    found: "lets the pool grow larger than allowed",
    why: "A program that starts pods in a loop scales the node pool up, and the instances are billed.",
    remedy: "Use a lower `scaling.maxReplicas` or `replicas`, or raise the limit of this rule.",
    fails: (inputs, { most }) => {
      const [bound, fixed] = [inputs.at("native").at("scaling").at("maxReplicas"), inputs.at("native").at("replicas")];
      const many = (count: number): boolean => count > most;
      return any(bound.number(many), fixed.number(many));
    },
  }),
  {
    id: "CP-POOL-012",
    title: "Nodes have their own security groups",
    severity: "medium",
    found: "leaves the nodes in the platform's default group",
    why: "All resources that are created without a group share the default group.",
    remedy: "List groups in `native.securityGroupIds`.",
    checkov: ["CKV_TC_4"],
    fails: (inputs) => inputs.at("native").at("securityGroupIds").empty,
  },
  adjustable({
    id: "CP-POOL-013",
    parameters: { gigabytes: z.int().min(1).default(50).describe("Minimum size of a disk in GB") },
    title: "The disks of nodes are large enough",
    severity: "low",
    found: "is a small disk",
    why: "Images and logs fill a small disk, and the node then evicts its pods.",
    remedy: "Use at least 50 GB, which the platform also recommends for data disks.",
    fails: (inputs, { gigabytes }) => {
      const small = (size: number): boolean => size < gigabytes;
      const native = inputs.at("native");
      return any(
        native.at("systemDisk").at("diskSize").number(small),
        native.at("dataDisks").some((disk) => disk.at("diskSize").number(small)),
      );
    },
  }),
  {
    id: "CP-POOL-014",
    title: "Prepaid nodes do not expire without notice",
    severity: "medium",
    enforcement: "require-approval",
    found: "lets the nodes expire without notice",
    why: "The platform removes the instances with all their workloads.",
    remedy: "Use `NOTIFY_AND_AUTO_RENEW`, or at least `NOTIFY_AND_MANUAL_RENEW`.",
    fails: (inputs) => inputs.at("native").at("instanceChargePrepaid").at("renewFlag").is("DISABLE_NOTIFY_AND_MANUAL_RENEW"),
  },
  {
    id: "CP-POOL-015",
    title: "Running nodes are not changed in place",
    severity: "low",
    found: "also changes running nodes",
    why: "A mistake in the kubelet arguments or the kernel parameters then affects every node at once.",
    remedy: "Leave `updateExistedNode` out, and let new nodes replace old ones.",
    fails: (inputs) => inputs.at("native").at("updateExistedNode").is(true),
  },
  {
    id: "CP-POOL-016",
    title: "A node pool is protected from deletion",
    severity: "low",
    enforcement: "off",
    found: "lets one call delete the pool",
    why: "Deleting a node pool also deletes its nodes and their workloads.",
    remedy: "Set `deletionProtection: true`.",
    fails: (inputs) => not(inputs.at("deletionProtection").is(true)),
  },
  {
    id: "CP-POOL-017",
    title: "The pods of a full node pool have IP addresses",
    severity: "high",
    found: "allows more nodes than the subnets have IP addresses for",
    why: "In a VPC-CNI cluster, each pod takes an IP address. Pods on nodes beyond that stay Pending. `pulumi preview` counts and warns, a policy pack cannot.",
    remedy: "Lower the number of nodes, use larger or more subnets, or limit the pods of a node with `native.kubeletArgs`.",
    fails: (inputs) => inputs.warned("TooFewAddresses"),
  },
]);
