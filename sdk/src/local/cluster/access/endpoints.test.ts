import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import type { z } from "zod";
import {
  createClusterEndpoint,
  deleteCluster,
  deleteClusterEndpoint,
  describeClusterEndpoints,
  describeClusterEndpointStatus,
  describeClusterSecurity,
  modifyClusterEndpointSp,
} from "../../../catalogue/cluster.ts";
import { deleteSecurityGroup, describeSubnets } from "../../../catalogue/vpc.ts";
import { contains } from "../../../formats/addresses.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

const statusOf = ({ cloud }: Stage, clusterId: string, isExtranet: boolean) =>
  cloud.call(describeClusterEndpointStatus, { clusterId, isExtranet });

async function open(at: Stage) {
  const { clusterId } = await at.withNodes(1);
  const securityGroup = await at.group();
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  at.world.advance(1500);
  return { clusterId, securityGroup };
}

test("a public endpoint is NotFound, then Creating, then Created with an address", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const securityGroup = await at.group();
  expect((await statusOf(at, clusterId, true)).status).toBe("NotFound");
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  expect((await statusOf(at, clusterId, true)).status).toBe("Creating");
  expect(await at.cloud.call(describeClusterEndpoints, { clusterId })).toMatchObject({ clusterExternalEndpoint: "", securityGroup });
  at.world.advance(1500);
  expect((await statusOf(at, clusterId, true)).status).toBe("Created");
  const endpoints = await at.cloud.call(describeClusterEndpoints, { clusterId });
  const domain = `${clusterId}.clusters.container-platform.internal`;
  expect(endpoints).toMatchObject({ domain, clusterDomain: domain, clusterIntranetEndpoint: "", securityGroup, clusterExternalAcl: [] });
  expect(contains("203.0.113.0/24", `${endpoints.clusterExternalEndpoint}/32`)).toBe(true);
  expect(new X509Certificate(endpoints.certificationAuthority).ca).toBe(true);
  expect(await at.recordOf(clusterId)).toMatchObject({ clusterExternalEndpoint: endpoints.clusterExternalEndpoint });
  const create = at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  await expect(create).rejects.toMatchObject({ code: "ResourceInUse" });
});

test("an internal endpoint takes an address of its subnet, and releases it", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const subnetId = await at.subnet(7);
  const free = async () => (await at.cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId, domain: "api.example.org" });
  at.world.advance(1500);
  expect(await at.cloud.call(describeClusterEndpoints, { clusterId })).toMatchObject({
    clusterIntranetEndpoint: "10.0.7.2",
    clusterIntranetSubnetId: subnetId,
    clusterIntranetDomain: "api.example.org",
    clusterExternalEndpoint: "",
  });
  expect(await free()).toBe(252);
  await at.cloud.call(deleteClusterEndpoint, { clusterId });
  await at.cloud.call(deleteClusterEndpoint, { clusterId, isExtranet: false });
  expect((await statusOf(at, clusterId, false)).status).toBe("Deleting");
  at.world.advance(800);
  expect((await statusOf(at, clusterId, false)).status).toBe("NotFound");
  expect(await free()).toBe(252);
  at.world.advance(300);
  expect(await free()).toBe(253);
  await expect(at.cloud.call(deleteClusterEndpoint, { clusterId })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("an endpoint that failed has the reason, and stays until it is deleted", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const securityGroup = await at.group();
  at.platform.faults.add({ thing: "clusterEndpoint", end: "CreateFailed", reason: "no load balancer left" });
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  expect((await statusOf(at, clusterId, true)).errorMsg).toBeUndefined();
  at.world.advance(1500);
  expect(await statusOf(at, clusterId, true)).toMatchObject({ status: "CreateFailed", errorMsg: "no load balancer left" });
  const again = () => at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  await expect(again()).rejects.toMatchObject({ code: "ResourceInUse" });
  await at.cloud.call(deleteClusterEndpoint, { clusterId, isExtranet: true });
  at.world.advance(800);
  await again();
  at.world.advance(1500);
  expect((await statusOf(at, clusterId, true)).status).toBe("Created");
});

