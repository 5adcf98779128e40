import { expect, test } from "vitest";
import {
  addVpcCniSubnets,
  createCluster,
  deleteCluster,
  describeBatchModifyTagsStatus,
  describeClusterExtraArgs,
  describeClusters,
  describeClusterStatus,
  describeIpamd,
  describeRegions,
  disableClusterDeletionProtection,
  enableClusterDeletionProtection,
  modifyClusterAttribute,
  modifyClusterExtraArgs,
  modifyClusterTags,
} from "../../../catalogue/cluster.ts";
import { deleteSubnet, describeSubnets } from "../../../catalogue/vpc.ts";

import { tables } from "../../store/tables.ts";
import { stage } from "../stage.fixture.ts";

test("pod subnets can be added, and are in use from then on", async () => {
  const { cloud, world, vpcId, subnetId, subnet, running } = await stage();
  const [first, second] = [await subnet(1), await subnet(2)];
  const { clusterId } = await cloud.call(createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { eniSubnetIds: [first] },
    clusterAdvancedSettings: { networkType: "VPC-CNI" },
  });
  await expect(cloud.call(addVpcCniSubnets, { clusterId, vpcId, subnetIds: [second] })).rejects.toMatchObject({
    code: "ResourceUnavailable.ClusterState",
  });
  world.advance(3000);
  await cloud.call(addVpcCniSubnets, { clusterId, vpcId, subnetIds: [second, first] });
  expect(await cloud.call(describeIpamd, { clusterId })).toMatchObject({ enableIpamd: true, phase: "running", subnetIds: [first, second] });
  await expect(cloud.call(deleteSubnet, { subnetId: second })).rejects.toMatchObject({ code: "ResourceInUse" });
  await expect(cloud.call(addVpcCniSubnets, { clusterId, vpcId: "vpc-1", subnetIds: [second] })).rejects.toMatchObject({
    code: "InvalidParameter",
  });
  const other = await running();
  await expect(cloud.call(addVpcCniSubnets, { clusterId: other, vpcId, subnetIds: [second] })).rejects.toMatchObject({
    code: "InvalidParameter",
  });
  expect((await cloud.call(describeIpamd, { clusterId: other })).enableIpamd).toBe(false);
});

test("clusters are found by id and by filters; an unknown id is left out", async () => {
  const { cloud, vpcId, create } = await stage();
  const [one, other] = [await create(), await create("172.17.0.0/16")];
  await cloud.call(modifyClusterAttribute, { clusterId: one, clusterName: "first" });
  await cloud.call(modifyClusterTags, { clusterId: other, tags: [{ key: "Team", value: "a" }] });
  const idsBy = async (name: string, ...values: string[]) =>
    (await cloud.call(describeClusters, { filters: [{ name, values }] })).clusters.map(({ clusterId }) => clusterId);
  expect(await idsBy("ClusterName", "first")).toEqual([one]);
  expect(await idsBy("ClusterStatus", "Creating")).toEqual([one, other]);
  expect(await idsBy("ClusterType", "INDEPENDENT_CLUSTER")).toEqual([]);
  expect(await idsBy("vpc-id", vpcId, "vpc-1")).toEqual([one, other]);
  expect(await idsBy("tag-key", "Team")).toEqual([other]);
  expect(await idsBy("tag-value", "A")).toEqual([]);
  expect(await idsBy("Tags", "Team:a")).toEqual([other]);
  for (const wrong of ["Team", ":a", ""]) await expect(idsBy("Tags", wrong)).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(idsBy("cluster-id", one)).rejects.toMatchObject({ code: "InvalidParameter" });
  expect(await cloud.call(describeClusters, { clusterIds: ["cls-00000000"] })).toMatchObject({ totalCount: 0, clusters: [] });
  expect(await cloud.call(describeClusterStatus, { clusterIds: ["cls-00000000", other] })).toMatchObject({ totalCount: 1 });
  expect((await cloud.call(describeClusters, { clusterType: "INDEPENDENT_CLUSTER" })).totalCount).toBe(0);
});

