import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { putNodePool2018 } from "../out-of-band.ts";
import { clusterStage, codeOf, nodesStage } from "../stage.fixture.ts";

test("a pool is Creating, then Running; its nodes are initializing, then running", async () => {
  const { clusterId, ...at } = await clusterStage();
  const nodePoolId = await at.pool(clusterId, 2);
  expect(nodePoolId).toMatch(/^np-[0-9a-f]{8}$/);
  const creating = { lifeState: "Creating", type: "Native", native: { replicas: 2, readyReplicas: 0 } };
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject(creating);
  at.world.advance(500);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Running");
  expect((await at.nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["initializing", "initializing"]);
  at.world.advance(2000);
  expect((await at.poolOf(clusterId, nodePoolId))?.native?.readyReplicas).toBe(2);
  const node = { instanceState: "running", nodePoolId, drainStatus: "", failedReason: "" };
  expect(await at.nodesOf(clusterId)).toMatchObject(["10.0.0.2", "10.0.0.3"].map((lanIp) => ({ ...node, lanIp })));
  const { machines } = await at.call(cluster.describeClusterMachines, { clusterId });
  expect(machines).toMatchObject([{ machineState: "Running", cpu: 2, memory: 4, instanceFamily: "SA5" }, {}]);
  expect(machines.every(({ machineName }) => machineName.startsWith(`${nodePoolId}-`))).toBe(true);
});

test("nodes are spread over the subnets of a pool", async () => {
  const { clusterId, ...at } = await clusterStage();
  const subnetIds = [at.subnetId, await at.subnet(1, { zone: 2 }), await at.subnet(2, { zone: 3 })];
  const create = (createPolicy: "ZoneEquality" | "ZonePriority") =>
    at.pool(clusterId, { subnetIds, replicas: 4, scaling: { minReplicas: 0, maxReplicas: 9, createPolicy } });
  const zonesOf = async (nodePoolId: string) => {
    const filters = [{ name: "NodePoolsId", values: [nodePoolId] }];
    return (await at.call(cluster.describeClusterMachines, { clusterId, filters })).machines.map(({ zone }) => zone);
  };
  const equal = await zonesOf(await create("ZoneEquality"));
  expect(equal.toSorted()).toEqual(["eu-frankfurt-1", "eu-frankfurt-1", "eu-frankfurt-2", "eu-frankfurt-3"]);
  expect(new Set(await zonesOf(await create("ZonePriority")))).toEqual(new Set(["eu-frankfurt-1"]));
});

test("a failed node has the reason, and is removed first", async () => {
  const { clusterId, ...at } = await clusterStage();
  at.platform.faults.add({ resourceType: "node", endState: "failed", reason: "out of stock" });
  const nodePoolId = await at.pool(clusterId, 2);
  at.world.advance(2500);
  const failed = (await at.nodesOf(clusterId)).filter(({ instanceState }) => instanceState === "failed");
  expect(failed).toMatchObject([{ failedReason: "out of stock" }]);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterInstanceState: "PartialAbnormal" });
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 2, readyReplicas: 1 });
  await at.call(cluster.scaleNodePool, { clusterId, nodePoolId, replicas: 1 });
  at.world.advance(1000);
  expect((await at.nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["running"]);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterInstanceState: "AllNormal" });
});

test("a failed pool has no nodes, and its task has the reason", async () => {
  const { clusterId, ...at } = await clusterStage();
  at.platform.faults.add({ resourceType: "nodePool", endState: "Abnormal", reason: "no quota" });
  const nodePoolId = await at.pool(clusterId, 2);
  at.world.advance(500);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Abnormal");
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const aborted = { targetObj: nodePoolId, lifeState: "aborted", lastError: "no quota" };
  expect(await at.taskOf(clusterId, "create_node_pool")).toMatchObject(aborted);
});

