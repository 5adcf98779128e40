import * as cluster from "@container-platform/sdk/cluster";
import { nodesOf } from "@container-platform/sdk/finders/cluster";
import { ProviderError } from "../../definition/codes.ts";
import type { Step } from "../../definition/definition.ts";

/** Upgrades a cluster and then, with `upgradeNodes`, its nodes, and waits for both. */
export const upgrade: Step<{ clusterId: string; clusterVersion?: string | undefined; upgradeNodes: boolean }, unknown> = async (
  cloud,
  { clusterId, clusterVersion, upgradeNodes },
  _live,
  wait,
) => {
  if (clusterVersion === undefined) return;
  await cloud.call(cluster.updateClusterVersion, { clusterId, dstVersion: clusterVersion });
  await wait(async () => {
    const { clusterStatusSet } = await cloud.call(cluster.describeClusterStatus, { clusterIds: [clusterId] });
    const state = clusterStatusSet[0]?.clusterState;
    return state === "Running" ? undefined : (state ?? "not listed");
  });
  const nodes = upgradeNodes ? await nodesOf(cloud, clusterId) : [];
  const instanceIds = nodes.filter(({ instanceState }) => instanceState === "running").map(({ instanceId }) => instanceId);
  if (instanceIds.length === 0) return;
  await cloud.call(cluster.upgradeClusterInstances, { clusterId, operation: "create", upgradeType: "major", instanceIds });
  await wait(async () => {
    const { total, done, lifeState, requestId } = await cloud.call(cluster.getUpgradeInstanceProgress, { clusterId });
    if (lifeState === "done") return undefined;
    if (lifeState === "timeout" || lifeState === "aborted")
      throw new ProviderError("Failed", `the upgrade of the nodes ended ${lifeState} with ${done} of ${total} done (request ${requestId})`);
    return `upgrading nodes, ${done} of ${total} done`;
  });
};
