import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import { expect, test } from "vitest";
import type { AnyStep, Kind } from "../../../provider/src/definition/definition.ts";
import { Reconciliation } from "../../../provider/src/lifecycle/reconcile.ts";
import { ownerKey, separatingOwnershipTags } from "../../../provider/src/ownership/tags.ts";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import { makeCluster, makeNetwork } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { region } from "../stage/stage.ts";

/** What is written as a whole keeps what others have written just before, also where a look that is a moment old would do otherwise. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, subnetIds);

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
  const kind = withAfter(separatingOwnershipTags((await kinds.Cluster()).kind), "clusterName", async () => {
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
