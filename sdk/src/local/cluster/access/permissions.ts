import type { z } from "zod";
import { deleteUserPermissions, describeUserPermissions, grantUserPermissions } from "../../../catalogue/cluster/permissions.ts";
import { type PresetRole, presetRoles } from "../../../catalogue/cluster/roles.ts";
import { state } from "../../../operation/operation.ts";
import { clusterRules } from "../../../rules/cluster.ts";
import { type Call, on } from "../../behaviour.ts";
import { refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { clusterRoles, type PermissionRow, permissions } from "../tables.ts";
import { mayBeSubAccount } from "../../accounts/accounts.ts";
import { clusterOf, requireUsable } from "../states.ts";

type Item = NonNullable<z.output<typeof grantUserPermissions.input>["permissions"]>[number];

/** The most permissions in one call (public API). As a call replaces all of a user's, it is also the most in a region. */
const mostPermissions = 100;

const roleType = state(["cluster", "namespace"]);

export const permissionBehaviours = [
  on(grantUserPermissions, (call, { targetUin, permissions: given = [] }) => {
    refuseUser(call, targetUin);
    refuseTooMany(call, given);
    const desired = new Map(given.map((item) => permissionOf(call, targetUin, item)).map((row) => [row.id, row]));
    const rows = call.rows(permissions);
    const present = new Map(rows.list(targetUin).map((row) => [row.id, row]));
    for (const row of desired.values()) if (!present.has(row.id)) refuseUngrantable(call, row);
    for (const id of present.keys()) if (!desired.has(id)) rows.remove(id);
    for (const row of desired.values()) if (!present.has(row.id)) rows.insert(row, targetUin);
  }),

  on(describeUserPermissions, (call, { targetUin }) => {
    refuseUser(call, targetUin);
    return {
      targetUin,
      permissions: call
        .list(permissions, targetUin)
        .map(({ clusterId, roleName, namespace, ...row }) => ({ clusterId, roleName, roleType: roleType.parse(row.roleType), namespace })),
    };
  }),

  on(deleteUserPermissions, (call, { targetUin, permissions: given = [] }) => {
    refuseUser(call, targetUin);
    refuseTooMany(call, given);
    if (given.length === 0) throw call.error("MissingParameter", "Permissions is required; it takes the permissions to remove");
    for (const item of given) call.rows(permissions).remove(permissionOf(call, targetUin, item).id);
  }),
];

/** Permissions are granted to sub-accounts, not to the main account (specification, Authentication 7). */
function refuseUser(call: Call, targetUin: string): void {
  refuseUnlessAllowed(call, "InvalidParameter", "TargetUin", targetUin, clusterRules.subAccount);
  if (targetUin === call.account)
    throw call.error("InvalidParameter", `TargetUin is ${targetUin}, the main account; it takes a sub-account's`);
}

function refuseTooMany(call: Call<"LimitExceeded">, given: readonly unknown[]): void {
  if (given.length > mostPermissions)
    throw call.error("LimitExceeded", `Permissions has ${given.length} entries; a user has ${mostPermissions} at most`);
}

/** A permission as it is stored; refuses one whose role, type and namespace do not go together. */
function permissionOf(call: Call, uin: string, item: Item): PermissionRow {
  const { clusterId, roleName, roleType: type, isCustom, namespace = "" } = item;
  const isPreset = isPresetRole(roleName);
  if (isPreset && presetRoles[roleName] !== type)
    throw call.error("InvalidParameter", `RoleType of ${roleName} is ${type}; that role takes ${presetRoles[roleName]}`);
  if (isCustom !== undefined && isCustom === isPreset)
    throw call.error(
      "InvalidParameter",
      `IsCustom of ${roleName} is ${isCustom}; ${isPreset ? "a preset role takes false" : "a role that is no preset one takes true"}`,
    );
  refuseUnlessAllowed(call, "InvalidParameter", "RoleName", roleName, clusterRules.roleName);
  if (type === "cluster" && namespace !== "")
    throw call.error("InvalidParameter", `Namespace is ${namespace}, but RoleType is cluster; only RoleType namespace takes one`);
  if (type === "namespace" && namespace === "")
    throw call.error("InvalidParameter", `Namespace of ${roleName} is not given; RoleType namespace needs one`);
  if (namespace !== "") refuseUnlessAllowed(call, "InvalidParameter", "Namespace", namespace, clusterRules.kubernetesNamespace);
  return { id: [uin, clusterId, type, namespace, roleName].join("/"), uin, clusterId, roleName, roleType: type, namespace };
}

function isPresetRole(name: string): name is PresetRole {
  return Object.hasOwn(presetRoles, name);
}

/** Refuses a new permission if the state of its cluster does not allow it, or if its role does not exist. */
function refuseUngrantable(
  call: Call<"ResourceNotFound" | "ResourceUnavailable.ClusterState">,
  { uin, clusterId, roleName, roleType: type, namespace }: PermissionRow,
): void {
  requireUsable(call, clusterOf(call, clusterId));
  if (!mayBeSubAccount(call.world, { uin, account: call.account }))
    throw call.error("InvalidParameter", `TargetUin is ${uin}, but account ${call.account} has no such sub-account`);
  if (isPresetRole(roleName)) return;
  const places = type === "cluster" ? [""] : ["", namespace];
  if (places.some((place) => call.rows(clusterRoles).get(roleId({ clusterId, namespace: place, name: roleName })))) return;
  const lacks =
    type === "cluster"
      ? `no ClusterRole ${roleName}`
      : `neither a Role ${roleName} in namespace ${namespace} nor a ClusterRole of that name`;
  throw call.error("InvalidParameter", `cluster ${clusterId} has ${lacks}; RoleName takes a preset role, or one that is in the cluster`);
}

export function roleId({ clusterId, namespace, name }: { clusterId: string; namespace: string; name: string }): string {
  return `${clusterId}/${namespace}/${name}`;
}
