import { describe, expect, test } from "vitest";
import { createCluster, describeClusterStatus } from "../catalogue/cluster.ts";
import { createInstance } from "../catalogue/registry.ts";
import { createSubnet, createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { accessKeyOf, putAccessKey, putAccount, putSubAccount } from "../local/accounts/accounts.ts";
import { LocalControl, type WorldControl } from "../local/control/control.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { HttpControl } from "./http-control.ts";
import { sent, served, signedCall } from "./stage.fixture.ts";

const moment = Date.UTC(2026, 0, 31, 12);
const minute = 60_000;

const ways: Readonly<Record<string, (world: World) => Promise<WorldControl>>> = {
  "in process": (world) => Promise.resolve(new LocalControl(world)),
  "over HTTP": async (world) => {
    const { url, key } = await served(world);
    return new HttpControl(url, key);
  },
};

async function stage(way: string, seed = "control") {
  const world = World.open(":memory:", { timeScale: "realistic", seed });
  const control = await ways[way]?.(world);
  if (!control) throw new Error(`there is no way ${way}`);
  const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt", retries: { attempts: 1, pause: 0, longest: 0 } });
  return { world, control, cloud };
}

async function fill(cloud: Cloud): Promise<string> {
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "ä", cidrBlock: "10.0.0.0/16", tags: [{ key: "a", value: "b" }] })).vpc;
  const { subnetId } = (await cloud.call(createSubnet, { vpcId, subnetName: "a", cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" }))
    .subnet;
  await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  return (await cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } })).clusterId;
}