test("nodes fail if their subnet has no free address", async () => {
  const { clusterId, ...at } = await clusterStage();
  const small = await at.subnet(1, { prefix: 29 });
  await at.pool(clusterId, { subnetIds: [small], replicas: 6 });
  at.world.advance(2500);
  const nodes = await at.nodesOf(clusterId);
  expect(nodes.filter(({ instanceState }) => instanceState === "running")).toHaveLength(5);
  expect(nodes.find(({ instanceState }) => instanceState === "failed")?.failedReason).toContain("no available address");
});

test("a deleted pool stays until its last machine is removed", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage(2);
  await at.call(cluster.modifyNodePool, { clusterId, nodePoolId, deletionProtection: true });
  await expect(at.call(cluster.deleteNodePool, { clusterId, nodePoolId })).rejects.toMatchObject({
    code: "OperationDenied",
    kind: "protected",
  });
  await at.call(cluster.modifyNodePool, { clusterId, nodePoolId, deletionProtection: false });
  await at.call(cluster.deleteNodePool, { clusterId, nodePoolId });
  await at.call(cluster.deleteNodePool, { clusterId, nodePoolId });
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Deleting");
  expect(await codeOf(at.call(cluster.scaleNodePool, { clusterId, nodePoolId, replicas: 3 }))).toBe("OperationDenied");
  at.world.advance(1499);
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Deleting");
  const machines = await at.call(cluster.describeClusterMachines, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] });
  expect(machines.machines.map(({ machineState }) => machineState)).toEqual(["Deleting", "Deleting"]);
  at.world.advance(1);
  expect(await at.poolOf(clusterId, nodePoolId)).toBeUndefined();
  expect((await at.call(cluster.describeClusterMachines, { clusterId })).totalCount).toBe(0);
  expect(await codeOf(at.call(cluster.deleteNodePool, { clusterId, nodePoolId }))).toBe("ResourceNotFound");
});

test("the actions of both API versions list pools of both, each with its own states", async () => {
  const { clusterId, nodePoolId: native, ...at } = await nodesStage();
  const regular = await putNodePool2018(at.world, { region: at.region, clusterId, name: "old", replicas: 2 });
  const detail = async (nodePoolId: string) => (await at.call(cluster.describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool;
  expect(await detail(regular)).toMatchObject({ lifeState: "creating", name: "old", desiredNodesNum: 2 });
  at.world.advance(2500);
  expect(await detail(regular)).toMatchObject({
    lifeState: "normal",
    clusterInstanceId: clusterId,
    maxNodesNum: 2,
    nodeCountSummary: { autoscalingAdded: { normal: 2, total: 2 }, manuallyAdded: { total: 0 } },
  });
  expect(await detail(native)).toMatchObject({ lifeState: "normal", desiredNodesNum: 1, maxNodesNum: 10, autoscalingGroupId: "" });
  const { nodePools } = await at.call(cluster.describeNodePools, { clusterId });
  expect(nodePools).toMatchObject([
    { type: "Native", lifeState: "Running", native: { replicas: 1 } },
    { type: "Regular", lifeState: "Running", regular: { desiredNodesNum: 2, autoscalingGroupStatus: "disabled" } },
  ]);
  expect(nodePools.map(({ native: one, regular: other }) => [one === undefined, other === undefined])).toEqual([
    [false, true],
    [true, false],
  ]);
  const { nodePoolSet } = await at.call(cluster.describeClusterNodePools, { clusterId });
  expect(nodePoolSet.map(({ nodePoolId }) => nodePoolId)).toEqual([native, regular]);
  const byName = await at.call(cluster.describeClusterNodePools, { clusterId, filters: [{ name: "NodePoolsName", values: ["old"] }] });
  expect(byName).toMatchObject({ totalCount: 1, nodePoolSet: [{ nodePoolId: regular }] });
  await at.call(cluster.deleteNodePool, { clusterId, nodePoolId: regular });
  expect((await detail(regular)).lifeState).toBe("deleting");
  expect((await at.call(cluster.describeClusterMachines, { clusterId })).totalCount).toBe(1);
  expect(await codeOf(detail("np-00000000"))).toBe("ResourceNotFound");
});
