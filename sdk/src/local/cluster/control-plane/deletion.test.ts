import { expect, test } from "vitest";
import {
  addExistedInstances,
  createClusterNodePool,
  createNodePool,
  deleteCluster,
  enableClusterDeletionProtection,
} from "../../../catalogue/cluster.ts";
import { describeInstances } from "../../../catalogue/compute.ts";
import { deleteSubnet } from "../../../catalogue/vpc.ts";
import { putInstance } from "../../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

/** A cluster with a machine of each kind: of both kinds of pools and added by hand, paid by use and by month. */
async function withMachines() {
  const at = await stage();
  const { cloud, world, region, vpcId, subnetId } = at;
  const clusterId = await at.running();
  const native = { ...at.settings, replicas: 1 };
  const byMonth = { ...native, instanceChargeType: "PREPAID" as const, instanceChargePrepaid: { period: 1 } };
  for (const settings of [native, byMonth]) await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: settings });
  await cloud.call(createClusterNodePool, {
    clusterId,
    enableAutoscale: false,
    autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: [subnetId], MinSize: 1, MaxSize: 1 }),
    launchConfigurePara: JSON.stringify({ InstanceType: "SA5.MEDIUM4" }),
    instanceAdvancedSettings: {},
  });
  const added = [
    await putInstance(world, { region, vpcId, subnetId }),
    await putInstance(world, { region, vpcId, subnetId, chargeType: "PREPAID" }),
  ];
  await cloud.call(addExistedInstances, { clusterId, instanceIds: added });
  world.advance(5000);
  const machines = (await at.nodesOf(clusterId)).map(({ instanceId }) => instanceId).sort();
  const left = async () =>
    (await cloud.call(describeInstances, {})).instanceSet.toSorted((a, b) => a.instanceId.localeCompare(b.instanceId));
  return { ...at, clusterId, machines, left };
}

test("a cluster that is deleted with retain leaves all its machines behind, each with its address", async () => {
  const { cloud, world, clusterId, machines, left, subnetId, nodesOf } = await withMachines();
  const addresses = new Map((await nodesOf(clusterId)).map(({ instanceId, lanIp }) => [instanceId, lanIp]));
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "retain" });
  world.advance(60_000);
  expect(machines).toHaveLength(5);
  expect((await left()).map(({ instanceId }) => instanceId)).toEqual(machines);
  for (const { instanceId, privateIpAddresses } of await left()) expect(privateIpAddresses).toEqual([addresses.get(instanceId)]);
  await expect(cloud.call(deleteSubnet, { subnetId })).rejects.toMatchObject({ code: "ResourceInUse" });
});

test("one that is deleted with terminate takes its machines along, and leaves those that are paid by month", async () => {
  const { cloud, world, clusterId, left } = await withMachines();
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  world.advance(60_000);
  expect((await left()).map(({ instanceChargeType }) => instanceChargeType)).toEqual(["PREPAID", "PREPAID"]);
});

test("a cluster that is being deleted can no longer be protected", async () => {
  const { cloud, running, recordOf } = await stage();
  const clusterId = await running();
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await expect(cloud.call(enableClusterDeletionProtection, { clusterId })).rejects.toMatchObject({
    code: "ResourceUnavailable.ClusterState",
    reason: expect.stringContaining(`cluster ${clusterId} is Deleting`),
  });
  expect(await recordOf(clusterId)).toMatchObject({ deletionProtection: false });
});
