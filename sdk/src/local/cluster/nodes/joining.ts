import type { z } from "zod";
import type { enhancedService } from "../../../catalogue/cluster/structures.ts";
import type { Call } from "../../behaviour.ts";
import { mostInstances } from "../../../rules/cluster.ts";
import { hasGpu } from "../../compute/offers.ts";
import { instances } from "../../compute/tables.ts";
import { durationOf } from "../../time-scale.ts";
import { passing } from "../../store/timeline.ts";
import { attach } from "../../vpc/attachments.ts";
import { subnets } from "../../vpc/tables.ts";
import { attachmentOwnerOf } from "./machines.ts";
import { usualImageId } from "./public-images.ts";
import { nodes, type ClusterRow, type NodeRow } from "../tables.ts";
import { timestampOf } from "../../timestamp.ts";

/** Existing machines that join a cluster as nodes, and nodes that become machines again. */

interface Joining {
  readonly role: string;
  /** The settings of a node, by the index of its instance in the list. */
  readonly settings: (index: number) => NodeRow["settings"];
  readonly services: NodeRow["services"];
  readonly securityGroupIds?: readonly string[] | undefined;
  /** The image and the log-in keys with which the instance is reinstalled; it keeps its own unless given. */
  readonly imageId?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
  readonly poolId?: string | undefined;
  readonly tags?: NodeRow["tags"] | undefined;
  /** When the installation begins. */
  readonly from: number;
}

/** Makes nodes of instances for which `whyUnfit` has no objection. An instance keeps its own addresses. */
export function joinInstances(call: Call, cluster: ClusterRow, ids: readonly string[], joining: Joining): void {
  for (const [index, id] of ids.entries()) {
    const instance = call.rows(instances).get(id);
    if (!instance) continue;
    const settings = joining.settings(index);
    refuseGpu(call, settings, instance.instanceType);
    const node = call.rows(nodes).insert(nodeOf(call, cluster, instance, { ...joining, settings }), cluster.id);
    call.rows(instances).update(id, {
      imageId: joining.imageId ?? instance.imageId,
      keyIds: [...(joining.keyIds ?? instance.keyIds)],
    });
    const securityGroupIds = [...(joining.securityGroupIds ?? [])];
    if (securityGroupIds.length > 0)
      attach(call, { owner: attachmentOwnerOf(node), vpcId: cluster.vpcId, addresses: 0, ipv6: false, securityGroupIds });
  }
}

function nodeOf(
  call: Call,
  cluster: ClusterRow,
  instance: z.output<typeof instances.row>,
  joining: Omit<Joining, "settings"> & { settings: NodeRow["settings"] },
): NodeRow {
  const fault = call.faults.endFor("node");
  const until = joining.from + durationOf("nodeCreate", call.world.timeScale);
  return {
    id: instance.id,
    clusterId: cluster.id,
    ...(joining.poolId !== undefined && { poolId: joining.poolId }),
    role: joining.role,
    machine: "existing",
    machineName: "",
    manual: true,
    createdTime: timestampOf(joining.from),
    timeline: passing("initializing", until, fault?.endState ?? "running", fault?.reason),
    leaving: false,
    vpcId: instance.vpcId,
    subnetId: instance.subnetId,
    zone: instance.zone,
    lanIp: instance.privateIpAddress,
    instanceType: instance.instanceType,
    chargeType: instance.chargeType === "PREPAID" ? "PREPAID" : "POSTPAID_BY_HOUR",
    settings: joining.settings,
    services: joining.services,
    tags: joining.tags ?? [],
  };
}

/** Services are on unless they are turned off; also if they are not given at all (specification, EnhancedService). */
export function servicesOf(given: z.output<typeof enhancedService> = {}): NodeRow["services"] {
  return {
    security: given.securityService?.enabled ?? true,
    monitor: given.monitorService?.enabled ?? true,
    automation: given.automationService?.enabled ?? true,
  };
}

/** Refuses a list of instances that is empty or too long. */
export function refuseInstanceCount(call: Call<"LimitExceeded">, instanceIds: readonly string[]): void {
  if (instanceIds.length === 0) throw call.error("InvalidParameter", "InstanceIds is empty; it takes 1 to 100 ids");
  if (instanceIds.length > mostInstances)
    throw call.error("LimitExceeded", `InstanceIds has ${instanceIds.length} ids; a call takes ${mostInstances} at most`);
}

/** Why an instance cannot become a node of a cluster; `undefined` if it can. */
export function whyUnfit(call: Call, { id: clusterId, vpcId, network }: ClusterRow, instanceId: string): string | undefined {
  const instance = call.rows(instances).get(instanceId);
  if (!instance) return `there is no instance ${instanceId} in ${call.region}`;
  if (instance.vpcId !== vpcId) return `instance ${instanceId} is in VPC ${instance.vpcId}; cluster ${clusterId} is in ${vpcId}`;
  const node = call.rows(nodes).get(instanceId);
  if (node) return `instance ${instanceId} is a node of cluster ${node.clusterId}`;
  if (network.isDualStack && call.rows(subnets).get(instance.subnetId)?.ipv6CidrBlock === undefined)
    return `instance ${instanceId} is in subnet ${instance.subnetId}, which has no IPv6 range; a dual-stack cluster needs one`;
  return undefined;
}

/** Turns a pool's machines that are kept after their removal from the cluster into instances of the compute service. */
export function becomeInstances(call: Call, kept: readonly NodeRow[]): NodeRow[] {
  return kept.map((node) => {
    if (node.machine !== "pool") return node;
    call.rows(instances).insert(
      {
        id: node.id,
        name: node.machineName || node.id,
        zone: node.zone,
        vpcId: node.vpcId,
        subnetId: node.subnetId,
        instanceType: node.instanceType,
        chargeType: node.chargeType,
        imageId: usualImageId,
        osName: "ubuntu22.04x86_64",
        systemDisk: { diskType: node.native?.systemDisk.diskType ?? "CLOUD_PREMIUM", diskSize: node.native?.systemDisk.diskSize ?? 50 },
        state: "RUNNING",
        privateIpAddress: node.lanIp,
        securityGroupIds: node.native?.securityGroupIds ?? [],
        keyIds: node.native?.keyIds ?? [],
        createdTime: node.createdTime,
        tags: node.tags,
      },
      node.vpcId,
    );
    return call.rows(nodes).update(node.id, { machine: "existing" });
  });
}

/** Only machine types with a GPU take GPU drivers (specification, GPUArgs). */
export function refuseGpu(call: Call, { gpuArgs }: NodeRow["settings"], instanceType: string): void {
  if (gpuArgs && !hasGpu(instanceType))
    throw call.error(
      "InvalidParameter",
      `InstanceAdvancedSettings.GPUArgs is given, but machines of type ${instanceType} have no GPU; it takes types such as GN7.2XLARGE32`,
    );
}
