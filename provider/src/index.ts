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
export {
  getClusterVersions,
  getClusterVersionsOutput,
  getClusters,
  getClustersOutput,
  getCluster,
  getClusterOutput,
  getClusterStatus,
  getClusterStatusOutput,
  getKubeconfig,
  getKubeconfigOutput,
  getUserPermissions,
  getUserPermissionsOutput,
  getTasks,
  getTasksOutput,
  type GetClusterVersionsArgs,
  type GetClusterArgs,
  type GetClusterStatusArgs,
  type GetKubeconfigArgs,
  type GetUserPermissionsArgs,
  type GetTasksArgs,
} from "./functions/cluster.ts";
export {
  getRegions,
  getRegionsOutput,
  getZones,
  getZonesOutput,
  getInstanceTypes,
  getInstanceTypesOutput,
  getDiskTypes,
  getDiskTypesOutput,
  getKeyPairs,
  getKeyPairsOutput,
  type GetZonesArgs,
  type GetInstanceTypesArgs,
  type GetDiskTypesArgs,
} from "./functions/compute.ts";
export {
  getVpcs,
  getVpcsOutput,
  getSubnets,
  getSubnetsOutput,
  getSecurityGroups,
  getSecurityGroupsOutput,
  type GetSubnetsArgs,
} from "./functions/network.ts";
export {
  getClusterInstances,
  getClusterInstancesOutput,
  getNodePools,
  getNodePoolsOutput,
  getOsImages,
  getOsImagesOutput,
  type GetClusterInstancesArgs,
  type GetNodePoolsArgs,
  type GetOsImagesArgs,
} from "./functions/nodes.ts";
export {
  getRegistries,
  getRegistriesOutput,
  getNamespaces,
  getNamespacesOutput,
  getRepositories,
  getRepositoriesOutput,
  getImages,
  getImagesOutput,
  type GetNamespacesArgs,
  type GetRepositoriesArgs,
  type GetImagesArgs,
} from "./functions/registry.ts";
export { type FunctionInputs, type FunctionOptions, type NoArgs } from "./functions/definition.ts";
export {
  type TagRecord,
  type LabelRecord,
  type ClusterRecord,
  type ClusterStatusRecord,
  type TaintRecord,
  type InstanceSettingsRecord,
  type NodeRecord,
  type AnnotationRecord,
  type NodePoolRecord,
  type PermissionRecord,
  type TaskRecord,
  type RegionRecord,
  type OsImageRecord,
  type ZoneRecord,
  type KeyPairRecord,
  type InstanceTypeRecord,
  type DiskTypeRecord,
  type VpcRecord,
  type SubnetRecord,
  type SecurityGroupRecord,
  type RegistryRecord,
  type NamespaceRecord,
  type RepositoryRecord,
  type ImageRecord,
  type EventRecord,
} from "./functions/results.ts";
export { Provider, type ProviderArgs } from "./dynamic/provider.ts";
export { Network, type NetworkArgs, type SubnetRole } from "./components/network.ts";
export { Platform, type PlatformEndpoints } from "./components/platform.ts";
export {
  type PlatformAccess,
  type PlatformArgs,
  type PlatformGrant,
  type PlatformPool,
  type PlatformRegistry,
} from "./components/platform-args.ts";
export { type ChildAliases, type ChildArgs, type Transform, type Transforms } from "./components/children.ts";
