import { expect, test } from "vitest";
import { lookUpEvents } from "../../catalogue/audit.ts";
import { createCluster, createNodePool, deleteNodePool } from "../../catalogue/cluster.ts";
import { describeZones } from "../../catalogue/compute.ts";
import { getCallerIdentity } from "../../catalogue/identity.ts";
import { modifyResourceTags } from "../../catalogue/tag.ts";
import { createSecurityGroup, createVpc, deleteVpc, describeVpcs, modifyVpcAttribute } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { resourceKinds, resourceName } from "../../formats/resource-name.ts";
import { stage as clusterStage } from "../cluster/stage.fixture.ts";
import { LocalPlatform } from "../platform.ts";
import { region, stage as worldStage } from "../stage.fixture.ts";
import { accessKeyOf, type NewSubAccount, putAccessKey, putAccount, putSubAccount, setAccessKey, setPermissions } from "./accounts.ts";

const lacking = { code: "UnauthorizedOperation.AccessMgmtNoAuth", kind: "unauthorized" };
const denied = { code: "AuthFailure.UnauthorizedOperation", kind: "unauthorized" };

function stage() {
  const at = worldStage("accounts");
  const { world } = at;
  world.freeze(Date.UTC(2026, 0, 31, 12));
  const cloudOf = (uin: string) => at.cloudIn(region, new LocalPlatform(world, { uin }));
  const user = async (given: Omit<NewSubAccount, "name">) => {
    const uin = await putSubAccount(world, { name: "user", ...given });
    return { uin, cloud: cloudOf(uin) };
  };
  return { ...at, root: at.cloud, cloudOf, user };
}

test("a denied write on a resource with a tag is refused, whether a call has its id or its name", async () => {
  const { user, vpc } = stage();
  const make = async (cidrBlock: string, value: string) => (await vpc(cidrBlock, { tags: [{ key: "stage", value }] })).vpcId;
  const [live, trial] = [await make("10.0.0.0/16", "live"), await make("10.1.0.0/16", "trial")];
  const deny = [{ permissions: ["vpc:*", "tag:ModifyResourceTags"], tag: { key: "stage", value: "live" } }];
  const { cloud, uin } = await user({ allow: ["*"], deny });
  await expect(cloud.call(deleteVpc, { vpcId: live })).rejects.toMatchObject({
    ...denied,
    reason: `sub-account ${uin} is denied DeleteVpc on ${live}, which has the tag stage`,
  });
  const name = resourceName({ ...resourceKinds.vpc, region, account: "", id: live });
  await expect(cloud.call(modifyResourceTags, { resource: name, deleteTags: [{ tagKey: "stage" }] })).rejects.toMatchObject(denied);
  expect((await cloud.call(describeVpcs, { vpcIds: [live] })).vpcSet).toHaveLength(1);
  await cloud.call(deleteVpc, { vpcId: trial });
  await cloud.call(createSecurityGroup, { groupName: "a", groupDescription: "" });
});

test("a denial of one operation leaves the others allowed, and a denial of a tag's key means every value", async () => {
  const { user, vpc } = stage();
  const { vpcId } = await vpc("10.0.0.0/16", { tags: [{ key: "stage", value: "any" }] });
  const { cloud } = await user({ allow: ["*"], deny: [{ permissions: ["vpc:DeleteVpc"], tag: { key: "stage" } }] });
  await cloud.call(modifyVpcAttribute, { vpcId, vpcName: "b" });
  await expect(cloud.call(deleteVpc, { vpcId })).rejects.toMatchObject(denied);
});

test("denials apply to the tags of clusters and node pools; the cluster's count for calls about its pools too", async () => {
  const at = await clusterStage();
  const tagged = (resourceType: string, value: string) => [{ resourceType, tags: [{ key: "stage", value }] }];
  const { vpcId, subnetId } = at;
  const asked = {
    vpcId,
    subnetId,
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: { tagSpecification: tagged("cluster", "live") },
  };
  const { clusterId } = await at.cloud.call(createCluster, asked);
  at.world.advance(3000);
  const pool = { clusterId, name: "p", type: "Native" as const, native: { ...at.settings, replicas: 0 }, tags: tagged("machine", "own") };
  const { nodePoolId } = await at.cloud.call(createNodePool, pool);
  at.world.advance(3000);
  const denying = async (value: string) => {
    const uin = await putSubAccount(at.world, {
      name: value,
      allow: ["*"],
      deny: [{ permissions: ["cluster:*"], tag: { key: "stage", value } }],
    });
    return new Cloud({ transport: new LocalPlatform(at.world, { uin }), region });
  };
  for (const value of ["live", "own"])
    await expect((await denying(value)).call(deleteNodePool, { clusterId, nodePoolId })).rejects.toMatchObject(denied);
  await (await denying("other")).call(deleteNodePool, { clusterId, nodePoolId });
});

