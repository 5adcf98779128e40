import { PlatformError } from "@container-platform/sdk";
import { describeVpcs } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test } from "vitest";
import { Vpc } from "../../../provider/src/resources/network/vpc.ts";
import { Meddler } from "../../support/meddler.ts";
import { makeVpc } from "../stage/outside.ts";
import { Stage } from "../stage/stage.ts";
import { ToldOtherwise } from "../stage/told-otherwise.ts";

/** Codes that the public API has, and the specification has not: what exists is neither forgotten nor taken for somebody else's. */

test.each([
  "ResourceNotFound.RoleNotFound",
  "ResourceNotFound.TcrResourceNotFound",
  "ResourceNotFound.ErrNoUser",
  "InternalError.DbRecordNotFound",
  "FailedOperation.TaskNotFound",
  "InvalidRegion.NotFound",
])("%s of a look at a VPC is a failure, and the VPC is not gone", async (code) => {
  await using stage = Stage.here();
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const refuse = () => {
    throw new PlatformError(code, "something else is missing", { product: "vpc", action: describeVpcs.action, requestId: "r-1" });
  };
  await expect(Vpc.kind.read(ToldOtherwise.by(stage.world, { DescribeVpcs: refuse }), { vpcId })).rejects.toMatchObject({ code });
  await stage.undoAll();
});

test.each([
  ["InternalServerError", "goes on"],
  ["ServiceUnavailable", "goes on"],
  ["ResponseSizeLimitExceeded", "fails"],
  ["NobodyKnowsThis", "fails"],
] as const)("a creation that took effect is answered with %s: the run %s, and what is there is this stack's", async (Code, outcome) => {
  const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url));
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const error = (RequestId: unknown) => ({ Response: { Error: { Code, Message: "no" }, RequestId } });
  meddler.meddling = { action: "AssignIpv6CidrBlock", nth: 1, instead: ({ RequestId }) => ({ text: JSON.stringify(error(RequestId)) }) };
  await using block = stage.deployment("Ipv6Block");
  const first = block.up({ vpcId });
  if (outcome === "fails") await expect(first).rejects.toThrow(Code);
  else await first;
  await block.up({ vpcId });
  const { vpcSet } = await stage.cloud.call(describeVpcs, { vpcIds: [vpcId] });
  expect(block.state?.outputs).toMatchObject({ vpcId, ipv6CidrBlock: vpcSet[0]?.ipv6CidrBlock });
});
