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
export { lookUpEvents, type EventQuery } from "./functions/audit.ts";
export {
  getCluster,
  getClusterInstances,
  getClusters,
  getClusterStatus,
  getClusterVersions,
  getKubeconfig,
  getNodePools,
  getTasks,
  getUserPermissions,
} from "./functions/cluster.ts";
export { getKeyPairs, getRegions, getZones } from "./functions/compute.ts";
export { getSecurityGroups, getSubnets, getVpcs } from "./functions/network.ts";
export { getImages, getNamespaces, getRegistries, getRepositories } from "./functions/registry.ts";
export { Provider, type ProviderArgs } from "./pulumi/provider.ts";
