import type { PresetRole } from "../../catalogue/cluster/permissions.ts";

/** A rule of a role (rbac.authorization.k8s.io/v1, PolicyRule). */
export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const read = ["get", "list", "watch"];
const change = ["create", "update", "patch"];
const write = [...change, "delete", "deletecollection"];

/** What runs in namespaces, and what it needs. */
const workloads: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["", ["configmaps", "endpoints", "events", "persistentvolumeclaims", "pods", "replicationcontrollers", "replicationcontrollers/scale"]],
  ["", ["serviceaccounts", "services"]],
  ["apps", ["*"]],
  ["autoscaling", ["*"]],
  ["batch", ["*"]],
  ["discovery.k8s.io", ["*"]],
  ["events.k8s.io", ["*"]],
  ["networking.k8s.io", ["ingresses", "networkpolicies"]],
  ["policy", ["poddisruptionbudgets"]],
];

/** What belongs to the whole cluster, and what others have set up in namespaces. */
const cluster: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["", ["componentstatuses", "limitranges", "namespaces", "nodes", "persistentvolumes", "podtemplates", "resourcequotas"]],
  ["admissionregistration.k8s.io", ["*"]],
  ["apiextensions.k8s.io", ["*"]],
  ["apiregistration.k8s.io", ["*"]],
  ["certificates.k8s.io", ["*"]],
  ["coordination.k8s.io", ["*"]],
  ["metrics.k8s.io", ["*"]],
  ["networking.k8s.io", ["*"]],
  ["node.k8s.io", ["*"]],
  ["rbac.authorization.k8s.io", ["*"]],
  ["scheduling.k8s.io", ["*"]],
  ["storage.k8s.io", ["*"]],
];

const may = (verbs: readonly string[], parts: typeof workloads): Rule[] =>
  parts.map(([group, resources]) => ({ apiGroups: [group], resources, verbs }));

const core = (verbs: readonly string[], ...resources: readonly string[]): Rule => ({ apiGroups: [""], resources, verbs });

/** Reading what runs: not secrets, by which a reader would become whoever they belong to. */
const readWorkloads = [...may(read, workloads), core(read, "pods/log", "pods/status", "limitranges", "resourcequotas", "namespaces")];

/** All with what runs, secrets included. */
const writeWorkloads = [
  ...readWorkloads,
  ...may(write, workloads),
  core([...read, ...write], "secrets"),
  core(["get", "create"], "pods/exec", "pods/attach", "pods/portforward", "pods/eviction"),
];

/**
 * What the preset roles allow (specification, Authentication 5). `svc:ops` changes everything and deletes nothing but what is made again by
 * itself or was done: pods, events and jobs.
 */
export const presetRules: Readonly<Record<PresetRole, readonly Rule[]>> = {
  "svc:admin": [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ],
  "svc:ops": [
    { apiGroups: ["*"], resources: ["*"], verbs: [...read, ...change] },
    core(["delete"], "pods", "events"),
    { apiGroups: ["batch"], resources: ["jobs"], verbs: ["delete"] },
    { nonResourceURLs: ["*"], verbs: ["get"] },
  ],
  "svc:dev": writeWorkloads,
  "svc:ro": [...readWorkloads, ...may(read, cluster), { nonResourceURLs: ["*"], verbs: ["get"] }],
  "svc:ns:dev": writeWorkloads,
  "svc:ns:ro": readWorkloads,
};
