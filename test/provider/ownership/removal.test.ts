import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import { afterEach, expect, test } from "vitest";
import { deleteOrphan } from "../../../provider/src/import/orphans.ts";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import { makeNetwork } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The command that deletes orphans is interrupted. */

const stage = await sharedStage();
afterEach(() => stage.world.setTimeScale("instant"));

const { vpcId, subnetId } = await makeNetwork(stage);

test("an interrupted deletion of an orphan names the command that continues it: no `up` does", async () => {
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
  await expect(deleteOrphan(context, { kind, id, create: undefined })).rejects.toThrow(
    "interrupted: Deleting. `npx container-platform-import --orphans --delete` continues",
  );
  world.advance(60 * 60_000);
  expect(await clusterFinder.find(cloud, id)).toBeUndefined();
});
