import { expect, test } from "vitest";
import {
  clusterStates,
  createCluster,
  createNodePool,
  deleteCluster,
  describeClusterStatus,
  describeClusters,
  describeIpamd,
} from "../../../catalogue/cluster.ts";
import { deleteSubnet, describeSubnets, unassignIpv6SubnetCidrBlock } from "../../../catalogue/vpc.ts";

import { Cloud } from "../../../client/client.ts";

import { stage } from "../stage.fixture.ts";

test("a cluster is Creating, then Running, and its record has the specification's and the public API's fields", async () => {
  const { cloud, world, create, stateOf, recordOf, vpcId, subnetId } = await stage();
  const clusterId = await create();
  expect(clusterId).toMatch(/^cls-[0-9a-f]{8}$/);
  expect(await stateOf(clusterId)).toBe("Creating");
  world.advance(2999);
  expect(await stateOf(clusterId)).toBe("Creating");
  world.advance(1);
  expect(await stateOf(clusterId)).toBe("Running");
  expect(await recordOf(clusterId)).toMatchObject({
    clusterId,
    clusterName: clusterId,
    clusterState: "Running",
    clusterStatus: "Running",
    clusterInstanceState: "AllNormal",
    clusterDeletionProtection: false,
    deletionProtection: false,
    clusterExternalEndpoint: "",
    clusterIntranetEndpoint: "",
    domain: `${clusterId}.clusters.container-platform.internal`,
    clusterVersion: "1.34.1",
    clusterLevel: "L5",
    clusterType: "MANAGED_CLUSTER",
    createdTime: "2026-01-31T12:00:00Z",
    clusterNetworkSettings: { vpcId, subnetId, clusterCidr: "172.16.0.0/16", isDualStack: false },
  });
  const status = await cloud.call(describeClusterStatus, {});
  expect(status).toMatchObject({
    totalCount: 1,
    clusterStatusSet: [{ clusterId, clusterInstanceState: "AllNormal", clusterDeletionProtection: false }],
  });
});

test("with the realistic time scale, a cluster runs after five minutes; a stuck one is still Creating after thirty", async () => {
  const { world, platform, create, stateOf } = await stage({ timeScale: "realistic" });
  const ready = await create();
  world.advance(5 * 60_000);
  expect(await stateOf(ready)).toBe("Running");
  platform.faults.add({ thing: "cluster", end: "Creating", reason: "stuck" });
  const stuck = await create("172.17.0.0/16");
  world.advance(31 * 60_000);
  expect(await stateOf(stuck)).toBe("Creating");
});

test("a cluster whose creation failed is Abnormal in both reads, and its task has the reason", async () => {
  const { world, platform, create, stateOf, recordOf, taskOf } = await stage();
  platform.faults.add({ thing: "cluster", end: "Abnormal", reason: "no capacity for the control plane" });
  const clusterId = await create();
  expect(await taskOf(clusterId, "create_cluster")).toMatchObject({ lifeState: "process", lastError: "" });
  world.advance(3000);
  expect(await stateOf(clusterId)).toBe("Abnormal");
  expect(clusterStates).toContain("Abnormal");
  expect(await recordOf(clusterId)).toMatchObject({ clusterStatus: "Abnormal" });
  expect(await taskOf(clusterId, "create_cluster")).toMatchObject({ lifeState: "aborted", lastError: "no capacity for the control plane" });
});

test("the specification's form and the public API's nested one mean the same", async () => {
  const { cloud, vpcId, subnetId, recordOf } = await stage();
  const nested = await cloud.call(createCluster, {
    clusterType: "MANAGED_CLUSTER",
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: {
      vpcId,
      subnetId,
      clusterName: "nested",
      clusterVersion: "1.30.0",
      clusterLevel: "L20",
      tagSpecification: [{ resourceType: "cluster", tags: [{ key: "team", value: "a" }] }],
    },
    clusterAdvancedSettings: { deletionProtection: true, ipvs: true },
  });
  expect(await recordOf(nested.clusterId)).toMatchObject({
    clusterName: "nested",
    clusterVersion: "1.30.0",
    clusterLevel: "L20",
    clusterDeletionProtection: true,
    tagSpecification: [{ resourceType: "cluster", tags: [{ key: "team", value: "a" }] }],
    clusterNetworkSettings: { vpcId, subnetId, ipvs: true },
  });
  const clusterCidrSettings = { clusterCidr: "172.17.0.0/16" };
  const twice = { vpcId, subnetId, clusterCidrSettings, clusterBasicSettings: { vpcId, subnetId } };
  const { clusterId } = await cloud.call(createCluster, twice);
  expect(await recordOf(clusterId)).toMatchObject({ clusterNetworkSettings: { vpcId, subnetId } });
  const different = { ...twice, clusterBasicSettings: { subnetId: "subnet-00000000" } };
  await expect(cloud.call(createCluster, different)).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(cloud.call(createCluster, { subnetId, clusterCidrSettings })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: "VpcId is required",
  });
  await expect(cloud.call(createCluster, { vpcId, clusterCidrSettings })).rejects.toMatchObject({ code: "MissingParameter" });
});

