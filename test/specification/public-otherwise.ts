/** A proof that does not hold for a way to reach a platform. */
export interface Otherwise {
  readonly title: string;
  readonly because: string;
  readonly fails: RegExp;
}

const noRotation = { because: "RotateClusterToken does not have a field for the cluster", fails: /does not have a field for the cluster/ };
const noPara = { because: "RunInstancePara is a list", fails: /the public API has no RunInstancePara; give RunInstancesForNode/ };
const event = { because: "an event does not have ApiErrorCode" };

/** What the specification states, and the public API has in another form or not at all. */
export const publicOtherwise: readonly Otherwise[] = [
  { title: "the cluster service has the version 2018-05-25, and its newer actions the version 2022-05-01", ...noRotation },
  { title: "RotateClusterToken requires the ClusterId, which the client does not expose, and does not change kubeconfigs", ...noRotation },
  { title: "malformed and missing parameters, wrong names and wrong IDs have their error codes", ...noRotation },
  { title: "a sub-account requires the permission for each operation; all network operations share one permission", ...noRotation },
  {
    title: "every operation that creates instances rejects GPU arguments for instance types without GPUs; accepted arguments are returned",
    ...noPara,
  },
  { title: "RunInstancePara, or its form in the public API, requests the first instances of a cluster", ...noPara },
  {
    title: "the shared structures create older node pools, external and edge nodes, and a larger control plane",
    ...noPara,
  },
  {
    title: "edge instances and the control plane accept the same services",
    because: "edge instances do not accept the automation service",
    fails: /the public API has no EnhancedService\.AutomationService/,
  },
  {
    title: "the newer CreateNodePool creates a node pool, and its detail returns state and scaling",
    because: "node pools of 2018 do not return native settings",
    fails: /to match object/,
  },
  {
    title: "a cluster's record has the specification's fields",
    because: "DescribeClusterStatus and DescribeClusterEndpoints return these fields",
    fails: /ClusterId/,
  },
  {
    title: "a cluster requires a VPC and a subnet",
    because: "the platform chooses a subnet of the VPC",
    fails: /expected 'none' to be 'MissingParameter'/,
  },
  {
    title: "a node of a cluster is listed with its state, whether it is drained, and its settings",
    because: "DescribeClusterInstances is rejected while the cluster is Creating",
    fails: /ResourceUnavailable\.ClusterState/,
  },
  {
    title: "an endpoint returns its address as soon as it is Created, and requires a security group or a subnet",
    because: "IsExtranet is optional",
    fails: /expected 'none' to be 'MissingParameter'/,
  },
  {
    title: "a service account pushes and pulls according to its permissions, and gets 403 otherwise",
    because: "a namespace is written without the slash",
    fails: /expected 'none' to be 'InvalidParameter'/,
  },
  {
    title: "events record the caller, time, resource and result of each call, and are found by name and time",
    ...event,
    fails: /eventId/,
  },
  { title: "a rejected call of a sub-account has no effect, and its event records the caller", ...event, fails: /eventId/ },
  {
    title: "a call without a version uses 2018-05-25 in the cluster service or else the newest, and the only version in other services",
    because: "a call requires a version",
    fails: /expected 'MissingParameter' to be 'ResourceNotFound'/,
  },
];
