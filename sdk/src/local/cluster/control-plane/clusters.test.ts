import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSubnet, describeSubnets } from "../../../catalogue/vpc.ts";
import { tables } from "../../store/table.ts";
import { clusterStage, codeOf, nodesStage, type Stage, stage } from "../stage.fixture.ts";

test("pod subnets can be added, and are in use from then on", async () => {
  const { call, world, vpcId, subnet, create, running } = await stage();
  const [first, second] = [await subnet(1), await subnet(2)];
  const settings = { clusterCidrSettings: { eniSubnetIds: [first] }, clusterAdvancedSettings: { networkType: "VPC-CNI" as const } };
  const clusterId = await create(undefined, settings);
  const add = (given: object = {}) => call(cluster.addVpcCniSubnets, { clusterId, vpcId, subnetIds: [second], ...given });
  expect(await codeOf(add())).toBe("ResourceUnavailable.ClusterState");
  world.advance(3000);
  await add({ subnetIds: [second, first] });
  const ipamd = { enableIpamd: true, phase: "running", subnetIds: [first, second] };
  expect(await call(cluster.describeIpamd, { clusterId })).toMatchObject(ipamd);
  expect(await codeOf(call(deleteSubnet, { subnetId: second }))).toBe("ResourceInUse");
  expect(await codeOf(add({ vpcId: "vpc-1" }))).toBe("InvalidParameter");
  const other = await running();
  expect(await codeOf(add({ clusterId: other }))).toBe("InvalidParameter");
  expect((await call(cluster.describeIpamd, { clusterId: other })).enableIpamd).toBe(false);
});

test("clusters are listed page by page, by ids, of which unknown ones are left out, and by type", async () => {
  const { call, create } = await stage();
  const [one, other] = [await create(), await create("172.17.0.0/16")];
  for (const wrong of ["Team", ":a", ""])
    expect(await codeOf(call(cluster.describeClusters, { filters: [{ name: "Tags", values: [wrong] }] }))).toBe("InvalidParameter");
  expect(await call(cluster.describeClusters, { offset: 1, limit: 5 })).toMatchObject({ totalCount: 2, clusters: [{ clusterId: other }] });
  expect(await call(cluster.describeClusters, { limit: 1 })).toMatchObject({ totalCount: 2, clusters: [{ clusterId: one }] });
  expect(await call(cluster.describeClusters, { clusterIds: ["cls-00000000"] })).toMatchObject({ totalCount: 0, clusters: [] });
  expect(await call(cluster.describeClusterStatus, { clusterIds: ["cls-00000000", other] })).toMatchObject({ totalCount: 1 });
  expect((await call(cluster.describeClusters, { clusterType: "INDEPENDENT_CLUSTER" })).totalCount).toBe(0);
});

test("attributes are changed in place; a change of the level has a state of its own", async () => {
  const { call, world, recordOf, stateOf, clusterId } = await clusterStage();
  const modify = (given: object) => call(cluster.modifyClusterAttribute, { clusterId, ...given });
  await modify({ clusterName: "b", clusterDesc: "d", autoUpgradeClusterLevel: { isAutoUpgrade: true } });
  const changed = { clusterName: "b", clusterDescription: "d", clusterLevel: "L5", autoUpgradeClusterLevel: true };
  expect(await recordOf(clusterId)).toMatchObject(changed);
  await modify({ clusterLevel: "L50" });
  expect(await stateOf(clusterId)).toBe("ClusterLevelUpgrading");
  expect(await codeOf(modify({ clusterLevel: "L5" }))).toBe("ResourceUnavailable.ClusterState");
  world.advance(800);
  expect(await stateOf(clusterId)).toBe("Running");
  expect(await recordOf(clusterId)).toMatchObject({ clusterLevel: "L50", clusterName: "b" });
  expect(await codeOf(modify({ clusterLevel: "L7" }))).toBe("InvalidParameter");
});

test("tags are replaced as a whole, and the status shows when that is done", async () => {
  const { call, world, recordOf, clusterId } = await clusterStage();
  expect(await codeOf(call(cluster.describeBatchModifyTagsStatus, { clusterId }))).toBe("FailedOperation.TaskNotFound");
  await call(cluster.modifyClusterTags, { clusterId, tags: [{ key: "a", value: "1" }] });
  expect((await call(cluster.describeBatchModifyTagsStatus, { clusterId })).status).toBe("running");
  world.advance(800);
  expect((await call(cluster.describeBatchModifyTagsStatus, { clusterId })).status).toBe("done");
  await call(cluster.modifyClusterTags, { clusterId, tags: [] });
  expect((await recordOf(clusterId))?.tagSpecification).toEqual([]);
  const twice = ["1", "2"].map((value) => ({ key: "a", value }));
  expect(await codeOf(call(cluster.modifyClusterTags, { clusterId, tags: twice }))).toBe("InvalidParameterValue.Duplicate");
});

test("arguments of Kubernetes' components are replaced as a whole", async () => {
  const { call, world, taskOf, clusterId } = await clusterStage();
  const clusterExtraArgs = { kubeApiServer: ["max-requests-inflight=500"] };
  await call(cluster.modifyClusterExtraArgs, { clusterId, clusterExtraArgs });
  expect((await call(cluster.describeClusterExtraArgs, { clusterId })).clusterExtraArgs).toEqual(clusterExtraArgs);
  expect(await taskOf(clusterId, "apply_cluster_extra_args")).toMatchObject({ lifeState: "process" });
  world.advance(800);
  expect(await taskOf(clusterId, "apply_cluster_extra_args")).toMatchObject({ lifeState: "done" });
});

