import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNeeded } from "../../support/needed-calls.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { type Recorded, Stack } from "../../support/stack.ts";

/** Everything that the example declares. */
const whole = {
  "Vpc platform": ["create"],
  "Ipv6Block platform": ["create"],
  "Subnet nodes-1": ["create"],
  "Subnet nodes-2": ["create"],
  "Subnet nodes-3": ["create"],
  "SecurityGroup platform": ["create"],
  "Cluster platform": ["create"],
  "NodePool workers": ["create"],
  "ClusterEndpoint public": ["create"],
  "ClusterEndpoint internal": ["create"],
  "RegistryInstance platform": ["create"],
  "Namespace team": ["create"],
  "Token pull": ["create"],
  "UserPermission developer-100000000002": ["create"],
  "UserPermission auditor-100000000003": ["create"],
};

function placesOf(calls: readonly Recorded[], action: string): number[] {
  return calls.flatMap((call, place) => (call.action === action ? [place] : []));
}

test("the example is deployed, left unchanged, and destroyed, in the documented order", async () => {
  await using stack = await Stack.ofExample("platform", { pace: "fast", programs: "language-host", unhurried: true });
  const made = await stack.up();
  expect(operationsOf(made)).toEqual(whole);
  expect(made.output).not.toContain("warning");

  const creation = stack.calls();
  const assigned = placesOf(creation, "AssignIpv6SubnetCidrBlock");
  expect(assigned).toHaveLength(3);
  expect(Math.max(...assigned)).toBeLessThan(Math.min(...placesOf(creation, "CreateCluster")));
  expect(creation.filter(({ code }) => code !== "")).toEqual([]);

  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});

  const before = stack.calls().length;
  await stack.destroy();
  const deletion = stack.calls().slice(before);
  const [firstSubnet = -1] = placesOf(deletion, "DeleteSubnet");
  const [clusterAsked = -1] = placesOf(deletion, "DeleteCluster");
  const [vpcAsked = -1] = placesOf(deletion, "DeleteVpc");
  expect(clusterAsked).toBeGreaterThanOrEqual(0);
  // The provider read it until it was no longer listed. At this time scale a deletion takes 1.5 seconds.
  const looks = placesOf(deletion, "DescribeClusters");
  expect(looks.length).toBeGreaterThan(0);
  expect(Math.max(...looks)).toBeLessThan(firstSubnet);
  expect(timeOf(deletion, firstSubnet) - timeOf(deletion, clusterAsked)).toBeGreaterThanOrEqual(1500);
  const unassigned = deletion.flatMap(({ action }, place) => (action.startsWith("UnassignIpv6") ? [place] : []));
  expect(unassigned.length).toBeGreaterThan(0);
  expect(Math.max(...unassigned, ...placesOf(deletion, "DeleteSubnet"))).toBeLessThan(vpcAsked);
  // The addresses of nodes are released a moment after the nodes are gone. Until then the deletion of a subnet is tried again.
  expect(deletion.flatMap(({ action, code }) => (action === "DeleteSubnet" && code === "" ? [action] : []))).toHaveLength(3);
  expect(deletion.filter(({ action, code }) => code !== "" && !(action === "DeleteSubnet" && code === "ResourceInUse"))).toEqual([]);

  expect(stack.leftovers()).toEqual({});
  expect(await stack.resources()).toEqual([]);
});

function timeOf(calls: readonly Recorded[], place: number): number {
  return calls[place]?.time ?? NaN;
}

describe("what was deleted outside of Pulumi", () => {
  let stack: Stack;
  let made: readonly Recorded[];
  beforeAll(async () => {
    stack = await Stack.ofExample("platform");
    await stack.up("--parallel", "1");
    made = stack.calls();
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  test("it was made with few calls, none of which was refused", () => {
    expect(made.filter(({ code }) => code !== "")).toEqual([]);
    const needed = made.filter(isNeeded);
    // One of them looks whose token it is that a creation has named, before its description is written: tokens have no tags.
    expect(needed.length, needed.map(({ action }) => action).join(", ")).toBeLessThanOrEqual(78);
  });

  async function clusterId(): Promise<string> {
    return (await stack.resource("Cluster platform")).id ?? "";
  }

  test("an endpoint and a node pool are made again, and nothing else", async () => {
    const cloud = stack.cloud();
    const [, nodePoolId = ""] = (await stack.resource("NodePool workers")).id?.split("/") ?? [];
    await cloud.call(cluster.deleteClusterEndpoint, { clusterId: await clusterId(), isExtranet: true });
    await cloud.call(cluster.deleteNodePool, { clusterId: await clusterId(), nodePoolId });
    expect(operationsOf(await stack.up("--refresh"))).toEqual({ "ClusterEndpoint public": ["create"], "NodePool workers": ["create"] });
  });

  test("the cluster is made again, with all that is in it", async () => {
    await stack.cloud().call(cluster.deleteCluster, { clusterId: await clusterId(), instanceDeleteMode: "terminate" });
    expect(operationsOf(await stack.up("--refresh"))).toEqual({
      "Cluster platform": ["create"],
      "NodePool workers": ["create"],
      "ClusterEndpoint public": ["create"],
      "ClusterEndpoint internal": ["create"],
      "UserPermission developer-100000000002": ["create"],
      "UserPermission auditor-100000000003": ["create"],
    });
  });

  /** Deletes everything outside of Pulumi. */
  async function deleteAll(): Promise<void> {
    const cloud = stack.cloud();
    await cloud.call(cluster.deleteCluster, { clusterId: await clusterId(), instanceDeleteMode: "terminate" });
    for (const { registryId } of (await cloud.call(registry.describeInstances, {})).registries)
      await cloud.call(registry.deleteInstance, { registryId, deleteBucket: true });
    for (const { subnetId } of (await cloud.call(vpc.describeSubnets, {})).subnetSet) await cloud.call(vpc.deleteSubnet, { subnetId });
    for (const { vpcId } of (await cloud.call(vpc.describeVpcs, {})).vpcSet) {
      await cloud.call(vpc.unassignIpv6CidrBlock, { vpcId });
      await cloud.call(vpc.deleteVpc, { vpcId });
    }
    for (const { securityGroupId } of (await cloud.call(vpc.describeSecurityGroups, {})).securityGroupSet)
      await cloud.call(vpc.deleteSecurityGroup, { securityGroupId });
    expect(stack.leftovers()).toEqual({});
  }

  test("everything is made again, once", async () => {
    await deleteAll();
    expect(operationsOf(await stack.up("--refresh"))).toEqual(whole);
    expect(stack.leftovers()).toMatchObject({
      vpcs: 1,
      subnets: 3,
      securityGroups: 1,
      clusters: 1,
      nodePools: 1,
      nodes: 3,
      clusterEndpoints: 2,
      registries: 1,
      namespaces: 1,
      registryTokens: 1,
      permissions: 2,
    });
    expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  });

  test("destroy succeeds when everything is gone", async () => {
    await deleteAll();
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
    expect(await stack.resources()).toEqual([]);
  });
});
