/** The cluster service's states, as complete enumerations. Values that the specification does not show are the public API's. */

/**
 * `ClusterState` (DescribeClusterStatus). `Abnormal` is the local platform's interpretation: in the public API only `ClusterStatus`
 * has it, and both have to show that a creation failed.
 */
export const clusterStates = [
  "Creating",
  "Running",
  "Deleting",
  "Upgrading",
  "NodeUpgrading",
  "RuntimeUpgrading",
  "MasterScaling",
  "ClusterLevelUpgrading",
  "ClusterLevelTrading",
  "Pause",
  "Isolated",
  "ResourceIsolate",
  "ResourceIsolated",
  "ResourceReverse",
  "ResourceReversal",
  "ResourceDestroy",
  "ResourceDestroyed",
  "Abnormal",
] as const;
export type ClusterState = (typeof clusterStates)[number];

/** `ClusterStatus` (DescribeClusters); `WaittingForConnect` is the platform's spelling. */
export const clusterStatuses = [
  "Trading",
  "Creating",
  "Running",
  "Deleting",
  "Idling",
  "Recovering",
  "Scaling",
  "Upgrading",
  "WaittingForConnect",
  "Isolated",
  "Pause",
  "NodeUpgrading",
  "RuntimeUpgrading",
  "MasterScaling",
  "ClusterLevelUpgrading",
  "ResourceIsolate",
  "ResourceIsolated",
  "ResourceReverse",
  "Abnormal",
] as const;
export type ClusterStatus = (typeof clusterStatuses)[number];

/** `ClusterInstanceState`: the nodes of a cluster together. */
export const clusterInstanceStates = ["AllNormal", "AllAbnormal", "PartialAbnormal"] as const;
export type ClusterInstanceState = (typeof clusterInstanceStates)[number];

/** `InstanceState`: one node. */
export const instanceStates = ["initializing", "running", "failed"] as const;
export type InstanceState = (typeof instanceStates)[number];

/** `MachineState`: the machine behind a native node. The public API has no list; these are the local platform's. */
export const machineStates = ["Pending", "Running", "Failed", "Deleting"] as const;
export type MachineState = (typeof machineStates)[number];

/** `Status` of an access endpoint; `NotFound` where none is open. */
export const clusterEndpointStates = ["Creating", "Created", "CreateFailed", "NotFound", "Deleting", "Deleted", "DeletedFailed"] as const;
export type ClusterEndpointState = (typeof clusterEndpointStates)[number];

/** `LatestOperationState` of the authentication options. */
export const authenticationStates = ["Updating", "Success", "Failed", "TimeOut"] as const;
export type AuthenticationState = (typeof authenticationStates)[number];

/** `LifeState` of a node pool in the actions of 2018-05-25. */
export const nodePoolLifeStates2018 = ["creating", "normal", "updating", "deleting", "deleted"] as const;
export type NodePoolLifeState2018 = (typeof nodePoolLifeStates2018)[number];

/** `LifeState` of a node pool in the actions of 2022-05-01. `Abnormal`: it could not be made. */
export const nodePoolLifeStates = ["Creating", "Running", "Updating", "Deleting", "Abnormal"] as const;
export type NodePoolLifeState = (typeof nodePoolLifeStates)[number];

/** `LifeState` of a task. */
export const taskStates = ["process", "pause", "pausing", "paused", "done", "abort", "aborted", "resume"] as const;
export type TaskState = (typeof taskStates)[number];

/** `LifeState` of the upgrade of nodes as a whole. */
export const upgradeStates = ["process", "pausing", "paused", "done", "timeout", "abort", "aborted"] as const;
export type UpgradeState = (typeof upgradeStates)[number];

/** `LifeState` of the upgrade of one node. */
export const nodeUpgradeStates = ["pending", "process", "paused", "pausing", "done", "timeout", "aborted"] as const;
export type NodeUpgradeState = (typeof nodeUpgradeStates)[number];

/** `Status` of a change of tags. */
export const tagChangeStates = ["running", "failed", "done"] as const;
export type TagChangeState = (typeof tagChangeStates)[number];
