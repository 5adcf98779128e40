import { expect, test } from "vitest";
import { PlatformError } from "./errors.ts";

const kindOf = (code: string, product = "cluster", action = "DescribeClusters") =>
  new PlatformError(code, "", { product, action, requestId: "" }).kind;

test.each([
  ["notFound", ["ResourceNotFound.ClusterNotFound", "InternalError.ClusterNotFound", "FailedOperation.ClusterNotFound"]],
  ["notFound", ["ResourceNotFound", "InvalidParameter.ClusterNotFound"]],
  // None of these may make a state forget what it has.
  ["unauthorized", ["AuthFailure.SecretIdNotFound", "AuthFailure.NotFound", "UnauthorizedOperation.NotFound", "FailedOperation.CamNoAuth"]],
  ["failed", ["InternalError.CvmNotFound", "FailedOperation.VpcRecodrNotFound", "InternalError.DbRecordNotFound"]],
  ["failed", ["FailedOperation.TaskNotFound", "InternalError.TaskNotFound", "FailedOperation.RecordNotFound"]],
  ["failed", ["ResourceNotFound.Something", "ResourceNotFound.RoleNotFound", "ResourceNotFound.ErrNoUser", "ResourceNotFound.NotFound"]],
  ["failed", ["ResourceNotFound.TcrResourceNotFound", "ResourceNotFound.KubernetesResourceNotFound", "InternalError.ErrNotExist"]],
  ["invalid", ["InvalidRegion.NotFound", "InvalidSecurityGroupID.NotFound", "InvalidParameterValue.ImageNotFound"]],
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
  // The server's own failures: whether the call had an effect is not known.
  ["transient", ["InternalServerError", "InternalServerError.Anything", "ServiceUnavailable"]],
  ["failed", ["ResponseSizeLimitExceeded", "Unknown", "toString", "Anything.constructor", ""]],
  ["invalid", ["InvalidVpcId.Malformed", "UnsupportedRegion", "NoSuchProduct", "MissingParameterValue", "UnknownParameter"]],
])("%s: %j", (kind, codes) => {
  expect(codes.map((code) => [code, kindOf(code)])).toEqual(codes.map((code) => [code, kind]));
});

test.each([
  ["ResourceNotFound.TcrResourceNotFound", "registry", "DescribeNamespaces", "vpc", "DescribeVpcs"],
  ["ResourceNotFound.ClusterNotFound", "cluster", "DescribeNodePools", "vpc", "DescribeVpcs"],
  ["InternalError.ErrNotExist", "registry", "DescribeTagRetentionRules", "registry", "CreateInstance"],
  ["FailedOperation.TaskNotFound", "cluster", "DescribeTasks", "cluster", "DescribeClusters"],
  ["InternalError.TaskNotFound", "cluster", "GetUpgradeInstanceProgress", "cluster", "DescribeTasks"],
  ["FailedOperation.RecordNotFound", "cluster", "RemoveNodeFromNodePool", "cluster", "DescribeNodePools"],
  ["InvalidSecurityGroupID.NotFound", "vpc", "DescribeSecurityGroups", "compute", "DescribeInstances"],
])("%s is of the subject of %s %s, and not of %s %s", (code, product, action, otherProduct, otherAction) => {
  expect(kindOf(code, product, action)).toBe("notFound");
  expect(kindOf(code, otherProduct, otherAction)).not.toBe("notFound");
});
