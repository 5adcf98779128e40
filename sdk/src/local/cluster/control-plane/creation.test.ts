import { expect, test } from "vitest";
import { clusterStates, createCluster, describeIpamd } from "../../../catalogue/cluster.ts";
import { deleteSubnet, describeSubnets, unassignIpv6SubnetCidrBlock } from "../../../catalogue/vpc.ts";
import { codeOf, stage } from "../stage.fixture.ts";

test("a cluster is Creating, then Running, and its record has the public API's fields beside the specification's", async () => {
  const { world, create, stateOf, recordOf, vpcId, subnetId } = await stage();
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
    deletionProtection: false,
    clusterVersion: "1.34.1",
    clusterLevel: "L5",
    clusterType: "MANAGED_CLUSTER",
    createdTime: "2026-01-31T12:00:00Z",
    clusterNetworkSettings: { vpcId, subnetId, clusterCidr: "172.16.0.0/16", isDualStack: false },
  });
});

test("with the realistic time scale, a cluster runs after five minutes", async () => {
  const { world, create, stateOf } = await stage({ timeScale: "realistic" });
  const ready = await create();
  world.advance(5 * 60_000);
  expect(await stateOf(ready)).toBe("Running");
});

test("a cluster whose creation failed is Abnormal in both reads, and its task has the reason", async () => {
  const { world, platform, create, stateOf, recordOf, taskOf } = await stage();
  platform.faults.add({ resourceType: "cluster", endState: "Abnormal", reason: "no capacity for the control plane" });
  const clusterId = await create();
  expect(await taskOf(clusterId, "create_cluster")).toMatchObject({ lifeState: "process", lastError: "" });
  world.advance(3000);
  expect(await stateOf(clusterId)).toBe("Abnormal");
  expect(clusterStates).toContain("Abnormal");
  expect(await recordOf(clusterId)).toMatchObject({ clusterStatus: "Abnormal" });
  expect(await taskOf(clusterId, "create_cluster")).toMatchObject({ lifeState: "aborted", lastError: "no capacity for the control plane" });
});

test("the specification's form and the public API's nested one mean the same", async () => {
  const { call, vpcId, subnetId, recordOf } = await stage();
  const tagSpecification = [{ resourceType: "cluster", tags: [{ key: "team", value: "a" }] }];
  const basic = { clusterName: "nested", clusterVersion: "1.30.0", clusterLevel: "L20", tagSpecification };
  const nested = await call(createCluster, {
    clusterType: "MANAGED_CLUSTER",
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: { vpcId, subnetId, ...basic },
    clusterAdvancedSettings: { deletionProtection: true, ipvs: true },
  });
  const clusterNetworkSettings = { vpcId, subnetId, ipvs: true };
  expect(await recordOf(nested.clusterId)).toMatchObject({ ...basic, clusterDeletionProtection: true, clusterNetworkSettings });
  const clusterCidrSettings = { clusterCidr: "172.17.0.0/16" };
  const twice = { vpcId, subnetId, clusterCidrSettings, clusterBasicSettings: { vpcId, subnetId } };
  const { clusterId } = await call(createCluster, twice);
  expect(await recordOf(clusterId)).toMatchObject({ clusterNetworkSettings: { vpcId, subnetId } });
  const different = { ...twice, clusterBasicSettings: { subnetId: "subnet-00000000" } };
  expect(await codeOf(call(createCluster, different))).toBe("InvalidParameter");
});

test("a new cluster's VPC and subnet are checked", async () => {
  const { call, vpcId, subnetId } = await stage();
  const create = ({ clusterCidr = "172.16.0.0/16", ...place }: { vpcId?: string; subnetId?: string; clusterCidr?: string }) =>
    call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, ...place });
  expect(await codeOf(create({ vpcId: "vpc-00000000" }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ subnetId: "subnet-00000000" }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ clusterCidr: "10.0.128.0/20" }))).toBe("InvalidParameter.CidrConflictWithVpcCidr");
  expect(await codeOf(create({ clusterCidr: "172.16.0.1/16" }))).toBe("InvalidParameter.CidrInvalid");
  await create({});
  expect(await codeOf(create({ clusterCidr: "172.16.128.0/20" }))).toBe("InvalidParameter.CidrConflictWithOtherCluster");
  expect(await codeOf(call(createCluster, { vpcId, subnetId }))).toBe("MissingParameter");
});

