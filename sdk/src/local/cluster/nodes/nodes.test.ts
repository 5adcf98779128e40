import { expect, test } from "vitest";
import {
  addExistedInstances,
  createCluster,
  createNodePool,
  deleteCluster,
  deleteClusterInstances,
  describeClusterInstances,
  describeClusterInstances2022,
  describeClusterStatus,
  describeNodePools,
} from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSecurityGroup } from "../../../catalogue/vpc.ts";
import { putInstance, putKeyPair } from "../../out-of-band.ts";
import { putNodePool2018 } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

function machine({ world, region, vpcId, subnetId }: Stage, given: { imageId?: string; chargeType?: "PREPAID" } = {}) {
  return putInstance(world, { region, vpcId, subnetId, ...given });
}

const instanceIdsOf = async ({ cloud }: Stage) => (await cloud.call(describeInstances, {})).instanceSet.map(({ instanceId }) => instanceId);

test("existing machines become nodes, and are machines again after their removal", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const id = await machine(at);
  const added = await at.cloud.call(addExistedInstances, {
    clusterId,
    instanceIds: [id, "ins-00000000", id],
    instanceAdvancedSettings: { labels: [{ name: "a", value: "b" }], unschedulable: 1 },
  });
  expect(added).toMatchObject({
    succInstanceIds: [id],
    failedInstanceIds: ["ins-00000000"],
    failedReasons: ["there is no instance ins-00000000 in eu-frankfurt"],
  });
  expect(await at.nodesOf(clusterId)).toMatchObject([
    { instanceId: id, instanceState: "initializing", nodePoolId: "", instanceAdvancedSettings: { unschedulable: 1 } },
  ]);
  at.world.advance(2000);
  expect(await at.nodesOf(clusterId)).toMatchObject([{ instanceId: id, instanceState: "running" }]);
  const again = await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id] });
  expect(again).toMatchObject({ succInstanceIds: [], failedReasons: [`instance ${id} is a node of cluster ${clusterId}`] });
  const gone = await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [id, "ins-00000000"], instanceDeleteMode: "retain" });
  expect(gone).toMatchObject({ succInstanceIds: [id], notFoundInstanceIds: ["ins-00000000"], failedInstanceIds: [] });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  expect(await instanceIdsOf(at)).toEqual([id]);
});

test("terminate destroys machines, but only pay-as-you-go ones", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const [byUse, byMonth] = [await machine(at), await machine(at, { chargeType: "PREPAID" })];
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [byUse, byMonth] });
  at.world.advance(2000);
  const terminate = (instanceIds: string[]) =>
    at.cloud.call(deleteClusterInstances, { clusterId, instanceIds, instanceDeleteMode: "terminate" });
  await expect(terminate([byUse, byMonth])).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining(byMonth) });
  await terminate([byUse]);
  at.world.advance(1000);
  expect(await instanceIdsOf(at)).toEqual([byMonth]);
});

test("nodes that are initializing are only removed by force, others only without it", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const nodePoolId = await at.pool(clusterId, 2);
  const [id = ""] = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId);
  const remove = (forceDelete: boolean) =>
    at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [id], instanceDeleteMode: "terminate", forceDelete });
  expect(await remove(false)).toMatchObject({ succInstanceIds: [], failedInstanceIds: [id] });
  at.world.advance(2500);
  await expect(remove(true)).rejects.toMatchObject({ code: "InvalidParameter" });
  expect(await remove(false)).toMatchObject({ succInstanceIds: [id] });
  at.world.advance(1000);
  const [pool] = (await at.cloud.call(describeNodePools, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] }))
    .nodePools;
  expect(pool?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
});

test("a pool's machine that is retained becomes an instance, with its address", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const [node] = await at.nodesOf(clusterId);
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [node?.instanceId ?? ""], instanceDeleteMode: "retain" });
  at.world.advance(5000);
  expect(await at.nodesOf(clusterId)).toEqual([]);
  const { instanceSet } = await at.cloud.call(describeInstances, {});
  expect(instanceSet).toMatchObject([{ instanceId: node?.instanceId, privateIpAddresses: [node?.lanIp] }]);
});

