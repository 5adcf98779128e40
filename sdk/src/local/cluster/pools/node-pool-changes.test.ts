import { expect, test } from "vitest";
import {
  createNodePool,
  deleteNodePool,
  describeNodePools,
  modifyClusterAttribute,
  modifyNodePool,
  scaleNodePool,
} from "../../../catalogue/cluster.ts";
import { deleteSecurityGroup, deleteSubnet } from "../../../catalogue/vpc.ts";
import { clusterStage, codeOf, nodesStage } from "../stage.fixture.ts";

test("a pool is scaled up and down within its bounds, by either operation", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage(3);
  await at.call(scaleNodePool, { clusterId, nodePoolId, replicas: 5 });
  expect((await at.poolOf(clusterId, nodePoolId))?.lifeState).toBe("Updating");
  at.world.advance(2000);
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({ lifeState: "Running", native: { replicas: 5, readyReplicas: 5 } });
  await at.call(modifyNodePool, { clusterId, nodePoolId, native: { replicas: 1 } });
  expect((await at.nodesOf(clusterId)).filter(({ drainStatus }) => drainStatus === "draining")).toHaveLength(4);
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({ replicas: 1, readyReplicas: 1 });
  at.world.advance(1000);
  expect(await at.nodesOf(clusterId)).toHaveLength(1);
  expect(await codeOf(at.call(scaleNodePool, { clusterId, nodePoolId, replicas: 11 }))).toBe("InvalidParameter");
});

test("bounds that exclude the desired number are refused: it is changed between widening and narrowing them", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage(3);
  const modify = (native: object) => at.call(modifyNodePool, { clusterId, nodePoolId, native });
  const reason = "Replicas is 3; it takes 0 to 2, as Native.Scaling says";
  await expect(modify({ scaling: { maxReplicas: 2 } })).rejects.toMatchObject({ code: "InvalidParameter", reason });
  expect(await codeOf(modify({ scaling: { minReplicas: 20 } }))).toBe("InvalidParameter");
  expect(await codeOf(modify({ replicas: 20 }))).toBe("InvalidParameter");
  await modify({ scaling: { maxReplicas: 30 } });
  await modify({ replicas: 20 });
  await modify({ scaling: { minReplicas: 20 } });
  expect((await at.poolOf(clusterId, nodePoolId))?.native).toMatchObject({
    replicas: 20,
    scaling: { minReplicas: 20, maxReplicas: 30, createPolicy: "ZoneEquality" },
  });
});

test("invalid settings are refused", async () => {
  const { clusterId, ...at } = await clusterStage();
  const create = (native: object) => at.pool(clusterId, native);
  const invalid = "InvalidParameter";
  expect(await codeOf(create({ scaling: { minReplicas: 3, maxReplicas: 1 } }))).toBe(invalid);
  expect(await codeOf(create({ replicas: 11 }))).toBe(invalid);
  expect(await codeOf(create({ subnetIds: [] }))).toBe(invalid);
  expect(await codeOf(create({ subnetIds: ["subnet-00000000"] }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ securityGroupIds: ["sg-00000000"] }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ instanceTypes: [] }))).toBe(invalid);
  expect(await codeOf(create({ instanceTypes: [""] }))).toBe(invalid);
  expect(await codeOf(create({ instanceChargeType: "PREPAID" }))).toBe("MissingParameter");
  expect(await codeOf(create({ instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 13 } }))).toBe(invalid);
  expect(await codeOf(at.call(createNodePool, { clusterId, name: "", type: "Native", native: at.settings }))).toBe(invalid);
  expect(await codeOf(at.call(createNodePool, { clusterId, name: "p", type: "Native" }))).toBe("MissingParameter");
  expect(await codeOf(at.call(createNodePool, { clusterId: "cls-00000000", name: "p", type: "Native" }))).toBe("ResourceNotFound");
  const creating = await at.create("172.17.0.0/16");
  await expect(at.pool(creating, 0)).rejects.toMatchObject({ code: "FailedOperation.ClusterState", kind: "transient" });
});

