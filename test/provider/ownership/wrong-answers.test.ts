import { Cloud, PlatformError, type Reply } from "@container-platform/sdk";
import { Faults, LocalPlatform, World } from "@container-platform/sdk/local";
import {
  createInstance,
  createNamespace,
  createServiceAccount,
  deleteServiceAccount,
  describeInstanceToken,
} from "@container-platform/sdk/registry";
import { describeVpcs } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test } from "vitest";
import { Vpc } from "../../../provider/src/resources/network/vpc.ts";
import type { JsonObject } from "../../../sdk/src/operation/codec.ts";
import { Deployment } from "../../support/deployment.ts";
import { Meddler, type Sent } from "../../support/meddler.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { makeVpc } from "../stage/outside.ts";
import { region, Stage } from "../stage/stage.ts";
import { type Answers, ToldOtherwise } from "../stage/told-otherwise.ts";

/** The platform carries out a call, and it or something before it answers incorrectly: nothing is lost, nor created a second time. */

const args = { cidrBlock: "10.0.0.0/16" };

function start() {
  const world = World.open(":memory:", { timeScale: "instant" });
  const answers: Answers = {};
  const host = new ProviderHere(world, region, { transport: ToldOtherwise.reached(world, answers) });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
  });
  const vpcs = () => world.prepare("SELECT 1 FROM vpcs").all().length;
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  return { world, host, answers, cloud, vpcs, vpc: new Deployment(host, "Vpc", "net") };
}

test("a creation that is answered without an ID is searched for, and the update continues with it", async () => {
  const { host, answers, vpcs, vpc } = start();
  answers["CreateVpc"] = (body) => ({ ...body, Vpc: { ...Object(body["Vpc"]), VpcId: "" } });
  expect(await vpc.up(args)).toBe("create");
  expect(vpc.id).toMatch(/^vpc-[0-9a-f]{8}$/);
  expect(host.lines.map(({ message }) => message)).toContain(
    `the platform's answer has no vpcId, but it has created ${vpc.id}: this update continues with it`,
  );
  await host.restart("SIGINT");
  expect(await vpc.preview(args)).toBe("nothing");
  expect(vpcs()).toBe(1);
});

const parse: (text: string) => Reply["body"] = JSON.parse;
/** An answer in which one text stands for another. */
const replacing = (written: string, returned: string) => (body: Reply["body"]) =>
  parse(JSON.stringify(body).replaceAll(JSON.stringify(written), JSON.stringify(returned)));

const brief = { __timeouts: { create: "1s", update: "1s" } };
const ruleOf = (cidrBlock: string) => ({ ingress: [{ protocol: "ALL", cidrBlock, action: "ACCEPT" }] });

test("a creation whose name the platform returns in another spelling fails with both", async () => {
  const { host, answers } = start();
  answers["DescribeVpcs"] = replacing("net", "NET");
  const one = new Deployment(host, "Vpc", "net", brief);
  await expect(one.up({ ...args, vpcName: "net" })).rejects.toThrow(
    'vpcName: the platform returns "NET" after a write of "net". If both mean the same, write "NET" in the program',
  );
  await host.restart("SIGINT");
  expect(await one.up({ ...args, vpcName: "NET" })).toBe("update");
});

test("a change whose range the platform returns as another one fails with both", async () => {
  const { host, answers } = start();
  const one = new Deployment(host, "SecurityGroup", "one", brief);
  await one.up(ruleOf("10.0.0.0/8"));
  answers["DescribeSecurityGroupPolicies"] = replacing("0.0.0.0/8", "0.0.0.0/0");
  await expect(one.up(ruleOf("0.0.0.0/8"))).rejects.toThrow(
    'ingress[0].cidrBlock: the platform returns "0.0.0.0/0" after a write of "0.0.0.0/8". If both mean the same, write "0.0.0.0/0" in the program',
  );
  await host.restart("SIGINT");
  expect(await one.up(ruleOf("0.0.0.0/0"))).toBe("update");
});

test("what is told to be gone and is there in the same run is not called a replacement by force", async () => {
  const { host, answers, vpcs, vpc } = start();
  await vpc.up(args);
  const { id } = vpc;
  await host.restart("SIGINT");
  answers["DescribeVpcs"] = () => ({ TotalCount: 0, VpcSet: [] });
  expect(await vpc.refresh()).toBe(false);
  delete answers["DescribeVpcs"];
  await expect(vpc.preview(args)).rejects.toThrow(
    `cidrBlock: 10.0.0.0/16 overlaps cidrBlock 10.0.0.0/16 of ${id}. This update did not find ${id} before and removed it from the state, but it exists. To manage it again, add { import: "${id}" } to the options of the resource that had it`,
  );
  expect(vpcs()).toBe(1);
});

test("a VPC that was created, and that cannot be read, is saved, and the next update continues with it", async () => {
  const { host, answers, vpcs, vpc } = start();
  answers["CreateVpc"] = (body) => {
    answers["DescribeVpcs"] = () => ({});
    return body;
  };
  await expect(vpc.up(args)).rejects.toThrow("the answer is not what DescribeVpcs answers");
  delete answers["DescribeVpcs"];
  await host.restart("SIGINT");
  await vpc.up(args);
  await host.restart("SIGINT");
  await vpc.destroy();
  expect(vpcs()).toBe(0);
});

