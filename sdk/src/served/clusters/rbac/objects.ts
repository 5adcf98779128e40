import { type PresetRole, presetRoles } from "../../../catalogue/cluster/roles.ts";
import { type PermissionRow, permissions } from "../../../local/cluster/tables.ts";
import type { World } from "../../../local/store/world.ts";

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
const presetRules: Readonly<Record<PresetRole, readonly Rule[]>> = {
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

const api = "rbac.authorization.k8s.io";
export const rbacPath = `/apis/${api}/v1`;

/** What the platform has made in a cluster has this label. All else is the users'. */
const label = "container-platform/managed";
export const managedOnly = `labelSelector=${encodeURIComponent(`${label}=true`)}`;

export function isManaged(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels?.[label] === "true";
}

/** An object of the platform in a cluster. */
export interface ManagedObject {
  readonly path: string;
  readonly body: object;
  /** The permission that it stands for; none for the main account's own. */
  readonly permission?: PermissionRow;
}

/** A role for each preset one, of the same name. */
export const presetObjects: readonly (ManagedObject & { readonly name: string })[] = Object.entries(presetRules).map(([name, rules]) => ({
  name,
  path: `${rbacPath}/clusterroles/${encodeURIComponent(name)}`,
  body: { apiVersion: `${api}/v1`, kind: "ClusterRole", metadata: { name, labels: { [label]: "true" } }, rules },
}));

/** The bindings that a cluster has to have, by their paths: the main account may do everything, a sub-account what it was given. */
export function desiredBindings(
  world: World,
  { region, account, clusterId }: { region: string; account: string; clusterId: string },
  hasRole: (namespace: string, name: string) => boolean,
): Map<string, ManagedObject> {
  const given = world
    .rows(permissions, region, account)
    .list()
    .filter((row) => row.clusterId === clusterId);
  const main = bindingTo(account, { kind: "ClusterRole", name: "cluster-admin" }, "");
  const all = [main, ...given.map((permission) => bindingOf(permission, hasRole))];
  return new Map(all.map((object) => [object.path, object]));
}

/** A permission in a namespace may be for a role of that namespace, or for one of the cluster. */
function bindingOf(permission: PermissionRow, hasRole: (namespace: string, name: string) => boolean): ManagedObject {
  const { uin, roleName, namespace } = permission;
  const isPreset = Object.hasOwn(presetRoles, roleName);
  const kind = namespace !== "" && !isPreset && hasRole(namespace, roleName) ? "Role" : "ClusterRole";
  return { ...bindingTo(uin, { kind, name: roleName }, namespace), permission };
}

function bindingTo(uin: string, role: { readonly kind: string; readonly name: string }, namespace: string): ManagedObject {
  const name = `container-platform:${uin}:${role.kind === "Role" ? "role:" : ""}${role.name}`;
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  return {
    path: pathOfBinding(namespace, name),
    body: {
      apiVersion: `${api}/v1`,
      kind,
      metadata: { name, ...(namespace !== "" && { namespace }), labels: { [label]: "true" } },
      roleRef: { apiGroup: api, ...role },
      subjects: [{ apiGroup: api, kind: "User", name: uin }],
    },
  };
}

export function pathOfBinding(namespace: string, name: string): string {
  const collection = namespace === "" ? "clusterrolebindings" : `namespaces/${namespace}/rolebindings`;
  return `${rbacPath}/${collection}/${encodeURIComponent(name)}`;
}
