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
    "InvalidAddressId.NotFound": [
      "ModifyAddressAttribute",
      "ModifyAddressesBandwidth",
      "ModifyAddressInternetChargeType",
      "ReleaseAddresses",
    ],
    "InvalidSecurityGroupID.NotFound": ["DeleteSecurityGroup", "DescribeSecurityGroupPolicies", "DescribeSecurityGroups"],
  },
};

/** Whether a code says that what the call is about does not exist. */
function namesSubject(code: string, { product, action }: { readonly product: string; readonly action: string }): boolean {
  const ofProduct = Object.hasOwn(subjects, product) ? subjects[product] : undefined;
  const actions = ofProduct && Object.hasOwn(ofProduct, code) ? ofProduct[code] : undefined;
  return actions === "every action" || actions?.includes(action) === true;
}

/** Classes whose codes all mean the same: an unknown key is not found either, but nothing of the caller's is gone. */
const wholeClasses = new Map(each("unauthorized", "AuthFailure", "UnauthorizedOperation"));

/** The kinds of codes that the catalogue does not have, by their last part: the public API answers the same failure in several classes. */
const lastParts = new Map([
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
]);

function each(kind: ErrorKind, ...parts: readonly string[]): [string, ErrorKind][] {
  return parts.map((part) => [part, kind]);
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
function kindOfUnknown(code: string): ErrorKind {
  const parts = code.split(".");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const byPart = parts.length > 1 ? lastParts.get(last) : undefined;
  const byClass = Object.hasOwn(classes, first) ? classes[first] : undefined;
  return wholeClasses.get(first) ?? byPart ?? byClass ?? (refusals.test(first) ? "invalid" : "failed");
}

/**
 * Every error code of the catalogue's operations, with its kind where it does not name what the call is about. Sources: specification,
 * Errors; otherwise the public API.
 */
const errorCodes = {
  AddressQuotaLimitExceeded: "limit",
  "AuthFailure.InvalidAuthorization": "unauthorized",
  "AuthFailure.SecretIdNotFound": "unauthorized",
  "AuthFailure.SignatureExpire": "unauthorized",
  "AuthFailure.SignatureFailure": "unauthorized",
  "AuthFailure.TokenFailure": "unauthorized",
  "AuthFailure.UnauthorizedOperation": "unauthorized",
  FailedOperation: "failed",
  "FailedOperation.ClusterState": "transient",
  "FailedOperation.CvmVpcidNotMatch": "invalid",
  "FailedOperation.ErrorTcrResourceConflict": "conflict",
  "FailedOperation.PreconditionFailed": "failed",
  "FailedOperation.RecordNotFound": "failed",
  "FailedOperation.TaskAlreadyRunning": "conflict",
  "FailedOperation.TaskLifeStateError": "conflict",
  "FailedOperation.TaskNotFound": "failed",
  InternalError: "transient",
  "InternalError.EmptyClusterNotSupport": "failed",
  "InternalError.ErrConflict": "conflict",
  "InternalError.ErrorConflict": "transient",
  "InternalError.ErrorTcrResourceConflict": "conflict",
  "InternalError.TaskNotFound": "failed",
  InvalidAction: "invalid",
  InvalidFilter: "invalid",
  "InvalidFilterValue.LimitExceeded": "limit",
  "InvalidInstanceType.Malformed": "invalid",
  InvalidParameter: "invalid",
  "InvalidParameter.CidrConflictWithOtherCluster": "conflict",
  "InvalidParameter.CidrConflictWithVpcCidr": "conflict",
  "InvalidParameter.CidrInvalid": "invalid",
  "InvalidParameter.Coexist": "invalid",
  "InvalidParameter.ErrorNameExists": "conflict",
  "InvalidParameter.ErrorNameIllegal": "invalid",
  "InvalidParameter.ErrorNameReserved": "invalid",
  "InvalidParameter.ErrorTcrInvalidParameter": "invalid",
  "InvalidParameter.Param": "invalid",
  "InvalidParameter.SubnetConflict": "conflict",
  "InvalidParameter.VpcCidrConflict": "conflict",
  InvalidParameterValue: "invalid",
  "InvalidParameterValue.BandwidthOutOfRange": "invalid",
  "InvalidParameterValue.Combination": "invalid",
  "InvalidParameterValue.DeleteTagsParamError": "invalid",
  "InvalidParameterValue.Duplicate": "conflict",
  "InvalidParameterValue.Empty": "invalid",
  "InvalidParameterValue.InternetChargeTypeNotChanged": "invalid",
  "InvalidParameterValue.LimitExceeded": "limit",
  "InvalidParameterValue.Malformed": "invalid",
  "InvalidParameterValue.MaxResult": "invalid",
  "InvalidParameterValue.Range": "invalid",
  "InvalidParameterValue.ResourceDescriptionError": "invalid",
  "InvalidParameterValue.RouteNextHopInvalid": "invalid",
  "InvalidParameterValue.SubnetRange": "invalid",
  "InvalidParameterValue.Time": "invalid",
  "InvalidParameterValue.TooLong": "invalid",
  "InvalidParameterValue.VpcCidrConflict": "conflict",
  "InvalidParameterValue.ZoneNotSupported": "invalid",
  "InvalidParameterValue.attributeKey": "invalid",
  "InvalidZone.MismatchRegion": "invalid",
  "InvalidZone.ZoneNotAvailable": "invalid",
  LimitExceeded: "limit",
  "LimitExceeded.AccountReturnQuota": "limit",
  "LimitExceeded.CidrBlock": "limit",
  "LimitExceeded.ModifyAddressInternetChargeTypeQuota": "limit",
  "LimitExceeded.NatGatewayPerVpcLimitExceeded": "limit",
  "LimitExceeded.PublicIpAddressPerNatGatewayLimitExceeded": "limit",
  "LimitExceeded.ResourceAttachedTags": "limit",
  "LimitExceeded.SecurityGroupPolicySet": "limit",
  "LimitExceeded.SubnetCidrBlock": "limit",
  MissingParameter: "invalid",
  NoSuchVersion: "invalid",
  OperationDenied: "protected",
  "OperationDenied.ClusterInDeletionProtection": "protected",
  "OperationDenied.QuotaOverLimit": "limit",
  RequestLimitExceeded: "throttled",
  RequestSizeLimitExceeded: "limit",
  ResourceInUse: "inUse",
  "ResourceInUse.Address": "inUse",
  "ResourceInsufficient.AvailabilityZoneSoldOut": "limit",
  "ResourceInsufficient.ErrorInstanceNotRunning": "transient",
  ResourceNotFound: "notFound",
  "ResourceNotFound.TcrResourceNotFound": "failed",
  ResourceUnavailable: "transient",
  "ResourceUnavailable.ClusterState": "transient",
  "UnauthorizedOperation.AccessMgmtNoAuth": "unauthorized",
  UnsupportedOperation: "unsupported",
  "UnsupportedOperation.AddressStatusNotPermit": "inUse",
  "UnsupportedOperation.BandwidthPackageIdNotSupported": "unsupported",
  "UnsupportedOperation.DelDefaultRoute": "unsupported",
  "UnsupportedOperation.DelRouteWithSubnet": "inUse",
  "UnsupportedOperation.DeletionProtectionEnabled": "protected",
  "UnsupportedOperation.DuplicatePolicy": "conflict",
  "UnsupportedOperation.InvalidRegion": "invalid",
  "UnsupportedOperation.InvalidState": "transient",
  "UnsupportedOperation.MutexOperationTaskRunning": "transient",
  "UnsupportedOperation.NatGatewayHaveRoute": "inUse",
  "UnsupportedOperation.NatGatewayIsBusy": "transient",
  "UnsupportedOperation.NatNotSupported": "unsupported",
  "UnsupportedOperation.NotSupportZone": "invalid",
  "UnsupportedOperation.PublicIpAddressDisassociate": "unsupported",
  "UnsupportedOperation.PublicIpAddressIsNotBGPIp": "invalid",
  "UnsupportedOperation.PublicIpAddressIsNotExisted": "invalid",
  "UnsupportedOperation.PublicIpAddressNotBilledByTraffic": "invalid",
  "UnsupportedOperation.RecordNotExists": "unsupported",
  "UnsupportedOperation.ResourceProcessing": "transient",
  "UnsupportedOperation.SystemRoute": "unsupported",
  "UnsupportedOperation.VersionMismatch": "conflict",
  "UnsupportedOperation.VpcMismatch": "invalid",
  UnsupportedProtocol: "invalid",
} as const satisfies Record<string, ErrorKind>;

/** An error code that the catalogue has. */
export type ErrorCode = keyof typeof errorCodes;

/** Codes that every operation can answer besides its own, for authorization, throttling and malformed input. */
export const commonCodes = [
  "AuthFailure.InvalidAuthorization",
  "AuthFailure.SecretIdNotFound",
  "AuthFailure.SignatureExpire",
  "AuthFailure.SignatureFailure",
  "AuthFailure.TokenFailure",
  "AuthFailure.UnauthorizedOperation",
  "UnauthorizedOperation.AccessMgmtNoAuth",
  "RequestLimitExceeded",
  "RequestSizeLimitExceeded",
  "UnsupportedProtocol",
  "InternalError",
  "InvalidAction",
  "NoSuchVersion",
  "InvalidParameter",
  "MissingParameter",
  "UnsupportedOperation.InvalidRegion",
] as const satisfies readonly ErrorCode[];

export type CommonCode = (typeof commonCodes)[number];

/** The kind of any code of a call: that of the catalogue, or else by its parts. */
function kindOf(code: string, origin: ErrorOrigin): ErrorKind {
  if (namesSubject(code, origin)) return "notFound";
  return isErrorCode(code) ? errorCodes[code] : kindOfUnknown(code);
}

/** Whether the catalogue has this code. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/** The call that an error belongs to. */
export interface ErrorOrigin {
  readonly product: string;
  readonly action: string;
  /** The platform's id of the call; empty if the call did not reach it. */
  readonly requestId: string;
}

/**
 * The error of a call that the platform refused, or that did not reach it.
 *
 * @example
 * try {
 *   await cloud.call(deleteVpc, { vpcId });
 * } catch (error) {
 *   if (error instanceof PlatformError && error.kind === "inUse") console.log(error.requestId);
 * }
 */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly code: string;
  readonly kind: ErrorKind;
  /** The platform's message. */
  readonly reason: string;
  readonly origin: ErrorOrigin;

  constructor(code: string, reason: string, origin: ErrorOrigin, kind: ErrorKind = kindOf(code, origin)) {
    super(`${origin.action}: ${reason} (${[code, origin.requestId && `request ${origin.requestId}`].filter(Boolean).join(", ")})`);
    this.code = code;
    this.kind = kind;
    this.reason = reason;
    this.origin = origin;
  }

  get requestId(): string {
    return this.origin.requestId;
  }
}

/** Invalid input, found before a call was sent. */
export class InputError extends Error {
  override readonly name: string = "InputError";
}

/** Invalid configuration of calls: endpoint, region, profile or credentials. */
export class ConfigurationError extends InputError {
  override readonly name = "ConfigurationError";
}

/** The error of an aborted call: the signal's reason, or an error with it as its message. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
