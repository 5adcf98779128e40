import { addressAt, parseCidr } from "../../../formats/addresses.ts";
import { sizeOf } from "../../../local/compute/offers.ts";
import { instances } from "../../../local/compute/tables.ts";
import { clusters, type ClusterRow, clusterTasks, type NodeRow, nodes } from "../../../local/cluster/tables.ts";
import { versionOf } from "../../../local/cluster/states.ts";
import { reasonAt, stateAt } from "../../../local/store/timeline.ts";
import type { World } from "../../../local/store/world.ts";
import type { SubnetRow } from "../../../local/vpc/subnets.ts";
import { subnets } from "../../../local/vpc/tables.ts";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { Taint } from "./api.ts";

/** A range of addresses for pods, and the one of IPv6 that goes with it in a dual-stack cluster. */
export interface PodRange {
  /** What tells it from the same range elsewhere. */
  readonly key: string;
  readonly cidrBlock: string;
  readonly ipv6CidrBlock: string | undefined;
}

/** A node as the platform has it. */
export interface DesiredNode {
  readonly name: string;
  /** The id of its machine. */
  readonly instanceId: string;
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  /** Whether it is being removed. */
  readonly leaving: boolean;
  /** Why it is not ready, if it is not. */
  readonly unready: { readonly reason: string; readonly message: string } | undefined;
  /** Of IPv4 first. None for machines that have none the platform knows of. */
  readonly addresses: readonly string[];
  readonly podCount: number;
  /** Where its pods take addresses in the VPC; none where it has a part of the cluster's own range. */
  readonly podRanges: readonly PodRange[];
  readonly cpu: number;
  /** GB. */
  readonly memory: number;
  readonly runtime: string;
  readonly system: string;
  /** The Kubernetes version that a new node gets. */
  readonly version: string;
  /** The version to which this one was upgraded, if it was. */
  readonly upgradedTo: string | undefined;
}

/** A cluster as its nodes need to know it. */
export interface DesiredNodes {
  readonly vpcId: string;
  /** The range from which each node gets a part for its pods; empty if pods take addresses of the VPC. */
  readonly clusterCidr: string;
  readonly nodes: readonly DesiredNode[];
}

/** The nodes of a cluster; `undefined` if there is no such cluster. To be asked in a transaction, which removes what is gone. */
export function desiredNodes(
  world: World,
  { region, account, clusterId }: Pick<ControlPlane, "region" | "account" | "clusterId">,
): DesiredNodes | undefined {
  const cluster = world.rows(clusters, region, account).get(clusterId);
  if (!cluster) return undefined;
  const now = world.now();
  const view = new ClusterView(world, { region, account, cluster, now });
  const found = world.rows(nodes, region, account).list(clusterId);
  const names = new Set<string>();
  const desired = found.map((node) => {
    const name = [view.nameOf(node), node.id].find((one) => !names.has(one)) ?? node.id;
    names.add(name);
    return view.nodeOf(node, name);
  });
  return { vpcId: cluster.vpcId, clusterCidr: cluster.network.clusterCidr, nodes: desired };
}

interface Facts {
  readonly region: string;
  readonly account: string;
  readonly cluster: ClusterRow;
  readonly now: number;
}

const nodeName = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/;

class ClusterView {
  readonly #world: World;
  readonly #facts: Facts;
  readonly #upgrades: ReadonlyMap<string, string>;

  constructor(world: World, facts: Facts) {
    this.#world = world;
    this.#facts = facts;
    this.#upgrades = upgradesOf(world, facts);
  }

  /** By its address, or by its name, as the cluster was created (`NodeNameType`). */
  nameOf(node: NodeRow): string {
    const { region, account, cluster } = this.#facts;
    const machine = this.#world.rows(instances, region, account).get(node.id);
    const candidates = cluster.nodeNameType === "lan-ip" ? [node.lanIp] : [node.machineName, node.external?.name, machine?.name];
    return candidates.find((one) => one !== undefined && nodeName.test(one)) ?? node.id;
  }

