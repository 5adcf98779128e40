import { expect, test } from "vitest";
import {
  describeAvailableClusterVersion,
  describeClusterLevelAttribute,
  describeTasks,
  describeVersions,
  createCluster,
  getUpgradeInstanceProgress,
  updateClusterVersion,
  upgradeClusterInstances,
} from "../../../catalogue/cluster.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

async function old(at: Stage, clusterVersion = "1.30.0") {
  const { vpcId, subnetId, cloud, world } = at;
  const asked = { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, clusterBasicSettings: { clusterVersion } };
  const { clusterId } = await cloud.call(createCluster, asked);
  world.advance(3000);
  return clusterId;
}

test("versions and levels are listed", async () => {
  const { cloud } = await stage();
  expect((await cloud.call(describeVersions, {})).versionInstanceSet.map(({ version }) => version)).toEqual([
    "1.28.3",
    "1.30.0",
    "1.32.2",
    "1.34.1",
  ]);
  expect((await cloud.call(describeClusterLevelAttribute, {})).items[0]).toMatchObject({ name: "L5", nodeCount: 5 });
});

test("a cluster is upgraded to a newer offered version, one upgrade at a time", async () => {
  const at = await stage();
  const { cloud, world, stateOf, recordOf, taskOf } = at;
  const clusterId = await old(at);
  expect((await cloud.call(describeAvailableClusterVersion, { clusterId })).versions).toEqual(["1.32.2", "1.34.1"]);
  expect((await cloud.call(describeAvailableClusterVersion, { clusterIds: [clusterId] })).clusters).toEqual([
    { clusterId, versions: ["1.32.2", "1.34.1"] },
  ]);
  expect((await cloud.call(describeAvailableClusterVersion, {})).versions).toHaveLength(4);
  const update = (dstVersion: string) => cloud.call(updateClusterVersion, { clusterId, dstVersion });
  for (const wrong of ["1.28.3", "1.30.0", "1.31.0"]) await expect(update(wrong)).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await update("1.32.2");
  expect(await stateOf(clusterId)).toBe("Upgrading");
  expect((await recordOf(clusterId))?.clusterVersion).toBe("1.30.0");
  await expect(update("1.34.1")).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState" });
  world.advance(2000);
  expect(await recordOf(clusterId)).toMatchObject({ clusterVersion: "1.32.2", clusterStatus: "Running" });
  expect(await taskOf(clusterId, "cluster_upgrade")).toMatchObject({ lifeState: "done", param: '{"DstVersion":"1.32.2"}' });
  await update("1.34.1");
  world.advance(2000);
  expect((await recordOf(clusterId))?.clusterVersion).toBe("1.34.1");
});

test("an upgrade that fails leaves the version as it is, and its task has the reason", async () => {
  const at = await stage();
  const clusterId = await old(at);
  at.platform.faults.add({ thing: "cluster", end: "Abnormal", reason: "etcd is not healthy" });
  await at.cloud.call(updateClusterVersion, { clusterId, dstVersion: "1.34.1" });
  at.world.advance(2000);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterVersion: "1.30.0", clusterStatus: "Abnormal" });
  expect(await at.taskOf(clusterId, "cluster_upgrade")).toMatchObject({ lifeState: "aborted", lastError: "etcd is not healthy" });
});

async function upgrading(count: number, concurrent?: number) {
  const at = await stage();
  const { clusterId } = await at.withNodes(count);
  const instanceIds = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId);
  const create = () =>
    at.cloud.call(upgradeClusterInstances, { clusterId, operation: "create", upgradeType: "reset", instanceIds, concurrent });
  const change = (operation: "pause" | "resume" | "abort") => at.cloud.call(upgradeClusterInstances, { clusterId, operation });
  const progress = () => at.cloud.call(getUpgradeInstanceProgress, { clusterId });
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
  await expect(create()).rejects.toMatchObject({ code: "FailedOperation.TaskAlreadyRunning" });
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
  await expect(change("pause")).rejects.toMatchObject({ code: "FailedOperation.TaskLifeStateError" });
  await expect(create()).rejects.toMatchObject({ code: "FailedOperation.TaskAlreadyRunning" });
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
  await expect(change("resume")).rejects.toMatchObject({ code: "FailedOperation.TaskLifeStateError" });
  await create();
});

