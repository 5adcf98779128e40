import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import { afterEach, expect, test } from "vitest";
import { remove } from "../../../provider/src/recovery/left-behind/pending.ts";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import { makeNetwork } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What a killed run has left is removed by a command, which is ended before it is done. */

const stage = await sharedStage();
afterEach(() => stage.world.setTimeScale("instant"));

const { vpcId, subnetId } = await makeNetwork(stage);

test("an interrupted removal names what goes on with it: no `up` does", async () => {
  const { cloud, world } = stage;
  const { kind } = await kinds.Cluster();
  const made = await cloud.call(cluster.createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: {
      tagSpecification: [{ resourceType: "cluster", tags: [{ key: "container-platform/state", value: "pending" }] }],
    },
  });
  const id = made.clusterId;
  world.setTimeScale("realistic");
  const ending = new AbortController();
  const context = {
    cloud,
    signal: ending.signal,
    show: (message: string) => {
      if (message.startsWith("Deleting")) ending.abort();
    },
    note: () => undefined,
    warn: () => undefined,
  };
  await expect(remove(context, { kind, id, owner: undefined }, undefined)).rejects.toThrow(
    "interrupted: Deleting. `npx container-platform-import --orphans --delete`, or the next run that deletes something, goes on from here",
  );
  world.advance(60 * 60_000);
  expect(await clusterFinder.find(cloud, id)).toBeUndefined();
});