test("invalid permissions and unknown accounts are refused with a message", async () => {
  const { world, user } = stage();
  for (const permission of ["", "everything", "registry:CreateInstance", "cluster:", "cluster:create", "cluster:A:B"])
    await expect(putSubAccount(world, { name: "x", allow: [permission] })).rejects.toThrow(`${permission} is no permission: it is *`);
  const { uin } = await user({});
  await expect(putSubAccount(world, { name: "x", account: uin })).rejects.toThrow(`${uin} is a sub-account`);
  await expect(setPermissions(world, world.account, {})).rejects.toThrow("is a main account: it has every permission");
  await expect(putAccessKey(world, { uin: "1" })).rejects.toThrow("there is no account 1 in this world");
  await expect(setAccessKey(world, "AKID0", { disabled: true })).rejects.toThrow("there is no access key AKID0 in this world");
  expect(() => new LocalPlatform(world, { uin: "1" })).toThrow("there is no account 1 in this world");
});

test("main accounts see nothing of each other", async () => {
  const { world, root, cloudOf } = stage();
  const other = cloudOf(await putAccount(world, { name: "other" }));
  const asked = { vpcName: "a", cidrBlock: "10.0.0.0/16" };
  await root.call(createVpc, asked);
  await other.call(createVpc, asked);
  expect((await other.call(describeVpcs, {})).totalCount).toBe(1);
  expect([await root.account(), await other.account()]).toEqual([world.account, "100000000002"]);
  const { events } = await other.call(lookUpEvents, { startTime: 0, endTime: 4e9 });
  expect(events.map(({ eventName, username }) => `${eventName} ${username}`)).toEqual(["DescribeVpcs other", "CreateVpc other"]);
});

test("GetCallerIdentity needs no permission and no region, and the caller is recorded with each call", async () => {
  const { world, root, user } = stage();
  const { uin, cloud } = await user({});
  expect(await cloud.call(getCallerIdentity, {})).toMatchObject({ accountId: world.account, userId: uin });
  expect(await root.call(getCallerIdentity, {})).toMatchObject({ accountId: world.account, userId: world.account });
  await expect(cloud.call(describeZones, {})).rejects.toMatchObject({
    ...lacking,
    reason: `sub-account ${uin} lacks the permission compute:DescribeZones, which DescribeZones needs`,
  });
  const { events } = await root.call(lookUpEvents, { startTime: 0, endTime: 4e9 });
  expect(events.map(({ eventName, username, apiErrorCode }) => [eventName, username, apiErrorCode])).toEqual([
    ["DescribeZones", "user", lacking.code],
    ["GetCallerIdentity", "root", ""],
    ["GetCallerIdentity", "user", ""],
  ]);
  expect(JSON.parse(events[0]?.cloudAuditEvent ?? "")).toMatchObject({ Uin: uin, AccountID: Number(world.account) });
});

test("calls with an unknown action, version or region are recorded too", async () => {
  const { world, root } = stage();
  const platform = new LocalPlatform(world);
  const ask = (action: string, version: string, place: string) =>
    platform.send({ product: "vpc", action, version, region: place, body: {} }).catch((error: unknown) => error);
  expect(await ask("DescribeVpc", "2017-03-12", region)).toMatchObject({ code: "InvalidAction", reason: "vpc has no action DescribeVpc" });
  expect(await ask("DescribeVpcs", "2018-05-25", region)).toMatchObject({ code: "NoSuchVersion" });
  expect(await ask("DescribeVpcs", "2017-03-12", "eu-nowhere")).toMatchObject({ code: "UnsupportedOperation.InvalidRegion" });
  expect(await ask("DescribeVpcs", "2017-03-12", "")).toMatchObject({ code: "MissingParameter", reason: "Region is required" });
  const { events } = await root.call(lookUpEvents, { startTime: 0, endTime: 4e9 });
  expect(events.map(({ apiErrorCode }) => apiErrorCode)).toEqual([
    "MissingParameter",
    "UnsupportedOperation.InvalidRegion",
    "NoSuchVersion",
    "InvalidAction",
  ]);
});

test("the first account has a key from the beginning, which is the same for the same seed", async () => {
  const { world } = stage();
  const first = accessKeyOf(world);
  expect(first).toEqual(accessKeyOf(stage().world));
  expect(first).toEqual({ secretId: expect.stringMatching(/^AKID[0-9a-f]{32}$/), secretKey: expect.stringMatching(/^[\w-]{43}$/) });
  const temporary = await putAccessKey(world, { temporary: true });
  expect(temporary.token).toMatch(/^[\w-]{43}$/);
  await setAccessKey(world, first.secretId, { disabled: true });
  expect(accessKeyOf(world)).toEqual(temporary);
  await setAccessKey(world, temporary.secretId, { disabled: true });
  expect(() => accessKeyOf(world)).toThrow(`account ${world.account} has no access key in this world`);
});
