import "./node-version.ts";

export { carve } from "@container-platform/sdk";
export { Cluster } from "./cluster/cluster.ts";
export { ClusterEndpoint } from "./cluster/cluster-endpoint.ts";
export { NodePool } from "./cluster/node-pool.ts";
export { UserPermission } from "./cluster/user-permission.ts";
export { Ipv6Block } from "./network/ipv6-block.ts";
export { SecurityGroup } from "./network/security-group.ts";
export { Subnet } from "./network/subnet.ts";
export { Vpc } from "./network/vpc.ts";
export { Namespace } from "./registry/namespace.ts";
export { pullSecret, type PullSecretArgs, type PullWay } from "./registry/pull.ts";
export { RegistryInstance } from "./registry/registry-instance.ts";
export { Token } from "./registry/token.ts";
export {
  getCluster,
  getClusterInstances,
  getClusters,
  getClusterStatus,
  getClusterVersions,
  getImages,
  getKeyPairs,
  getKubeconfig,
  getNamespaces,
  getNodePools,
  getRegions,
  getRegistries,
  getRepositories,
  getSecurityGroups,
  getSubnets,
  getTasks,
  getUserPermissions,
  getVpcs,
  getZones,
  lookUpEvents,
  type EventQuery,
} from "./functions.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
