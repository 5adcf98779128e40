import { z } from "zod";
import { boolean, objects, operations, state, string } from "../../operation/operation.ts";
import { presetRoles, roleTypes } from "./roles.ts";
import { clusterId } from "./structures.ts";

const { operation } = operations("cluster", "2018-05-25");

const targetUin = string("ID of the sub-account; not the main account's.");
const roleName = string(
  `A preset role (${Object.keys(presetRoles)
    .map((name) => `\`${name}\``)
    .join(", ")}), or the name of a Role or ClusterRole that is in the cluster.`,
);
const namespace = string("Namespace, if the type is `namespace`; empty if it is `cluster`.");

const permissions = z.array(
  z.object({
    clusterId,
    roleName,
    roleType: z.enum(roleTypes).describe("`cluster`: valid in the whole cluster. `namespace`: valid in one namespace."),
    isCustom: boolean("Whether it is a custom role, not a preset one; determined by the role's name unless given.").optional(),
    namespace: namespace.optional().describe("Namespace; required with type `namespace`, rejected otherwise."),
  }),
);

export const grantUserPermissions = operation("GrantUserPermissions", () => ({
  summary: "Replaces all permissions of a sub-account in the region's clusters: those that are not given are removed.",
  input: {
    targetUin,
    permissions: permissions.optional().describe("All permissions of the sub-account, at most 100; an empty list removes all."),
  },
  errors: ["LimitExceeded", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
  remoteErrors: ["ResourceInUse"],
}));

export const describeUserPermissions = operation("DescribeUserPermissions", () => ({
  summary: "Lists the permissions of a sub-account in all clusters of the region.",
  input: { targetUin },
  output: {
    targetUin,
    permissions: objects("The permissions.", {
      clusterId,
      roleName: roleName.describe("The preset role, or the name of a Role or ClusterRole that is in the cluster."),
      roleType: state(roleTypes).describe("`cluster`: valid in the whole cluster. `namespace`: valid in one namespace."),
      namespace,
    }),
  },
}));

export const deleteUserPermissions = operation("DeleteUserPermissions", () => ({
  summary: "Removes permissions of a sub-account; its other permissions remain. Permissions that it does not have are ignored.",
  input: { targetUin, permissions: permissions.optional().describe("The permissions to remove, 1 to 100.") },
  errors: ["LimitExceeded"],
  remoteErrors: ["ResourceInUse"],
  repeatable: true,
}));
