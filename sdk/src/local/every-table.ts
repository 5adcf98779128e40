import type { z } from "zod";
import {
  authorities,
  clientCertificates,
  clusterEndpoints,
  clusters,
  clusterTasks,
  nodePools,
  nodes,
  unreachableAddresses,
} from "./cluster/tables.ts";
import { edgeModules } from "./cluster/nodes/edge-tables.ts";
import { clusterRoles, permissions } from "./cluster/access/permission-tables.ts";
import { instances, keyPairs } from "./compute/tables.ts";
import {
  blobs,
  buckets,
  images,
  internalEndpoints,
  internalNames,
  manifests,
  namespaces,
  registries,
  registryTokens,
  replicationRules,
  repositories,
  retentionRules,
  serviceAccounts,
  whitelists,
} from "./registry/tables.ts";
import type { Table } from "./store/table.ts";
import { attachments, routeTables, securityGroups, subnets, vpcs } from "./vpc/tables.ts";

/** Every table of a world, with the schema of its rows. */
export const everyTable: readonly (Pick<Table<{ id: string }>, "name" | "sorted"> & { readonly row: z.ZodType })[] = [
  vpcs,
  subnets,
  routeTables,
  securityGroups,
  attachments,
  instances,
  keyPairs,
  clusters,
  nodePools,
  nodes,
  clusterEndpoints,
  authorities,
  clientCertificates,
  clusterTasks,
  unreachableAddresses,
  permissions,
  clusterRoles,
  edgeModules,
  registries,
  buckets,
  whitelists,
  internalEndpoints,
  internalNames,
  registryTokens,
  namespaces,
  repositories,
  images,
  manifests,
  blobs,
  serviceAccounts,
  replicationRules,
  retentionRules,
];
