import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSecurityGroup } from "../../../catalogue/vpc.ts";
import { putNodePool2018 } from "../out-of-band.ts";
import { type Stage, clusterStage, codeOf, nodesStage, stage } from "../stage.fixture.ts";

const instanceIdsOf = async ({ call }: Stage) => (await call(describeInstances, {})).instanceSet.map(({ instanceId }) => instanceId);

test("existing machines become nodes, and are machines again after their removal", async () => {
  const { clusterId, ...at } = await clusterStage();
  const id = await at.machine();
  const added = await at.call(cluster.addExistedInstances, {
    clusterId,
    instanceIds: [id, "ins-00000000", id],
    instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 },
  });
  const failedReasons = ["there is no instance ins-00000000 in eu-frankfurt"];
  expect(added).toMatchObject({ succInstanceIds: [id], failedInstanceIds: ["ins-00000000"], failedReasons });
  expect(await at.nodesOf(clusterId)).toMatchObject([
    { instanceId: id, instanceState: "initializing", nodePoolId: "", instanceAdvancedSettings: { unschedulable: 1 } },
  ]);
  at.world.advance(2000);
  expect(await at.nodesOf(clusterId)).toMatchObject([{ instanceId: id, instanceState: "running" }]);
  const again = await at.call(cluster.addExistedInstances, { clusterId, instanceIds: [id] });
  expect(again).toMatchObject({ succInstanceIds: [], failedReasons: [`instance ${id} is a node of cluster ${clusterId}`] });
  const gone = await at.remove(clusterId, [id, "ins-00000000"]);
  expect(gone).toMatchObject({ succInstanceIds: [id], notFoundInstanceIds: ["ins-00000000"], failedInstanceIds: [] });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  expect(await instanceIdsOf(at)).toEqual([id]);
});

test("a node that is removed by force while it initializes is missing in its pool's number", async () => {
  const { clusterId, ...at } = await clusterStage();
  const nodePoolId = await at.pool(clusterId, 2);
  const [node] = await at.nodesOf(clusterId);
  await at.remove(clusterId, [node?.instanceId ?? ""], "terminate", true);
  at.world.advance(2500);
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
});

test("a pool's machine that is retained becomes an instance, with its address", async () => {
  const { clusterId, ...at } = await nodesStage();
  const [node] = await at.nodesOf(clusterId);
  await at.remove(clusterId, [node?.instanceId ?? ""]);
  at.world.advance(5000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const { instanceSet } = await at.call(describeInstances, {});
  expect(instanceSet).toMatchObject([{ instanceId: node?.instanceId, privateIpAddresses: [node?.lanIp] }]);
});

test("a machine that is put beside nodes has an address that none of them has", async () => {
  const { clusterId, ...at } = await nodesStage();
  const [node] = await at.nodesOf(clusterId);
  await at.machine();
  const { instanceSet } = await at.call(describeInstances, {});
  expect([node?.lanIp, ...instanceSet.flatMap(({ privateIpAddresses }) => privateIpAddresses)]).toEqual(["10.0.0.2", "10.0.0.3"]);
});

test("a pool at its minimum makes a new node for one that was removed", async () => {
  const { clusterId, ...at } = await clusterStage();
  await at.pool(clusterId, { scaling: { minReplicas: 1, maxReplicas: 3 } });
  at.world.advance(2500);
  const [before] = await at.nodesOf(clusterId);
  await at.remove(clusterId, [before?.instanceId ?? ""], "terminate");
  at.world.advance(2000);
  const after = await at.nodesOf(clusterId);
  expect(after).toMatchObject([{ instanceState: "running" }]);
  expect(after[0]?.instanceId).not.toBe(before?.instanceId);
});

test("existing machines only join regular pools", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage();
  const regular = await putNodePool2018(at.world, { region: at.region, clusterId });
  const id = await at.machine();
  const add = (pool: string) =>
    at.call(cluster.addExistedInstances, { clusterId, instanceIds: [id], nodePool: { addToNodePool: true, nodePoolId: pool } });
  expect(await codeOf(add(nodePoolId))).toBe("InvalidParameter");
  expect(await codeOf(add("np-00000000"))).toBe("ResourceNotFound");
  await add(regular);
  const filters = [{ name: "nodepool-id", values: [regular] }];
  expect((await at.call(cluster.describeClusterInstances, { clusterId, filters })).instanceSet).toMatchObject([
    { instanceId: id, autoscalingGroupId: expect.stringMatching(/^asg-/) },
  ]);
});

test("calls about instances are refused beyond limits, and in states of the cluster that do not allow them", async () => {
  const at = await stage();
  const creating = await at.create();
  const add = (instanceIds: string[]) => at.call(cluster.addExistedInstances, { clusterId: creating, instanceIds });
  expect(await codeOf(add(["ins-1"]))).toBe("FailedOperation.ClusterState");
  at.world.advance(3000);
  expect(await codeOf(add(Array.from({ length: 101 }, (_, index) => `ins-${index}`)))).toBe("LimitExceeded");
  expect(await codeOf(at.remove(creating, []))).toBe("InvalidParameter");
});