test("an endpoint needs a running node", async () => {
  const at = await stage();
  const securityGroup = await at.group();
  const clusterId = await at.create();
  const create = () => at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  await expect(create()).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  at.world.advance(3000);
  await expect(create()).rejects.toMatchObject({ code: "InternalError.EmptyClusterNotSupport", kind: "failed" });
  await at.pool(clusterId, 1);
  await expect(create()).rejects.toMatchObject({ code: "InternalError.EmptyClusterNotSupport" });
  at.world.advance(2500);
  await create();
});

test("each direction takes its own parameters", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const { subnetId } = at;
  const securityGroup = await at.group();
  const create = (input: Omit<z.input<typeof createClusterEndpoint.input>, "clusterId">) =>
    at.cloud.call(createClusterEndpoint, { clusterId, ...input });
  const invalid = { code: "InvalidParameter" };
  await expect(create({ isExtranet: true })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: "SecurityGroup is required with IsExtranet true",
  });
  await expect(create({ isExtranet: true, securityGroup, subnetId })).rejects.toMatchObject(invalid);
  await expect(create({ isExtranet: false })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: "SubnetId is required with IsExtranet false: a subnet of the cluster's VPC",
  });
  await expect(create({ isExtranet: true, securityGroup: "sg-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create({ isExtranet: false, subnetId: "subnet-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(create({ isExtranet: true, securityGroup, extensiveParameters: "{" })).rejects.toMatchObject({
    code: "InvalidParameter.Param",
  });
  await expect(create({ isExtranet: true, securityGroup, existedLoadBalancerId: "lb-1" })).rejects.toMatchObject({
    code: "ResourceNotFound",
  });
  const body = { ClusterId: clusterId, SecurityGroup: securityGroup };
  const unsaid = at.platform.send({ product: "cluster", action: "CreateClusterEndpoint", version: "2018-05-25", region: at.region, body });
  await expect(unsaid).rejects.toMatchObject({ code: "MissingParameter", reason: "IsExtranet is required" });
});

test("the ACL and security group of the public endpoint can be changed", async () => {
  const at = await stage();
  const { clusterId, securityGroup } = await open(at);
  const other = await at.group();
  const modify = (input: { securityPolicies?: string[]; securityGroup?: string }) =>
    at.cloud.call(modifyClusterEndpointSp, { clusterId, ...input });
  await modify({ securityPolicies: ["198.51.100.7/32", "2001:db8::/64", "198.51.100.8"] });
  await modify({ securityGroup: other });
  expect(await at.cloud.call(describeClusterEndpoints, { clusterId })).toMatchObject({
    clusterExternalAcl: ["198.51.100.7/32", "2001:db8::/64", "198.51.100.8"],
    securityGroup: other,
  });
  await expect(at.cloud.call(deleteSecurityGroup, { securityGroupId: other })).rejects.toMatchObject({ code: "ResourceInUse" });
  at.world.advance(300);
  await at.cloud.call(deleteSecurityGroup, { securityGroupId: securityGroup });
  await modify({ securityPolicies: [] });
  expect((await at.cloud.call(describeClusterEndpoints, { clusterId })).clusterExternalAcl).toEqual([]);
  await expect(modify({})).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(modify({ securityPolicies: ["everyone"] })).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(modify({ securityGroup: "sg-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("only an existing endpoint can be changed", async () => {
  const at = await stage();
  const { clusterId } = await at.withNodes(1);
  const modify = () => at.cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: [] });
  await expect(modify()).rejects.toMatchObject({ code: "ResourceNotFound" });
  await at.cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: await at.group() });
  await expect(modify()).rejects.toMatchObject({ code: "ResourceUnavailable", kind: "transient" });
});

test("access data are available at once, and have no password", async () => {
  const at = await stage();
  const { clusterId } = await open(at);
  const security = await at.cloud.call(describeClusterSecurity, { clusterId });
  expect(security).toMatchObject({ userName: "100000000001", password: "", pgwEndpoint: "" });
  expect(security.kubeconfig).toMatch(/^apiVersion: v1\n/);
});

test("endpoints are deleted with their cluster", async () => {
  const at = await stage();
  const { clusterId } = await open(at);
  await at.cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  expect((await statusOf(at, clusterId, true)).status).toBe("Deleting");
  at.world.advance(1500);
  await expect(statusOf(at, clusterId, true)).rejects.toMatchObject({ code: "ResourceNotFound" });
});