/** A registry, whose tokens cannot be listed once one has been made. */
async function registryWithoutLooks() {
  const { host, answers, cloud } = start();
  const registry = new Deployment(host, "RegistryInstance", "images");
  await registry.up({ registryName: "acme-images" });
  answers["CreateInstanceToken"] = (body) => {
    answers["DescribeInstanceToken"] = () => ({});
    return body;
  };
  const descriptions = async () =>
    (await cloud.call(describeInstanceToken, { registryId: registry.id })).tokens.map(({ id, desc }) => [id, desc]);
  return { host, answers, registryId: registry.id, token: new Deployment(host, "Token", "ci"), descriptions };
}

const unlisted = "the answer is not what DescribeInstanceToken answers";

test("a token that was created, and that cannot be read, is saved, and none is created in its place", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks();
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  const [, tokenId] = token.id.split("/");
  expect(await descriptions()).toEqual([[tokenId, expect.stringMatching(/^ci \(Pulumi /)]]);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.up({ registryId, desc: "ci" });
  expect(await descriptions()).toEqual([[tokenId, "ci"]]);
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});

test("a token that was created, and that cannot be read, is deleted with its stack", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks();
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});

test("an account that a refresh found deleted, and whose creation fails after the platform has created it, is deleted", async () => {
  const { world, host, cloud } = start();
  const { registryId } = await cloud.call(createInstance, { registryName: "images", registryType: "basic" });
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const account = new Deployment(host, "ServiceAccount", "ci");
  const inputs = { registryId, name: "ci", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] };
  await account.up(inputs);
  await host.restart("SIGINT");
  await cloud.call(deleteServiceAccount, { registryId, name: "ci" });
  expect(await account.refresh()).toBe(false);
  new Faults(world).add({ operation: createServiceAccount, when: "after", code: "FailedOperation" });
  await expect(account.up(inputs)).rejects.toThrow("FailedOperation");
  expect(world.prepare("SELECT 1 FROM serviceAccounts").all()).toEqual([]);
});

/** A stage whose provider is answered by something that stands before the platform. */
async function meddled() {
  const { stage, front: meddler } = await Stage.behind((url) => Meddler.before(url));
  onTestFinished(() => stage[Symbol.asyncDispose]());
  return { stage, meddler };
}

// Codes that the public API has, and the specification has not: what exists is neither forgotten nor taken for somebody else's.
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
  const { stage, meddler } = await meddled();
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

const page = { headers: { "content-type": "text/html" }, text: "<html></html>" };
const ofSomethingElse =
  "The response may come from a proxy instead of the API. Check the endpoint, then run `pulumi up --refresh`, which finds what took effect";

function refusal(Code: string): Sent {
  return { text: JSON.stringify({ Response: { Error: { Code, Message: "no" }, RequestId: "r-1" } }), headers: { date: "" } };
}

const answers: readonly (readonly [what: string, instead: (told: JsonObject) => Sent, said: string])[] = [
  [
    "a page that refuses",
    () => ({ ...page, status: 403 }),
    `HTTP status 403, not as a platform does (CreateVpc: HttpStatus.403). ${ofSomethingElse}`,
  ],
  [
    "a redirect",
    () => ({ ...page, status: 302, headers: { location: "https://login.example/?secret" } }),
    `HTTP status 302, not as a platform does, and leads to https://login.example (CreateVpc: HttpStatus.302). ${ofSomethingElse}`,
  ],
  ["a page", () => page, `is not a platform's: it is not JSON (CreateVpc: UnreadableAnswer). ${ofSomethingElse}`],
  [
    "no more than the id of the call",
    ({ RequestId = "" }) => ({ text: JSON.stringify({ Response: { RequestId } }) }),
    "It may have taken effect: tell those who run the platform (CreateVpc: InternalError, request ",
  ],
];

test.each(answers)("%s is told with what to do, and what was made is in the state", async (_, instead, said) => {
  const { stage, meddler } = await meddled();
  const vpc = stage.deployment("Vpc", "net");
  meddler.meddling = { action: "CreateVpc", nth: 1, instead };
  await expect(vpc.up(args)).rejects.toThrow(said);
  expect(vpc.id).toMatch(/^vpc-/);
  expect(await vpc.up(args)).not.toBe("create");
  expect(await vpc.preview(args)).toBe("nothing");
  expect(await stage.rows("vpcs")).toBe(1);
  await vpc.destroy();
});

test("a call that is refused for its time, by an answer that does not tell the right one, says what to do", async () => {
  const { stage, meddler } = await meddled();
  meddler.meddling = { action: "GetCallerIdentity", nth: 1, instead: () => refusal("AuthFailure.SignatureExpire") };
  await expect(stage.deployment("Vpc", "net").up(args)).rejects.toThrow("Set the clock of this machine, then run `pulumi up` again");
});
