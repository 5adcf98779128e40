import { expect, test } from "vitest";
import {
  createNodePool,
  deleteNodePool,
  describeClusterMachines,
  describeClusterNodePoolDetail,
  describeClusterNodePools,
  describeNodePools,
  modifyNodePool,
  scaleNodePool,
} from "../../../catalogue/cluster.ts";

import { putNodePool2018 } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

test("a pool is Creating, then Running; its nodes are initializing, then running", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const nodePoolId = await at.pool(clusterId, 2);
  expect(nodePoolId).toMatch(/^np-[0-9a-f]{8}$/);
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({
    lifeState: "Creating",
    type: "Native",
    native: { replicas: 2, readyReplicas: 0 },
  });
  at.world.advance(500);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Running");
  expect((await at.nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["initializing", "initializing"]);
  at.world.advance(2000);
  expect((await at.poolOf(clusterId, nodePoolId))?.native?.readyReplicas).toBe(2);
  const nodes = await at.nodesOf(clusterId);
  expect(nodes).toMatchObject([
    { instanceState: "running", nodePoolId, drainStatus: "", failedReason: "", lanIp: "10.0.0.2" },
    { instanceState: "running", nodePoolId, drainStatus: "", failedReason: "", lanIp: "10.0.0.3" },
  ]);
  const { machines } = await at.cloud.call(describeClusterMachines, { clusterId });
  expect(machines).toMatchObject([{ machineState: "Running", cpu: 2, memory: 4, instanceFamily: "SA5" }, {}]);
  expect(machines.every(({ machineName }) => machineName.startsWith(`${nodePoolId}-`))).toBe(true);
});

test("nodes are spread over the subnets of a pool", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const subnetIds = [at.subnetId, await at.subnet(1, { zone: 2 }), await at.subnet(2, { zone: 3 })];
  const create = (createPolicy: "ZoneEquality" | "ZonePriority") =>
    at.cloud.call(createNodePool, {
      clusterId,
      name: createPolicy,
      type: "Native",
      native: { ...at.settings, subnetIds, replicas: 4, scaling: { minReplicas: 0, maxReplicas: 9, createPolicy } },
    });
  const zonesOf = async (nodePoolId: string) =>
    (await at.cloud.call(describeClusterMachines, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] })).machines.map(
      ({ zone }) => zone,
    );
  const equal = await zonesOf((await create("ZoneEquality")).nodePoolId);
  expect(equal.toSorted()).toEqual(["eu-frankfurt-1", "eu-frankfurt-1", "eu-frankfurt-2", "eu-frankfurt-3"]);
  expect(new Set(await zonesOf((await create("ZonePriority")).nodePoolId))).toEqual(new Set(["eu-frankfurt-1"]));
});

test("a failed node has the reason, and is removed first", async () => {
  const at = await stage();
  const clusterId = await at.running();
  at.platform.faults.add({ thing: "node", end: "failed", reason: "out of stock" });
  const nodePoolId = await at.pool(clusterId, 2);
  at.world.advance(2500);
  const failed = (await at.nodesOf(clusterId)).filter(({ instanceState }) => instanceState === "failed");
  expect(failed).toMatchObject([{ failedReason: "out of stock" }]);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterInstanceState: "PartialAbnormal" });
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 2, readyReplicas: 1 });
  await at.cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 1 });
  at.world.advance(1000);
  expect((await at.nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["running"]);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterInstanceState: "AllNormal" });
});

test("a failed pool has no nodes, and its task has the reason", async () => {
  const at = await stage();
  const clusterId = await at.running();
  at.platform.faults.add({ thing: "nodePool", end: "Abnormal", reason: "no quota" });
  const nodePoolId = await at.pool(clusterId, 2);
  at.world.advance(500);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Abnormal");
  expect(await at.nodesOf(clusterId)).toEqual([]);
  expect(await at.taskOf(clusterId, "create_node_pool")).toMatchObject({
    targetObj: nodePoolId,
    lifeState: "aborted",
    lastError: "no quota",
  });
});

