import { X509Certificate } from "node:crypto";
import { parse } from "yaml";
import { z } from "zod";
import { createNodePool } from "../../catalogue/cluster/node-pools.ts";
import { InputError } from "../../operation/errors.ts";
import { Call } from "../behaviour.ts";
import { Faults } from "../faults/faults.ts";
import { passing } from "../store/timeline.ts";
import type { World } from "../store/world.ts";
import { domainOf } from "./control-plane/clusters.ts";
import { clusterRoles, clusters, edgeModules, nodePools, type NodeRow, nodes, unreachableAddresses } from "./tables.ts";
import { nodeSettingsOf, usualNode } from "./nodes/machines.ts";
import { kindOf, makePool } from "./pools/node-pools.ts";
import { certificateComplaintOf, endpointFor } from "./access/kubeconfig.ts";
import { roleId } from "./access/permissions.ts";
import { newGroup, scaledSettings } from "./pools/regular-pools.ts";

/** Changes of clusters that no operation makes, by which tests prepare a world; and what a Kubernetes client experiences. */

interface NewPool {
  readonly region: string;
  readonly clusterId: string;
  readonly name?: string;
  /** Desired number of nodes; 0 unless given. */
  readonly replicas?: number;
  /** Subnets of its nodes; the cluster's own unless given. */
  readonly subnetIds?: readonly string[];
  readonly instanceType?: string;
}

/**
 * Adds a regular node pool (2018-05-25) to a cluster. Answers its id.
 *
 * @throws InputError if there is no such cluster.
 */
export function putNodePool2018(world: World, { region, clusterId, ...given }: NewPool): Promise<string> {
  return world.transaction(() => {
    const call = outOfBandCall(world, region);
    const cluster = call.rows(clusters).get(clusterId);
    if (!cluster) throw new InputError(`there is no cluster ${clusterId} in ${region}`);
    const { replicas = 0, name = "outside", subnetIds = [cluster.subnetId], instanceType = "SA5.MEDIUM4" } = given;
    const pool = makePool(call, cluster, {
      generation: "2018",
      name,
      labels: [],
      taints: [],
      annotations: [],
      tags: [],
      deletionProtection: false,
      unschedulable: false,
      settings: scaledSettings(
        { subnetIds: [...subnetIds], minSize: 0, maxSize: Math.max(replicas, 1), desiredCapacity: replicas },
        { instanceType, instanceChargeType: "POSTPAID_BY_HOUR", securityGroupIds: [] },
        false,
      ),
      regular: newGroup(call, cluster.os),
    });
    return pool.id;
  });
}

/**
 * Adds a role to a cluster: a Role if a namespace is given, otherwise a ClusterRole.
 *
 * @throws InputError if there is no such cluster.
 */
export function putRole(
  world: World,
  { region, clusterId, name, namespace = "" }: { region: string; clusterId: string; name: string; namespace?: string },
): Promise<void> {
  return world.transaction(() => {
    if (!world.rows(clusters, region).get(clusterId)) throw new InputError(`there is no cluster ${clusterId} in ${region}`);
    const id = roleId({ clusterId, namespace, name });
    const rows = world.rows(clusterRoles, region);
    if (!rows.get(id)) rows.insert({ id, namespace, name }, clusterId);
  });
}

interface NewExternalNode {
  readonly region: string;
  readonly nodePoolId: string;
  readonly name: string;
  readonly lanIp: string;
  /** Cores; 4 unless given. */
  readonly cpu?: number;
  /** GB; 8 unless given. */
  readonly memory?: number;
}

/**
 * Lets a machine outside of the cloud join an external pool. Answers its node id.
 *
 * @throws InputError if there is no such pool, or if it is not external.
 */
