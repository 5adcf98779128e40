import { expect, test } from "vitest";
import {
  addExistedInstances,
  createClusterNodePool,
  createExternalNodePool,
  deleteCluster,
  deleteClusterInstances,
  deleteClusterNodePool,
  describeClusterInstances2022,
  describeClusterNodePoolDetail,
  describeClusterNodePools,
  describeClusters,
  describeNodePools,
  modifyClusterNodePool,
  modifyNodePoolDesiredCapacityAboutAsg,
  removeNodeFromNodePool,
  scaleNodePool,
} from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { putInstance } from "../../out-of-band.ts";
import { putExternalNode, servicesOn } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

function para({ vpcId, subnetId }: Stage, group: object = {}, launch: object = {}) {
  return {
    autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 1, MaxSize: 3, DesiredCapacity: 2, ...group }),
    launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4", SystemDisk: { DiskType: "CLOUD_SSD", DiskSize: 60 }, ...launch }),
    instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 },
    enableAutoscale: false,
  };
}

async function pools(at: Stage, clusterId: string) {
  return (await at.cloud.call(describeClusterNodePools, { clusterId })).nodePoolSet;
}

test("a scaling group makes the nodes of a regular pool", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const { nodePoolId } = await at.cloud.call(createClusterNodePool, { clusterId, ...para(at), tags: [{ key: "k", value: "v" }] });
  expect((await at.cloud.call(describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool.lifeState).toBe("creating");
  at.world.advance(2500);
  expect((await at.cloud.call(describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool).toMatchObject({
    name: nodePoolId,
    lifeState: "normal",
    minNodesNum: 1,
    maxNodesNum: 3,
    desiredNodesNum: 2,
    autoscalingGroupStatus: "disabled",
    autoscalingGroupId: expect.stringMatching(/^asg-/),
    launchConfigurationId: expect.stringMatching(/^asc-/),
    labels: [{ name: "a", value: "b" }],
    unschedulable: 1,
    tags: [{ key: "k", value: "v" }],
    runtimeConfig: { runtimeType: "containerd", runtimeVersion: "1.6.9" },
    nodeCountSummary: { autoscalingAdded: { normal: 2, total: 2 }, manuallyAdded: { total: 0 } },
  });
  expect((await at.cloud.call(describeNodePools, { clusterId })).nodePools).toMatchObject([{ type: "Regular", lifeState: "Running" }]);
  const [node] = await at.nodesOf(clusterId);
  expect(node).toMatchObject({ nodePoolId, instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 } });
});

test.each([
  ["InvalidParameter", "no JSON", { autoScalingGroupPara: "{" }],
  ["MissingParameter", "no size", { autoScalingGroupPara: "{}" }],
  ["InvalidParameter", "no object", { launchConfigurePara: "[]" }],
  ["MissingParameter", "no type", { launchConfigurePara: "{}" }],
  ["InvalidParameter", "drivers without a GPU", { instanceAdvancedSettings: { gpuArgs: { migEnable: true } } }],
] as const)("%s refuses a pool of the older kind: %s", async (code, _lack, wrong) => {
  const at = await stage();
  const clusterId = await at.running();
  await expect(at.cloud.call(createClusterNodePool, { clusterId, ...para(at), ...wrong })).rejects.toMatchObject({ code });
  expect(await pools(at, clusterId)).toEqual([]);
});

test.each([
  ["InvalidParameter.Param", { VpcId: "vpc-00000000" }, {}],
  ["InvalidParameter.Param", { MinSize: 4 }, {}],
  ["InvalidParameter.Param", { DesiredCapacity: 9 }, {}],
  ["ResourceNotFound", { SubnetIds: ["subnet-00000000"] }, {}],
  ["ResourceNotFound", {}, { SecurityGroupIds: ["sg-00000000"] }],
  ["InvalidParameter", {}, { LoginSettings: { Password: "Secret-123", KeyIds: ["skey-1"] } }],
])("%s refuses a group of %j and machines of %j", async (code, group, launch) => {
  const at = await stage();
  const clusterId = await at.running();
  await expect(at.cloud.call(createClusterNodePool, { clusterId, ...para(at, group, launch) })).rejects.toMatchObject({ code });
});

test("nodes removed from their pool stay in the cluster, and the pool's desired number is lowered", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(2);
  const [one, two] = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId);
  if (!one || !two) throw new Error("two nodes were made");
  const remove = (...instanceIds: string[]) => at.cloud.call(removeNodeFromNodePool, { clusterId, nodePoolId, instanceIds });
  await expect(remove(one, "ins-00000000")).rejects.toMatchObject({ code: "FailedOperation.RecordNotFound" });
  await expect(remove()).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(remove(...Array.from({ length: 101 }, (_, index) => `ins-${index}`))).rejects.toMatchObject({
    code: "InvalidParameter.Param",
  });
  await remove(one);
  expect(await at.nodesOf(clusterId)).toMatchObject([
    { instanceId: one, nodePoolId: "", instanceState: "running" },
    { instanceId: two, nodePoolId },
  ]);
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
  await expect(remove(one)).rejects.toMatchObject({ code: "FailedOperation.RecordNotFound" });
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [one], instanceDeleteMode: "retain" });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
  expect((await at.cloud.call(describeInstances, {})).instanceSet).toMatchObject([{ instanceId: one }]);
});

