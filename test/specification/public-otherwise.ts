/** A proof that does not hold for a way to reach a platform. */
export interface Otherwise {
  /** The proof's title. */
  readonly title: string;
  readonly because: string;
  /** How it fails. */
  readonly fails: RegExp;
}

const noRotation = { because: "RotateClusterToken cannot name a cluster there", fails: /has no field that could name a cluster/ };
const noPara = { because: "RunInstancePara is a list there", fails: /the public API has no RunInstancePara; give RunInstancesForNode/ };
const event = { because: "an event there has no ApiErrorCode" };

/** What the specification states, and the public API has in another form or not at all. */
export const publicOtherwise: readonly Otherwise[] = [
  { title: "2018-05-25 is the version of the cluster service's actions, 2022-05-01 that of the newer set", ...noRotation },
  { title: "RotateClusterToken needs the ClusterId that the client does not expose, and leaves kubeconfigs alone", ...noRotation },
  { title: "malformed and missing parameters, wrong names and wrong ids have their codes", ...noRotation },
  { title: "a sub-account needs the permission for each operation; network operations have one for all of them", ...noRotation },
  {
    title: "GPU arguments are refused with machines without GPUs wherever machines are asked for, and told where they are taken",
    ...noPara,
  },
  { title: "a cluster's first machines are asked for by RunInstancePara, or by the public API's form of the same", ...noPara },
  {
    title: "pools of the older kind, external and edge nodes, and a larger control plane come about with the shared structures",
    ...noPara,
  },
  {
    title: "edge machines and the control plane take the same services",
    because: "edge machines take no automation service there",
    fails: /the public API has no EnhancedService\.AutomationService/,
  },
  {
    title: "a pool is made by the newer CreateNodePool, and its detail tells state and scaling",
    because: "the pools of 2018 tell no native settings there",
    fails: /to match object/,
  },
  {
    title: "a cluster's record has the specification's fields, and is found by those that can be filtered",
    because: "DescribeClusterStatus and DescribeClusterEndpoints tell it there",
    fails: /ClusterId/,
  },
  {
    title: "an endpoint that is not there is Creating once asked for, then Created, and tells its address",
    because: "IsExtranet may be left out there",
    fails: /expected 'none' to be 'MissingParameter'/,
  },
  {
    title: "a service account pushes and pulls where its permissions say, and gets 403 elsewhere",
    because: "a namespace is written without the slash there",
    fails: /expected 'none' to be 'InvalidParameter'/,
  },
  {
    title: "calls are recorded with who, when, about what and how they ended, and looked up by name and window",
    ...event,
    fails: /eventId/,
  },
  { title: "what a sub-account is refused has no effect, and is recorded with who asked for it", ...event, fails: /eventId/ },
  {
    title:
      "a call that names no version means 2018-05-25 of the cluster service, its newest where that lacks it, and the only one of the others",
    because: "a call has to name its version there",
    fails: /expected 'MissingParameter' to be 'ResourceNotFound'/,
  },
];
