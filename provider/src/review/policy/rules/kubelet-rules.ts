import { type ArgumentRule, argumentRule, isNotZero, isOff, isOn, isSet, isZero, lists } from "../language/arguments.ts";

const removeIt = "Remove the argument: the platform's own setting is safe.";

/** Arguments of kubelets. */
export const kubeletRules: readonly ArgumentRule[] = [
  argumentRule(
    { kubelet: { "anonymous-auth": isOn } },
    {
      id: "CP-KUB-001",
      title: "A kubelet rejects anonymous requests",
      severity: "critical",
      enforcement: "block",
      found: "lets anonymous requests reach the kubelet",
      why: "A client of a kubelet can run commands in the containers of its node.",
      remedy: removeIt,
      cis: ["EKS 1.7.0 3.2.1", "Kubernetes 1.11.0 4.2.1"],
      checkov: ["CKV_K8S_138"],
    },
  ),
  argumentRule(
    { kubelet: { "authorization-mode": lists("AlwaysAllow") } },
    {
      id: "CP-KUB-002",
      title: "A kubelet does not allow every request",
      severity: "critical",
      enforcement: "block",
      found: "allows every authenticated user everything on the kubelet",
      why: "Every service account of the cluster can then run commands in the node's containers.",
      remedy: removeIt,
      cis: ["EKS 1.7.0 3.2.2", "Kubernetes 1.11.0 4.2.2"],
      checkov: ["CKV_K8S_139"],
    },
  ),
  argumentRule(
    { kubelet: { "read-only-port": isNotZero } },
    {
      id: "CP-KUB-003",
      title: "A kubelet has no port without authentication",
      severity: "high",
      enforcement: "block",
      found: "opens a port on which everyone can read what runs on the node",
      why: "The port shows the names, images, arguments and environments of all containers without a login.",
      remedy: "Remove the argument, or set `read-only-port=0`.",
      cis: ["EKS 1.7.0 3.2.4", "Kubernetes 1.11.0 4.2.4"],
      checkov: ["CKV_K8S_141"],
    },
  ),
  argumentRule(
    { kubelet: { "streaming-connection-idle-timeout": isZero } },
    {
      id: "CP-KUB-004",
      title: "Idle sessions into containers are closed",
      severity: "low",
      enforcement: "advise",
      found: "keeps idle sessions into containers open for ever",
      why: "Idle sessions use ports and memory of the node, and remain open to other users of the terminal.",
      remedy: "Set a time such as `streaming-connection-idle-timeout=4h`.",
      cis: ["EKS 1.7.0 3.2.5", "Kubernetes 1.11.0 4.2.5"],
      checkov: ["CKV_K8S_143"],
    },
  ),
  argumentRule(
    { kubelet: { "make-iptables-util-chains": isOff } },
    {
      id: "CP-KUB-005",
      title: "A kubelet manages the node's iptables rules",
      severity: "low",
      enforcement: "advise",
      found: "does not let the kubelet manage the node's firewall",
      why: "Rules that you maintain by hand block pods, or allow too much traffic.",
      remedy: removeIt,
      cis: ["EKS 1.7.0 3.2.6", "Kubernetes 1.11.0 4.2.6"],
      checkov: ["CKV_K8S_145"],
    },
  ),
  argumentRule(
    { kubelet: { "rotate-certificates": isOff } },
    {
      id: "CP-KUB-006",
      title: "Kubelets renew their certificates",
      severity: "medium",
      enforcement: "require-approval",
      found: "lets the kubelet's certificate expire",
      why: "A node whose certificate has expired leaves the cluster.",
      remedy: removeIt,
      cis: ["EKS 1.7.0 3.2.8", "Kubernetes 1.11.0 4.2.10"],
      checkov: ["CKV_K8S_149"],
    },
  ),
  argumentRule(
    { kubelet: { "hostname-override": isSet } },
    {
      id: "CP-KUB-007",
      title: "Nodes have their own names",
      severity: "medium",
      enforcement: "require-approval",
      found: "gives every node of the pool the same name",
      why: "Certificates and logs use the name of a node, and nodes with the same name replace each other.",
      remedy: "Use `hostNamePattern`.",
      cis: ["Kubernetes 1.11.0 4.2.7"],
      checkov: ["CKV_K8S_146"],
    },
  ),
  argumentRule(
    { kubelet: { "protect-kernel-defaults": isOff } },
    {
      id: "CP-KUB-008",
      title: "Kubelets do not change kernel settings",
      severity: "low",
      enforcement: "advise",
      found: "lets the kubelet change kernel settings",
      why: "Settings that were hardened in the image are changed without notice.",
      remedy: "Set `protect-kernel-defaults=true`, and kernel parameters in `management.kernelArgs`.",
      checkov: ["CKV_K8S_144"],
    },
  ),
];