  nodeOf(node: NodeRow, name: string): DesiredNode {
    const { cluster, now } = this.#facts;
    const { cpu, memory } = node.external ?? sizeOf(node.instanceType);
    const { settings } = node;
    const isMaster = node.role === "MASTER_ETCD";
    const taints = (settings.taints ?? []).map(({ key, value, effect }) => ({ key, ...(value !== "" && { value }), effect }));
    return {
      name,
      instanceId: node.id,
      zone: node.zone,
      labels: { ...this.#labelsOf(node, name), ...Object.fromEntries((settings.labels ?? []).map((label) => [label.name, label.value])) },
      taints: isMaster ? [...taints, { key: `${rolePrefix}control-plane`, effect: "NoSchedule" }] : taints,
      unschedulable: settings.unschedulable === 1 || node.leaving,
      leaving: node.leaving,
      unready: unreadyAt(node, now),
      addresses: this.#addressesOf(node),
      podCount: (cluster.network.customizedPodCidr ? settings.desiredPodNumber : undefined) ?? cluster.network.maxNodePodNum,
      podRanges: this.#podRangesOf(node),
      cpu,
      memory,
      runtime: `${cluster.containerRuntime}://${cluster.runtimeVersion}`,
      system: cluster.os,
      version: versionOf(this.#facts, cluster),
      upgradedTo: this.#upgrades.get(node.id),
    };
  }

  #labelsOf({ id, role, zone, instanceType, poolId }: NodeRow, name: string): Record<string, string> {
    return {
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/os": "linux",
      "kubernetes.io/hostname": name,
      "topology.kubernetes.io/region": this.#facts.region,
      ...(zone !== "" && { "topology.kubernetes.io/zone": zone }),
      ...(instanceType !== "" && { "node.kubernetes.io/instance-type": instanceType }),
      ...(role === "MASTER_ETCD" && { [`${rolePrefix}control-plane`]: "" }),
      [instanceLabel]: id,
      ...(poolId !== undefined && { "container-platform/nodepool-id": poolId }),
    };
  }

  #subnet(id: string): SubnetRow | undefined {
    const { region, account } = this.#facts;
    return this.#world.rows(subnets, region, account).get(id);
  }

  /** Both addresses of a node are the ones of the same number, in the two ranges of its subnet. */
  #addressesOf({ lanIp, subnetId }: NodeRow): string[] {
    if (lanIp === "") return [];
    const subnet = this.#facts.cluster.network.isDualStack ? this.#subnet(subnetId) : undefined;
    const [own, range] = [parseCidr(`${lanIp}/32`), parseCidr(subnet?.cidrBlock ?? "")];
    if (!own || !range || subnet?.ipv6CidrBlock === undefined) return [lanIp];
    return [lanIp, addressAt(subnet.ipv6CidrBlock, own.first - range.first)];
  }

  /** The pod subnets of the node's zone; all of them if none is there. */
  #podRangesOf({ zone }: NodeRow): PodRange[] {
    const { isDualStack, eniSubnetIds } = this.#facts.cluster.network;
    const all = eniSubnetIds.flatMap((id) => this.#subnet(id) ?? []);
    const near = all.filter((subnet) => subnet.zone === zone);
    return (near.length > 0 ? near : all).map(({ id, cidrBlock, ipv6CidrBlock }) => ({
      key: id,
      cidrBlock,
      ipv6CidrBlock: isDualStack ? ipv6CidrBlock : undefined,
    }));
  }
}

const rolePrefix = "node-role.kubernetes.io/";
export const instanceLabel = "container-platform/instance-id";

function unreadyAt({ id, timeline }: NodeRow, now: number): DesiredNode["unready"] {
  const state = stateAt(timeline, now);
  if (state === "running") return undefined;
  if (state === "initializing") return { reason: "Initializing", message: `the platform is installing machine ${id}` };
  return { reason: "Failed", message: `machine ${id} is ${state}: ${reasonAt(timeline, now) ?? "the platform gives no reason"}` };
}

/** The versions to which nodes were upgraded, by their ids. */
function upgradesOf(world: World, { region, account, cluster, now }: Facts): Map<string, string> {
  const tasks = world.rows(clusterTasks, region, account).list(cluster.id);
  return new Map(
    tasks.flatMap(({ upgrade }) =>
      upgrade ? upgrade.nodes.flatMap(({ id, end }) => (end !== undefined && end <= now ? [[id, upgrade.version] as const] : [])) : [],
    ),
  );
}