test("attributes are changed in place; a change of the level has a state of its own", async () => {
  const { cloud, world, running, recordOf, stateOf } = await stage();
  const clusterId = await running();
  await cloud.call(modifyClusterAttribute, {
    clusterId,
    clusterName: "b",
    clusterDesc: "d",
    autoUpgradeClusterLevel: { isAutoUpgrade: true },
  });
  expect(await recordOf(clusterId)).toMatchObject({
    clusterName: "b",
    clusterDescription: "d",
    clusterLevel: "L5",
    autoUpgradeClusterLevel: true,
  });
  await cloud.call(modifyClusterAttribute, { clusterId, clusterLevel: "L50" });
  expect(await stateOf(clusterId)).toBe("ClusterLevelUpgrading");
  await expect(cloud.call(modifyClusterAttribute, { clusterId, clusterLevel: "L5" })).rejects.toMatchObject({
    code: "ResourceUnavailable.ClusterState",
  });
  world.advance(800);
  expect(await stateOf(clusterId)).toBe("Running");
  expect(await recordOf(clusterId)).toMatchObject({ clusterLevel: "L50", clusterName: "b" });
  await expect(cloud.call(modifyClusterAttribute, { clusterId, clusterLevel: "L7" })).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("tags are replaced as a whole, and the status shows when that is done", async () => {
  const { cloud, world, running, recordOf } = await stage();
  const clusterId = await running();
  await expect(cloud.call(describeBatchModifyTagsStatus, { clusterId })).rejects.toMatchObject({ code: "FailedOperation.TaskNotFound" });
  await cloud.call(modifyClusterTags, { clusterId, tags: [{ key: "a", value: "1" }] });
  expect((await cloud.call(describeBatchModifyTagsStatus, { clusterId })).status).toBe("running");
  world.advance(800);
  expect((await cloud.call(describeBatchModifyTagsStatus, { clusterId })).status).toBe("done");
  await cloud.call(modifyClusterTags, { clusterId, tags: [] });
  expect((await recordOf(clusterId))?.tagSpecification).toEqual([]);
  const twice = [
    { key: "a", value: "1" },
    { key: "a", value: "2" },
  ];
  await expect(cloud.call(modifyClusterTags, { clusterId, tags: twice })).rejects.toMatchObject({
    code: "InvalidParameterValue.Duplicate",
  });
});

test("arguments of Kubernetes' components are replaced as a whole, in managed clusters", async () => {
  const { cloud, vpcId, subnetId, world, running, taskOf } = await stage();
  const clusterId = await running();
  await cloud.call(modifyClusterExtraArgs, { clusterId, clusterExtraArgs: { kubeApiServer: ["max-requests-inflight=500"] } });
  expect((await cloud.call(describeClusterExtraArgs, { clusterId })).clusterExtraArgs).toEqual({
    kubeApiServer: ["max-requests-inflight=500"],
  });
  expect(await taskOf(clusterId, "apply_cluster_extra_args")).toMatchObject({ lifeState: "process" });
  world.advance(800);
  expect(await taskOf(clusterId, "apply_cluster_extra_args")).toMatchObject({ lifeState: "done" });
  const own = await cloud.call(createCluster, {
    vpcId,
    subnetId,
    clusterType: "INDEPENDENT_CLUSTER",
    clusterCidrSettings: { clusterCidr: "172.17.0.0/16" },
  });
  await expect(cloud.call(modifyClusterExtraArgs, { clusterId: own.clusterId, clusterExtraArgs: {} })).rejects.toMatchObject({
    code: "UnsupportedOperation",
  });
});

test("a protected cluster is not deleted", async () => {
  const { cloud, running, stateOf } = await stage();
  const clusterId = await running();
  await cloud.call(enableClusterDeletionProtection, { clusterId });
  const deletion = cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await expect(deletion).rejects.toMatchObject({ code: "OperationDenied.ClusterInDeletionProtection", kind: "protected" });
  await cloud.call(disableClusterDeletionProtection, { clusterId });
  await cloud.call(disableClusterDeletionProtection, { clusterId });
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  expect(await stateOf(clusterId)).toBe("Deleting");
});

test("a deleted cluster is Deleting until it and its resources are gone, and its addresses are released a little later", async () => {
  const { cloud, world, withNodes, subnetId, stateOf, recordOf, pool } = await stage();
  const { clusterId } = await withNodes(3);
  await pool(clusterId, 2);
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  expect(await stateOf(clusterId)).toBe("Deleting");
  expect(await recordOf(clusterId)).toMatchObject({ clusterStatus: "Deleting" });
  world.advance(1500);
  expect(await recordOf(clusterId)).toBeUndefined();
  expect(rowsLeft(world)).toEqual(["attachments", "subnets", "vpcs", "routeTables"].toSorted());
  await expect(cloud.call(deleteSubnet, { subnetId })).rejects.toMatchObject({ code: "ResourceInUse" });
  await expect(cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" })).rejects.toMatchObject({
    code: "ResourceNotFound",
    kind: "notFound",
  });
  world.advance(300);
  const [subnet] = (await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet;
  expect(subnet?.availableIpAddressCount).toBe(253);
  await cloud.call(deleteSubnet, { subnetId });
  expect(rowsLeft(world)).toEqual(["routeTables", "vpcs"]);
});

function rowsLeft(world: Awaited<ReturnType<typeof stage>>["world"]): string[] {
  return tables
    .map(({ name }) => name)
    .filter((name) => world.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get())
    .toSorted();
}

test("addresses of a cluster count against its subnet", async () => {
  const { cloud, withNodes, subnetId } = await stage();
  await withNodes(3);
  const [subnet] = (await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet;
  expect(subnet?.availableIpAddressCount).toBe(253 - 2 - 3);
});

test("every operation refuses an unknown cluster id", async () => {
  const { cloud } = await stage();
  const clusterId = "cls-00000000";
  for (const operation of [describeIpamd, describeClusterExtraArgs, enableClusterDeletionProtection, disableClusterDeletionProtection])
    await expect(cloud.call(operation, { clusterId })).rejects.toMatchObject({
      code: "ResourceNotFound",
      reason: `there is no cluster ${clusterId} in eu-frankfurt`,
    });
  expect(await cloud.find(describeIpamd, { clusterId })).toBeUndefined();
});

test("regions are listed", async () => {
  const { cloud } = await stage();
  const { totalCount, regionInstanceSet } = await cloud.call(describeRegions, {});
  expect([totalCount, regionInstanceSet.map(({ regionName }) => regionName)]).toEqual([3, ["eu-frankfurt", "ap-singapore", "na-ashburn"]]);
});
