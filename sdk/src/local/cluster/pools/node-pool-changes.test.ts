import { expect, test } from "vitest";
import { createNodePool, deleteNodePool, modifyClusterAttribute, modifyNodePool, scaleNodePool } from "../../../catalogue/cluster.ts";
import { deleteSecurityGroup, deleteSubnet } from "../../../catalogue/vpc.ts";
import { stage } from "../stage.fixture.ts";

test("a pool is scaled up and down within its bounds, by either operation", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(3);
  await at.cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 5 });
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Updating");
  at.world.advance(2000);
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({ lifeState: "Running", native: { replicas: 5, readyReplicas: 5 } });
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, native: { replicas: 1 } });
  expect((await at.nodesOf(clusterId)).filter(({ drainStatus }) => drainStatus === "draining")).toHaveLength(4);
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
  await expect(at.cloud.call(scaleNodePool, { clusterId, nodePoolId, replicas: 11 })).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("bounds that exclude the desired number are refused: it is changed between widening and narrowing them", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(3);
  const modify = (native: object) => at.cloud.call(modifyNodePool, { clusterId, nodePoolId, native });
  await expect(modify({ scaling: { maxReplicas: 2 } })).rejects.toMatchObject({
    code: "InvalidParameter",
    reason: "Replicas is 3; it takes 0 to 2, as Native.Scaling says",
  });
  await expect(modify({ scaling: { minReplicas: 20 } })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(modify({ replicas: 20 })).rejects.toMatchObject({ code: "InvalidParameter" });
  await modify({ scaling: { maxReplicas: 30 } });
  await modify({ replicas: 20 });
  await modify({ scaling: { minReplicas: 20 } });
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({
    replicas: 20,
    scaling: { minReplicas: 20, maxReplicas: 30, createPolicy: "ZoneEquality" },
  });
});

test("invalid settings are refused", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const create = (native: object) =>
    at.cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: { ...at.settings, ...native } });
  const invalid = { code: "InvalidParameter" };
  await expect(create({ scaling: { minReplicas: 3, maxReplicas: 1 } })).rejects.toMatchObject(invalid);
  await expect(create({ replicas: 11 })).rejects.toMatchObject(invalid);
  await expect(create({ subnetIds: [] })).rejects.toMatchObject(invalid);
  await expect(create({ subnetIds: ["subnet-00000000"] })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create({ securityGroupIds: ["sg-00000000"] })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create({ instanceTypes: [] })).rejects.toMatchObject(invalid);
  await expect(create({ instanceTypes: [""] })).rejects.toMatchObject(invalid);
  await expect(create({ instanceChargeType: "PREPAID" })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(create({ instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 13 } })).rejects.toMatchObject(invalid);
  await expect(at.cloud.call(createNodePool, { clusterId, name: "", type: "Native", native: at.settings })).rejects.toMatchObject(invalid);
  await expect(at.cloud.call(createNodePool, { clusterId, name: "p", type: "Native" })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(at.cloud.call(createNodePool, { clusterId: "cls-00000000", name: "p", type: "Native" })).rejects.toMatchObject({
    code: "ResourceNotFound",
  });
  const creating = await at.create("172.17.0.0/16");
  await expect(at.pool(creating, 0)).rejects.toMatchObject({ code: "FailedOperation.ClusterState", kind: "transient" });
});

test("a change keeps the settings that it does not give; some settings cannot be changed", async () => {
  const at = await stage();
  const { clusterId, nodePoolId } = await at.withNodes(1);
  const labels = [{ name: "tier", value: "web" }];
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" as const }];
  await at.cloud.call(modifyNodePool, {
    clusterId,
    nodePoolId,
    labels,
    taints,
    unschedulable: true,
    tags: [{ resourceType: "machine", tags: [{ key: "a", value: "b" }] }],
  });
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, name: "renamed", annotations: [{ name: "n", value: "v" }] });
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({
    name: "renamed",
    labels,
    taints,
    unschedulable: true,
    lifeState: "Running",
    annotations: [{ name: "n", value: "v" }],
    tags: [{ resourceType: "machine", tags: [{ key: "a", value: "b" }] }],
    native: { instanceTypes: ["SA5.MEDIUM4"], replicas: 1 },
  });
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings).toMatchObject({ labels, taints, unschedulable: 1 });
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, labels: [], taints: [] });
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({ labels: [], taints: [], unschedulable: true });

  const modify = (native: object) => at.cloud.call(modifyNodePool, { clusterId, nodePoolId, native });
  await expect(modify({ instanceChargeType: "PREPAID" })).rejects.toMatchObject({ code: "MissingParameter" });
  await modify({ instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 12 } });
  await expect(modify({ instanceChargeType: "POSTPAID_BY_HOUR" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(modify({ runtimeRootDir: "/elsewhere" })).rejects.toMatchObject({ code: "InvalidParameter" });
  const body = { ClusterId: clusterId, NodePoolId: nodePoolId, Native: { MachineType: "NativeCVM" } };
  const sent = at.platform.send({ product: "cluster", action: "ModifyNodePool", version: "2022-05-01", region: at.region, body });
  await expect(sent).rejects.toMatchObject({ code: "InvalidParameter", reason: "ModifyNodePool has no parameter Native.MachineType" });
  await modify({ systemDisk: { diskType: "CLOUD_SSD", diskSize: 100 }, enableAutoscaling: true });
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({
    systemDisk: { diskType: "CLOUD_SSD" },
    enableAutoscaling: true,
    instanceChargeType: "PREPAID",
  });
});

test("a pool's security groups and subnets are in use while it exists", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const [one, other] = [await at.group(), await at.group()];
  const second = await at.subnet(1);
  const { nodePoolId } = await at.cloud.call(createNodePool, {
    clusterId,
    name: "p",
    type: "Native",
    native: { ...at.settings, subnetIds: [second], securityGroupIds: [one], replicas: 0 },
  });
  await expect(at.cloud.call(deleteSecurityGroup, { securityGroupId: one })).rejects.toMatchObject({ code: "ResourceInUse" });
  await expect(at.cloud.call(deleteSubnet, { subnetId: second })).rejects.toMatchObject({ code: "ResourceInUse" });
  await at.cloud.call(modifyNodePool, { clusterId, nodePoolId, native: { securityGroupIds: [other] } });
  at.world.advance(300);
  await at.cloud.call(deleteSecurityGroup, { securityGroupId: one });
  await at.cloud.call(deleteNodePool, { clusterId, nodePoolId });
  at.world.advance(800);
  await at.cloud.call(deleteSecurityGroup, { securityGroupId: other });
  await at.cloud.call(deleteSubnet, { subnetId: second });
});

test("with auto-upgrade a cluster's level follows its nodes", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(7);
  expect((await at.recordOf(clusterId))?.clusterLevel).toBe("L5");
  await at.cloud.call(modifyClusterAttribute, { clusterId, autoUpgradeClusterLevel: { isAutoUpgrade: true } });
  expect((await at.recordOf(clusterId))?.clusterLevel).toBe("L20");
});
