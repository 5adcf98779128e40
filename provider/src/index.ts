import "./node-version.ts";

export { carve } from "@container-platform/sdk";
export { Cluster } from "./cluster/cluster.ts";
export { ClusterEndpoint } from "./cluster/cluster-endpoint.ts";
export { NodePool } from "./cluster/node-pool.ts";
export { Ipv6Block } from "./network/ipv6-block.ts";
export { SecurityGroup } from "./network/security-group.ts";
export { Subnet } from "./network/subnet.ts";
export { Vpc } from "./network/vpc.ts";
export {
  getCluster,
  getClusterInstances,
  getClusters,
  getClusterStatus,
  getClusterVersions,
  getKeyPairs,
  getKubeconfig,
  getNodePools,
  getRegions,
  getSecurityGroups,
  getSubnets,
  getTasks,
  getVpcs,
  getZones,
  lookUpEvents,
  type EventQuery,
} from "./functions.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