test("only running nodes can be upgraded", async () => {
  const { cloud, clusterId, instanceIds } = await upgrading(1);
  const create = (input: { upgradeType?: "reset"; instanceIds?: string[] }) =>
    cloud.call(upgradeClusterInstances, { clusterId, operation: "create", ...input });
  await expect(create({ instanceIds })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(create({ upgradeType: "reset" })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(create({ upgradeType: "reset", instanceIds: ["ins-00000000"] })).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(cloud.call(upgradeClusterInstances, { clusterId, operation: "pause" })).rejects.toMatchObject({
    code: "InternalError.TaskNotFound",
  });
});

test("tasks are found by cluster and type (specification, rule 2)", async () => {
  const at = await stage();
  const { cloud, world } = at;
  const clusterId = await old(at);
  const ask = (filter: { name: string; values: string[] }[], latest?: boolean) => cloud.call(describeTasks, { filter, latest });
  const [byCluster, byType] = [
    { name: "ClusterId", values: [clusterId] },
    { name: "TaskType", values: ["cluster_upgrade"] },
  ];
  await expect(ask([byCluster])).rejects.toMatchObject({ code: "InvalidParameter.Param", reason: "PARAM_ERROR(TaskType is empty)" });
  await expect(cloud.call(describeTasks, {})).rejects.toMatchObject({
    code: "InvalidParameter.Param",
    reason: "PARAM_ERROR(TaskType is empty)",
  });
  await expect(ask([byCluster, { name: "TaskType", values: [""] }])).rejects.toMatchObject({
    code: "InvalidParameter.Param",
    reason: "PARAM_ERROR(TaskType is empty)",
  });
  await expect(ask([byType])).rejects.toMatchObject({ code: "InvalidParameter.Param", reason: "PARAM_ERROR(ClusterId is empty)" });
  await expect(ask([byCluster, byType, { name: "x", values: [] }])).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(ask([{ name: "ClusterId", values: ["cls-00000000"] }, byType])).rejects.toMatchObject({
    code: "FailedOperation.TaskNotFound",
  });
  expect((await ask([byCluster, byType])).tasks).toEqual([]);
  expect((await ask([byCluster, { name: "TaskType", values: ["add_cluster_cidr"] }])).tasks).toEqual([]);
  for (const dstVersion of ["1.32.2", "1.34.1"]) {
    await cloud.call(updateClusterVersion, { clusterId, dstVersion });
    world.advance(2000);
  }
  const targets = (tasks: { param: string }[]) => tasks.map(({ param }) => param);
  expect(targets((await ask([byCluster, byType])).tasks)).toEqual(['{"DstVersion":"1.34.1"}', '{"DstVersion":"1.32.2"}']);
  const newest = await ask([byCluster, byType], true);
  expect(newest.tasks).toMatchObject([
    { clusterId, taskType: "cluster_upgrade", targetObj: clusterId, createdAt: "2026-01-31T12:00:05Z", updatedAt: "2026-01-31T12:00:07Z" },
  ]);
});

test("progress is answered in pages of 1 to 100 nodes", async () => {
  const { cloud, clusterId, create, instanceIds } = await upgrading(3);
  await create();
  const page = (paging: { offset?: number; limit?: number }) => cloud.call(getUpgradeInstanceProgress, { clusterId, ...paging });
  expect((await page({ offset: 1, limit: 1 })).instances.map(({ instanceId }) => instanceId)).toEqual(instanceIds.slice(1, 2));
  for (const wrong of [{ offset: -1 }, { limit: 0 }, { limit: 101 }])
    await expect(page(wrong)).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("of tasks that began at the same instant, the newest is the one that began last", async () => {
  const { running, pool, taskOf } = await stage();
  const clusterId = await running();
  await pool(clusterId, 0);
  const second = await pool(clusterId, 0);
  expect(await taskOf(clusterId, "create_node_pool")).toMatchObject({ targetObj: second });
});
