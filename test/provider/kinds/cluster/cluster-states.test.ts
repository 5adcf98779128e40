import { Cloud, connect, type Reply } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder, wholeClusters } from "@container-platform/sdk/finders/cluster";
import { accessKeyOf } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { expect, test } from "vitest";
import type { AnyStep, Kind } from "../../../../provider/src/definition/definition.ts";
import { Reconciliation } from "../../../../provider/src/lifecycle/reconcile.ts";
import { ownerKey, separatingOwnershipTags } from "../../../../provider/src/ownership/tags.ts";
import { Cluster } from "../../../../provider/src/resources/cluster/cluster.ts";
import { makeCluster, makeNetwork } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";
import { ToldOtherwise } from "../../stage/told-otherwise.ts";

/** Clusters that the platform or somebody else tells or changes otherwise: states, missing fields, and tags that are written as a whole. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, subnetIds);

function listing(state: string) {
  return { DescribeClusters: (body: Reply["body"]) => replaced(body, "ClusterState", state) };
}

function replaced(body: Reply["body"], field: string, value: string): Reply["body"] {
  return JSON.parse(JSON.stringify(body, (key, inner: unknown) => (key === field ? value : inner))) as Reply["body"];
}

test("a state that only a list of clusters has is looked up where states are told", async () => {
  const told = ToldOtherwise.by(stage.world, listing("Idling"));
  expect((await clusterFinder.find(told, clusterId))?.clusterState).toBe("Running");
});

test("a failed cluster is told by the list alone", async () => {
  const told = ToldOtherwise.by(stage.world, listing("Abnormal"));
  expect(await stage.calls(() => clusterFinder.find(told, clusterId))).toMatchObject([{ action: "DescribeClusters" }]);
  expect((await clusterFinder.find(told, clusterId))?.clusterState).toBe("Abnormal");
});

test("a state that nobody knows stays as it is told", async () => {
  const strange = (body: Reply["body"]) => replaced(body, "ClusterState", "Recovering");
  const told = ToldOtherwise.by(stage.world, { DescribeClusters: strange, DescribeClusterStatus: strange });
  expect((await clusterFinder.find(told, clusterId))?.clusterState).toBe("Recovering");
});

test("a subnet that the platform does not tell stays the one that is known", async () => {
  const told = ToldOtherwise.by(stage.world, { DescribeClusters: (body) => replaced(body, "SubnetId", "") });
  const [subnetId] = subnetIds;
  expect(await Cluster.kind.read(told, { clusterId, subnetId })).toMatchObject({ subnetId });
});

test("in the form of the public API, a cluster is told as completely as in the specification's", async () => {
  const { clusters } = await stage.cloud.call(cluster.describeClusters, { clusterIds: [clusterId] });
  const server = await serve(stage.world);
  const transport = await connect(`public:${server.url}`, { credentials: accessKeyOf(stage.world) });
  try {
    const cloud = new Cloud({ transport, region });
    const { clusters: listed } = await cloud.call(cluster.describeClusters, { clusterIds: [clusterId] });
    expect(listed).not.toEqual(clusters);
    expect(await wholeClusters(cloud, listed)).toEqual(clusters);
  } finally {
    await transport.close();
    await server.close();
  }
});

const nothing = () => undefined;

/** The kind, of which something else happens right after a step of this input. */
function withAfter(kind: Kind, input: string, happens: () => Promise<unknown>): Kind {
  const step = kind.changes[input];
  if (typeof step !== "function") throw new Error(`${input} has no step`);
  const followed: AnyStep = async (...args) => {
    await step(...args);
    await happens();
  };
  return { ...kind, changes: { ...kind.changes, [input]: followed } };
}

async function tagsOf(): Promise<Record<string, string>> {
  const { clusters } = await stage.cloud.call(cluster.describeClusters, { clusterIds: [clusterId] });
  const tags = clusters.flatMap(({ tagSpecification }) => tagSpecification.flatMap((one) => one.tags));
  return Object.fromEntries(tags.map(({ key, value }) => [key, value]));
}

test("tags that are set all at once keep the owner that another stack has written since a step of the same update", async () => {
  const tag = (owner: string) =>
    stage.cloudIn(region).call(cluster.modifyClusterTags, { clusterId, tags: [{ key: ownerKey, value: owner }] });
  await tag("ours");
  const { cloud } = stage;
  const kind = withAfter(separatingOwnershipTags(Cluster.kind), "clusterName", async () => {
    // Another resource of the run looks at the cluster, and then another stack imports it.
    await clusterFinder.find(cloud, clusterId);
    await tag("theirs");
  });
  const live = await kind.read(cloud, { clusterId });
  const props = { ...live, clusterName: "after", tags: { team: "a" }, ownershipTags: undefined };
  const context = { cloud, signal: new AbortController().signal, show: nothing, note: nothing, warn: nothing };
  await new Reconciliation({ ...context, kind, urn: "", props }, clusterId, { ...live, clusterId }, {}).settle();
  expect(await tagsOf()).toEqual({ [ownerKey]: "theirs", team: "a" });
});
