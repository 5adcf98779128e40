import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeInstance, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** An endpoint needs a running node. A new cluster has those of its program alone: a preview without any warns when it ends. */

const stage = await sharedStage();
const { saidAtEnd, nextRun } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const subnetId = await makeSubnet(stage, vpcId, "10.0.0.0/20");
const machine = await makeInstance(stage, vpcId, subnetId);

const asked = { vpcId, subnetId, networkType: "GR", clusterCidr: "172.16.0.0/16" };
const inCluster = { __of: { clusterId: urnOf("Cluster", "platform") } };
const endpoint = stage.deployment("ClusterEndpoint", "access", inCluster);
const pool = (name = "workers", options: Props = inCluster) => stage.deployment("NodePool", name, options);
const access = { clusterId: unknown, isExtranet: false, subnetId };
/** The previews of a new cluster and its endpoint. */
const both = async (args: Props = asked) => [await stage.deployment("Cluster", "platform").preview(args), await endpoint.preview(access)];
const workers = (native: Props) => ({ clusterId: unknown, native: { ...oneNode(subnetId), ...native } });

/** What is said at the end of a preview. */
async function said(preview: () => Promise<unknown>): Promise<readonly string[]> {
  await nextRun();
  await preview();
  return saidAtEnd();
}

const warning =
  'cannot create ClusterEndpoint "access": it needs a running node, and the new Cluster "platform" gets none. Add a NodePool with at least one node to the cluster, and name it in nodePoolIds, so that it is created first';

test("a new cluster without a pool, or with an empty one", async () => {
  expect(await said(both)).toEqual([warning]);
  expect(await said(async () => [await both(), await pool().preview(workers({ replicas: 0 }))])).toEqual([warning]);
  const scaling = { minReplicas: 0, maxReplicas: 3 };
  expect(await said(async () => [await both(), await pool().preview(workers({ replicas: undefined, scaling }))])).toEqual([warning]);
});

test("nothing is said where nodes come, or may come", async () => {
  expect(await said(async () => [await both(), await pool().preview(workers({}))])).toEqual([]);
  expect(await said(async () => [await both(), await pool().preview(workers({ replicas: unknown }))])).toEqual([]);
  // Of which cluster it is, is not known.
  expect(await said(async () => [await both(), await pool("loose", {}).preview(workers({}))])).toEqual([]);
  expect(await said(() => both({ ...asked, existingInstances: [{ instanceIds: [machine] }] }))).toEqual([]);
  expect(await said(() => stage.deployment("Cluster", "platform").preview(asked))).toEqual([]);
});

test("a cluster that is there may have nodes of others; one that is made anew has none of them", async () => {
  await using cluster = await stage.deployed("Cluster", asked, "platform");
  const there = async () => [await cluster.preview(asked), await endpoint.preview({ ...access, clusterId: cluster.id })];
  expect(await said(there)).toEqual([]);
  const anew = { ...asked, clusterCidr: "172.17.0.0/16" };
  expect(await said(async () => [await cluster.preview(anew), await endpoint.preview(access)])).toEqual([warning]);
});