test("a pool at its minimum makes a new node for one that was removed", async () => {
  const at = await stage();
  const clusterId = await at.running();
  await at.cloud.call(createNodePool, {
    clusterId,
    name: "p",
    type: "Native",
    native: { ...at.settings, scaling: { minReplicas: 1, maxReplicas: 3 } },
  });
  at.world.advance(2500);
  const [before] = await at.nodesOf(clusterId);
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [before?.instanceId ?? ""], instanceDeleteMode: "terminate" });
  at.world.advance(2000);
  const after = await at.nodesOf(clusterId);
  expect(after).toMatchObject([{ instanceState: "running" }]);
  expect(after[0]?.instanceId).not.toBe(before?.instanceId);
});

test("log-in settings exclude each other", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const id = await machine(at);
  const keyId = await putKeyPair(at.world, { region: at.region, name: "k" });
  const add = (loginSettings: object, instanceId = id, imageId?: string) =>
    at.cloud.call(addExistedInstances, { clusterId, instanceIds: [instanceId], loginSettings, imageId });
  const invalid = { code: "InvalidParameter" };
  await expect(add({ password: "Secret-123", keyIds: [keyId] })).rejects.toMatchObject(invalid);
  await expect(add({ keyIds: [keyId], keepImageLogin: "true" })).rejects.toMatchObject(invalid);
  await expect(add({ keyIds: [keyId, keyId] })).rejects.toMatchObject(invalid);
  await expect(add({ keyIds: ["skey-00000000"] })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(add({ keepImageLogin: "true" })).rejects.toMatchObject(invalid);
  await add({ keepImageLogin: "true" }, await machine(at, { imageId: "img-custom" }));
  await add({ keyIds: [keyId] });
});

test("existing machines only join regular pools", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(1);
  const regular = await putNodePool2018(at.world, { region: at.region, clusterId });
  const id = await machine(at);
  const add = (pool: string) =>
    at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id], nodePool: { addToNodePool: true, nodePoolId: pool } });
  await expect(add(nodePoolId)).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(add("np-00000000")).rejects.toMatchObject({ code: "ResourceNotFound" });
  await add(regular);
  const filters = [{ name: "nodepool-id", values: [regular] }];
  expect((await at.cloud.call(describeClusterInstances, { clusterId, filters })).instanceSet).toMatchObject([
    { instanceId: id, autoscalingGroupId: expect.stringMatching(/^asg-/) },
  ]);
});

test("calls about instances are refused beyond limits, and in states of the cluster that do not allow them", async () => {
  const at = await stage();
  const creating = await at.create();
  await expect(at.cloud.call(addExistedInstances, { clusterId: creating, instanceIds: ["ins-1"] })).rejects.toMatchObject({
    code: "FailedOperation.ClusterState",
  });
  at.world.advance(3000);
  const many = Array.from({ length: 101 }, (_, index) => `ins-${index}`);
  await expect(at.cloud.call(addExistedInstances, { clusterId: creating, instanceIds: many })).rejects.toMatchObject({
    code: "LimitExceeded",
  });
  await expect(
    at.cloud.call(deleteClusterInstances, { clusterId: creating, instanceIds: [], instanceDeleteMode: "retain" }),
  ).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("security groups given to nodes are in use until the nodes are removed", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const [id, securityGroupId] = [await machine(at), await at.group()];
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id], securityGroupIds: [securityGroupId] });
  await expect(at.cloud.call(deleteSecurityGroup, { securityGroupId })).rejects.toMatchObject({ code: "ResourceInUse" });
  at.world.advance(2000);
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [id], instanceDeleteMode: "retain" });
  at.world.advance(1300);
  await at.cloud.call(deleteSecurityGroup, { securityGroupId });
});

