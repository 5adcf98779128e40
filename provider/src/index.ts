// The resources. `npm run fix` writes resources/kinds.ts and resources/reviews.ts from these lines, in their order: a resource comes
// after those that it depends on.
export { Vpc } from "./resources/network/vpc.ts";
export { Ipv6Block } from "./resources/network/ipv6-block.ts";
export { SecurityGroup } from "./resources/network/security-group.ts";
export { Subnet } from "./resources/network/subnet.ts";
export { Cluster } from "./resources/cluster/cluster.ts";
export { NodePool } from "./resources/cluster/node-pool.ts";
export { ClusterEndpoint } from "./resources/cluster/cluster-endpoint.ts";
export { UserPermission } from "./resources/cluster/user-permission.ts";
export { RegistryInstance } from "./resources/registry/registry-instance.ts";
export { Namespace } from "./resources/registry/namespace.ts";
export { Repository } from "./resources/registry/repository.ts";
export { ReplicationRule } from "./resources/registry/replication-rule.ts";
export { Token } from "./resources/registry/token.ts";
export { ServiceAccount } from "./resources/registry/service-account.ts";

export { carve } from "@container-platform/sdk";
export { pullSecret, type PullSecretArgs } from "./resources/registry/pull-secret.ts";
export { type PullWay } from "./resources/registry/pull-server.ts";
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
export { Network, type NetworkArgs, type SubnetRole } from "./components/network.ts";
export { Platform } from "./components/platform.ts";
export {
  type PlatformAccess,
  type PlatformArgs,
  type PlatformGrant,
  type PlatformPool,
  type PlatformRegistry,
} from "./components/platform-args.ts";
export { type PlatformEndpoints } from "./components/access.ts";
export { type Adoptions, type ChildArgs, type Transform, type Transforms } from "./components/children.ts";
