import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { putExternalNode } from "../out-of-band.ts";
import { type Stage, clusterStage, codeOf, nodesStage } from "../stage.fixture.ts";

const rack = { name: "rack", containerRuntime: "containerd" as const, runtimeVersion: "1.7.2" };

function para({ vpcId, subnetId }: Stage, group: object = {}, launch: object = {}) {
  return {
    autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 1, MaxSize: 3, DesiredCapacity: 2, ...group }),
    launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4", SystemDisk: { DiskType: "CLOUD_SSD", DiskSize: 60 }, ...launch }),
    instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 },
    enableAutoscale: false,
  };
}

async function poolStage() {
  const { clusterId, ...at } = await clusterStage();
  const make = async (given: object = {}) =>
    (await at.call(cluster.createClusterNodePool, { clusterId, ...para(at), ...given })).nodePoolId;
  const pools = async () => (await at.call(cluster.describeClusterNodePools, { clusterId })).nodePoolSet;
  const detail = async (nodePoolId: string) => (await at.call(cluster.describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool;
  return { ...at, clusterId, make, pools, detail };
}

test("a scaling group makes the nodes of a regular pool", async () => {
  const { clusterId, make, detail, ...at } = await poolStage();
  const nodePoolId = await make({ tags: [{ key: "k", value: "v" }] });
  expect((await detail(nodePoolId)).lifeState).toBe("creating");
  at.world.advance(2500);
  expect(await detail(nodePoolId)).toMatchObject({
    ...{ name: nodePoolId, lifeState: "normal", minNodesNum: 1, maxNodesNum: 3, desiredNodesNum: 2 },
    autoscalingGroupStatus: "disabled",
    autoscalingGroupId: expect.stringMatching(/^asg-/),
    launchConfigurationId: expect.stringMatching(/^asc-/),
    labels: [{ name: "a", value: "b" }],
    unschedulable: 1,
    tags: [{ key: "k", value: "v" }],
    runtimeConfig: { runtimeType: "containerd", runtimeVersion: "1.6.9" },
    nodeCountSummary: { autoscalingAdded: { normal: 2, total: 2 }, manuallyAdded: { total: 0 } },
  });
  expect((await at.call(cluster.describeNodePools, { clusterId })).nodePools).toMatchObject([{ type: "Regular", lifeState: "Running" }]);
  const [node] = await at.nodesOf(clusterId);
  expect(node).toMatchObject({ nodePoolId, instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 } });
});

test.each([
  ["InvalidParameter", "no JSON", { autoScalingGroupPara: "{" }],
  ["MissingParameter", "no size", { autoScalingGroupPara: "{}" }],
  ["InvalidParameter", "no object", { launchConfigurePara: "[]" }],
  ["MissingParameter", "no type", { launchConfigurePara: "{}" }],
] as const)("%s refuses a pool of the older kind: %s", async (code, _lack, wrong) => {
  const { make, pools } = await poolStage();
  expect(await codeOf(make(wrong))).toBe(code);
  expect(await pools()).toEqual([]);
});

test.each([
  ["InvalidParameter.Param", { VpcId: "vpc-00000000" }, {}],
  ["InvalidParameter.Param", { MinSize: 4 }, {}],
  ["InvalidParameter.Param", { DesiredCapacity: 9 }, {}],
  ["ResourceNotFound", { SubnetIds: ["subnet-00000000"] }, {}],
  ["ResourceNotFound", {}, { SecurityGroupIds: ["sg-00000000"] }],
  ["InvalidParameter", {}, { LoginSettings: { Password: "Secret-123", KeyIds: ["skey-1"] } }],
])("%s refuses a group of %j and machines of %j", async (code, group, launch) => {
  const { make, ...at } = await poolStage();
  expect(await codeOf(make(para(at, group, launch)))).toBe(code);
});

test("nodes removed from their pool stay in the cluster, and the pool's desired number is lowered", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage(2);
  const [one, two] = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId);
  if (!one || !two) throw new Error("two nodes were made");
  const remove = (...instanceIds: string[]) => at.call(cluster.removeNodeFromNodePool, { clusterId, nodePoolId, instanceIds });
  expect(await codeOf(remove(one, "ins-00000000"))).toBe("FailedOperation.RecordNotFound");
  expect(await codeOf(remove())).toBe("InvalidParameter.Param");
  expect(await codeOf(remove(...Array.from({ length: 101 }, (_, index) => `ins-${index}`)))).toBe("InvalidParameter.Param");
  await remove(one);
  expect(await at.nodesOf(clusterId)).toMatchObject([
    { instanceId: one, nodePoolId: "", instanceState: "running" },
    { instanceId: two, nodePoolId },
  ]);
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
  expect(await codeOf(remove(one))).toBe("FailedOperation.RecordNotFound");
});

test("the machines of a deleted pool are destroyed, or kept as instances", async () => {
  const { clusterId, make, pools, ...at } = await poolStage();
  const [kept, destroyed] = [await make(), await make()];
  at.world.advance(2500);
  const drop = (nodePoolIds: string[], keepInstance: boolean) =>
    at.call(cluster.deleteClusterNodePool, { clusterId, nodePoolIds, keepInstance });
  expect(await codeOf(drop([], true))).toBe("InvalidParameter.Param");
  expect(await codeOf(drop(["np-00000000"], true))).toBe("ResourceNotFound");
  await drop([kept], true);
  await drop([destroyed], false);
  expect((await pools()).map(({ lifeState }) => lifeState)).toEqual(["deleting", "deleting"]);
  at.world.advance(3000);
  expect(await pools()).toEqual([]);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  expect((await at.call(describeInstances, {})).instanceSet).toHaveLength(2);
});

