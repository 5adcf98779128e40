import * as cluster from "@container-platform/sdk/cluster";
import { clusterRules } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { permissionsOf } from "@container-platform/sdk/finders/cluster";
import { ProviderError } from "../../definition/codes.ts";
import { allowed, cleared } from "../../definition/inputs.ts";
import { type IdForm, idOf } from "../../definition/ids.ts";
import type { Outputs, Resolved } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { ledgerOf } from "./permissions/grants.ts";
import { role, subAccount } from "./offers.ts";
import { Cluster } from "./cluster.ts";

/** The arguments of `UserPermission`. */
export interface UserPermissionArgs {
  /** ID of the sub-account; the main account is not allowed. A change replaces the grant. */
  targetUin: Input<string>;
  /** The cluster. A change replaces the grant. */
  clusterId: Input<string>;
  /**
   * `svc:admin`, `svc:ops`, `svc:dev` or `svc:ro` (type `cluster`), `svc:ns:dev` or `svc:ns:ro` (type `namespace`), or the name of a Role
   * or ClusterRole. A change replaces the grant.
   */
  roleName: Input<string>;
  /** Scope of the role: the whole `cluster`, or one `namespace`. A preset role has a fixed type. A change replaces the grant. */
  roleType: Input<"cluster" | "namespace">;
  /** The namespace. Required with roleType `namespace`, and not allowed otherwise. A change replaces the grant. */
  namespace?: Input<string | undefined>;
}

/** The properties of a `UserPermission` once they are known. */
export type UserPermissionState = Resolved<UserPermissionArgs>;

/**
 * One permission of a sub-account in a cluster. Other permissions of the sub-account remain unchanged.
 *
 * @example
 * new UserPermission("team-dev", {
 *   targetUin: "100000000002",
 *   clusterId: platform.clusterId,
 *   roleName: "svc:ns:dev",
 *   roleType: "namespace",
 *   namespace: "team",
 * });
 */
export class UserPermission extends resource<UserPermissionArgs, UserPermissionState>()("UserPermission", {
  inputs: {
    targetUin: allowed(z.string(), clusterRules.subAccount),
    clusterId: idOf("cls"),
    roleName: allowed(z.string().min(1), clusterRules.roleName),
    roleType: z.enum(cluster.roleTypes),
    namespace: cleared(allowed(z.string(), clusterRules.kubernetesNamespace)),
  },
  outputs: {},
  id: granted(),
}).managed({
  within: { kind: Cluster.kind, by: "clusterId" },
  create: async (cloud, { targetUin, ...grant }) => {
    const granted = await ledgerOf(cloud, targetUin).set(grant, true);
    if (!granted) throw new ProviderError("AlreadyExists", `${targetUin} has this permission already`);
  },
  owned: "key",
  read: async (cloud, { targetUin, clusterId, roleName, roleType, namespace }) => {
    const found = (await permissionsOf(cloud, targetUin)).some(
      (one) => one.clusterId === clusterId && one.roleName === roleName && one.roleType === roleType && one.namespace === (namespace ?? ""),
    );
    return found ? { targetUin, clusterId, roleName, roleType, namespace } : undefined;
  },
  list: (cloud, { targetUin: ids }) =>
    below(ids, async (targetUin) =>
      (await permissionsOf(cloud, targetUin)).map(({ namespace, ...grant }) => ({
        ...grant,
        targetUin,
        ...(namespace === "" ? {} : { namespace }),
      })),
    ),
  delete: (cloud, { targetUin, ...grant }) => ledgerOf(cloud, targetUin).set(grant, false),

  changes: { targetUin: "replace", clusterId: "replace", roleName: "replace", roleType: "replace", namespace: "replace" },
  offered: { targetUin: subAccount, roleName: role },
  rules: [
    {
      of: "roleType",
      broken: ({ roleName, roleType, namespace }) => {
        const fixed = scopeOf(roleName);
        if (fixed === undefined || fixed === roleType) return false;
        const wanted = fixed === "namespace" && namespace === undefined ? ", and a namespace" : "";
        const unwanted = fixed === "cluster" && namespace !== undefined ? ", and no namespace" : "";
        return `${roleName} is a role of a ${fixed}: it takes "${fixed}", not "${roleType}"${wanted}${unwanted}`;
      },
    },
    {
      of: "namespace",
      broken: ({ roleName, roleType, namespace }) => {
        // Of a wrong type, nothing follows for the namespace.
        if ((scopeOf(roleName) ?? roleType) !== roleType || (roleType === "namespace") === (namespace !== undefined)) return false;
        return roleType === "namespace"
          ? `is required for ${roleName}, because roleType is "namespace"`
          : `${roleName} with roleType "cluster" holds in the whole cluster, and takes none`;
      },
    },
  ],
  hints: {
    LimitExceeded: "A user has at most 100 grants in a region: give a role that covers several of them",
    InvalidParameter: "Grants are for sub-accounts, and a custom role has to be in the cluster before: make the Role or ClusterRole first",
  },
}) {}
export interface UserPermission extends Outputs<UserPermissionState> {}

/** Where a preset role holds; `undefined` for another role, which the program says itself. */
function scopeOf(roleName: string): cluster.RoleType | undefined {
  return Object.entries(cluster.presetRoles).find(([preset]) => preset === roleName)?.[1];
}

/** `100000000002/cls-3f8a0c1e/namespace/team/svc:ns:dev`; `-` where there is no namespace. */
function granted(): IdForm<UserPermissionState> {
  return {
    looks: "100000000002/cls-3f8a0c1e/namespace/team/svc:ns:dev or 100000000002/cls-3f8a0c1e/cluster/-/svc:ro",
    names: ["targetUin", "clusterId", "roleType", "namespace", "roleName"],
    of: ({ targetUin, clusterId, roleType, namespace = "-", roleName }) => [targetUin, clusterId, roleType, namespace, roleName].join("/"),
    parts: (id) => {
      const [targetUin, clusterId, type, namespace, roleName, ...rest] = id.split("/");
      const roleType = cluster.roleTypes.find((one) => one === type);
      if (!targetUin || !clusterId || !roleType || !namespace || !roleName || rest.length > 0) return undefined;
      return { targetUin, clusterId, roleType, roleName, ...(namespace === "-" ? {} : { namespace }) };
    },
  };
}
