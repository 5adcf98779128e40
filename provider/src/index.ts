// The resources. `npm run fix` writes resources/kinds.ts and resources/reviews.ts from these lines, in their order: a resource comes
// after those that it depends on.
export { Vpc, type VpcArgs, type VpcState } from "./resources/network/vpc.ts";
export { Ipv6Block, type Ipv6BlockArgs, type Ipv6BlockState } from "./resources/network/ipv6-block.ts";
export {
  SecurityGroup,
  type SecurityGroupArgs,
  type SecurityGroupRule,
  type SecurityGroupState,
} from "./resources/network/security-group.ts";
export { ElasticIp, type ElasticIpArgs, type ElasticIpAddressChargePrepaid, type ElasticIpState } from "./resources/network/elastic-ip.ts";
export { NatGateway, type NatGatewayArgs, type NatGatewayState } from "./resources/network/nat-gateway.ts";
export { RouteTable, type RouteTableArgs, type RouteTableRoute, type RouteTableState } from "./resources/network/route-table.ts";
export { Subnet, type SubnetArgs, type SubnetState } from "./resources/network/subnet.ts";
export {
  Cluster,
  type ClusterArgs,
  type ClusterExtraArgs,
  type ClusterResourceDeleteOption,
  type ClusterServiceAccounts,
  type ClusterOidcConfig,
  type ClusterExistingInstance,
  type ClusterExistingInstanceAdvancedSettings,
  type ClusterExistingInstanceAdvancedSettingsTaint,
  type ClusterExistingInstanceLoginSettings,
  type ClusterState,
} from "./resources/cluster/cluster.ts";
export {
  NodePool,
  type NodePoolArgs,
  type NodePoolNative,
  type NodePoolNativeSystemDisk,
  type NodePoolNativeScaling,
  type NodePoolNativeInstanceChargePrepaid,
  type NodePoolNativeDataDisk,
  type NodePoolNativeManagement,
  type NodePoolNativeLifecycle,
  type NodePoolNativeUpgradeSettings,
  type NodePoolNativeGpuConfig,
  type NodePoolNativeGpuConfigGpuParams,
  type NodePoolNativeInternetAccessible,
  type NodePoolTaint,
  type NodePoolState,
} from "./resources/cluster/node-pool.ts";
export { ClusterEndpoint, type ClusterEndpointArgs, type ClusterEndpointState } from "./resources/cluster/cluster-endpoint.ts";
export { UserPermission, type UserPermissionArgs, type UserPermissionState } from "./resources/cluster/user-permission.ts";
export {
  RegistryInstance,
  type RegistryInstanceArgs,
  type RegistryInstancePublicAccess,
  type RegistryInstancePublicAccessWhitelist,
  type RegistryInstanceInternalAccess,
  type RegistryInstanceState,
} from "./resources/registry/registry-instance.ts";
export {
  Namespace,
  type NamespaceArgs,
  type NamespaceRetentionRule,
  type NamespaceImagePrefixOutput,
  type NamespaceState,
} from "./resources/registry/namespace.ts";
export { Repository, type RepositoryArgs, type RepositoryImageNameOutput, type RepositoryState } from "./resources/registry/repository.ts";
export {
  ReplicationRule,
  type ReplicationRuleArgs,
  type ReplicationRuleFilter,
  type ReplicationRuleState,
} from "./resources/registry/replication-rule.ts";
export { Token, type TokenArgs, type TokenState } from "./resources/registry/token.ts";
export {
  ServiceAccount,
  type ServiceAccountArgs,
  type ServiceAccountPermission,
  type ServiceAccountPermissionOutput,
  type ServiceAccountState,
} from "./resources/registry/service-account.ts";
export { type Resolved, type ResolvedWithDefaults } from "./definition/resource-class.ts";

