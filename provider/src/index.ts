// The resources. `npm run fix` writes resources/kinds.ts and resources/reviews.ts from these lines, in their order: a resource comes
// after those that it depends on.
export { Vpc, type VpcArgs } from "./resources/network/vpc.ts";
export { Ipv6Block, type Ipv6BlockArgs } from "./resources/network/ipv6-block.ts";
export { SecurityGroup, type SecurityGroupArgs } from "./resources/network/security-group.ts";
export { Subnet, type SubnetArgs } from "./resources/network/subnet.ts";
export { Cluster, type ClusterArgs } from "./resources/cluster/cluster.ts";
export { NodePool, type NodePoolArgs } from "./resources/cluster/node-pool.ts";
export { ClusterEndpoint, type ClusterEndpointArgs } from "./resources/cluster/cluster-endpoint.ts";
export { UserPermission, type UserPermissionArgs } from "./resources/cluster/user-permission.ts";
export { RegistryInstance, type RegistryInstanceArgs } from "./resources/registry/registry-instance.ts";
export { Namespace, type NamespaceArgs } from "./resources/registry/namespace.ts";
export { Repository, type RepositoryArgs } from "./resources/registry/repository.ts";
export { ReplicationRule, type ReplicationRuleArgs } from "./resources/registry/replication-rule.ts";
export { Token, type TokenArgs } from "./resources/registry/token.ts";
export { ServiceAccount, type ServiceAccountArgs } from "./resources/registry/service-account.ts";

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
