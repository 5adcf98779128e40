import { z } from "zod";
import { operations, state } from "../../operation/operation.ts";
import { clusterId } from "./structures.ts";

const operation = operations("cluster", "2018-05-25");

export const roleTypes = ["cluster", "namespace"] as const;
export type RoleType = (typeof roleTypes)[number];

/** The preset roles, each with its scope (specification, Authentication 5). */
export const presetRoles = {
  "svc:admin": "cluster",
  "svc:ops": "cluster",
  "svc:dev": "cluster",
  "svc:ro": "cluster",
  "svc:ns:dev": "namespace",
  "svc:ns:ro": "namespace",
} as const satisfies Record<string, (typeof roleTypes)[number]>;
export type PresetRole = keyof typeof presetRoles;

const targetUin = z.string().describe("Id of the sub-account; not the main account's.");
const roleName = z.string().describe(
  `A preset role (${Object.keys(presetRoles)
    .map((name) => `\`${name}\``)
    .join(", ")}), or the name of a Role or ClusterRole that is in the cluster.`,
);
const namespace = z.string().describe("The namespace of a grant of type `namespace`; empty for one of type `cluster`.");

const permissions = z.array(
  z.object({
    clusterId,
    roleName,
    roleType: z.enum(roleTypes).describe("`cluster`: holds in the whole cluster. `namespace`: in one namespace."),
    isCustom: z.boolean().optional().describe("Whether the role is not a preset one; as its name says unless given."),
    namespace: namespace.optional().describe("The namespace; required with type `namespace`, and only then."),
  }),
);

export const grantUserPermissions = operation("GrantUserPermissions", () => ({
  summary: "Gives a sub-account exactly these permissions in the region's clusters: others that it had are taken away.",
  input: {
    targetUin,
    permissions: permissions.optional().describe("All permissions that the sub-account is to have, at most 100; none takes all away."),
  },
  output: {},
  errors: ["LimitExceeded", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
  remoteErrors: ["ResourceInUse"],
  effect: "write",
  source: "specification",
}));

export const describeUserPermissions = operation("DescribeUserPermissions", () => ({
  summary: "Tells the permissions of a sub-account in all clusters of the region.",
  input: { targetUin },
  output: {
    targetUin,
    permissions: z
      .array(
        z.object({
          clusterId,
          roleName,
          roleType: state(roleTypes).describe("`cluster`: holds in the whole cluster. `namespace`: in one namespace."),
          namespace,
        }),
      )
      .describe("The permissions."),
  },
  errors: [],
  effect: "read",
  source: "specification",
}));

export const deleteUserPermissions = operation("DeleteUserPermissions", () => ({
  summary: "Takes these permissions from a sub-account; the others stay. One that it does not have is no matter.",
  input: { targetUin, permissions: permissions.optional().describe("The permissions to take away, 1 to 100.") },
  output: {},
  errors: ["LimitExceeded"],
  remoteErrors: ["ResourceInUse"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));
