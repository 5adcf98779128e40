import type { ClusterEndpointState, ClusterState, InstanceState, NodePoolLifeState } from "../catalogue/cluster.ts";
import type { ExternalEndpointState, RegistryStatus } from "../catalogue/registry.ts";
import type { AddressStatus, NatGatewayState } from "../catalogue/vpc.ts";

/**
 * What a state means to a waiter. `pending` will change by itself; `deletionFailed` means that the resource is still there. A state
 * that the table lacks counts as pending, and is shown: it is never success.
 */
export type Readiness = "pending" | "ready" | "gone" | "failed" | "deletionFailed";

/** What each state of an enumeration means. A table with a state too many or too few does not compile. */
export type ReadinessTable<State extends string> = { readonly [Key in State]: Readiness };

/** The meaning of every state, by kind of resource. */
export const readinessOf = {
  cluster: {
    Creating: "pending",
    Running: "ready",
    Deleting: "pending",
    Upgrading: "pending",
    NodeUpgrading: "pending",
    RuntimeUpgrading: "pending",
    MasterScaling: "pending",
    ClusterLevelUpgrading: "pending",
    ClusterLevelTrading: "pending",
    Pause: "pending",
    Isolated: "failed",
    ResourceIsolate: "failed",
    ResourceIsolated: "failed",
    ResourceReverse: "pending",
    ResourceReversal: "pending",
    ResourceDestroy: "failed",
    ResourceDestroyed: "gone",
    Abnormal: "failed",
  } satisfies ReadinessTable<ClusterState>,
  nodePool: {
    Creating: "pending",
    Running: "ready",
    Updating: "pending",
    Deleting: "pending",
    Abnormal: "failed",
  } satisfies ReadinessTable<NodePoolLifeState>,
  node: {
    initializing: "pending",
    running: "ready",
    failed: "failed",
  } satisfies ReadinessTable<InstanceState>,
  clusterEndpoint: {
    Creating: "pending",
    Created: "ready",
    CreateFailed: "failed",
    NotFound: "gone",
    Deleting: "pending",
    Deleted: "gone",
    DeletedFailed: "deletionFailed",
  } satisfies ReadinessTable<ClusterEndpointState>,
  registry: {
    Pending: "pending",
    Deploying: "pending",
    Running: "ready",
    Unhealthy: "failed",
    FailedCreated: "failed",
    FailedUpdated: "failed",
    "Bucket-Error": "failed",
    Isolate: "failed",
    Deleting: "pending",
    DeleteBucketFailed: "deletionFailed",
    DeleteFailed: "deletionFailed",
  } satisfies ReadinessTable<RegistryStatus>,
  registryEndpoint: {
    Opening: "pending",
    Opened: "ready",
    Deleting: "pending",
    Closed: "gone",
  } satisfies ReadinessTable<ExternalEndpointState>,
  elasticIp: {
    CREATING: "pending",
    BINDING: "pending",
    BIND: "ready",
    UNBINDING: "pending",
    UNBIND: "ready",
    OFFLINING: "pending",
    BIND_ENI: "ready",
  } satisfies ReadinessTable<AddressStatus>,
  natGateway: {
    PENDING: "pending",
    AVAILABLE: "ready",
    UPDATING: "pending",
    DELETING: "pending",
    PENDFAILURE: "failed",
    DELETEFAILURE: "deletionFailed",
    DENIED: "failed",
  } satisfies ReadinessTable<NatGatewayState>,
} as const;

/** What a waiter knows of a resource. `readinessOf` says what the state means. */
export interface Status<State extends string = string> {
  readonly state: State;
  /** Why it is in this state, in the platform's words. */
  readonly reason?: string | undefined;
  /** The platform's id of the call that answered the state. */
  readonly requestId?: string | undefined;
  /** Why it has taken longer than it may. */
  readonly overdue?: string | undefined;
  /** What is still missing although the state is ready. */
  readonly lacking?: string | undefined;
  /** Why what is missing will not come by itself. */
  readonly hopeless?: string | undefined;
}
