import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { describeClusters } from "../../catalogue/cluster.ts";
import type { InternalEndpointState } from "../../catalogue/registry/states.ts";
import { mainAccounts } from "../../local/accounts/accounts.ts";
import { recordSchema } from "../../local/audit/events.ts";
import { userNames } from "../../local/audit/lookup.ts";
import { Call } from "../../local/behaviour.ts";
import { clusterStateOf, endpointStateAt, nodeStateOf, poolStateOf, versionOf } from "../../local/cluster/states.ts";
import { clusterEndpoints, type ClusterRow, clusters, nodePools, type NodeRow, nodes } from "../../local/cluster/tables.ts";
import { Faults } from "../../local/faults/faults.ts";
import { regions } from "../../local/regions.ts";
import { externalEndpointStateAt, internalEndpointStateAt, registryStatusAt } from "../../local/registry/states.ts";
import {
  images,
  internalEndpoints,
  namespaces,
  registries,
  type RegistryRow,
  repositories,
  type RepositoryRow,
} from "../../local/registry/tables.ts";
import type { Rows } from "../../local/store/table.ts";
import { reasonAt } from "../../local/store/timeline.ts";
import type { World } from "../../local/store/world.ts";
import { subnets, vpcs } from "../../local/vpc/tables.ts";
import { readinessOf, type ReadinessTable } from "../../status/readiness.ts";

/** A state of the platform, and its readiness. */
export interface State {
  readonly name: string;
  readonly meaning: "ready" | "pending" | "failed" | "gone";
  /** Why it is so, if the platform says. */
  readonly reason?: string | undefined;
}

/** A state, with what it means by the table of its enumeration. */
function stateOf<Name extends string>(table: ReadinessTable<Name>, name: Name, reason?: string): State {
  const readiness = table[name];
  return { name, meaning: readiness === "deletionFailed" ? "failed" : readiness, reason };
}