test("a deleted cluster is Deleting until it and its resources are gone; its addresses are in use until a little later", async () => {
  const { call, world, clusterId, subnetId, stateOf, recordOf, pool, drop } = await nodesStage(3);
  const free = async () => (await call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  expect(await free()).toBe(253 - 2 - 3);
  await pool(clusterId, 2);
  for (let time = 0; time < 2; time++) await drop(clusterId);
  expect(await stateOf(clusterId)).toBe("Deleting");
  expect(await recordOf(clusterId)).toMatchObject({ clusterStatus: "Deleting" });
  world.advance(1500);
  expect(await recordOf(clusterId)).toBeUndefined();
  expect(rowsLeft(world)).toEqual(["attachments", "subnets", "vpcs", "routeTables"].toSorted());
  expect(await codeOf(call(deleteSubnet, { subnetId }))).toBe("ResourceInUse");
  await expect(drop(clusterId)).rejects.toMatchObject({ code: "ResourceNotFound", kind: "notFound" });
  world.advance(300);
  expect(await free()).toBe(253);
  await call(deleteSubnet, { subnetId });
  expect(rowsLeft(world)).toEqual(["routeTables", "vpcs"]);
});

function rowsLeft(world: Stage["world"]): string[] {
  return tables
    .map(({ name }) => name)
    .filter((name) => world.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get())
    .toSorted();
}

/** A cluster with a machine of each kind: of both kinds of pools and added by hand, paid by use and by month. */
async function withMachines() {
  const { clusterId, call, world, ...at } = await clusterStage();
  await at.pool(clusterId, 1);
  await at.pool(clusterId, { replicas: 1, instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1 } });
  await call(cluster.createClusterNodePool, {
    clusterId,
    enableAutoscale: false,
    autoScalingGroupPara: JSON.stringify({ VpcId: at.vpcId, SubnetIds: [at.subnetId], MinSize: 1, MaxSize: 1 }),
    launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4" }),
    instanceAdvancedSettings: {},
  });
  const added = [await at.machine(), await at.machine({ chargeType: "PREPAID" })];
  await call(cluster.addExistedInstances, { clusterId, instanceIds: added });
  world.advance(5000);
  const machines = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId).sort();
  const left = async () => (await call(describeInstances, {})).instanceSet.toSorted((a, b) => a.instanceId.localeCompare(b.instanceId));
  return { ...at, clusterId, call, world, machines, left };
}

test("a cluster that is deleted with retain leaves all its machines behind, each with its address", async () => {
  const { call, drop, world, clusterId, machines, left, subnetId, nodesOf } = await withMachines();
  const addresses = new Map((await nodesOf(clusterId)).map(({ instanceId, lanIp }) => [instanceId, lanIp]));
  await drop(clusterId, "retain");
  world.advance(60_000);
  expect(machines).toHaveLength(5);
  expect((await left()).map(({ instanceId }) => instanceId)).toEqual(machines);
  for (const { instanceId, privateIpAddresses } of await left()) expect(privateIpAddresses).toEqual([addresses.get(instanceId)]);
  expect(await codeOf(call(deleteSubnet, { subnetId }))).toBe("ResourceInUse");
});

test("one that is deleted with terminate takes its machines along, and leaves those that are paid by month", async () => {
  const { drop, world, clusterId, left } = await withMachines();
  await drop(clusterId);
  world.advance(60_000);
  expect((await left()).map(({ instanceChargeType }) => instanceChargeType)).toEqual(["PREPAID", "PREPAID"]);
});

test("a cluster that is being deleted can no longer be protected", async () => {
  const { call, drop, recordOf, clusterId } = await clusterStage();
  await drop(clusterId);
  const refused = { code: "ResourceUnavailable.ClusterState", reason: expect.stringContaining(`cluster ${clusterId} is Deleting`) };
  await expect(call(cluster.enableClusterDeletionProtection, { clusterId })).rejects.toMatchObject(refused);
  expect(await recordOf(clusterId)).toMatchObject({ deletionProtection: false });
});

test("a cluster has a name that is not blank, and a system that nodes can have", async () => {
  const { clusterId, ...at } = await clusterStage();
  const create = (basic: { clusterName?: string; clusterOs?: string }) => at.create("172.20.0.0/16", { clusterBasicSettings: basic });
  await expect(create({ clusterOs: "windows" })).rejects.toThrow('ClusterOs is "windows"; it takes ubuntu22.04x86_64, ubuntu24.04x86_64');
  expect(await codeOf(create({ clusterOs: "tlinux2.4x86_64" }))).toBe("InvalidParameter");
  await expect(create({ clusterName: "\t" })).rejects.toThrow("ClusterName is ");
  await expect(at.call(cluster.modifyClusterAttribute, { clusterId, clusterName: " " })).rejects.toThrow("ClusterName is ");
  await create({ clusterOs: "img-0000000a", clusterName: "own image" });
});
