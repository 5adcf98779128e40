import type { Call } from "../local/behaviour.ts";
import { clusterStateOf, endpointStateAt, nodeStateOf, poolStateOf, versionOf } from "../local/cluster/states.ts";
import { clusterEndpoints, clusters, type ClusterRow, nodePools, nodes, type NodeRow } from "../local/cluster/tables.ts";
import { reasonAt } from "../local/store/timeline.ts";
import { subnets, vpcs } from "../local/vpc/tables.ts";
import { readinessOf } from "../status/readiness.ts";
import type { Room } from "./room.ts";
import type { Cluster, Endpoint, Network, Node, Pool, Some } from "./shown.ts";
import { stateOf } from "./state.ts";

/** The VPCs of a call's place, with their subnets. */
export function networksAt(call: Call, room: Room): Some<Network> {
  return room.take(call.rows(vpcs), ({ id, name, cidrBlock, ipv6CidrBlock }) => ({
    id,
    name,
    cidrBlock,
    ipv6CidrBlock,
    subnets: room.take(
      call.rows(subnets),
      (subnet) => ({
        id: subnet.id,
        name: subnet.name,
        zone: subnet.zone,
        cidrBlock: subnet.cidrBlock,
        ipv6CidrBlock: subnet.ipv6CidrBlock,
      }),
      { parent: id },
    ),
  }));
}

/** The clusters of a call's place, with their nodes. */
export function clustersAt(call: Call, room: Room): Some<Cluster> {
  return room.take(call.rows(clusters), (row) => {
    const { id, name, vpcId, subnetId, network, timeline } = row;
    return {
      id,
      name,
      version: versionOf(call, row),
      vpcId,
      subnetId,
      isDualStack: network.isDualStack,
      state: stateOf(readinessOf.cluster, clusterStateOf(call, row), reasonAt(timeline, call.now)),
      pools: poolsOf(call, room, row),
      nodes: room.take(call.rows(nodes), (node) => nodeOf(call, node), { parent: id }),
      endpoints: endpointsOf(call, room, row),
    };
  });
}

function poolsOf(call: Call, room: Room, { id: parent }: ClusterRow): Some<Pool> {
  return room.take(
    call.rows(nodePools),
    (pool) => ({
      id: pool.id,
      name: pool.name,
      replicas: pool.settings.replicas,
      state: stateOf(readinessOf.nodePool, poolStateOf(call, pool), reasonAt(pool.timeline, call.now)),
    }),
    { parent },
  );
}

function nodeOf(call: Call, node: NodeRow): Node {
  const { id, machineName, poolId, subnetId, zone, lanIp: address, instanceType, timeline, leaving } = node;
  const state = stateOf(readinessOf.node, nodeStateOf(call, node), reasonAt(timeline, call.now));
  return {
    id,
    name: machineName || id,
    poolId,
    subnetId,
    zone,
    address,
    instanceType,
    state: leaving ? { name: "Deleting", meaning: "pending" } : state,
  };
}

function endpointsOf(call: Call, room: Room, { id: parent }: ClusterRow): Some<Endpoint> {
  return room.take(
    call.rows(clusterEndpoints),
    ({ isExtranet, address, timeline }) => ({
      from: isExtranet ? "internet" : "VPC",
      address,
      state: stateOf(readinessOf.clusterEndpoint, endpointStateAt(timeline, call.now), reasonAt(timeline, call.now)),
    }),
    { parent },
  );
}
