import { expect, test } from "vitest";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { publicApi } from "../dialect/dialect.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import { sent, signedCall, stage } from "./stage.fixture.ts";

async function start() {
  const { world, server } = await stage();
  const key = accessKeyOf(world);
  /** What is in the answer's `Response`. */
  return async (product: string, action: string, body: JsonObject, version = "2017-03-12"): Promise<JsonObject> => {
    const headers = { "x-tc-version": version };
    const signed = signedCall(server.url, { ...key, dialect: publicApi, product, action, headers, body: JSON.stringify(body) });
    const { answer } = await sent(server.url, signed);
    return objectIn(answer, "Response");
  };
}

function objectIn(value: unknown, name: string): JsonObject {
  const inner = isObject(value) ? value[name] : undefined;
  if (!isObject(inner)) throw new Error(`there is no ${name} in ${JSON.stringify(value)}`);
  return inner;
}

const net = { VpcName: "net", CidrBlock: "10.0.0.0/16" };

test("who signs as the public API's clients do is answered with its names, and with no others", async () => {
  const call = await start();
  const group = objectIn(await call("vpc", "CreateSecurityGroup", { GroupName: "guard", GroupDescription: "doors" }), "SecurityGroup");
  expect(group).toMatchObject({ SecurityGroupName: "guard", SecurityGroupDesc: "doors" });
  expect(Object.keys(group)).not.toContain("GroupName");
});

test("names and values of the public API are understood in calls", async () => {
  const call = await start();
  const { VpcId = "" } = objectIn(await call("vpc", "CreateVpc", net), "Vpc");
  const tagged = { ServiceType: "vpc", ResourcePrefix: "vpc", ResourceIds: [VpcId], TagKey: "a", TagValue: "b" };
  const attached = await call("tag", "AttachResourcesTag", { ...tagged, ResourceRegion: "eu-frankfurt" }, "2018-08-13");
  expect(attached).toEqual({ RequestId: expect.any(String) });
  const found = await call("tag", "GetResources", {}, "2018-08-13");
  expect(found["ResourceTagMappingList"]).toEqual([
    { Resource: expect.stringMatching(/^qcs::vpc:eu-frankfurt:uin\/\d+:vpc\/vpc-/), Tags: [{ TagKey: "a", TagValue: "b" }] },
  ]);
});

test("a name that only the catalogue has is refused, and codes are the public API's", async () => {
  const call = await start();
  const { VpcId = "" } = objectIn(await call("vpc", "CreateVpc", net), "Vpc");
  const subnet = { VpcId, SubnetName: "part", CidrBlock: "10.0.0.0/24", Zone: "eu-frankfurt-1" };
  const { SubnetId = "" } = objectIn(await call("vpc", "CreateSubnet", subnet), "Subnet");
  const asked = { VpcId, Ipv6SubnetCidrBlocks: [{ SubnetId, Ipv6SubnetCidrBlock: "fd00::/64" }] };
  expect((await call("vpc", "AssignIpv6SubnetCidrBlock", asked))["Error"]).toEqual({
    Code: "InvalidParameter",
    Message: "the public API has no Ipv6SubnetCidrBlocks[].Ipv6SubnetCidrBlock",
  });
  expect((await call("vpc", "CreateSubnet", subnet))["Error"]).toMatchObject({ Code: "InvalidParameterValue.SubnetConflict" });
});

test("a call has to name its version, as there", async () => {
  const call = await start();
  expect((await call("vpc", "DescribeVpcs", {}, ""))["Error"]).toEqual({
    Code: "MissingParameter",
    Message: "x-tc-version is required",
  });
});
