import { expect, test } from "vitest";
import { nodesStage, stage } from "../local/cluster/stage.fixture.ts";
import { clustersTagged, everyCluster, taskError } from "./cluster.ts";

test("the error of a task is that of the resource that is asked about", async () => {
  const at = await nodesStage();
  for (const [index, reason] of ["no capacity", "no quota"].entries())
    at.platform.faults.add({ resourceType: "nodePool", nth: index + 1, endState: "Abnormal", reason });
  const pools = [await at.pool(at.clusterId, 1), await at.pool(at.clusterId, 1)];
  at.world.advance(5000);
  const errors = pools.map((id) => taskError(at.cloud, at.clusterId, "create_node_pool", id));
  expect(await Promise.all(errors)).toEqual(["no capacity", "no quota"]);
  expect(await taskError(at.cloud, at.clusterId, "create_cluster")).toBeUndefined();
});

test("clusters with a tag have its key and its value, whether all clusters were just listed or not", async () => {
  const { cloud, running } = await stage();
  const tagged = (value: string) => ({
    clusterBasicSettings: { tagSpecification: [{ resourceType: "cluster", tags: [{ key: "team", value }] }] },
  });
  const shop = await running("172.16.0.0/16", tagged("shop"));
  await running("172.17.0.0/16", tagged("web"));
  const tolerant = cloud.tolerating(60_000);
  const found = async () => (await clustersTagged(tolerant, { key: "team", value: "shop" })).map(({ clusterId }) => clusterId);
  expect(await found()).toEqual([shop]);
  expect(await everyCluster(tolerant)).toHaveLength(2);
  expect(await found()).toEqual([shop]);
});