test("security groups given to nodes are in use until the nodes are removed", async () => {
  const { clusterId, ...at } = await clusterStage();
  const [id, securityGroupId] = [await at.machine(), await at.group()];
  await at.call(cluster.addExistedInstances, { clusterId, instanceIds: [id], securityGroupIds: [securityGroupId] });
  expect(await codeOf(at.call(deleteSecurityGroup, { securityGroupId }))).toBe("ResourceInUse");
  at.world.advance(2000);
  await at.remove(clusterId, [id]);
  at.world.advance(1300);
  await at.call(deleteSecurityGroup, { securityGroupId });
});

test("a cluster is created with new machines and existing ones", async () => {
  const at = await stage();
  const existedInstancesForNode = [{ nodeRole: "WORKER" as const, existedInstancesPara: { instanceIds: [await at.machine()] } }];
  const place = { VpcId: at.vpcId, SubnetId: at.subnetId };
  const request = JSON.stringify({ InstanceType: "SA5.LARGE8", InstanceCount: 2, VirtualPrivateCloud: place });
  const runInstancesForNode = [{ nodeRole: "WORKER" as const, runInstancesPara: [request] }];
  const clusterId = await at.create(undefined, { runInstancesForNode, existedInstancesForNode });
  expect(await at.nodesOf(clusterId)).toHaveLength(3);
  at.world.advance(3000);
  const status = async () => (await at.call(cluster.describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet;
  expect(await status()).toMatchObject([{ clusterInitNodeNum: 3, clusterRunningNodeNum: 0 }]);
  at.world.advance(2000);
  expect(await status()).toMatchObject([{ clusterInitNodeNum: 0, clusterRunningNodeNum: 3 }]);
  expect(await codeOf(at.create("172.18.0.0/16", { existedInstancesForNode }))).toBe("FailedOperation.CvmVpcidNotMatch");
});

test("a machine that is being retained stays when its cluster is deleted with terminate", async () => {
  const { clusterId, ...at } = await clusterStage();
  const id = await at.machine();
  await at.call(cluster.addExistedInstances, { clusterId, instanceIds: [id] });
  at.world.advance(2000);
  await at.remove(clusterId, [id]);
  await at.drop(clusterId);
  at.world.advance(2000);
  expect(await instanceIdsOf(at)).toEqual([id]);
});

test("the first nodes of a managed cluster are workers, and a hundred at most", async () => {
  const at = await stage();
  const create = (nodeRole: "WORKER" | "MASTER_ETCD", count: number) => {
    const instanceIds = Array.from({ length: count }, (_, index) => `ins-${index}`);
    return at.create(undefined, { existedInstancesForNode: [{ nodeRole, existedInstancesPara: { instanceIds } }] });
  };
  await expect(create("MASTER_ETCD", 1)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("NodeRole") });
  expect(await codeOf(create("WORKER", 101))).toBe("LimitExceeded");
});

test("DescribeClusterInstances of 2022-05-01 has the fields of each type of node, filters and an order", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage(2);
  const id = await at.machine();
  await at.call(cluster.addExistedInstances, { clusterId, instanceIds: [id], tags: [{ key: "a", value: "b" }] });
  const list = async (input: object = {}) => (await at.call(cluster.describeClusterInstances2022, { clusterId, ...input })).instanceSet;
  const by = (name: string, ...values: string[]) => list({ filters: [{ name, values }] });
  expect(await by("InstanceType", "Native")).toMatchObject([
    { nodeType: "Native", native: { machineState: "Running", vpcId: at.vpcId } },
    {},
  ]);
  expect(await by("InstanceIds", id)).toMatchObject([{ nodeType: "Regular", regular: { tags: [] } }]);
  const tagged = await list({ filters: [{ name: "InstanceIds", values: [id] }], needTags: true });
  expect(tagged).toMatchObject([{ regular: { tags: [{ key: "a", value: "b" }] } }]);
  expect(await by("NodePoolIds", nodePoolId)).toHaveLength(2);
  expect(await by("NodePoolNames", "p")).toHaveLength(2);
  expect(await by("VagueIpAddress", "10.0.0.")).toHaveLength(3);
  expect(await codeOf(by("nodepool-id", nodePoolId))).toBe("InvalidParameter");
  const sorted = (await list({ sortBy: { fieldName: "InstanceId", orderType: "desc" } })).map(({ instanceId }) => instanceId);
  expect(sorted).toEqual(sorted.toSorted().toReversed());
  expect(await codeOf(list({ sortBy: { fieldName: "Zone", orderType: "asc" } }))).toBe("InvalidParameter");
});
