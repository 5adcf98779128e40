import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { type Stage, clusterStage, codeOf, nodesStage, stage } from "../stage.fixture.ts";

const old = (at: Stage) => at.running(undefined, { clusterBasicSettings: { clusterVersion: "1.30.0" } });

test("versions and levels are listed", async () => {
  const { call } = await stage();
  const { versionInstanceSet } = await call(cluster.describeVersions, {});
  expect(versionInstanceSet.map(({ version }) => version)).toEqual(["1.28.3", "1.30.0", "1.32.2", "1.34.1"]);
  expect((await call(cluster.describeClusterLevelAttribute, {})).items[0]).toMatchObject({ name: "L5", nodeCount: 5 });
});

test("a cluster is upgraded to a newer offered version, one upgrade at a time", async () => {
  const at = await stage();
  const { call, world, stateOf, recordOf, taskOf } = at;
  const clusterId = await old(at);
  const available = (given: object) => call(cluster.describeAvailableClusterVersion, given);
  const versions = ["1.32.2", "1.34.1"];
  expect((await available({ clusterId })).versions).toEqual(versions);
  expect((await available({ clusterIds: [clusterId] })).clusters).toEqual([{ clusterId, versions }]);
  expect((await available({})).versions).toHaveLength(4);
  const update = (dstVersion: string) => call(cluster.updateClusterVersion, { clusterId, dstVersion });
  for (const wrong of ["1.28.3", "1.30.0", "1.31.0"]) expect(await codeOf(update(wrong))).toBe("InvalidParameter.Param");
  await update("1.32.2");
  expect(await stateOf(clusterId)).toBe("Upgrading");
  expect((await recordOf(clusterId))?.clusterVersion).toBe("1.30.0");
  expect(await codeOf(update("1.34.1"))).toBe("ResourceUnavailable.ClusterState");
  world.advance(2000);
  expect(await recordOf(clusterId)).toMatchObject({ clusterVersion: "1.32.2", clusterStatus: "Running" });
  expect(await taskOf(clusterId, "cluster_upgrade")).toMatchObject({
    ...{ clusterId, targetObj: clusterId, lifeState: "done", param: '{"DstVersion":"1.32.2"}' },
    ...{ createdAt: "2026-01-31T12:00:03Z", updatedAt: "2026-01-31T12:00:05Z" },
  });
  await update("1.34.1");
  world.advance(2000);
  expect((await recordOf(clusterId))?.clusterVersion).toBe("1.34.1");
});

test("an upgrade that fails leaves the version as it is, and its task has the reason", async () => {
  const at = await stage();
  const clusterId = await old(at);
  at.platform.faults.add({ resourceType: "cluster", endState: "Abnormal", reason: "etcd is not healthy" });
  await at.call(cluster.updateClusterVersion, { clusterId, dstVersion: "1.34.1" });
  at.world.advance(2000);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterVersion: "1.30.0", clusterStatus: "Abnormal" });
  expect(await at.taskOf(clusterId, "cluster_upgrade")).toMatchObject({ lifeState: "aborted", lastError: "etcd is not healthy" });
});

async function upgrading(count: number, concurrent?: number) {
  const { clusterId, ...at } = await nodesStage(count);
  const instanceIds = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId);
  const create = () =>
    at.call(cluster.upgradeClusterInstances, { clusterId, operation: "create", upgradeType: "reset", instanceIds, concurrent });
  const change = (operation: "pause" | "resume" | "abort") => at.call(cluster.upgradeClusterInstances, { clusterId, operation });
  const progress = () => at.call(cluster.getUpgradeInstanceProgress, { clusterId });
  const states = async () => (await progress()).instances.map(({ lifeState }) => lifeState);
  return { ...at, clusterId, instanceIds, create, change, progress, states };
}