test("the machines of a deleted pool are destroyed, or kept as instances", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const made = [];
  for (let count = 0; count < 2; count++) made.push((await at.cloud.call(createClusterNodePool, { clusterId, ...para(at) })).nodePoolId);
  at.world.advance(2500);
  const drop = (nodePoolIds: string[], keepInstance: boolean) =>
    at.cloud.call(deleteClusterNodePool, { clusterId, nodePoolIds, keepInstance });
  await expect(drop([], true)).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(drop(["np-00000000"], true)).rejects.toMatchObject({ code: "ResourceNotFound" });
  await drop(made.slice(0, 1), true);
  await drop(made.slice(1), false);
  expect((await pools(at, clusterId)).map(({ lifeState }) => lifeState)).toEqual(["deleting", "deleting"]);
  at.world.advance(3000);
  expect(await pools(at, clusterId)).toEqual([]);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  expect((await at.cloud.call(describeInstances, {})).instanceSet).toHaveLength(2);
});

test("machines outside of the cloud join external pools", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const { nodePoolId } = await at.cloud.call(createExternalNodePool, {
    clusterId,
    name: "rack",
    containerRuntime: "containerd",
    runtimeVersion: "1.7.2",
    labels: [{ name: "rack", value: "7" }],
    deletionProtection: true,
  });
  expect((await at.cloud.call(describeClusters, {})).clusters).toMatchObject([{ enableExternalNode: true }]);
  const id = await putExternalNode(at.world, { region: at.region, nodePoolId, name: "rack-7", lanIp: "192.168.1.7" });
  at.world.advance(2000);
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({
    type: "External",
    external: { runtimeConfig: { runtimeType: "containerd", runtimeVersion: "1.7.2" }, nodesNum: 1 },
  });
  expect((await at.cloud.call(describeClusterInstances2022, { clusterId })).instanceSet).toMatchObject([
    { nodeType: "External", lanIp: "192.168.1.7", external: { name: "rack-7", cpu: 4, memory: 8, k8sVersion: "1.34.1" } },
  ]);
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const nodePool = { addToNodePool: true, nodePoolId };
  await expect(
    at.cloud.call(addExistedInstances, { clusterId, instanceIds: [await putInstance(at.world, place)], nodePool }),
  ).rejects.toMatchObject({ code: "InvalidParameter" });
  const leave = (instanceDeleteMode: "terminate" | "retain") =>
    at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [id], instanceDeleteMode });
  await expect(leave("terminate")).rejects.toMatchObject({ code: "InvalidParameter" });
  await leave("retain");
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  await expect(at.cloud.call(deleteClusterNodePool, { clusterId, nodePoolIds: [nodePoolId], keepInstance: true })).rejects.toMatchObject({
    code: "OperationDenied",
  });
  await at.cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
});

