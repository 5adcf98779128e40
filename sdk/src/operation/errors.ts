import { type ErrorKind, kindOfUnknown, namesSubject } from "./error-kinds.ts";

export type { ErrorKind };

/**
 * Every error code of the catalogue's operations, with its kind where it does not name what the call is about. Sources: specification,
 * Errors; otherwise the public API.
 */
const errorCodes = {
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
  "InvalidParameterValue.DeleteTagsParamError": "invalid",
  "InvalidParameterValue.Duplicate": "conflict",
  "InvalidParameterValue.Empty": "invalid",
  "InvalidParameterValue.LimitExceeded": "limit",
  "InvalidParameterValue.Malformed": "invalid",
  "InvalidParameterValue.MaxResult": "invalid",
  "InvalidParameterValue.Range": "invalid",
  "InvalidParameterValue.ResourceDescriptionError": "invalid",
  "InvalidParameterValue.SubnetRange": "invalid",
  "InvalidParameterValue.Time": "invalid",
  "InvalidParameterValue.TooLong": "invalid",
  "InvalidParameterValue.ZoneNotSupported": "invalid",
  "InvalidParameterValue.attributeKey": "invalid",
  "InvalidZone.MismatchRegion": "invalid",
  "InvalidZone.ZoneNotAvailable": "invalid",
  LimitExceeded: "limit",
  "LimitExceeded.CidrBlock": "limit",
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
  "ResourceInsufficient.AvailabilityZoneSoldOut": "limit",
  "ResourceInsufficient.ErrorInstanceNotRunning": "transient",
  ResourceNotFound: "notFound",
  "ResourceNotFound.TcrResourceNotFound": "failed",
  ResourceUnavailable: "transient",
  "ResourceUnavailable.ClusterState": "transient",
  "UnauthorizedOperation.AccessMgmtNoAuth": "unauthorized",
  UnsupportedOperation: "unsupported",
  "UnsupportedOperation.DuplicatePolicy": "conflict",
  "UnsupportedOperation.InvalidRegion": "invalid",
  "UnsupportedOperation.ResourceProcessing": "transient",
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
