import "./runtime/node-version.ts";

export { carve } from "@container-platform/sdk";
export { Cluster } from "./resources/cluster/cluster.ts";
export { ClusterEndpoint } from "./resources/cluster/cluster-endpoint.ts";
export { NodePool } from "./resources/cluster/node-pool.ts";
export { UserPermission } from "./resources/cluster/user-permission.ts";
export { Ipv6Block } from "./resources/network/ipv6-block.ts";
export { SecurityGroup } from "./resources/network/security-group.ts";
export { Subnet } from "./resources/network/subnet.ts";
export { Vpc } from "./resources/network/vpc.ts";
export { Namespace } from "./resources/registry/namespace.ts";
export { pullSecret, type PullSecretArgs, type PullWay } from "./resources/registry/pull.ts";
export { RegistryInstance } from "./resources/registry/registry-instance.ts";
export { Token } from "./resources/registry/token.ts";
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
} from "./functions/functions.ts";
export { Provider, type ProviderArgs } from "./pulumi/provider.ts";
