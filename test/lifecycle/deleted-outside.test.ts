import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isNeeded } from "../support/needed-calls.ts";
import { callsOf } from "../support/world-content.ts";
import { Stage } from "../provider/stage/stage.ts";
import { flagship } from "./flagship.ts";
import { called } from "./program.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

/** What is deleted outside of Pulumi is made again by a refresh and an `up`, and nothing else is. */

const program = flagship();
const names = program.map(called);
const stage = Stage.here();
afterAll(() => stage[Symbol.asyncDispose]());
const engine = new SimulatedEngine(stage.host);
const { cloud } = stage;

beforeAll(async () => {
  await engine.up(program);
  await stage.host.restart("SIGINT");
});

/** Refreshes and deploys the program, each with a provider of its own, and tells what was done. */
async function again(): Promise<readonly string[]> {
  await engine.refresh();
  await stage.host.restart("SIGINT");
  const operations = await engine.up(program);
  await stage.host.restart("SIGINT");
  expect(await engine.up(program)).toEqual([]);
  return operations;
}

const creationsOf = (all: readonly string[]) => all.map((name) => `create ${name}`);
const clusterId = () => engine.state.find((entry) => called(entry) === "Cluster platform")?.id ?? "";

test("the flagship is made with few calls, none of which is refused", () => {
  const made = callsOf(stage.world);
  expect(made.filter(({ code }) => code !== "")).toEqual([]);
  const needed = made.filter(isNeeded);
  expect(needed.length, needed.map(({ action }) => action).join(", ")).toBeLessThanOrEqual(95);
});

test("an endpoint and a node pool are made again, and nothing else", async () => {
  const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId: clusterId() });
  await cloud.call(cluster.deleteClusterEndpoint, { clusterId: clusterId(), isExtranet: true });
  await cloud.call(cluster.deleteNodePool, { clusterId: clusterId(), nodePoolId: nodePools[0]?.nodePoolId ?? "" });
  expect(await again()).toEqual(creationsOf(["NodePool workers", "ClusterEndpoint public"]));
});

test("the cluster is made again, with all that is in it", async () => {
  await cloud.call(cluster.deleteCluster, { clusterId: clusterId(), instanceDeleteMode: "terminate" });
  expect(await again()).toEqual(creationsOf(names.filter((name) => /^(Cluster|NodePool|UserPermission)/.test(name))));
});

/** Deletes everything outside of Pulumi. */
async function deleteAll(): Promise<void> {
  await cloud.call(cluster.deleteCluster, { clusterId: clusterId(), instanceDeleteMode: "terminate" });
  for (const { registryId } of (await cloud.call(registry.describeInstances, {})).registries)
    await cloud.call(registry.deleteInstance, { registryId, deleteBucket: true });
  for (const { subnetId } of (await cloud.call(vpc.describeSubnets, {})).subnetSet) await cloud.call(vpc.deleteSubnet, { subnetId });
  for (const { routeTableId, main } of (await cloud.call(vpc.describeRouteTables, {})).routeTableSet)
    if (!main) await cloud.call(vpc.deleteRouteTable, { routeTableId });
  for (const { natGatewayId } of (await cloud.call(vpc.describeNatGateways, {})).natGatewaySet)
    await cloud.call(vpc.deleteNatGateway, { natGatewayId });
  for (const { addressId } of (await cloud.call(vpc.describeAddresses, {})).addressSet)
    await cloud.call(vpc.releaseAddresses, { addressIds: [addressId] });
  for (const { vpcId } of (await cloud.call(vpc.describeVpcs, {})).vpcSet) {
    await cloud.call(vpc.unassignIpv6CidrBlock, { vpcId });
    await cloud.call(vpc.deleteVpc, { vpcId });
  }
  for (const { securityGroupId } of (await cloud.call(vpc.describeSecurityGroups, {})).securityGroupSet)
    await cloud.call(vpc.deleteSecurityGroup, { securityGroupId });
  expect(await stage.contents()).toEqual({});
}

test("everything is made again, once", async () => {
  const before = await stage.contents();
  await deleteAll();
  expect(await again()).toEqual(creationsOf(names));
  const { vpcs, subnets, clusters, nodePools, nodes, clusterEndpoints, registries, namespaces, permissions } = await stage.contents();
  const after = { vpcs, subnets, clusters, nodePools, nodes, clusterEndpoints, registries, namespaces, permissions };
  expect(before).toMatchObject(after);
});

test("destroy succeeds when everything is gone", async () => {
  await deleteAll();
  await engine.destroy();
  expect([engine.state, await stage.contents()]).toEqual([[], {}]);
});
