import { argumentRule, isNotZero, isOff, isOn, isSet, isZero, lists } from "./arguments.ts";
import type { Rule } from "./rule.ts";

const theirs = "Take the argument out: without it the platform's own setting counts, which is the safe one.";

/** What kubelets may not be told. */
export const kubeletRules: readonly Rule[] = [
  argumentRule(
    { kubelet: { "anonymous-auth": isOn } },
    {
      id: "CP-KUB-001",
      title: "A kubelet does not answer who has no name",
      severity: "critical",
      enforcement: "block",
      found: "lets anonymous requests reach the kubelet",
      why: "Who may talk to a kubelet runs commands in the containers of its node.",
      remedy: theirs,
      cis: ["EKS 1.7.0 3.2.1", "Kubernetes 1.11.0 4.2.1"],
      checkov: ["CKV_K8S_138"],
    },
  ),
  argumentRule(
    { kubelet: { "authorization-mode": lists("AlwaysAllow") } },
    {
      id: "CP-KUB-002",
      title: "A kubelet does not allow everything",
      severity: "critical",
      enforcement: "block",
      found: "allows everyone with a name everything on the kubelet",
      why: "Each service account of the cluster then runs commands in the containers of the node.",
      remedy: theirs,
      cis: ["EKS 1.7.0 3.2.2", "Kubernetes 1.11.0 4.2.2"],
      checkov: ["CKV_K8S_139"],
    },
  ),
  argumentRule(
    { kubelet: { "read-only-port": isNotZero } },
    {
      id: "CP-KUB-003",
      title: "A kubelet has no port that asks nobody",
      severity: "high",
      enforcement: "block",
      found: "opens a port on which everyone reads what runs on the node",
      why: "Names, images, arguments and environments of all containers are read there without a login.",
      remedy: "Take the argument out, or set `read-only-port=0`.",
      cis: ["EKS 1.7.0 3.2.4", "Kubernetes 1.11.0 4.2.4"],
      checkov: ["CKV_K8S_141"],
    },
  ),
  argumentRule(
    { kubelet: { "streaming-connection-idle-timeout": isZero } },
    {
      id: "CP-KUB-004",
      title: "Sessions into containers end when nobody uses them",
      severity: "low",
      enforcement: "advise",
      found: "keeps idle sessions into containers open for ever",
      why: "They use up ports and memory of the node, and stay open for whoever finds the terminal.",
      remedy: "Take a time such as `streaming-connection-idle-timeout=4h`.",
      cis: ["EKS 1.7.0 3.2.5", "Kubernetes 1.11.0 4.2.5"],
      checkov: ["CKV_K8S_143"],
    },
  ),
  argumentRule(
    { kubelet: { "make-iptables-util-chains": isOff } },
    {
      id: "CP-KUB-005",
      title: "A kubelet keeps the node's firewall in step",
      severity: "low",
      enforcement: "advise",
      found: "leaves the node's firewall to itself",
      why: "Rules that are kept by hand get out of step with what pods need, or let through too much.",
      remedy: theirs,
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
      found: "lets the kubelet's certificate run out",
      why: "A node whose certificate has ended leaves the cluster.",
      remedy: theirs,
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
      why: "Certificates and logs go by the name of a node, and nodes of one name take each other's place.",
      remedy: "Use `hostNamePattern`.",
      cis: ["Kubernetes 1.11.0 4.2.7"],
      checkov: ["CKV_K8S_146"],
    },
  ),
  argumentRule(
    { kubelet: { "protect-kernel-defaults": isOff } },
    {
      id: "CP-KUB-008",
      title: "Kubelets do not change what the kernel is set to",
      severity: "low",
      enforcement: "advise",
      found: "lets the kubelet change settings of the kernel",
      why: "What was hardened in the image is changed again without a word.",
      remedy: "Set `protect-kernel-defaults=true`, and kernel parameters in `management.kernelArgs`.",
      checkov: ["CKV_K8S_144"],
    },
  ),
];