test("VPC-CNI needs subnets for pods, and dual stack needs subnets with IPv6 ranges", async () => {
  const { call, subnetId, subnet, assignIpv6, recordOf, ...at } = await stage();
  const pods = await subnet(1);
  const create = (eniSubnetIds: string[] | undefined, isDualStack: boolean, networkType: "GR" | "VPC-CNI" = "VPC-CNI") =>
    at.create(undefined, { clusterCidrSettings: { eniSubnetIds }, clusterAdvancedSettings: { networkType, isDualStack } });
  expect(await codeOf(create(undefined, false))).toBe("MissingParameter");
  expect(await codeOf(create(["subnet-00000000"], false))).toBe("ResourceNotFound");
  expect(await codeOf(create([pods], true, "GR"))).toBe("InvalidParameter");
  await expect(create([pods], true)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("/64") });
  await assignIpv6(subnetId, pods);
  const clusterId = await create([pods], true);
  expect((await recordOf(clusterId))?.clusterNetworkSettings).toMatchObject({ isDualStack: true, subnets: [pods], clusterCidr: "" });
  expect((await call(describeIpamd, { clusterId })).subnetIds).toEqual([pods]);
});

test("settings that the platform does not offer are refused", async () => {
  const at = await stage();
  const create = (clusterBasicSettings: object) => at.create(undefined, { clusterBasicSettings });
  const refused = { code: "InvalidParameter", reason: expect.stringContaining("1.34.1") };
  await expect(create({ clusterVersion: "1.2.3" })).rejects.toMatchObject(refused);
  expect(await codeOf(create({ clusterLevel: "L6" }))).toBe("InvalidParameter");
  expect(await codeOf(create({ tagSpecification: [{ resourceType: "machine", tags: [] }] }))).toBe("InvalidParameter");
});

test("the resources of a dual-stack cluster use addresses of both families", async () => {
  const { call, vpcId, subnetId, subnet, assignIpv6, running, pool } = await stage();
  const [pods, third] = [await subnet(1), await subnet(2)];
  await assignIpv6(subnetId, pods);
  const clusterAdvancedSettings = { networkType: "VPC-CNI" as const, isDualStack: true };
  const clusterId = await running(undefined, { clusterCidrSettings: { eniSubnetIds: [pods] }, clusterAdvancedSettings });
  const refused = { code: "InvalidParameter", reason: expect.stringContaining("/64") };
  await expect(pool(clusterId, { subnetIds: [third], replicas: 1 })).rejects.toMatchObject(refused);
  await pool(clusterId, 1);
  for (const id of [subnetId, pods]) {
    const [record] = (await call(describeSubnets, { subnetIds: [id] })).subnetSet;
    const ipv6SubnetCidrBlocks = [{ subnetId: id, ipv6SubnetCidrBlock: record?.ipv6SubnetCidrBlock ?? "" }];
    const unassign = call(unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
    expect(await codeOf(unassign)).toBe("ResourceInUse");
  }
});

test("with the instant time scale, creations and deletions take no time", async () => {
  const { call, create, pool, drop, stateOf, nodesOf, recordOf, subnetId } = await stage({ timeScale: "instant" });
  const clusterId = await create();
  expect(await stateOf(clusterId)).toBe("Running");
  await pool(clusterId, 2);
  expect((await nodesOf(clusterId)).map(({ instanceState }) => instanceState)).toEqual(["running", "running"]);
  await drop(clusterId);
  expect(await recordOf(clusterId)).toBeUndefined();
  await call(deleteSubnet, { subnetId });
});

test("the same seed and calls give the same ids", async () => {
  const ids = async () => {
    const { withNodes, nodesOf } = await stage({ seed: "same" });
    const { clusterId, nodePoolId } = await withNodes(2);
    return [clusterId, nodePoolId, ...(await nodesOf(clusterId)).map(({ instanceId }) => instanceId)];
  };
  expect(await ids()).toEqual(await ids());
});
