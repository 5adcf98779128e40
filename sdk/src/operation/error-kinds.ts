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

/** Classes whose codes all mean the same: an unknown key is not found either, but nothing of the caller's is gone. */
const wholeClasses: Readonly<Record<string, ErrorKind>> = { AuthFailure: "unauthorized", UnauthorizedOperation: "unauthorized" };

/**
 * The kinds of codes that the catalogue does not have, by their last part: the public API answers the same failure in several classes.
 * Only what names the subject of its own operation is `notFound`.
 */
const lastParts: Readonly<Record<string, ErrorKind>> = {
  ...each("notFound", "ClusterNotFound", "DbRecordNotFound", "ErrNotExist", "KubernetesResourceNotFound"),
  ...each("notFound", "NotFound", "ResourceNotFound", "TaskNotFound"),
  // These are of something else that the call needs; the second is spelt so.
  ...each("failed", "CvmNotFound", "VpcRecodrNotFound"),
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
  ResourceNotFound: "notFound",
  ResourceInUse: "inUse",
  ResourceBusy: "transient",
  ResourceUnavailable: "transient",
  InternalError: "failed",
  OperationDenied: "protected",
  LimitExceeded: "limit",
  ResourceInsufficient: "limit",
  UnsupportedOperation: "unsupported",
  FailedOperation: "failed",
};

/** The kind of a code that the catalogue does not have. */
export function kindOfUnknown(code: string): ErrorKind {
  const parts = code.split(".");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const byPart = Object.hasOwn(lastParts, last) ? lastParts[last] : undefined;
  const byClass = Object.hasOwn(classes, first) ? classes[first] : undefined;
  const whole = Object.hasOwn(wholeClasses, first) ? wholeClasses[first] : undefined;
  return whole ?? (parts.length > 1 ? byPart : undefined) ?? byClass ?? "invalid";
}
