import * as cluster from "@container-platform/sdk/cluster";
import type { OtherNames } from "../schema/paths.ts";
import type { PlatformGrant } from "./platform-args.ts";

/** The arguments of a permission: the type of a role that is no preset follows from where it holds. */
export function grantOf(grant: string | PlatformGrant) {
  const { role: roleName, namespace } = typeof grant === "string" ? { role: grant } : grant;
  const preset = Object.entries(cluster.presetRoles).find(([name]) => name === roleName)?.[1];
  const roleType = preset ?? (namespace === undefined ? "cluster" : "namespace");
  return { roleName, roleType, ...(namespace === undefined ? {} : { namespace }) };
}

/** What a platform calls the arguments of a permission. */
export function grantNames(uin: string, grant: string | PlatformGrant): OtherNames {
  const own = `permissions.${uin}`;
  const role = typeof grant === "string" ? own : `${own}.role`;
  return { targetUin: own, roleName: role, roleType: role, namespace: `${own}.namespace` };
}