test("machines outside of the cloud join external pools", async () => {
  const { clusterId, ...at } = await clusterStage();
  const { nodePoolId } = await at.call(cluster.createExternalNodePool, { clusterId, ...rack, deletionProtection: true });
  expect((await at.call(cluster.describeClusters, {})).clusters).toMatchObject([{ enableExternalNode: true }]);
  const id = await putExternalNode(at.world, { region: at.region, nodePoolId, name: "rack-7", lanIp: "192.168.1.7" });
  at.world.advance(2000);
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({
    type: "External",
    external: { runtimeConfig: { runtimeType: "containerd", runtimeVersion: "1.7.2" }, nodesNum: 1 },
  });
  expect((await at.call(cluster.describeClusterInstances2022, { clusterId })).instanceSet).toMatchObject([
    { nodeType: "External", lanIp: "192.168.1.7", external: { name: "rack-7", cpu: 4, memory: 8, k8sVersion: "1.34.1" } },
  ]);
  const joining = { clusterId, instanceIds: [await at.machine()], nodePool: { addToNodePool: true, nodePoolId } };
  expect(await codeOf(at.call(cluster.addExistedInstances, joining))).toBe("InvalidParameter");
  expect(await codeOf(at.remove(clusterId, [id], "terminate"))).toBe("InvalidParameter");
  await at.remove(clusterId, [id]);
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const deletion = at.call(cluster.deleteClusterNodePool, { clusterId, nodePoolIds: [nodePoolId], keepInstance: true });
  expect(await codeOf(deletion)).toBe("OperationDenied");
  await at.drop(clusterId);
});

test("a regular pool is changed field by field, and scaled within its bounds", async () => {
  const { clusterId, make, detail, ...at } = await poolStage();
  const nodePoolId = await make();
  at.world.advance(2500);
  const modify = (given: object) => at.call(cluster.modifyClusterNodePool, { clusterId, nodePoolId, ...given });
  const scale = (desiredCapacity: number) =>
    at.call(cluster.modifyNodePoolDesiredCapacityAboutAsg, { clusterId, nodePoolId, desiredCapacity });
  const before = await detail(nodePoolId);
  await modify({});
  expect(await detail(nodePoolId)).toEqual(before);
  const change = {
    name: "renamed",
    labels: [{ name: "c", value: "d" }],
    annotations: [{ name: "e", value: "f" }],
    tags: [{ key: "g", value: "h" }],
    deletionProtection: true,
    unschedulable: 0,
    osCustomizeType: "DOCKER_CUSTOMIZE",
    dockerGraphPath: "/data",
    extraArgs: { kubelet: ["max-pods=64"] },
  };
  await modify({ ...change, osName: "img-own", enableAutoscale: true });
  const changed = { ...change, nodePoolOs: "img-own", autoscalingGroupStatus: "enabled", minNodesNum: 1, maxNodesNum: 3 };
  expect(await detail(nodePoolId)).toMatchObject(changed);
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings).toMatchObject({ labels: change.labels, unschedulable: 1 });
  await modify({ labels: [], ignoreExistedNode: true });
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings.labels).toEqual(change.labels);
  await scale(3);
  at.world.advance(2500);
  expect((await detail(nodePoolId)).nodeCountSummary.autoscalingAdded.normal).toBe(3);
  expect(await codeOf(scale(4))).toBe("InvalidParameter.Param");
  await modify({ maxNodesNum: 2, minNodesNum: 2 });
  at.world.advance(2500);
  expect(await detail(nodePoolId)).toMatchObject({ desiredNodesNum: 2, nodeCountSummary: { autoscalingAdded: { total: 2 } } });
  for (const wrong of [{ minNodesNum: 3 }, { name: "" }]) expect(await codeOf(modify(wrong))).toBe("InvalidParameter.Param");
  expect(await codeOf(modify({ gpuArgs: { migEnable: true } }))).toBe("InvalidParameter");
});

test("the operations of regular pools refuse native ones, and external ones cannot be scaled", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage();
  const external = (await at.call(cluster.createExternalNodePool, { clusterId, ...rack })).nodePoolId;
  const modify = (id: string, given: object) => at.call(cluster.modifyClusterNodePool, { clusterId, nodePoolId: id, ...given });
  expect(await codeOf(modify(nodePoolId, { name: "n" }))).toBe("InvalidParameter.Param");
  expect(await codeOf(modify(external, { minNodesNum: 1 }))).toBe("InvalidParameter.Param");
  const capacity = { clusterId, nodePoolId: external, desiredCapacity: 1 };
  expect(await codeOf(at.call(cluster.modifyNodePoolDesiredCapacityAboutAsg, capacity))).toBe("InvalidParameter.Param");
  expect(await codeOf(at.call(cluster.scaleNodePool, { clusterId, nodePoolId: external, replicas: 1 }))).toBe("InvalidParameter");
  await modify(external, { name: "rack-2" });
  expect((await at.poolOf(clusterId, external))?.name).toBe("rack-2");
});