test("services run on nodes unless they are turned off", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const services = async (enhancedService?: object) => {
    const id = await putInstance(at.world, place);
    await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id], enhancedService });
    return servicesOn(at.world, at.region, id);
  };
  expect(await services()).toEqual({ security: true, monitor: true, automation: true });
  expect(await services({ securityService: {}, automationService: {} })).toEqual({ security: true, monitor: true, automation: true });
  expect(await services({ monitorService: { enabled: false } })).toEqual({ security: true, monitor: false, automation: true });
});

test("a regular pool is changed field by field, and scaled within its bounds", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const { nodePoolId } = await at.cloud.call(createClusterNodePool, { clusterId, ...para(at) });
  at.world.advance(2500);
  const modify = (given: object) => at.cloud.call(modifyClusterNodePool, { clusterId, nodePoolId, ...given });
  const scale = (desiredCapacity: number) =>
    at.cloud.call(modifyNodePoolDesiredCapacityAboutAsg, { clusterId, nodePoolId, desiredCapacity });
  const detail = async () => (await at.cloud.call(describeClusterNodePoolDetail, { clusterId, nodePoolId })).nodePool;
  const before = await detail();
  await modify({});
  expect(await detail()).toEqual(before);
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
  expect(await detail()).toMatchObject({
    ...change,
    nodePoolOs: "img-own",
    autoscalingGroupStatus: "enabled",
    minNodesNum: 1,
    maxNodesNum: 3,
  });
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings).toMatchObject({ labels: change.labels, unschedulable: 1 });
  await modify({ labels: [], ignoreExistedNode: true });
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings.labels).toEqual(change.labels);
  await scale(3);
  at.world.advance(2500);
  expect((await detail()).nodeCountSummary.autoscalingAdded.normal).toBe(3);
  await expect(scale(4)).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await modify({ maxNodesNum: 2, minNodesNum: 2 });
  at.world.advance(2500);
  expect(await detail()).toMatchObject({ desiredNodesNum: 2, nodeCountSummary: { autoscalingAdded: { total: 2 } } });
  for (const wrong of [{ minNodesNum: 3 }, { name: "" }])
    await expect(modify(wrong)).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(modify({ gpuArgs: { migEnable: true } })).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("the operations of regular pools refuse native ones, and external ones cannot be scaled", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(1);
  const runtime = { containerRuntime: "containerd" as const, runtimeVersion: "1.7.2" };
  const external = (await at.cloud.call(createExternalNodePool, { clusterId, name: "rack", ...runtime })).nodePoolId;
  const wrong = { code: "InvalidParameter.Param" };
  await expect(at.cloud.call(modifyClusterNodePool, { clusterId, nodePoolId, name: "n" })).rejects.toMatchObject(wrong);
  await expect(at.cloud.call(modifyClusterNodePool, { clusterId, nodePoolId: external, minNodesNum: 1 })).rejects.toMatchObject(wrong);
  await expect(
    at.cloud.call(modifyNodePoolDesiredCapacityAboutAsg, { clusterId, nodePoolId: external, desiredCapacity: 1 }),
  ).rejects.toMatchObject(wrong);
  await expect(at.cloud.call(scaleNodePool, { clusterId, nodePoolId: external, replicas: 1 })).rejects.toMatchObject({
    code: "InvalidParameter",
  });
  await at.cloud.call(modifyClusterNodePool, { clusterId, nodePoolId: external, name: "rack-2" });
  expect((await at.poolOf(clusterId, external))?.name).toBe("rack-2");
});
