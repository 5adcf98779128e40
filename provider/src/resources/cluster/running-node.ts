import type { Cloud } from "@container-platform/sdk";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";

/** Whether a cluster has a running node, as its endpoints need one. */
export async function nodeIn(cloud: Cloud, clusterId: string): Promise<"running" | "coming" | undefined> {
  const [nodes, pools] = await Promise.all([nodesOf(cloud, clusterId), nodePoolsOf(cloud, clusterId)]);
  if (nodes.some(({ instanceState }) => instanceState === "running")) return "running";
  const isComing =
    nodes.some(({ instanceState }) => instanceState === "initializing") ||
    pools.some(({ lifeState }) => lifeState === "Creating" || lifeState === "Updating");
  return isComing ? "coming" : undefined;
}

export function nodeless(clusterId: string): string {
  return `${clusterId} has no running node and none is coming; an endpoint needs one: give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first`;
}
