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
import { instances, keyPairs } from "./compute/tables.ts";
import type { AnyTable } from "./table.ts";
import { attachments, routeTables, securityGroups, subnets, vpcs } from "./vpc/tables.ts";

/** Every kind of thing in the world. */
export const tables: readonly AnyTable[] = [
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
];
