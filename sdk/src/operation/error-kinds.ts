/** What an error means for the caller, whatever its exact code. */
export type ErrorKind =
  | "notFound"
  | "inUse"
  | "conflict"
  | "throttled"
  | "transient"
  | "unauthorized"
  | "protected"
  | "limit"
  | "invalid"
  | "unsupported"
  | "failed"
  /** No answer came: it is unknown whether the call had an effect. */
  | "unreachable"
  /** The call never reached the platform: it had no effect. */
  | "unsent";

/**
 * The codes besides `ResourceNotFound` that say that an operation's own subject does not exist, by product, with the actions of which
 * they say it. Of any other they name something else that the call needs: nothing of the caller's is gone.
 */
const subjects: Readonly<Record<string, Readonly<Record<string, "every action" | readonly string[]>>>> = {
  cluster: {
    "ResourceNotFound.ClusterNotFound": "every action",
    "InvalidParameter.ClusterNotFound": "every action",
    "FailedOperation.ClusterNotFound": "every action",
    "InternalError.ClusterNotFound": "every action",
    "FailedOperation.RecordNotFound": [
      "DeleteClusterNodePool",
      "ModifyClusterNodePool",
      "ModifyNodePoolDesiredCapacityAboutAsg",
      "RemoveNodeFromNodePool",
    ],
    "FailedOperation.TaskNotFound": ["DescribeBatchModifyTagsStatus", "DescribeTasks"],
    "InternalError.TaskNotFound": ["GetUpgradeInstanceProgress", "UpgradeClusterInstances"],
  },
  registry: {
    "ResourceNotFound.TcrResourceNotFound": "every action",
    "InternalError.ErrNotExist": ["DeleteTagRetentionRule", "DescribeTagRetentionRules", "ModifyTagRetentionRule"],
  },
  vpc: {
    "InvalidSecurityGroupID.NotFound": ["DeleteSecurityGroup", "DescribeSecurityGroupPolicies", "DescribeSecurityGroups"],
  },
};

/** Whether a code says that what the call is about does not exist. */
export function namesSubject(code: string, { product, action }: { readonly product: string; readonly action: string }): boolean {
  const ofProduct = Object.hasOwn(subjects, product) ? subjects[product] : undefined;
  const actions = ofProduct && Object.hasOwn(ofProduct, code) ? ofProduct[code] : undefined;
  return actions === "every action" || actions?.includes(action) === true;
}

/** Classes whose codes all mean the same: an unknown key is not found either, but nothing of the caller's is gone. */
const wholeClasses: Readonly<Record<string, ErrorKind>> = { AuthFailure: "unauthorized", UnauthorizedOperation: "unauthorized" };

/** The kinds of codes that the catalogue does not have, by their last part: the public API answers the same failure in several classes. */
const lastParts: Readonly<Record<string, ErrorKind>> = {
  ...each("transient", "ClusterState", "ResourceProcessing", "ResourceTagProcessing", "ErrorInstanceNotRunning", "ErrorVpcDnsStatus"),
  // Of the class InternalError, these pass; the last is spelt so.
  ...each("transient", "UnexpectedInternal", "UnexceptedInternal", "Unknown", "Db", "DbError"),
  ...each("transient", "KubeClientConnection", "ComponentClientHttp", "ComponentClinetHttp"),
  ...each("conflict", "CidrConflictWithOtherCluster", "CidrConflictWithOtherRoute", "CidrConflictWithVpcCidr"),
  ...each("conflict", "CidrConflictWithVpcGlobalRoute", "ErrConflict", "ErrorTcrResourceConflict", "TaskAlreadyRunning"),
  ...each("conflict", "SubnetConflict", "SubnetOverlap", "SubnetOverlapRoute", "Duplicate", "RecordExists"),
  ...each("inUse", "LockedResources"),
  ...each("limit", "QuotaMaxClsLimit", "QuotaMaxNodLimit", "QuotaUSGLimit", "QuotaOverLimit", "ErrorOverLimit", "ErrorTagOverLimit"),
  ...each("limit", "ClbPolicyLimit", "ClbPolicyExceedLimit", "SgNumExceedLimit"),
  ...each("unauthorized", "CamNoAuth", "AccountUserNotAuthenticated", "ErrorTcrUnauthorized"),
  ...each("protected", "ClusterForbiddenToDelete", "CvmDeletionProtection"),
  // No call is repeated that would be paid again.
  ...each("failed", "TradeInsufficientBalance", "TradeCommon", "TradeFailed"),
  ...each("invalid", "Param", "CidrInvali", "CidrMaskSizeOutOfRange", "InvalidPrivateNetworkCidr", "OsNotSupport"),
  ...each("invalid", "PublicClusterOpNotSupport", "CvmStatus", "CvmNumberNotMatch"),
};

function each(kind: ErrorKind, ...parts: readonly string[]): Record<string, ErrorKind> {
  return Object.fromEntries(parts.map((part) => [part, kind]));
}

/** The kinds of all other codes, by their class. Most of `InternalError` are permanent, but for the code without a further part. */
const classes: Readonly<Record<string, ErrorKind>> = {
  RequestLimitExceeded: "throttled",
  ResourceInUse: "inUse",
  ResourceBusy: "transient",
  ResourceUnavailable: "transient",
  InternalError: "failed",
  InternalServerError: "transient",
  ServiceUnavailable: "transient",
  OperationDenied: "protected",
  LimitExceeded: "limit",
  ResourceInsufficient: "limit",
  UnsupportedOperation: "unsupported",
  FailedOperation: "failed",
};

/** How the classes begin whose codes refuse what a call says. */
const refusals = /^(Invalid|Missing|NoSuch|Unknown|Unsupported)[A-Z]/;

/** The kind of a code that the catalogue does not have. What its class does not say to be a refusal may have had an effect. */
export function kindOfUnknown(code: string): ErrorKind {
  const parts = code.split(".");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const byPart = Object.hasOwn(lastParts, last) ? lastParts[last] : undefined;
  const byClass = Object.hasOwn(classes, first) ? classes[first] : undefined;
  const whole = Object.hasOwn(wholeClasses, first) ? wholeClasses[first] : undefined;
  return whole ?? (parts.length > 1 ? byPart : undefined) ?? byClass ?? (refusals.test(first) ? "invalid" : "failed");
}