test("a change keeps the settings that it does not give; some settings cannot be changed", async () => {
  const { clusterId, nodePoolId, ...at } = await nodesStage();
  const labels = [{ name: "tier", value: "web" }];
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" as const }];
  const first = { labels, taints, unschedulable: true, tags: [{ resourceType: "machine", tags: [{ key: "a", value: "b" }] }] };
  const second = { name: "renamed", annotations: [{ name: "n", value: "v" }] };
  for (const change of [first, second]) await at.call(modifyNodePool, { clusterId, nodePoolId, ...change });
  const native = { instanceTypes: ["SA5.MEDIUM4"], replicas: 1 };
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({ ...first, ...second, lifeState: "Running", native });
  expect((await at.nodesOf(clusterId))[0]?.instanceAdvancedSettings).toMatchObject({ labels, taints, unschedulable: 1 });
  await at.call(modifyNodePool, { clusterId, nodePoolId, labels: [], taints: [] });
  expect(await at.poolOf(clusterId, nodePoolId)).toMatchObject({ labels: [], taints: [], unschedulable: true });

  const modify = (changed: object) => at.call(modifyNodePool, { clusterId, nodePoolId, native: changed });
  expect(await codeOf(modify({ instanceChargeType: "PREPAID" }))).toBe("MissingParameter");
  await modify({ instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 12 } });
  expect(await codeOf(modify({ instanceChargeType: "POSTPAID_BY_HOUR" }))).toBe("InvalidParameter");
  expect(await codeOf(modify({ runtimeRootDir: "/elsewhere" }))).toBe("InvalidParameter");
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

test("an empty pool is deleted like any other; its security groups and subnets are in use while it exists", async () => {
  const { clusterId, ...at } = await clusterStage();
  const [one, other] = [await at.group(), await at.group()];
  const second = await at.subnet(1);
  const nodePoolId = await at.pool(clusterId, { subnetIds: [second], securityGroupIds: [one], replicas: 0 });
  expect(await codeOf(at.call(deleteSecurityGroup, { securityGroupId: one }))).toBe("ResourceInUse");
  expect(await codeOf(at.call(deleteSubnet, { subnetId: second }))).toBe("ResourceInUse");
  await at.call(modifyNodePool, { clusterId, nodePoolId, native: { securityGroupIds: [other] } });
  at.world.advance(300);
  await at.call(deleteSecurityGroup, { securityGroupId: one });
  await at.call(deleteNodePool, { clusterId, nodePoolId });
  at.world.advance(500);
  expect((await at.call(describeNodePools, { clusterId })).totalCount).toBe(0);
  at.world.advance(300);
  await at.call(deleteSecurityGroup, { securityGroupId: other });
  await at.call(deleteSubnet, { subnetId: second });
});

test("with auto-upgrade a cluster's level follows its nodes", async () => {
  const { clusterId, ...at } = await nodesStage(7);
  expect((await at.recordOf(clusterId))?.clusterLevel).toBe("L5");
  await at.call(modifyClusterAttribute, { clusterId, autoUpgradeClusterLevel: { isAutoUpgrade: true } });
  expect((await at.recordOf(clusterId))?.clusterLevel).toBe("L20");
});

const tagged = (key: string, value = "a") => [{ resourceType: "machine", tags: [{ key, value }] }];

test.each<[code: string, change: { name?: string; tags?: ReturnType<typeof tagged> }]>([
  ["InvalidParameterValue.Empty", { tags: tagged("") }],
  ["InvalidParameterValue.TooLong", { tags: tagged("k".repeat(128)) }],
  ["InvalidParameterValue.TooLong", { tags: tagged("a", "v".repeat(256)) }],
  ["InvalidParameterValue.Duplicate", { tags: [...tagged("a"), ...tagged("a")] }],
  ["LimitExceeded.ResourceAttachedTags", { tags: Array.from({ length: 51 }, (_, index) => tagged(`key-${index}`)).flat() }],
  ["InvalidParameter", { name: " " }],
  ["InvalidParameter", { name: "a\u0000b" }],
])("a node pool is refused with %s, new and changed", async (code, change) => {
  const { clusterId, ...at } = await clusterStage();
  const nodePoolId = await at.pool(clusterId, 0);
  const asked = { clusterId, name: "workers", type: "Native" as const, native: at.settings };
  expect(await codeOf(at.call(createNodePool, { ...asked, ...change }))).toBe(code);
  expect(await codeOf(at.call(modifyNodePool, { clusterId, nodePoolId, ...change }))).toBe(code);
});

test("a disk has a size that its zone has", async () => {
  const { clusterId, ...at } = await clusterStage();
  await expect(at.pool(clusterId, { systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 4096 } })).rejects.toThrow(
    "Native.SystemDisk.DiskSize is 4096 GB; as a SYSTEM_DISK of eu-frankfurt-1, CLOUD_PREMIUM takes 20 to 2048 GB",
  );
});
