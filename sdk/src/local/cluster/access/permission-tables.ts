import { z } from "zod";
import { roleTypes } from "../../../catalogue/cluster/permissions.ts";
import { table } from "../../store/table.ts";

/** A permission of a sub-account. Belongs to the sub-account; its id is `<uin>/<cluster>/<type>/<namespace>/<role>`. */
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

/** A custom ClusterRole, or a custom Role of a namespace. Belongs to its cluster; its id is `<cluster>/<namespace>/<name>`. */
export const clusterRoles = table(
  "clusterRoles",
  z.object({
    id: z.string(),
    /** Empty for a ClusterRole. */
    namespace: z.string(),
    name: z.string(),
  }),
);
