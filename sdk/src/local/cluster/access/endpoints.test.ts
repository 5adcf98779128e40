import { expect, test } from "vitest";
import type { z } from "zod";
import * as cluster from "../../../catalogue/cluster.ts";
import { deleteSecurityGroup, describeSubnets } from "../../../catalogue/vpc.ts";
import { type Stage, codeOf, nodesStage, openStage, stage } from "../stage.fixture.ts";

const statusOf = ({ call }: Stage, clusterId: string, isExtranet: boolean) =>
  call(cluster.describeClusterEndpointStatus, { clusterId, isExtranet });

test("an internal endpoint takes an address of its subnet, and releases it", async () => {
  const { clusterId, ...at } = await nodesStage();
  const subnetId = await at.subnet(7);
  const free = async () => (await at.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  await at.call(cluster.createClusterEndpoint, { clusterId, isExtranet: false, subnetId, domain: "api.example.org" });
  at.world.advance(1500);
  expect(await at.call(cluster.describeClusterEndpoints, { clusterId })).toMatchObject({
    clusterIntranetEndpoint: "10.0.7.2",
    clusterIntranetSubnetId: subnetId,
    clusterIntranetDomain: "api.example.org",
    clusterExternalEndpoint: "",
  });
  expect(await free()).toBe(252);
  await at.call(cluster.deleteClusterEndpoint, { clusterId });
  await at.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: false });
  expect((await statusOf(at, clusterId, false)).status).toBe("Deleting");
  at.world.advance(800);
  expect((await statusOf(at, clusterId, false)).status).toBe("NotFound");
  expect(await free()).toBe(252);
  at.world.advance(300);
  expect(await free()).toBe(253);
  expect(await codeOf(at.call(cluster.deleteClusterEndpoint, { clusterId }))).toBe("ResourceNotFound");
});

test("an endpoint needs a running node", async () => {
  const at = await stage();
  const securityGroup = await at.group();
  const clusterId = await at.create();
  const create = () => at.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  await expect(create()).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  at.world.advance(3000);
  await expect(create()).rejects.toMatchObject({ code: "InternalError.EmptyClusterNotSupport", kind: "failed" });
  await at.pool(clusterId, 1);
  expect(await codeOf(create())).toBe("InternalError.EmptyClusterNotSupport");
  at.world.advance(2500);
  await create();
});

test("each direction takes its own parameters", async () => {
  const { clusterId, ...at } = await nodesStage();
  const { subnetId } = at;
  const securityGroup = await at.group();
  const create = (input: Omit<z.input<typeof cluster.createClusterEndpoint.input>, "clusterId">) =>
    at.call(cluster.createClusterEndpoint, { clusterId, ...input });
  const missing = (reason: string) => ({ code: "MissingParameter", reason });
  await expect(create({ isExtranet: true })).rejects.toMatchObject(missing("SecurityGroup is required with IsExtranet true"));
  const noSubnet = missing("SubnetId is required with IsExtranet false: a subnet of the cluster's VPC");
  await expect(create({ isExtranet: false })).rejects.toMatchObject(noSubnet);
  expect(await codeOf(create({ isExtranet: true, securityGroup, subnetId }))).toBe("InvalidParameter");
  expect(await codeOf(create({ isExtranet: true, securityGroup: "sg-00000000" }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ isExtranet: false, subnetId: "subnet-00000000" }))).toBe("ResourceNotFound");
  expect(await codeOf(create({ isExtranet: true, securityGroup, extensiveParameters: "{" }))).toBe("InvalidParameter.Param");
  expect(await codeOf(create({ isExtranet: true, securityGroup, existedLoadBalancerId: "lb-1" }))).toBe("ResourceNotFound");
});

test("the ACL and security group of the public endpoint can be changed", async () => {
  const { clusterId, securityGroup, ...at } = await openStage();
  const other = await at.group();
  const modify = (input: { securityPolicies?: string[]; securityGroup?: string }) =>
    at.call(cluster.modifyClusterEndpointSp, { clusterId, ...input });
  const clusterExternalAcl = ["198.51.100.7/32", "2001:db8::/64", "198.51.100.8"];
  await modify({ securityPolicies: clusterExternalAcl });
  await modify({ securityGroup: other });
  const changed = { clusterExternalAcl, securityGroup: other };
  expect(await at.call(cluster.describeClusterEndpoints, { clusterId })).toMatchObject(changed);
  expect(await codeOf(at.call(deleteSecurityGroup, { securityGroupId: other }))).toBe("ResourceInUse");
  at.world.advance(300);
  await at.call(deleteSecurityGroup, { securityGroupId: securityGroup });
  await modify({ securityPolicies: [] });
  expect((await at.call(cluster.describeClusterEndpoints, { clusterId })).clusterExternalAcl).toEqual([]);
  expect(await codeOf(modify({}))).toBe("MissingParameter");
  expect(await codeOf(modify({ securityPolicies: ["everyone"] }))).toBe("InvalidParameter.Param");
  expect(await codeOf(modify({ securityGroup: "sg-00000000" }))).toBe("ResourceNotFound");
});

test("only an existing endpoint can be changed", async () => {
  const { clusterId, ...at } = await nodesStage();
  const modify = () => at.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: [] });
  expect(await codeOf(modify())).toBe("ResourceNotFound");
  await at.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: await at.group() });
  await expect(modify()).rejects.toMatchObject({ code: "ResourceUnavailable", kind: "transient" });
});

test("access data are available at once, and have no password", async () => {
  const { clusterId, ...at } = await openStage();
  const security = await at.call(cluster.describeClusterSecurity, { clusterId });
  expect(security).toMatchObject({ userName: "100000000001", password: "", pgwEndpoint: "" });
  expect(security.kubeconfig).toMatch(/^apiVersion: v1\n/);
});

test("endpoints are deleted with their cluster", async () => {
  const { clusterId, ...at } = await openStage();
  await at.drop(clusterId);
  expect((await statusOf(at, clusterId, true)).status).toBe("Deleting");
  at.world.advance(1500);
  expect(await codeOf(statusOf(at, clusterId, true))).toBe("ResourceNotFound");
});