test("nodes are upgraded one after another, and the cluster is NodeUpgrading meanwhile", async () => {
  const { create, progress, states, world, stateOf, clusterId, taskOf } = await upgrading(3);
  await expect(progress()).rejects.toMatchObject({ code: "InternalError.TaskNotFound", kind: "notFound" });
  await create();
  expect(await progress()).toMatchObject({ total: 3, done: 0, lifeState: "process" });
  expect(await states()).toEqual(["process", "pending", "pending"]);
  expect(await stateOf(clusterId)).toBe("NodeUpgrading");
  expect(await codeOf(create())).toBe("FailedOperation.TaskAlreadyRunning");
  world.advance(1000);
  expect(await progress()).toMatchObject({ done: 1 });
  expect(await states()).toEqual(["done", "process", "pending"]);
  expect(await taskOf(clusterId, "node_upgrade")).toMatchObject({ lifeState: "process", updatedAt: "2026-01-31T12:00:06Z" });
  world.advance(2000);
  expect(await progress()).toMatchObject({ total: 3, done: 3, lifeState: "done" });
  expect(await stateOf(clusterId)).toBe("Running");
  expect(await taskOf(clusterId, "node_upgrade")).toMatchObject({ lifeState: "done" });
  await create();
});

test("several nodes are upgraded at a time if a call asks for it", async () => {
  const { create, states, world } = await upgrading(3, 2);
  await create();
  expect(await states()).toEqual(["process", "process", "pending"]);
  world.advance(1000);
  expect(await states()).toEqual(["done", "done", "process"]);
});

test("an upgrade of nodes can be paused and resumed", async () => {
  const { create, change, progress, states, world, stateOf, clusterId } = await upgrading(3);
  await create();
  await change("pause");
  expect(await progress()).toMatchObject({ lifeState: "pausing" });
  world.advance(1000);
  expect(await progress()).toMatchObject({ lifeState: "paused", done: 1 });
  expect(await states()).toEqual(["done", "paused", "paused"]);
  expect(await stateOf(clusterId)).toBe("Running");
  world.advance(60_000);
  expect(await progress()).toMatchObject({ lifeState: "paused", done: 1 });
  expect(await codeOf(change("pause"))).toBe("FailedOperation.TaskLifeStateError");
  expect(await codeOf(create())).toBe("FailedOperation.TaskAlreadyRunning");
  await change("resume");
  expect(await states()).toEqual(["done", "process", "pending"]);
  world.advance(2000);
  expect(await progress()).toMatchObject({ lifeState: "done", done: 3 });
});

test("an upgrade of nodes can be aborted; nodes whose upgrade has begun are finished", async () => {
  const { create, change, progress, states, world } = await upgrading(3);
  await create();
  await change("abort");
  expect(await progress()).toMatchObject({ lifeState: "abort" });
  world.advance(1000);
  expect(await progress()).toMatchObject({ lifeState: "aborted", done: 1 });
  expect(await states()).toEqual(["done", "aborted", "aborted"]);
  expect(await codeOf(change("resume"))).toBe("FailedOperation.TaskLifeStateError");
  await create();
});

test("only running nodes can be upgraded", async () => {
  const { call, clusterId, instanceIds } = await upgrading(1);
  const create = (input: { upgradeType?: "reset"; instanceIds?: string[] }) =>
    call(cluster.upgradeClusterInstances, { clusterId, operation: "create", ...input });
  expect(await codeOf(create({ instanceIds }))).toBe("MissingParameter");
  expect(await codeOf(create({ upgradeType: "reset" }))).toBe("MissingParameter");
  expect(await codeOf(create({ upgradeType: "reset", instanceIds: ["ins-00000000"] }))).toBe("InvalidParameter.Param");
  expect(await codeOf(call(cluster.upgradeClusterInstances, { clusterId, operation: "pause" }))).toBe("InternalError.TaskNotFound");
});

test("progress is answered in pages of 1 to 100 nodes", async () => {
  const { call, clusterId, create, instanceIds } = await upgrading(3);
  await create();
  const page = (paging: { offset?: number; limit?: number }) => call(cluster.getUpgradeInstanceProgress, { clusterId, ...paging });
  expect((await page({ offset: 1, limit: 1 })).instances.map(({ instanceId }) => instanceId)).toEqual(instanceIds.slice(1, 2));
  for (const wrong of [{ offset: -1 }, { limit: 0 }, { limit: 101 }]) expect(await codeOf(page(wrong))).toBe("InvalidParameter");
});

test("of tasks that began at the same instant, the newest is the one that began last", async () => {
  const { pool, taskOf, clusterId } = await clusterStage();
  await pool(clusterId, 0);
  const second = await pool(clusterId, 0);
  expect(await taskOf(clusterId, "create_node_pool")).toMatchObject({ targetObj: second });
});