/** The VPCs of a call's place, with their subnets. */
function networksAt(call: Call, limit: RowLimit) {
  return limit.take(call.rows(vpcs), ({ id, name, cidrBlock, ipv6CidrBlock }) => ({
    id,
    name,
    cidrBlock,
    ipv6CidrBlock,
    subnets: limit.take(
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
function clustersAt(call: Call, limit: RowLimit) {
  return limit.take(call.rows(clusters), (row) => {
    const { id, name, vpcId, subnetId, network, timeline } = row;
    return {
      id,
      name,
      version: versionOf(call, row),
      vpcId,
      // That of its control plane.
      subnetId,
      isDualStack: network.isDualStack,
      state: stateOf(readinessOf.cluster, clusterStateOf(call, row), reasonAt(timeline, call.now)),
      pools: poolsOf(call, limit, row),
      nodes: limit.take(call.rows(nodes), (node) => nodeOf(call, node), { parent: id }),
      endpoints: endpointsOf(call, limit, row),
    };
  });
}

function poolsOf(call: Call, limit: RowLimit, { id: parent }: ClusterRow) {
  return limit.take(
    call.rows(nodePools),
    (pool) => ({
      id: pool.id,
      name: pool.name,
      // How many nodes it is to have.
      replicas: pool.settings.replicas,
      state: stateOf(readinessOf.nodePool, poolStateOf(call, pool), reasonAt(pool.timeline, call.now)),
    }),
    { parent },
  );
}

function nodeOf(call: Call, node: NodeRow) {
  const { id, machineName, poolId, subnetId, zone, lanIp: address, instanceType, timeline, leaving } = node;
  const state: State = leaving
    ? { name: "Deleting", meaning: "pending" }
    : stateOf(readinessOf.node, nodeStateOf(call, node), reasonAt(timeline, call.now));
  return { id, name: machineName || id, poolId, subnetId, zone, address, instanceType, state };
}

/** Access to a cluster's API server. */
function endpointsOf(call: Call, limit: RowLimit, { id: parent }: ClusterRow) {
  return limit.take(
    call.rows(clusterEndpoints),
    ({ isExtranet, address, timeline }) => ({
      from: isExtranet ? "internet" : "VPC",
      address,
      state: stateOf(readinessOf.clusterEndpoint, endpointStateAt(timeline, call.now), reasonAt(timeline, call.now)),
    }),
    { parent },
  );
}

const connectionReadiness: ReadinessTable<InternalEndpointState> = { Pending: "pending", Running: "ready", Deleting: "pending" };

/** A port of this machine at which a registry answers image clients. */
export interface RegistryPort {
  readonly registryId: string;
  /** `internet`, or the id of a VPC. */
  readonly standpoint: string;
  readonly address: string;
}

/** The registries of a call's place, with their images. */
function registriesAt(call: Call, limit: RowLimit, ports: readonly RegistryPort[]) {
  return limit.take(call.rows(registries), (row) => {
    const { id, name, type, timeline, publicAccess } = row;
    const access = externalEndpointStateAt(publicAccess, call.now);
    return {
      id,
      name,
      type,
      state: stateOf(readinessOf.registry, registryStatusAt(timeline, call.now), reasonAt(timeline, call.now)),
      publicAccess: stateOf(readinessOf.registryEndpoint, access, reasonAt(publicAccess, call.now)),
      connections: connectionsOf(call, limit, row),
      ports: ports.filter(({ registryId }) => registryId === id).map(({ standpoint, address }) => ({ standpoint, address })),
      namespaces: limit.take(call.rows(namespaces), ({ name: namespace, isPublic }) => ({ name: namespace, isPublic }), { parent: id }),
      repositories: limit.take(call.rows(repositories), (repository) => repositoryOf(call, limit, repository), { parent: id }),
    };
  });
}

/** Access to a registry from VPCs; `publicAccess` is that from the internet. */
function connectionsOf(call: Call, limit: RowLimit, { id: parent }: RegistryRow) {
  return limit.take(
    call.rows(internalEndpoints),
    ({ vpcId, address, timeline }) => ({
      vpcId,
      address,
      state: stateOf(connectionReadiness, internalEndpointStateAt(timeline, call.now), reasonAt(timeline, call.now)),
    }),
    { parent },
  );
}

/** A repository, with its images, the newest first. Their sizes are in bytes. */
function repositoryOf(call: Call, limit: RowLimit, { id: parent, namespace, name }: RepositoryRow) {
  const rows = call.rows(images);
  return {
    namespace,
    name,
    images: limit.take(rows, ({ version: tag, digest, size, pushedAt }) => ({ tag, digest, size, pushedAt }), {
      parent,
      isNewestFirst: true,
    }),
  };
}

const stored = z.array(z.object({ seq: z.number(), time: z.number(), region: z.string(), data: z.string() }));

/** So many calls are told, whatever they did; and as many of those that wrote something or were refused, which many reads may be between. */
const most = 50;

/** Older calls are not looked through. */
const span = 2000;

/**
 * The last calls of all accounts, newest first. `region` is empty for calls of no region, and `code`, that of a refusal, for those that were
 * carried out; `names` are ids and names of the resources that a call was about.
 */
function lastCalls(world: World) {
  const columns = "SELECT seq, time, region, data FROM";
  const latest = world.prepare(`${columns} audit ORDER BY seq DESC LIMIT ?`).all(most);
  const telling = world
    .prepare(
      `${columns} (SELECT * FROM audit ORDER BY seq DESC LIMIT ?) WHERE data ->> '$.effect' = 'write' OR data ->> '$.code' <> '' ORDER BY seq DESC LIMIT ?`,
    )
    .all(span, most);
  const rows = new Map(stored.parse([...latest, ...telling]).map((row) => [row.seq, row]));
  const names = userNames(world);
  return [...rows.values()]
    .sort((one, other) => other.seq - one.seq)
    .map(({ seq, time, region, data }) => {
      const { uin, product, action, effect, names: about, code } = recordSchema().parse(JSON.parse(data));
      return { number: seq, time, user: names.get(uin) ?? uin, region, product, action, isWrite: effect === "write", names: about, code };
    });
}

/** The most of one list. */
const longest = 100;

/** The first of many, and how many there are besides. */
interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** The rows that one picture may still take. A world may have a hundred thousand resources, and calls would wait while all are read. */
class RowLimit {
  #left = 1500;

  /** The oldest rows of a parent, or of all; or the newest, newest first. */
  take<Row extends { id: string }, Item>(
    rows: Rows<Row>,
    draw: (row: Row) => Item,
    { parent, isNewestFirst = false }: { readonly parent?: string; readonly isNewestFirst?: boolean } = {},
  ): Some<Item> {
    const count = rows.count(parent);
    const limit = Math.min(count, this.#left, longest);
    this.#left -= limit;
    const found = rows.list(parent, { offset: isNewestFirst ? count - limit : 0, limit });
    return { items: (isNewestFirst ? found.reverse() : found).map(draw), more: count - limit };
  }
}

// From the sources as well as from the built package, where this file is beside others.
const folder = join(import.meta.dirname, "..", "dashboard", "page");

/** The text of a file of the page; `undefined` if there is none of this name. Read when it is asked for: few servers are looked at. */
export async function pageFile(name: string): Promise<string | undefined> {
  return readFile(join(folder, name), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/**
 * All that the dashboard tells of a world, with times in milliseconds since 1970 by the world's clock. What is not a field here never leaves the
 * world this way: no key, token, certificate, kubeconfig or password, no parameters of calls, and not the seed, from which keys are drawn.
 *
 * @param ports at which registries answer on this machine
 */
export function shownOf(world: World, ports: readonly RegistryPort[] = []) {
  // What has expired goes when a transaction begins.
  return world.transaction(() => {
    const { frozen, timeScale } = world.clock();
    const now = world.now();
    const limit = new RowLimit();
    const faults = new Faults(world);
    const places = mainAccounts(world).flatMap((account) =>
      regions.map((region) => {
        // A call that is in no audit log.
        const call = new Call({ world, faults, operation: describeClusters, region, account, uin: account, requestId: "", now });
        const [networks, clusters] = [networksAt(call, limit), clustersAt(call, limit)];
        return { account, region, networks, clusters, registries: registriesAt(call, limit, ports) };
      }),
    );
    const isEmpty = ({ networks, clusters, registries }: (typeof places)[number]) =>
      [networks, clusters, registries].every(({ items, more }) => items.length + more === 0);
    return {
      clock: { time: now, isFrozen: frozen !== null, timeScale },
      places: places.filter((place) => !isEmpty(place)),
      calls: lastCalls(world),
    };
  });
}

export type Shown = Awaited<ReturnType<typeof shownOf>>;
export type ShownCall = Shown["calls"][number];
/** A region in which an account has something. */
export type Place = Shown["places"][number];
/** A VPC. */
export type Network = Place["networks"]["items"][number];
export type Subnet = Network["subnets"]["items"][number];
export type Cluster = Place["clusters"]["items"][number];
export type Node = Cluster["nodes"]["items"][number];
export type Registry = Place["registries"]["items"][number];
export type Repository = Registry["repositories"]["items"][number];