export { cidrSubnet } from "./functions/cidr-subnet.ts";
export { pullSecret, type PullSecretArgs } from "./resources/registry/pulling/pull-secret.ts";
export { type PullSource } from "./resources/registry/pulling/pull-server.ts";
export { lookUpEvents, lookUpEventsOutput, type LookUpEventsArgs } from "./functions/audit.ts";
export { getClusterVersions, getClusterVersionsOutput, type GetClusterVersionsArgs } from "./functions/cluster.ts";
export { getClusters, getClustersOutput } from "./functions/cluster.ts";
export { getCluster, getClusterOutput, type GetClusterArgs } from "./functions/cluster.ts";
export { getClusterStatus, getClusterStatusOutput, type GetClusterStatusArgs } from "./functions/cluster.ts";
export { getKubeconfig, getKubeconfigOutput, type GetKubeconfigArgs } from "./functions/cluster.ts";
export { getUserPermissions, getUserPermissionsOutput, type GetUserPermissionsArgs } from "./functions/cluster.ts";
export { getTasks, getTasksOutput, type GetTasksArgs } from "./functions/cluster.ts";
export { getRegions, getRegionsOutput } from "./functions/compute.ts";
export { getZones, getZonesOutput, type GetZonesArgs } from "./functions/compute.ts";
export { getInstanceTypes, getInstanceTypesOutput, type GetInstanceTypesArgs } from "./functions/compute.ts";
export { getDiskTypes, getDiskTypesOutput, type GetDiskTypesArgs } from "./functions/compute.ts";
export { getKeyPairs, getKeyPairsOutput } from "./functions/compute.ts";
export { getVpcs, getVpcsOutput } from "./functions/network.ts";
export { getSubnets, getSubnetsOutput, type GetSubnetsArgs } from "./functions/network.ts";
export { getSecurityGroups, getSecurityGroupsOutput } from "./functions/network.ts";
export { getClusterInstances, getClusterInstancesOutput, type GetClusterInstancesArgs } from "./functions/nodes.ts";
export { getNodePools, getNodePoolsOutput, type GetNodePoolsArgs } from "./functions/nodes.ts";
export { getOsImages, getOsImagesOutput, type GetOsImagesArgs } from "./functions/nodes.ts";
export { getRegistries, getRegistriesOutput } from "./functions/registry.ts";
export { getNamespaces, getNamespacesOutput, type GetNamespacesArgs } from "./functions/registry.ts";
export { getRepositories, getRepositoriesOutput, type GetRepositoriesArgs } from "./functions/registry.ts";
export { getImages, getImagesOutput, type GetImagesArgs } from "./functions/registry.ts";
export { type FunctionInputs, type FunctionOptions, type NoArgs } from "./functions/definition.ts";
export type { ClusterRecord, ClusterStatusRecord, PermissionRecord, TaskRecord } from "./functions/results.ts";
export type { NodeRecord, InstanceSettingsRecord, NodePoolRecord } from "./functions/results.ts";
export type { TagRecord, LabelRecord, TaintRecord, AnnotationRecord } from "./functions/results.ts";
export type { RegionRecord, ZoneRecord, OsImageRecord, KeyPairRecord, InstanceTypeRecord, DiskTypeRecord } from "./functions/results.ts";
export type { VpcRecord, SubnetRecord, SecurityGroupRecord, EventRecord } from "./functions/results.ts";
export type { RegistryRecord, NamespaceRecord, RepositoryRecord, ImageRecord } from "./functions/results.ts";
export { Provider, type ProviderArgs } from "./dynamic/provider.ts";
export { Network, type NetworkArgs, type SubnetRole } from "./components/network.ts";
export { Platform, type PlatformEndpoints } from "./components/platform.ts";
export type { PlatformAccess, PlatformArgs, PlatformGrant, PlatformPool, PlatformRegistry } from "./components/platform-args.ts";
export { type ChildAliases, type ChildArgs, type Transform, type Transforms } from "./components/children.ts";