test("a cluster is created with new machines and existing ones", async () => {
  const at = await stage();
  const { cloud, vpcId, subnetId } = at;
  const id = await machine(at);
  const request = JSON.stringify({
    InstanceType: "SA5.LARGE8",
    InstanceCount: 2,
    VirtualPrivateCloud: { VpcId: vpcId, SubnetId: subnetId },
  });
  const clusterCidrSettings = { clusterCidr: "172.16.0.0/16" };
  const { clusterId } = await cloud.call(createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings,
    runInstancesForNode: [{ nodeRole: "WORKER", runInstancesPara: [request] }],
    existedInstancesForNode: [{ nodeRole: "WORKER", existedInstancesPara: { instanceIds: [id] } }],
  });
  expect(await at.nodesOf(clusterId)).toHaveLength(3);
  at.world.advance(3000);
  expect((await cloud.call(describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet).toMatchObject([
    { clusterInitNodeNum: 3, clusterRunningNodeNum: 0 },
  ]);
  at.world.advance(2000);
  expect((await cloud.call(describeClusterStatus, {})).clusterStatusSet).toMatchObject([
    { clusterInitNodeNum: 0, clusterRunningNodeNum: 3 },
  ]);
  const other = await cloud.call(createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { clusterCidr: "172.17.0.0/16" },
    runInstancePara: JSON.stringify({ InstanceType: "SA5.LARGE8" }),
  });
  expect(await at.nodesOf(other.clusterId)).toHaveLength(1);
  const wrong = { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.18.0.0/16" } };
  await expect(cloud.call(createCluster, { ...wrong, runInstancePara: "{" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(cloud.call(createCluster, { ...wrong, runInstancePara: "{}" })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: expect.stringContaining("InstanceType"),
  });
  const taken = [{ nodeRole: "WORKER" as const, existedInstancesPara: { instanceIds: [id] } }];
  await expect(cloud.call(createCluster, { ...wrong, existedInstancesForNode: taken })).rejects.toMatchObject({
    code: "FailedOperation.CvmVpcidNotMatch",
  });
});

test.each([
  ["terminate", 0],
  ["retain", 2],
] as const)("deleting a cluster with %s leaves %i machines", async (instanceDeleteMode, left) => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [await machine(at)] });
  await at.cloud.call(deleteCluster, { clusterId, instanceDeleteMode });
  at.world.advance(2000);
  expect(await instanceIdsOf(at)).toHaveLength(left);
});

test("a machine that is being retained stays when its cluster is deleted with terminate", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const id = await machine(at);
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id] });
  at.world.advance(2000);
  await at.cloud.call(deleteClusterInstances, { clusterId, instanceIds: [id], instanceDeleteMode: "retain" });
  await at.cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  at.world.advance(2000);
  expect(await instanceIdsOf(at)).toEqual([id]);
});

test("the first nodes of a managed cluster are workers, and a hundred at most", async () => {
  const { cloud, vpcId, subnetId } = await stage();
  const create = (nodeRole: "WORKER" | "MASTER_ETCD", count: number) => {
    const instanceIds = Array.from({ length: count }, (_, index) => `ins-${index}`);
    const existedInstancesForNode = [{ nodeRole, existedInstancesPara: { instanceIds } }];
    return cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, existedInstancesForNode });
  };
  await expect(create("MASTER_ETCD", 1)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("NodeRole") });
  await expect(create("WORKER", 101)).rejects.toMatchObject({ code: "LimitExceeded" });
});

test("DescribeClusterInstances of 2022-05-01 has the fields of each type of node, filters and an order", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(2);
  const id = await machine(at);
  await at.cloud.call(addExistedInstances, { clusterId, instanceIds: [id], tags: [{ key: "a", value: "b" }] });
  const list = async (input: object = {}) => (await at.cloud.call(describeClusterInstances2022, { clusterId, ...input })).instanceSet;
  const by = (name: string, ...values: string[]) => list({ filters: [{ name, values }] });
  expect(await by("InstanceType", "Native")).toMatchObject([
    { nodeType: "Native", native: { machineState: "Running", vpcId: at.vpcId } },
    {},
  ]);
  expect(await by("InstanceIds", id)).toMatchObject([{ nodeType: "Regular", regular: { tags: [] } }]);
  expect(await list({ filters: [{ name: "InstanceIds", values: [id] }], needTags: true })).toMatchObject([
    { regular: { tags: [{ key: "a", value: "b" }] } },
  ]);
  expect(await by("NodePoolIds", nodePoolId)).toHaveLength(2);
  expect(await by("NodePoolNames", "p")).toHaveLength(2);
  expect(await by("VagueIpAddress", "10.0.0.")).toHaveLength(3);
  await expect(by("nodepool-id", nodePoolId)).rejects.toMatchObject({ code: "InvalidParameter" });
  const sorted = (await list({ sortBy: { fieldName: "InstanceId", orderType: "desc" } })).map(({ instanceId }) => instanceId);
  expect(sorted).toEqual(sorted.toSorted().toReversed());
  await expect(list({ sortBy: { fieldName: "Zone", orderType: "asc" } })).rejects.toMatchObject({ code: "InvalidParameter" });
});
