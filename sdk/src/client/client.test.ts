import { expect, test } from "vitest";
import { createServiceAccount, modifyServiceAccountPassword } from "../catalogue/registry.ts";
import { allocateAddresses, createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "./client.ts";
import type { JsonObject } from "../operation/codec.ts";
import { InputError, PlatformError } from "../operation/errors.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";

const platform = new LocalPlatform(World.open(":memory:"));
const cloud = new Cloud({ transport: platform, region: "eu-frankfurt" });

test("a field that an operation does not have is refused, however deep, and not left out", async () => {
  const filter = { name: "vpc-id", values: ["vpc-1"], exact: true };
  const call = cloud.call(describeVpcs, { filters: [filter] });
  await expect(call).rejects.toThrow(InputError);
  await expect(call).rejects.toThrow("there is no field exact; there are name, values");
});

test("a version that an action does not have is another mistake than an action that there is not", async () => {
  const request = { product: "vpc", region: "eu-frankfurt", body: {} } as const;
  await expect(platform.send({ ...request, action: "DescribeVpcs", version: "2016-01-01" })).rejects.toMatchObject({
    code: "NoSuchVersion",
    reason: "DescribeVpcs has no version 2016-01-01; there is 2017-03-12",
  });
  await expect(platform.send({ ...request, action: "DescribeClouds", version: "2017-03-12" })).rejects.toMatchObject({
    code: "InvalidAction",
  });
});

/** A cloud whose calls all have one answer; and how many there were. */
function answering(body: JsonObject) {
  let calls = 0;
  const send = () => Promise.resolve({ requestId: `request-${++calls}`, body, time: Date.now() });
  const whoAmI = () => Promise.resolve({ account: "1", time: Date.now(), requestId: "" });
  const transport = { send, whoAmI, close: () => Promise.resolve() };
  return { cloud: new Cloud({ transport, region: "eu-frankfurt" }), calls: () => calls };
}

const asked = { vpcName: "net", cidrBlock: "10.0.0.0/16" };

test("a write whose answer lacks something still tells the id of what it made", async () => {
  const { cloud, calls } = answering({ Vpc: { VpcId: "vpc-1", CidrBlock: 10, CreatedTime: "now" } });
  const { vpc, requestId } = await cloud.call(createVpc, asked);
  expect([vpc.vpcId, vpc.createdTime, vpc.cidrBlock, requestId, calls()]).toEqual(["vpc-1", "now", undefined, "request-1", 1]);
});

test("one whose answer lacks an id or a secret is an error, and is not repeated", async () => {
  const nameless = answering({ Vpc: { CidrBlock: "10.0.0.0/16" } });
  await expect(nameless.cloud.call(createVpc, asked)).rejects.toMatchObject({
    code: "InternalError",
    kind: "failed",
    reason: expect.stringMatching(
      /^the answer is not what CreateVpc answers: Vpc\.VpcId: [^;]*; [^;]*; [^;]*; and \d+ more\. It may have taken effect: tell those who run the platform$/,
    ),
  });
  const silent = answering({ Name: "reg$ci", ExpiresAt: -1, CreateTime: "now" });
  const account = { registryId: "tcr-1", name: "ci", permissions: [] };
  await expect(silent.cloud.call(createServiceAccount, account)).rejects.toThrow("CreateServiceAccount answers: Password");
  expect([nameless.calls(), silent.calls()]).toEqual([1, 1]);
});

test("a creation whose answer is lost is repeated if it has a token, by which the platform knows it again", async () => {
  const { transport } = answering({ AddressSet: ["eip-1"], TaskId: "1" }).cloud;
  const sent: unknown[] = [];
  const send: typeof transport.send = (request, signal) => {
    sent.push(request.body["ClientToken"]);
    const lost = new PlatformError("Unreachable", "no answer", { ...request, requestId: "" }, "unreachable");
    return sent.length === 1 ? Promise.reject(lost) : transport.send(request, signal);
  };
  const unsteady = new Cloud({ transport: { ...transport, send }, region: "eu-frankfurt" });
  await expect(unsteady.call(allocateAddresses, { clientToken: "one" })).resolves.toMatchObject({ addressSet: ["eip-1"] });
  expect(sent).toEqual(["one", "one"]);
  sent.length = 0;
  await expect(unsteady.call(allocateAddresses, {})).rejects.toThrow("no answer");
  expect(sent).toHaveLength(1);
});

test("nor is a read taken that lacks something", async () => {
  const { cloud, calls } = answering({ TotalCount: 1, VpcSet: [{ VpcId: "vpc-1" }] });
  await expect(cloud.call(describeVpcs, {})).rejects.toThrow(
    /^DescribeVpcs: the answer is not what DescribeVpcs answers: VpcSet\.0\.VpcName: .*; and \d+ more\. Tell those who run the platform \(/,
  );
  expect(calls()).toBe(1);
});

test("what a refusal repeats of a call's secrets is not told, in either spelling of a text", async () => {
  const password = 'hush"1234';
  const send = () => {
    const reason = `"Password" is ${password} in ${JSON.stringify({ Password: password })}`;
    const origin = { product: "registry", action: "ModifyServiceAccountPassword", requestId: "r" };
    return Promise.reject(new PlatformError("InvalidParameter", reason, origin));
  };
  const whoAmI = () => Promise.resolve({ account: "1", time: Date.now(), requestId: "" });
  const cloud = new Cloud({ transport: { send, whoAmI, close: () => Promise.resolve() }, region: "eu-frankfurt" });
  const input = { registryId: "tcr-1", name: "reg$ci", random: false, password };
  const refused: unknown = await cloud.call(modifyServiceAccountPassword, input).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "InvalidParameter",
    requestId: "r",
    reason: '"Password" is [secret] in {"Password":"[secret]"}',
    message: 'ModifyServiceAccountPassword: "Password" is [secret] in {"Password":"[secret]"} (InvalidParameter, request r)',
  });
});