describe.each(Object.keys(ways))("%s", (way) => {
  test("the clock is set, moved, stopped and started again", async () => {
    const { control, cloud } = await stage(way);
    expect(await control.freeze()).toMatchObject({ frozen: true, timeScale: "realistic", seed: "control" });
    expect(await control.setTime(moment)).toMatchObject({ time: moment, frozen: true });
    const clusterId = await fill(cloud);
    const state = async () => (await cloud.call(describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet[0]?.clusterState;
    expect([await state(), await control.advance(6 * minute), await state()]).toEqual([
      "Creating",
      { time: moment + 6 * minute, frozen: true, timeScale: "realistic", seed: "control" },
      "Running",
    ]);
    const { time, frozen } = await control.unfreeze();
    expect([frozen, time - moment - 6 * minute < minute]).toEqual([false, true]);
    expect((await control.setTime(moment)).time - moment).toBeLessThan(minute);
    await expect(control.advance(-1)).rejects.toThrow("milliseconds is -1; it takes 0 or more: set the time to go back");
    await expect(control.setTime(1e300)).rejects.toThrow("time is 1e+300; it takes milliseconds, -8.64e15 to 8.64e15");
  });

  test("faults are added, listed and removed", async () => {
    const { control, cloud } = await stage(way);
    const first = await control.addFault({ operation: describeVpcs, when: "before", code: "RequestLimitExceeded" });
    const second = await control.addFault({ resourceType: "cluster", resource: "staging", endState: "Abnormal", reason: "no capacity" });
    const named = { product: "vpc", action: "DescribeVpcs", version: "2017-03-12" };
    expect(await control.faults()).toEqual([
      { id: first, fault: { operation: named, when: "before", code: "RequestLimitExceeded" }, met: 0, hit: 0 },
      { id: second, fault: { resourceType: "cluster", resource: "staging", endState: "Abnormal", reason: "no capacity" }, met: 0, hit: 0 },
    ]);
    await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ code: "RequestLimitExceeded" });
    await control.removeFault(second);
    expect(await control.faults()).toEqual([]);
    await expect(control.addFault({ operation: { action: "DescribeVpc" }, delay: 1 })).rejects.toThrow(
      "there is no operation with action DescribeVpc",
    );
    await expect(control.addFault({ delay: -1 })).rejects.toThrow("a fault: delay is -1; it takes a whole number, 0 to 300000");
  });

  test("a restored snapshot is the world that it was taken of", async () => {
    const { control, cloud, world } = await stage(way);
    await control.freeze();
    await putSubAccount(world, { name: "auditor", allow: ["audit:*"], account: await putAccount(world, { name: "other" }) });
    await putAccessKey(world, { temporary: true, expiresAt: moment });
    await fill(cloud);
    await control.addFault({ operation: createVpc, nth: 3, when: "after" });
    await control.addFault({ operation: describeVpcs, nth: 2, when: "before" });
    await cloud.call(describeVpcs, {});
    const taken = await control.snapshot({ audit: true });
    expect(taken.audit).toHaveLength(5);

    const other = await stage(way, "other");
    const travelled: typeof taken = JSON.parse(JSON.stringify(taken));
    expect(await other.control.restore(travelled)).toEqual(accessKeyOf(world));
    expect(await other.control.snapshot({ audit: true })).toEqual(taken);
    // Later calls have the same answers in both worlds.
    const next = async (in_: Cloud) => in_.call(createVpc, { vpcName: "b", cidrBlock: "10.9.0.0/16" });
    expect(await next(other.cloud)).toEqual(await next(cloud));
    await expect(next(other.cloud)).rejects.toMatchObject({ code: "InvalidParameter.VpcCidrConflict" });
    expect(await control.snapshot()).not.toHaveProperty("audit");
    // A snapshot without the audit log is restored with an empty one.
    const { audit: _, ...silent } = taken;
    await other.control.restore(silent);
    expect(await other.control.snapshot({ audit: true })).toEqual({ ...silent, audit: [] });
  });

  test("an invalid snapshot is refused, and changes nothing", async () => {
    const { control, cloud } = await stage(way);
    await control.freeze();
    await fill(cloud);
    const taken = await control.snapshot({ audit: true });
    const refused = async (change: object, sentence: string) => {
      await expect(control.restore({ ...taken, ...change })).rejects.toThrow(sentence);
    };
    await refused({ version: 99 }, "the snapshot is of a newer version of this library (layout 99, this one reads");
    await refused({ version: 1 }, "the snapshot is of an older version of this library (layout 1, this one reads");
    await refused({ version: undefined }, "this is not a snapshot of the emulator: the version is missing");
    await refused({ clock: {} }, "the snapshot cannot be read: clock.time: Invalid input");
    await refused({ things: { disks: [] } }, "there is no table disks; there are vpcs, subnets,");
    const [subnet] = taken.things["subnets"] ?? [];
    await refused(
      { things: { subnets: [{ ...subnet, row: {} }] } },
      `the snapshot cannot be read: ${subnet?.id} of subnets: id: Invalid input`,
    );
    expect(await control.snapshot({ audit: true })).toEqual(taken);
  });

  test("a reset world is as it was when it was made, or has another seed", async () => {
    const { control, cloud, world } = await stage(way);
    const key = accessKeyOf(world);
    const first = await fill(cloud);
    await control.freeze();
    await control.addFault({ delay: 1 });
    expect(await control.reset()).toEqual(key);
    expect(await control.status()).toMatchObject({ frozen: false, timeScale: "realistic", seed: "control" });
    expect(await control.snapshot({ audit: true })).toMatchObject({
      things: {},
      faults: [],
      audit: [],
      accounts: [{ uin: world.account }],
    });
    expect(await fill(cloud)).toBe(first);
    const other = await control.reset({ seed: "another", timeScale: "instant" });
    expect(other).not.toEqual(key);
    expect(await control.status()).toMatchObject({ timeScale: "instant", seed: "another" });
    expect(await fill(cloud)).not.toBe(first);
  });
});

test("over HTTP, only the first main account may control a world", async () => {
  const { world, url, key: root } = await served();
  const status = (key: { secretId: string; secretKey: string }) => new HttpControl(url, key).status();
  await status(root);
  const keyOf = async (uin: string) => putAccessKey(world, { uin });
  const other = await putAccount(world, { name: "other" });
  await expect(status(await keyOf(other))).rejects.toThrow(`${other} cannot control the world; its first account ${world.account} can`);
  const sub = await putSubAccount(world, { name: "sub", allow: ["*"] });
  await expect(status(await keyOf(sub))).rejects.toThrow(`${sub} cannot control the world`);
  await expect(status({ ...root, secretKey: "wrong" })).rejects.toThrow("the signature is not that of this call with this key");
  const elsewhere = await sent(`${url}/control`, signedCall(url, { ...root, product: "vpc", action: "snapshot" }));
  expect(elsewhere).toMatchObject({ status: 401, answer: { error: "a command is signed with the product control, and not vpc" } });
  const unsigned = await fetch(`${url}/control`, { method: "POST", body: "{}" });
  expect([unsigned.status, await unsigned.json()]).toEqual([401, { error: expect.stringContaining("Authorization is not of the form") }]);
  expect((await fetch(`${url}/control`)).status).toBe(405);
});