test("a new cluster's VPC and subnet are checked", async () => {
  const { cloud, vpcId, subnetId, subnet } = await stage();
  const create = ({ clusterCidr = "172.16.0.0/16", ...place }: { vpcId?: string; subnetId?: string; clusterCidr?: string }) =>
    cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, ...place });
  await expect(create({ vpcId: "vpc-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create({ subnetId: "subnet-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  const small = await subnet(9, { prefix: 29 });
  await expect(create({ subnetId: small })).rejects.toMatchObject({
    code: "InvalidParameter",
    reason: `subnet ${small} has 5 available addresses; a cluster needs 10 or more`,
  });
  await expect(create({ clusterCidr: "10.0.128.0/20" })).rejects.toMatchObject({ code: "InvalidParameter.CidrConflictWithVpcCidr" });
  await expect(create({ clusterCidr: "172.16.0.1/16" })).rejects.toMatchObject({ code: "InvalidParameter.CidrInvalid" });
  await create({});
  await expect(create({ clusterCidr: "172.16.128.0/20" })).rejects.toMatchObject({ code: "InvalidParameter.CidrConflictWithOtherCluster" });
  await expect(cloud.call(createCluster, { vpcId, subnetId })).rejects.toMatchObject({ code: "MissingParameter" });
});

test("VPC-CNI needs subnets for pods, and dual stack needs subnets with IPv6 ranges", async () => {
  const { cloud, vpcId, subnetId, subnet, assignIpv6, recordOf } = await stage();
  const pods = await subnet(1);
  const create = (eniSubnetIds: string[] | undefined, isDualStack: boolean, networkType: "GR" | "VPC-CNI" = "VPC-CNI") =>
    cloud.call(createCluster, {
      vpcId,
      subnetId,
      clusterCidrSettings: { eniSubnetIds },
      clusterAdvancedSettings: { networkType, isDualStack },
    });
  await expect(create(undefined, false)).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(create(["subnet-00000000"], false)).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create([pods], true, "GR")).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(create([pods], true)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("/64") });
  await assignIpv6(subnetId, pods);
  const { clusterId } = await create([pods], true);
  expect((await recordOf(clusterId))?.clusterNetworkSettings).toMatchObject({ isDualStack: true, subnets: [pods], clusterCidr: "" });
  expect((await cloud.call(describeIpamd, { clusterId })).subnetIds).toEqual([pods]);
});

test("settings that the platform does not offer are refused", async () => {
  const { cloud, vpcId, subnetId } = await stage();
  const create = (clusterBasicSettings: {
    clusterVersion?: string;
    clusterLevel?: string;
    tagSpecification?: { resourceType: string; tags: [] }[];
  }) => cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, clusterBasicSettings });
  await expect(create({ clusterVersion: "1.2.3" })).rejects.toMatchObject({
    code: "InvalidParameter",
    reason: expect.stringContaining("1.34.1"),
  });
  await expect(create({ clusterLevel: "L6" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(create({ tagSpecification: [{ resourceType: "machine", tags: [] }] })).rejects.toMatchObject({ code: "InvalidParameter" });
});

test("each region has twenty clusters at most", async () => {
  const { cloud, platform, create } = await stage();
  for (let third = 0; third < 20; third++) await create(`172.16.${third}.0/24`);
  await expect(create("172.17.0.0/16")).rejects.toMatchObject({ code: "LimitExceeded", kind: "limit" });
  const { clusters, totalCount } = await cloud.call(describeClusters, { limit: 5, offset: 18 });
  expect([clusters.length, totalCount]).toEqual([2, 20]);
  const elsewhere = new Cloud({ transport: platform, region: "na-ashburn" });
  expect(await elsewhere.call(describeClusters, {})).toMatchObject({ totalCount: 0, clusters: [] });
});

test("the resources of a dual-stack cluster use addresses of both families", async () => {
  const { cloud, world, vpcId, subnetId, subnet, assignIpv6, settings } = await stage();
  const [pods, third] = [await subnet(1), await subnet(2)];
  await assignIpv6(subnetId, pods);
  const { clusterId } = await cloud.call(createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { eniSubnetIds: [pods] },
    clusterAdvancedSettings: { networkType: "VPC-CNI", isDualStack: true },
  });
  world.advance(3000);
  const pool = (subnetIds: string[]) =>
    cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: { ...settings, subnetIds, replicas: 1 } });
  await expect(pool([third])).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("/64") });
  await pool([subnetId]);
  for (const id of [subnetId, pods]) {
    const [record] = (await cloud.call(describeSubnets, { subnetIds: [id] })).subnetSet;
    const ipv6SubnetCidrBlocks = [{ subnetId: id, ipv6SubnetCidrBlock: record?.ipv6SubnetCidrBlock ?? "" }];
    const unassign = cloud.call(unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
    await expect(unassign).rejects.toMatchObject({ code: "ResourceInUse" });
  }
});

test("with the instant time scale, creations and deletions take no time", async () => {
  const { cloud, create, pool, stateOf, nodesOf, recordOf, subnetId } = await stage({ timeScale: "instant" });
  const clusterId = await create();
  expect(await stateOf(clusterId)).toBe("Running");
  await pool(clusterId, 2);
  expect((await nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["running", "running"]);
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  expect(await recordOf(clusterId)).toBeUndefined();
  await cloud.call(deleteSubnet, { subnetId });
});

test("the same seed and calls give the same ids", async () => {
  const ids = async () => {
    const { withNodes, nodesOf } = await stage({ seed: "same" });
    const { clusterId, nodePoolId } = await withNodes(2);
    return [clusterId, nodePoolId, ...(await nodesOf(clusterId)).map(({ instanceId }) => instanceId)];
  };
  expect(await ids()).toEqual(await ids());
});
