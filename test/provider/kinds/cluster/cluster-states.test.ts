import { serve } from "@container-platform/sdk/server";
import { Cloud, connect, type Reply } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder, wholeClusters } from "@container-platform/sdk/finders/cluster";
import { accessKeyOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { Cluster } from "../../../../provider/src/resources/cluster/cluster.ts";
import { makeCluster, makeNetwork } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";
import { ToldOtherwise } from "../../stage/told-otherwise.ts";

/** A platform's list of clusters may tell less than the specification's, and other states. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, subnetIds);

function listing(state: string) {
  return { DescribeClusters: (body: Reply["body"]) => replaced(body, "ClusterState", state) };
}

/** A body in which every field of a name has another value. */
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
