import { type Cloud, listed } from "@container-platform/sdk";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../../../definition/definition.ts";
import { referenceIn } from "../../../program/graph.ts";
import type { Invariant, Node } from "../../../definition/invariants.ts";
import { called } from "../../../program/messages.ts";
import { native } from "./native.ts";
import { desiredNodes } from "./scaling.ts";

/** Whether a cluster has a running node, as its endpoints need one. */
export async function nodeIn(cloud: Cloud, clusterId: string): Promise<"running" | "coming" | undefined> {
  const nodes = await nodesOf(cloud, clusterId);
  if (nodes.some(({ instanceState }) => instanceState === "running")) return "running";
  if (nodes.some(({ instanceState }) => instanceState === "initializing")) return "coming";
  const pools = await nodePoolsOf(cloud, clusterId);
  return pools.some(({ lifeState }) => lifeState === "Creating" || lifeState === "Updating") ? "coming" : undefined;
}

/** What to do where there is none. `nodePoolIds`: the pools that the endpoint comes after, and that have no node either. */
export function nodeless(clusterId: string, nodePoolIds: readonly string[]): string {
  const help =
    nodePoolIds.length > 0
      ? `give ${nodePoolIds.length === 1 ? "its pool" : "one of its pools"} ${listed(nodePoolIds)} at least one node`
      : "give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first";
  return `${clusterId} has no running node and none is coming; an endpoint needs one: ${help}`;
}

/** How many nodes a pool is to have. What is not known yet is none of these. */
const size = z.object({ native: z.object(native.pick({ scaling: true, replicas: true, enableAutoscaling: true }).shape) });

/** A cluster that is created together with its endpoint gets a running node from the program. */
export const clusterGetsNode: Invariant<Kind, "clusterId"> = (graph, node) => {
  const target = graph.source(node, "clusterId");
  const isCreated = (one: Node<Kind>) => one.operation === "create" || one.operation === "replace";
  if (!isCreated(node) || !target || !isCreated(target) || target.inputs["existingInstances"] !== undefined) return undefined;
  const hasNodes = graph.ofType("NodePool").some((pool) => {
    const { success, data } = size.safeParse(pool.inputs);
    const isInCluster = [undefined, target.urn, target.id].includes(referenceIn(pool, "clusterId"));
    return isInCluster && (!success || desiredNodes(data.native) > 0);
  });
  if (hasNodes) return undefined;
  const remedy = "Add a NodePool with at least one node to the cluster, and name it in nodePoolIds, so that it is created first";
  return {
    code: "UnmetRequirement",
    message: `cannot create ${called(node)}: it needs a running node, and the new ${called(target)} gets none. ${remedy}`,
  };
};
