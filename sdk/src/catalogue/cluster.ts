/** The operations of the cluster service, and the complete enumerations of its states. */

export { describeClusterAuthenticationOptions, modifyClusterAuthenticationOptions } from "./cluster/authentication.ts";
export {
  addVpcCniSubnets,
  deleteCluster,
  describeBatchModifyTagsStatus,
  describeClusterExtraArgs,
  describeClusters,
  describeClusterStatus,
  describeIpamd,
  disableClusterDeletionProtection,
  enableClusterDeletionProtection,
  modifyClusterAttribute,
  modifyClusterExtraArgs,
  modifyClusterTags,
} from "./cluster/clusters.ts";
export { clusterTypes, containerRuntimes, createCluster, networkTypes } from "./cluster/clusters.ts";
export {
  createClusterEndpoint,
  deleteClusterEndpoint,
  describeClusterEndpoints,
  describeClusterEndpointStatus,
  describeClusterKubeconfig,
  describeClusterSecurity,
  modifyClusterEndpointSp,
  rotateClusterToken,
  updateClusterKubeconfig,
} from "./cluster/endpoints.ts";
export { describeGpuInfo } from "./cluster/nodes.ts";
export { describeOsImages, describeVpcCniPodLimits } from "./cluster/nodes.ts";
export { instanceChargeTypes, type InstanceChargeType } from "./cluster/structures.ts";
export {
  createClusterNodePool,
  createExternalNodePool,
  createNodePool,
  deleteClusterNodePool,
  deleteNodePool,
  describeClusterNodePoolDetail,
  describeClusterNodePools,
  describeNodePools,
  modifyClusterNodePool,
  modifyNodePool,
  modifyNodePoolDesiredCapacityAboutAsg,
  nodePoolTypes,
  removeNodeFromNodePool,
  scaleNodePool,
} from "./cluster/node-pools.ts";
export {
  addExistedInstances,
  createEcmInstances,
  deleteClusterInstances,
  describeClusterInstances,
  describeClusterInstances2022,
  describeClusterMachines,
  nodeTypes,
  scaleOutClusterMaster,
} from "./cluster/nodes.ts";
export { deleteUserPermissions, describeUserPermissions, grantUserPermissions } from "./cluster/permissions.ts";
export { presetRoles, roleTypes, type PresetRole, type RoleType } from "./cluster/roles.ts";
export {
  authenticationStates,
  clusterEndpointStates,
  clusterInstanceStates,
  clusterStates,
  clusterStatuses,
  instanceStates,
  machineStates,
  nodePoolLifeStates,
  nodePoolLifeStates2018,
  nodeUpgradeStates,
  tagChangeStates,
  taskStates,
  upgradeStates,
  type AuthenticationState,
  type ClusterEndpointState,
  type ClusterInstanceState,
  type ClusterState,
  type ClusterStatus,
  type InstanceState,
  type MachineState,
  type NodePoolLifeState,
  type NodePoolLifeState2018,
  type NodeUpgradeState,
  type TagChangeState,
  type TaskState,
  type UpgradeState,
} from "./cluster/states.ts";
export { instanceDeleteModes, taintEffects } from "./cluster/structures.ts";
export { describeTasks, taskTypes, type TaskType } from "./cluster/versions.ts";
export {
  describeAvailableClusterVersion,
  describeClusterLevelAttribute,
  describeRegions,
  describeVersions,
  getUpgradeInstanceProgress,
  updateClusterVersion,
  upgradeClusterInstances,
} from "./cluster/versions.ts";
