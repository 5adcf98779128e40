import { z } from "zod";
import { roleTypes } from "../../../catalogue/cluster/permissions.ts";
import { table } from "../../store/table.ts";

/** A grant to a sub-account. Belongs to that one; its id is `<uin>/<cluster>/<type>/<namespace>/<role>`. */
export const permissions = table(
  "permissions",
  z.object({
    id: z.string(),
    uin: z.string(),
    clusterId: z.string(),
    roleName: z.string(),
    roleType: z.enum(roleTypes),
    /** Empty for the whole cluster. */
    namespace: z.string(),
  }),
);
export type PermissionRow = z.output<typeof permissions.row>;

/** A ClusterRole, or a Role of a namespace, that someone made in a cluster. Belongs to it; its id is `<cluster>/<namespace>/<name>`. */
export const clusterRoles = table(
  "clusterRoles",
  z.object({
    id: z.string(),
    /** Empty for a ClusterRole. */
    namespace: z.string(),
    name: z.string(),
  }),
);
