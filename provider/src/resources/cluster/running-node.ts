import { type Cloud, listed } from "@container-platform/sdk";
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

/** What to do where there is none. `nodePoolIds`: the pools that the endpoint comes after, and that have no node either. */
export function nodeless(clusterId: string, nodePoolIds: readonly string[]): string {
  const help =
    nodePoolIds.length > 0
      ? `give ${nodePoolIds.length === 1 ? "its pool" : "one of its pools"} ${listed(nodePoolIds)} at least one node`
      : "give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first";
  return `${clusterId} has no running node and none is coming; an endpoint needs one: ${help}`;
}
