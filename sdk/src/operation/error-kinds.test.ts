import { expect, test } from "vitest";
import { PlatformError } from "./errors.ts";

const kindOf = (code: string) => new PlatformError(code, "", { product: "cluster", action: "DescribeClusters", requestId: "" }).kind;

test.each([
  ["notFound", ["ResourceNotFound.ClusterNotFound", "InternalError.ClusterNotFound", "FailedOperation.ClusterNotFound"]],
  ["notFound", ["InvalidSecurityGroupID.NotFound", "InternalError.DbRecordNotFound", "ResourceNotFound.Something"]],
  // None of these may make a state forget what it has.
  ["unauthorized", ["AuthFailure.SecretIdNotFound", "AuthFailure.NotFound", "UnauthorizedOperation.NotFound", "FailedOperation.CamNoAuth"]],
  ["failed", ["InternalError.CvmNotFound", "FailedOperation.VpcRecodrNotFound"]],
  ["invalid", ["InvalidParameterValue.TagKeyNotExists", "InvalidParameterValue.TagNotExisted", "UnknownParameter.WithGuess"]],
  ["unsupported", ["UnsupportedOperation.RecordNotExists", "UnsupportedOperation.NatGatewaySnatRuleNotExists"]],
  ["throttled", ["RequestLimitExceeded", "RequestLimitExceeded.UinLimitExceeded", "RequestLimitExceeded.GlobalRegionUinLimitExceeded"]],
  ["transient", ["InternalError", "InternalError.UnexpectedInternal", "InternalError.UnexceptedInternal", "InternalError.Unknown"]],
  ["transient", ["InternalError.Db", "InternalError.ComponentClinetHttp", "ResourceBusy", "ResourceUnavailable.Anything"]],
  ["transient", ["FailedOperation.ResourceTagProcessing", "ResourceInsufficient.ErrorVpcDnsStatus", "OperationDenied.ClusterState"]],
  // Permanent ones, which would be repeated in vain.
  ["invalid", ["InternalError.Param", "InternalError.CidrInvali", "InternalError.OsNotSupport", "InternalError.CvmStatus"]],
  ["failed", ["InternalError.AnythingElse", "InternalError.TradeInsufficientBalance", "FailedOperation.TradeFailed"]],
  ["conflict", ["InternalError.CidrConflictWithOtherCluster", "InvalidParameterValue.SubnetOverlap", "UnsupportedOperation.RecordExists"]],
  ["inUse", ["ResourceInUse.Anything", "UnsupportedOperation.LockedResources"]],
  ["limit", ["InternalError.QuotaMaxClsLimit", "FailedOperation.QuotaMaxNodLimit", "ResourceInsufficient.SpecifiedInstanceType"]],
  ["protected", ["FailedOperation.ClusterForbiddenToDelete", "OperationDenied.Anything", "InternalError.CvmDeletionProtection"]],
  ["invalid", ["Unknown", "toString", "Anything.constructor"]],
])("%s: %j", (kind, codes) => {
  expect(codes.map((code) => [code, kindOf(code)])).toEqual(codes.map((code) => [code, kind]));
});
