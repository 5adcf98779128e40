import type { z } from "zod";
import { createEcmInstances } from "../../../catalogue/cluster/nodes.ts";
import { mostInstances } from "../../../rules/cluster.ts";
import { type Call, on } from "../../behaviour.ts";
import { requireRow } from "../../requests/listing.ts";
import { zonesOf } from "../../regions.ts";
import { type ClusterRow, edgeModules } from "../tables.ts";
import { endpointOf } from "../access/endpoints.ts";
import { addNode, servicesOf, useGroups } from "./machines.ts";
import { refuseMissingGroups } from "../network.ts";
import { clusterOf, endpointStateAt, requireUsable } from "../states.ts";

type Input = z.output<typeof createEcmInstances.input>;

/**
 * Edge machines as nodes. The specification does not show them; the public API says that the cluster's public endpoint has to be
 * open. There are no clusters of an edge type: every cluster of the local platform takes edge machines.
 */
export const edgeNodeBehaviours = [
  on(createEcmInstances, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    const endpoint = endpointOf(call, cluster.id, true);
    const state = endpoint ? endpointStateAt(endpoint.timeline, call.now) : "NotFound";
    if (state !== "Created")
      throw call.error(
        "ResourceUnavailable",
        `the public endpoint of cluster ${cluster.id} is ${state}; edge machines need one that is Created`,
      );
    requireRow(call, edgeModules, "edge module", input.moduleId);
    refuseMissingGroups(call, input.securityGroupIds ?? []);
    const { zoneInstanceCountIspSet: asked } = input;
    if (asked.length === 0) throw call.error("InvalidParameter", "ZoneInstanceCountISPSet is empty; it takes at least one entry");
    const count = asked.reduce((sum, { instanceCount }) => sum + instanceCount, 0);
    if (count > mostInstances)
      throw call.error("LimitExceeded", `ZoneInstanceCountISPSet asks for ${count} machines; a call makes ${mostInstances} at most`);
    const ecmIdSet = asked.flatMap(({ zone, instanceCount }) => {
      refuseZone(call, zone);
      return Array.from({ length: instanceCount }, () => makeNode(call, cluster, zone, input));
    });
    return { ecmIdSet };
  }),
];

function refuseZone(call: Call<"InvalidZone.ZoneNotAvailable">, zone: string): void {
  const usable = zonesOf(call.region).flatMap((place) => (place.available ? [place.zone] : []));
  if (!usable.includes(zone))
    throw call.error("InvalidZone.ZoneNotAvailable", `zone ${zone} does not exist or is not available; take ${usable.join(", ")}`);
}

/** Makes an edge node. It takes no address of the VPC, but uses security groups. */
function makeNode(call: Call, { id: clusterId, vpcId }: ClusterRow, zone: string, { enhancedService, securityGroupIds }: Input): string {
  const id = call.world.newId("ein");
  const node = addNode(
    call,
    { id, clusterId, machine: "edge", vpcId, zone, settings: {}, services: servicesOf(enhancedService) },
    call.now,
  );
  useGroups(call, node, securityGroupIds);
  return id;
}