test("nodes fail if their subnet has no free address", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const small = await at.subnet(1, { prefix: 29 });
  await at.cloud.call(createNodePool, {
    clusterId,
    name: "p",
    type: "Native",
    native: { ...at.settings, subnetIds: [small], replicas: 6 },
  });
  at.world.advance(2500);
  const nodes = await at.nodesOf(clusterId);
  expect(nodes.filter(({ instanceState }) => instanceState === "running")).toHaveLength(5);
  expect(nodes.find(({ instanceState }) => instanceState === "failed")?.failedReason).toContain("no available address");
});

test("a deleted pool stays until its last machine is removed", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(2);
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, deletionProtection: true });
  await expect(at.cloud.call(deleteNodePool, { clusterId, nodePoolId })).rejects.toMatchObject({
    code: "OperationDenied",
    kind: "protected",
  });
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, deletionProtection: false });
  await at.cloud.call(deleteNodePool, { clusterId, nodePoolId });
  await at.cloud.call(deleteNodePool, { clusterId, nodePoolId });
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Deleting");
  await expect(at.cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 3 })).rejects.toMatchObject({ code: "OperationDenied" });
  at.world.advance(1499);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Deleting");
  const machines = await at.cloud.call(describeClusterMachines, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] });
  expect(machines.machines.map(({ machineState }) => machineState)).toEqual(["Deleting", "Deleting"]);
  at.world.advance(1);
  expect(await at.poolOf(clusterId, nodePoolId)).toBeUndefined();
  expect((await at.cloud.call(describeClusterMachines, { clusterId })).totalCount).toBe(0);
  await expect(at.cloud.call(deleteNodePool, { clusterId, nodePoolId })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("an empty pool is deleted like any other", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const nodePoolId = await at.pool(clusterId, 0);
  await at.cloud.call(deleteNodePool, { clusterId, nodePoolId });
  at.world.advance(500);
  expect((await at.cloud.call(describeNodePools, { clusterId })).totalCount).toBe(0);
});

test("the actions of both API versions list pools of both, each with its own states", async () => {
  const at = await stage();
  const { clusterId, nodePoolId: native } = await at.withNodes(1);
  const regular = await putNodePool2018(at.world, { region: at.region, clusterId, name: "old", replicas: 2 });
  const detail = async (nodePoolId: string) => (await at.cloud.call(describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool;
  expect(await detail(regular)).toMatchObject({ lifeState: "creating", name: "old", desiredNodesNum: 2 });
  at.world.advance(2500);
  expect(await detail(regular)).toMatchObject({
    lifeState: "normal",
    clusterInstanceId: clusterId,
    maxNodesNum: 2,
    nodeCountSummary: { autoscalingAdded: { normal: 2, total: 2 }, manuallyAdded: { total: 0 } },
  });
  expect(await detail(native)).toMatchObject({ lifeState: "normal", desiredNodesNum: 1, maxNodesNum: 10, autoscalingGroupId: "" });
  const { nodePools } = await at.cloud.call(describeNodePools, { clusterId });
  expect(nodePools).toMatchObject([
    { type: "Native", lifeState: "Running", native: { replicas: 1 } },
    { type: "Regular", lifeState: "Running", regular: { desiredNodesNum: 2, autoscalingGroupStatus: "disabled" } },
  ]);
  expect(nodePools.map(({ native: one, regular: other }) => [one === undefined, other === undefined])).toEqual([
    [false, true],
    [true, false],
  ]);
  expect((await at.cloud.call(describeClusterNodePools, { clusterId })).nodePoolSet.map(({ nodePoolId }) => nodePoolId)).toEqual([
    native,
    regular,
  ]);
  const byName = await at.cloud.call(describeClusterNodePools, { clusterId, filters: [{ name: "NodePoolsName", values: ["old"] }] });
  expect(byName).toMatchObject({ totalCount: 1, nodePoolSet: [{ nodePoolId: regular }] });
  await at.cloud.call(deleteNodePool, { clusterId, nodePoolId: regular });
  expect((await detail(regular)).lifeState).toBe("deleting");
  expect((await at.cloud.call(describeClusterMachines, { clusterId })).totalCount).toBe(1);
  await expect(detail("np-00000000")).rejects.toMatchObject({ code: "ResourceNotFound" });
});
