import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSubnet } from "../../../catalogue/vpc.ts";
import { clusterStage, codeOf } from "../stage.fixture.ts";

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
