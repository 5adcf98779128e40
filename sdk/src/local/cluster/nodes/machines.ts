import type { Call } from "../../behaviour.ts";
import { durationOf } from "../../time-scale.ts";
import { passing } from "../../store/timeline.ts";
import { attach } from "../../vpc/attachments.ts";
import { freeAddresses, type SubnetRow } from "../../vpc/subnets.ts";
import { subnets } from "../../vpc/tables.ts";
import { freeHosts, releaseAttachments } from "../network.ts";
import { nodeStateOf } from "../states.ts";
import { instanceTypesOf } from "./offered.ts";
import { timestampOf } from "../../timestamp.ts";
import { type ClusterRow, type NodeRow, nodes, type PoolRow } from "../tables.ts";

/** Machines that node pools make and remove. */

/** Makes or removes machines until a pool has its desired number. The installation of new ones begins at `from`. */
export function scaleToDesired(call: Call, cluster: ClusterRow, pool: PoolRow, from: number = call.now): void {
  const present = machinesOf(call, pool);
  const lack = pool.settings.replicas - present.length;
  if (lack > 0) for (const plan of placed(call, pool, present, lack)) makeMachine(call, cluster, pool, plan, from);
  else if (lack < 0) removeNodes(call, firstToGo(call, present).slice(0, -lack), call.after("nodeDelete"));
}

/** The machines that a pool made, without those that are being removed. */
function machinesOf(call: Call, { id, clusterId }: PoolRow): NodeRow[] {
  return call
    .rows(nodes)
    .list(clusterId)
    .filter(({ poolId, machine, leaving }) => poolId === id && machine === "pool" && !leaving);
}

/** Removes nodes from their cluster at a moment. Their addresses are released a little later. */
export function removeNodes(call: Call, going: readonly NodeRow[], moment: number): void {
  for (const { id } of going) {
    call.rows(nodes).update(id, { leaving: true });
    call.rows(nodes).expire(id, moment);
  }
  for (const vpcId of new Set(going.map((node) => node.vpcId)))
    releaseAttachments(call, new Set(going.map(attachmentOwnerOf)), vpcId, moment);
}

/** The owner of a node's attachment to the VPC. An existing instance has its own: the node's attachment only adds security groups. */
export function attachmentOwnerOf({ id, machine, clusterId }: Pick<NodeRow, "id" | "machine" | "clusterId">): string {
  return machine === "pool" ? id : `${clusterId}/${id}`;
}

/** The order in which a pool removes machines: those that do not run first, then the newest. */
function firstToGo(call: Call, present: readonly NodeRow[]): NodeRow[] {
  const runs = (node: NodeRow) => (nodeStateOf(call, node) === "running" ? 1 : 0);
  return present.toReversed().toSorted((one, other) => runs(one) - runs(other));
}

interface Place {
  readonly subnet: SubnetRow;
  /** Empty if the subnet has no free address. */
  readonly lanIp: string;
}

/** The subnets and addresses of new machines: spread over the subnets, or in the first one with free addresses (`CreatePolicy`). */
function placed(call: Call, { settings }: PoolRow, present: readonly NodeRow[], count: number): Place[] {
  const candidates = settings.subnetIds.flatMap((id) => {
    const subnet = call.rows(subnets).get(id);
    if (!subnet) return [];
    const hosts = freeHosts(call, subnet, Math.min(count, freeAddresses(call, subnet)));
    return [{ subnet, hosts, machines: present.filter(({ subnetId }) => subnetId === id).length }];
  });
  return Array.from({ length: count }).flatMap(() => {
    const open = candidates.filter(({ hosts }) => hosts.length > 0);
    const byCount = settings.scaling.createPolicy === "ZonePriority" ? open : open.toSorted((one, other) => one.machines - other.machines);
    const chosen = byCount[0] ?? candidates[0];
    if (!chosen) return [];
    chosen.machines++;
    return [{ subnet: chosen.subnet, lanIp: chosen.hosts.shift() ?? "" }];
  });
}

function makeMachine(call: Call, cluster: ClusterRow, pool: PoolRow, { subnet, lanIp }: Place, from: number): void {
  const { settings } = pool;
  const id = call.world.newId("ins", nodes);
  const fault = call.faults.endFor("node");
  const noAddress = lanIp === "" ? { endState: "failed", reason: `subnet ${subnet.id} has no available address` } : undefined;
  const { endState, reason } = fault ?? noAddress ?? { endState: "running", reason: undefined };
  call.rows(nodes).insert(
    {
      id,
      clusterId: cluster.id,
      poolId: pool.id,
      role: "WORKER",
      machine: "pool",
      machineName: pool.generation === "2022" ? `${pool.id}-${id.slice(-5)}` : "",
      manual: false,
      createdTime: timestampOf(from),
      timeline: passing("initializing", from + durationOf("nodeCreate", call.world.timeScale), endState, reason),
      leaving: false,
      vpcId: cluster.vpcId,
      subnetId: subnet.id,
      zone: subnet.zone,
      lanIp,
      instanceType: typeIn(call, settings.instanceTypes, subnet.zone),
      chargeType: settings.instanceChargeType,
      settings: nodeSettingsOf(pool),
      services: { security: true, monitor: true, automation: settings.automationService },
      ...(pool.generation === "2022" && { native: settings }),
      tags: pool.tags.flatMap(({ tags }) => tags),
    },
    cluster.id,
  );
  attach(call, {
    owner: id,
    vpcId: cluster.vpcId,
    subnetId: subnet.id,
    addresses: lanIp === "" ? 0 : 1,
    ipv6: cluster.network.isDualStack,
    securityGroupIds: settings.securityGroupIds,
  });
}

/** The first of the types that the zone has. An older pool may have none of those. */
function typeIn({ region }: Call, types: readonly string[], zone: string): string {
  const offered = instanceTypesOf(region, [zone]);
  return types.find((type) => offered.includes(type)) ?? types[0] ?? "";
}

/** The settings of a pool's nodes. */
export function nodeSettingsOf({ labels, taints, unschedulable, settings, instanceAdvancedSettings }: PoolRow): NodeRow["settings"] {
  return {
    ...instanceAdvancedSettings,
    labels,
    taints,
    unschedulable: unschedulable ? 1 : 0,
    ...(settings.kubeletArgs.length > 0 && { extraArgs: { kubelet: settings.kubeletArgs } }),
  };
}