export function putExternalNode(world: World, { region, nodePoolId, name, lanIp, cpu = 4, memory = 8 }: NewExternalNode): Promise<string> {
  return world.transaction(() => {
    const call = outOfBandCall(world, region);
    const pool = call.rows(nodePools).get(nodePoolId);
    if (!pool) throw new InputError(`there is no node pool ${nodePoolId} in ${region} of this world`);
    if (kindOf(pool) !== "External")
      throw new InputError(`node pool ${nodePoolId} is of Type ${kindOf(pool)}; external machines join pools of Type External`);
    const node: NodeRow = {
      ...usualNode,
      id: world.newId("ext"),
      clusterId: pool.clusterId,
      poolId: nodePoolId,
      machine: "external",
      createdTime: call.timestamp,
      timeline: passing("initializing", call.after("nodeCreate"), "running"),
      vpcId: "",
      lanIp,
      settings: nodeSettingsOf(pool),
      services: { security: false, monitor: false, automation: false },
      external: { name, cpu, memory },
    };
    return call.rows(nodes).insert(node, pool.clusterId).id;
  });
}

/** Adds an edge module, the template of edge machines, to a region. Answers its id. */
export function putEdgeModule(world: World, { region, name }: { region: string; name: string }): Promise<string> {
  return world.transaction(() => world.rows(edgeModules, region).insert({ id: world.newId("em"), name }).id);
}

/**
 * The services that run on a node.
 *
 * @throws InputError if there is no such node.
 */
export function servicesOn(world: World, region: string, instanceId: string): NodeRow["services"] {
  const node = world.rows(nodes, region).get(instanceId);
  if (!node) throw new InputError(`there is no node ${instanceId} in ${region} of this world`);
  return node.services;
}

/**
 * Makes an address in a region unreachable, or reachable again. For clusters this is the address of an issuer or of its keys. For
 * Kubernetes clients it is the domain of a cluster, which then does not resolve.
 */
export function setReachable(
  world: World,
  { region, address, reachable }: { region: string; address: string; reachable: boolean },
): Promise<void> {
  return world.transaction(() => {
    const rows = world.rows(unreachableAddresses, region);
    rows.remove(address);
    if (!reachable) rows.insert({ id: address });
  });
}

function outOfBandCall(world: World, region: string): Call {
  return new Call({
    world,
    faults: new Faults(world),
    operation: createNodePool,
    region,
    account: world.account,
    uin: world.account,
    requestId: world.drawHex().slice(0, 32),
    now: world.now(),
  });
}

const kubeconfigForm = z.object({
  clusters: z.tuple([z.object({ name: z.string(), cluster: z.object({ "certificate-authority-data": z.base64(), server: z.string() }) })]),
  users: z.tuple([z.object({ user: z.object({ "client-certificate-data": z.base64(), "client-key-data": z.base64() }) })]),
});

/**
 * The error that a Kubernetes client gets with a kubeconfig; `undefined` if it can connect. From outside of the VPC (`clientIp`) it
 * needs the public endpoint, whose ACL has to let it in; if the ACL is empty, the endpoint's security group decides. From inside it
 * needs the internal endpoint (specification, rule 5). The server has to be the endpoint's address, or a domain of it that resolves
 * (rule 6).
 */
export function complaintOf(
  world: World,
  { region, kubeconfig, clientIp }: { region: string; kubeconfig: string; clientIp?: string },
): string | undefined {
  const {
    clusters: [cluster],
    users: [user],
  } = kubeconfigForm.parse(parse(kubeconfig));
  const place = { region, clusterId: cluster.name };
  const server = new URL(cluster.cluster.server).hostname;
  if (world.rows(unreachableAddresses, region).get(server)) return "no such host";
  const vpcId = world.rows(clusters, region).get(cluster.name)?.vpcId ?? "";
  const endpoint = endpointFor(world, place, clientIp === undefined ? { vpcId } : { clientIp });
  if (typeof endpoint === "string" || ![endpoint.address, endpoint.domain, domainOf(cluster.name)].includes(server)) return "timeout";
  const certificate = new X509Certificate(Buffer.from(user.user["client-certificate-data"], "base64"));
  return certificateComplaintOf(world, place, certificate);
}
