import type { Cloud } from "@container-platform/sdk";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";
import type { Need } from "../../definition/needs.ts";
import { same } from "../../schema/values.ts";
import { native } from "./native.ts";
import { desiredNodes } from "./scaling.ts";

/** Whether a cluster has a running node, as its endpoints need one. */
export async function nodeIn(cloud: Cloud, clusterId: string): Promise<"running" | "coming" | undefined> {
  const [nodes, pools] = await Promise.all([nodesOf(cloud, clusterId), nodePoolsOf(cloud, clusterId)]);
  if (nodes.some(({ instanceState }) => instanceState === "running")) return "running";
  const isComing =
    nodes.some(({ instanceState }) => instanceState === "initializing") ||
    pools.some(({ lifeState }) => lifeState === "Creating" || lifeState === "Updating");
  return isComing ? "coming" : undefined;
}

const lacks = (clusterId: string): string =>
  `${clusterId} has no running node and none is coming; an endpoint needs one: add a NodePool with at least one node, and name it in nodePoolIds, so that it is made first`;

export const runningNode: Need<Readonly<{ clusterId: string }>> = {
  by: "clusterId",
  in: "clusterId",
  type: "NodePool",
  within: "clusterId",
  serves: ({ native: settings }) => {
    // What is not known yet may be any number.
    const { success, data } = native.safeParse(settings);
    return !success || desiredNodes(data) > 0;
  },
  // Machines may join the cluster that are not known yet.
  isBrought: ({ existingInstances }) => existingInstances !== undefined && !same(existingInstances, []),
  isThere: async (cloud, clusterId) => (await nodeIn(cloud, clusterId)) !== undefined,
  lacks,
  reads: lacks("<cluster>"),
};
