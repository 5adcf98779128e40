import type { ClusterEndpointState, ClusterState, InstanceState, NodePoolLifeState } from "../catalogue/cluster.ts";
import type { ExternalEndpointState, RegistryStatus } from "../catalogue/registry.ts";

/**
 * What a state means to whoever waits; `undeleted` is a deletion that failed. A state without a verdict is waited on and
 * shown: it is never success.
 */
export type Verdict = "wait" | "ready" | "gone" | "failed" | "undeleted";

/** What each state of an enumeration means: none may be forgotten, none made up. */
export type Verdicts<State extends string> = { readonly [Key in State]: Verdict };

/** What the states of the platform's things mean. */
export const verdicts = {
  cluster: {
    Creating: "wait",
    Running: "ready",
    Deleting: "wait",
    Upgrading: "wait",
    NodeUpgrading: "wait",
    RuntimeUpgrading: "wait",
    MasterScaling: "wait",
    ClusterLevelUpgrading: "wait",
    ClusterLevelTrading: "wait",
    Pause: "wait",
    Isolated: "failed",
    ResourceIsolate: "failed",
    ResourceIsolated: "failed",
    ResourceReverse: "wait",
    ResourceReversal: "wait",
    ResourceDestroy: "failed",
    ResourceDestroyed: "gone",
    Abnormal: "failed",
  } satisfies Verdicts<ClusterState>,
  nodePool: {
    Creating: "wait",
    Running: "ready",
    Updating: "wait",
    Deleting: "wait",
    Abnormal: "failed",
  } satisfies Verdicts<NodePoolLifeState>,
  node: {
    initializing: "wait",
    running: "ready",
    failed: "failed",
  } satisfies Verdicts<InstanceState>,
  clusterEndpoint: {
    Creating: "wait",
    Created: "ready",
    CreateFailed: "failed",
    NotFound: "gone",
    Deleting: "wait",
    Deleted: "gone",
    DeletedFailed: "undeleted",
  } satisfies Verdicts<ClusterEndpointState>,
  registry: {
    Pending: "wait",
    Deploying: "wait",
    Running: "ready",
    Unhealthy: "failed",
    FailedCreated: "failed",
    FailedUpdated: "failed",
    "Bucket-Error": "failed",
    Isolate: "failed",
    Deleting: "wait",
    DeleteBucketFailed: "undeleted",
    DeleteFailed: "undeleted",
  } satisfies Verdicts<RegistryStatus>,
  registryEndpoint: {
    Opening: "wait",
    Opened: "ready",
    Deleting: "wait",
    Closed: "gone",
  } satisfies Verdicts<ExternalEndpointState>,
} as const;
