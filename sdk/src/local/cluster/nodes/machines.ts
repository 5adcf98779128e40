import type { z } from "zod";
import { describeOsImages, describeVpcCniPodLimits } from "../../../catalogue/cluster/nodes.ts";
import type { enhancedService } from "../../../catalogue/cluster/structures.ts";
import { listed } from "../../../formats/texts.ts";
import type { CommonCode, ErrorCode } from "../../../operation/errors.ts";
import { mostInstances } from "../../../rules/cluster.ts";
import { diskFlaw, typesIn, unofferedTypes } from "../../../rules/offers.ts";
import { type Call, on } from "../../behaviour.ts";
import { diskTypesIn, hasGpu, instanceTypesIn, sizeOf } from "../../compute/offers.ts";
import { instances } from "../../compute/tables.ts";
import { firstFew } from "../../requests/names-and-tags.ts";
import { passing } from "../../store/timeline.ts";
import { durationOf, timestampOf } from "../../time.ts";
import { attach, type SubnetRow } from "../../vpc/subnets.ts";
import { subnets } from "../../vpc/tables.ts";
import { freeHosts, releaseOwners } from "../network.ts";
import { nodeStateOf } from "../states.ts";
import { type ClusterRow, type NodeRow, nodes, type PoolRow, type PoolSettings } from "../tables.ts";

interface Wanted {
  readonly subnetIds: readonly string[];
  readonly instanceType?: string;
  readonly instanceTypes?: readonly string[] | undefined;
  readonly systemDisk?: Disk | undefined;
  readonly dataDisks?: readonly Disk[] | undefined;
}

type Disk = Pick<PoolSettings["systemDisk"], "diskType" | "diskSize">;

/**
 * Refuses new machines that the zones of their subnets do not offer: a type that none of them has, types of which a zone has none, and a
 * type or a size of disk that one of them does not have. A real platform finds out only when it makes them. Absent parts are not checked.
 *
 * @param within begins the names of parameters, as they are spelt on the wire
 */
export function refuseUnoffered<Code extends ErrorCode>(call: Call<Code>, code: Code | CommonCode, within: string, wanted: Wanted): void {
  const { subnetIds, instanceType, systemDisk, dataDisks = [] } = wanted;
  const types = instanceType === undefined ? (wanted.instanceTypes ?? []) : [instanceType];
  const zones = [...new Set(subnetIds.flatMap((id) => call.rows(subnets).get(id)?.zone ?? []))];
  const flaw = types.length > 0 && unofferedTypes(instanceTypesIn(call.region), types, zones);
  if (flaw) {
    const parameter = `${within}${instanceType === undefined ? "InstanceTypes" : "InstanceType"}`;
    throw call.error(
      code,
      `${parameter} is ${JSON.stringify(flaw.types.join(", "))}, which ${listed(flaw.zones)} ${flaw.zones.length === 1 ? "does" : "do"} not have; ` +
        `it takes types such as ${firstFew(flaw.instead)}, as DescribeZoneInstanceConfigInfos lists them`,
    );
  }
  const disks = [
    ...[systemDisk ?? []].flat().map((disk) => ({ ...disk, usage: "SYSTEM_DISK", parameter: "SystemDisk" })),
    ...dataDisks.map((disk) => ({ ...disk, usage: "DATA_DISK", parameter: "DataDisks[]" })),
  ];
  for (const disk of disks) {
    const lack = diskFlaw(diskTypesIn(call.region), disk, zones);
    const part = lack?.of === "diskType" ? "DiskType" : "DiskSize";
    if (lack) throw call.error(code, `${within}${disk.parameter}.${part} ${lack.says}, as DescribeDiskConfigQuota lists them`);
  }
}

/** Machines that node pools make and remove. */

/** Makes or removes machines until a pool has its desired number. The installation of new ones begins at `from`. */
export function scaleToDesired(call: Call, cluster: ClusterRow, pool: PoolRow, from: number = call.now): void {
  const present = machinesOf(call, pool);
  const lack = pool.settings.replicas - present.length;
  if (lack > 0) for (const plan of placed(call, pool, present, lack)) makeMachine(call, cluster, pool, plan, from);
  else if (lack < 0) removeNodes(call, cluster, firstToGo(call, present).slice(0, -lack), call.after("nodeDelete"));
}

/** The machines that a pool made, without those that are being removed. */
function machinesOf(call: Call, { id, clusterId }: PoolRow): NodeRow[] {
  return call.list(nodes, clusterId).filter(({ poolId, machine, leaving }) => poolId === id && machine === "pool" && !leaving);
}

/**
 * Removes nodes from their cluster at a moment; their addresses are released a little later. Machines that a pool made go with their nodes
 * unless they are retained. Other instances stay unless they are terminated.
 */
export function removeNodes(
  call: Call,
  cluster: ClusterRow,
  going: readonly NodeRow[],
  moment: number,
  mode?: "retain" | "terminate",
): void {
  const removed = mode === "retain" ? becomeInstances(call, going) : going;
  for (const { id } of removed) {
    call.rows(nodes).update(id, { leaving: true });
    call.rows(nodes).expire(id, moment);
  }
  releaseOwners(call, cluster, removed.map(attachmentOwnerOf), moment);
  if (mode === "terminate") destroyInstances(call, cluster, going, moment);
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
    const hosts = freeHosts(call, subnet, count);
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
  const node = {
    id,
    clusterId: cluster.id,
    poolId: pool.id,
    machine: "pool" as const,
    ...(pool.generation === "2022" && { machineName: `${pool.id}-${id.slice(-5)}`, native: settings }),
    manual: false,
    vpcId: cluster.vpcId,
    subnetId: subnet.id,
    zone: subnet.zone,
    lanIp,
    instanceType: typeIn(call, settings.instanceTypes, subnet.zone),
    chargeType: settings.instanceChargeType,
    settings: nodeSettingsOf(pool),
    services: { security: true, monitor: true, automation: settings.automationService },
    tags: pool.tags.flatMap(({ tags }) => tags),
  };
  addNode(call, node, from, lanIp === "" ? `subnet ${subnet.id} has no available address` : undefined);
  attach(call, {
    owner: id,
    vpcId: cluster.vpcId,
    subnetId: subnet.id,
    addresses: lanIp === "" ? 0 : 1,
    ipv6: cluster.network.isDualStack,
    securityGroupIds: settings.securityGroupIds,
  });
}

/** The usual fields of nodes. */
export const usualNode = {
  role: "WORKER",
  machineName: "",
  manual: true,
  leaving: false,
  subnetId: "",
  zone: "",
  lanIp: "",
  instanceType: "",
  chargeType: "POSTPAID_BY_HOUR" as const,
  tags: [],
};

type NewNode = Omit<NodeRow, keyof typeof usualNode | "createdTime" | "timeline"> & Partial<Pick<NodeRow, keyof typeof usualNode>>;

/** Adds a node whose installation begins at `from`, and fails for a reason. */
export function addNode(call: Call, node: NewNode, from: number, flaw?: string): NodeRow {
  const end = call.faults.endFor("node") ?? (flaw === undefined ? undefined : { endState: "failed", reason: flaw });
  const until = from + durationOf("nodeCreate", call.world.timeScale);
  const timeline = passing("initializing", until, end?.endState ?? "running", end?.reason);
  return call.rows(nodes).insert({ ...usualNode, ...node, createdTime: timestampOf(from), timeline }, node.clusterId);
}

/** Lets a node without an address of the VPC, or with its machine's own, use security groups. */
export function useGroups(call: Call, node: NodeRow, securityGroupIds: readonly string[] = []): void {
  if (securityGroupIds.length === 0) return;
  const owner = attachmentOwnerOf(node);
  attach(call, { owner, vpcId: node.vpcId, addresses: 0, ipv6: false, securityGroupIds: [...securityGroupIds] });
}

/** The first of the types that the zone has. An older pool may have none of those. */
function typeIn({ region }: Call, types: readonly string[], zone: string): string {
  const offered = typesIn(instanceTypesIn(region), [zone]);
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

/** Destroys the instances of nodes at a moment. Prepaid ones stay, as only pay-as-you-go ones can be destroyed. */
export function destroyInstances(call: Call, cluster: ClusterRow, of: readonly NodeRow[], moment: number): void {
  const destroyed = of.filter(({ machine, chargeType }) => machine === "existing" && chargeType === "POSTPAID_BY_HOUR");
  for (const { id } of destroyed) call.rows(instances).expire(id, moment);
  const owners = destroyed.map(({ id }) => id);
  releaseOwners(call, cluster, owners, moment);
}

/** The image of machines for which none is asked. */
export const usualImageId = "img-00000001";

/** The public images for nodes, the same in every region. Old clusters may have one that is offline. */
const publicImages = [
  { osName: "ubuntu22.04x86_64", alias: "Ubuntu", seriesName: "Ubuntu Server 22.04 LTS 64bit", imageId: usualImageId, status: "online" },
  { osName: "ubuntu24.04x86_64", alias: "Ubuntu", seriesName: "Ubuntu Server 24.04 LTS 64bit", imageId: "img-00000002", status: "online" },
  {
    osName: "tlinux3.1x86_64",
    alias: "TencentOS Server",
    seriesName: "TencentOS Server 3.1 (TK4)",
    imageId: "img-00000003",
    status: "online",
  },
  { osName: "tlinux2.4x86_64", alias: "TencentOS Server", seriesName: "TencentOS Server 2.4", imageId: "img-00000004", status: "offline" },
] as const;

/** The system of nodes for which none is asked for. */
export const usualSystem: string = publicImages[0].osName;
/** The systems that new clusters can have. */
export const systemsOnline: readonly string[] = publicImages.filter(({ status }) => status === "online").map(({ osName }) => osName);
/** Any other image is custom, shared or imported. */
export const publicImageIds: readonly string[] = publicImages.map(({ imageId }) => imageId);

/** Existing machines that join a cluster as nodes, and nodes that become machines again. */

interface Joining {
  readonly role: string;
  readonly services: NodeRow["services"];
  readonly securityGroupIds?: readonly string[] | undefined;
  /** The image and the log-in keys with which the instance is reinstalled; it keeps its own unless given. */
  readonly imageId?: string | undefined;
  readonly keyIds?: string[] | undefined;
  readonly poolId?: string | undefined;
  readonly tags?: NodeRow["tags"] | undefined;
  /** When the installation begins. */
  readonly from: number;
}

/** Makes nodes of instances for which `whyUnfit` has no objection. An instance keeps its own addresses. */
export function joinInstances(
  call: Call,
  { id: clusterId }: ClusterRow,
  joining: readonly Pick<NodeRow, "id" | "settings">[],
  { role, services, securityGroupIds, imageId, keyIds, poolId, tags = [], from }: Joining,
): void {
  for (const { id, settings } of joining) {
    const instance = call.rows(instances).get(id);
    if (!instance) continue;
    const { instanceType, vpcId, subnetId, zone, privateIpAddress: lanIp } = instance;
    refuseGpu(call, settings, instanceType);
    const chargeType = instance.chargeType === "PREPAID" ? "PREPAID" : "POSTPAID_BY_HOUR";
    const place = { vpcId, subnetId, zone, lanIp, instanceType, chargeType } as const;
    const node = addNode(call, { id, clusterId, poolId, role, machine: "existing", ...place, settings, services, tags }, from);
    call.rows(instances).update(id, { imageId: imageId ?? instance.imageId, keyIds: keyIds ?? instance.keyIds });
    useGroups(call, node, securityGroupIds);
  }
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
    const { id, machineName, zone, vpcId, subnetId, lanIp, instanceType, chargeType, createdTime, tags, native } = node;
    const { diskType, diskSize } = native?.systemDisk ?? { diskType: "CLOUD_PREMIUM", diskSize: 50 };
    const place = { zone, vpcId, subnetId, privateIpAddress: lanIp, securityGroupIds: native?.securityGroupIds ?? [] };
    const system = { imageId: usualImageId, osName: usualSystem, systemDisk: { diskType, diskSize }, keyIds: native?.keyIds ?? [] };
    const record = { id, name: machineName || id, state: "RUNNING", instanceType, chargeType, createdTime, tags };
    call.rows(instances).insert({ ...record, ...place, ...system }, vpcId);
    return call.rows(nodes).update(id, { machine: "existing" });
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

export const nodeOfferBehaviours = [
  on(describeOsImages, (call, { filters = [] }) => {
    const [odd] = filters;
    if (odd) throw call.error("InvalidParameter", `Filters has ${JSON.stringify(odd.name)}; it takes none`);
    return {
      osImageSeriesSet: publicImages.map((image) => ({ ...image, osCustomizeType: "GENERAL", arch: "amd64" })),
      totalCount: publicImages.length,
    };
  }),

  on(describeVpcCniPodLimits, ({ region }, { zone, instanceFamily, instanceType }) => {
    const isAsked = (asked: string | undefined, value: string) => asked === undefined || asked === value;
    const podLimitsInstanceSet = instanceTypesIn(region)
      .filter((one) => isAsked(zone, one.zone) && isAsked(instanceFamily, one.family) && isAsked(instanceType, one.instanceType))
      .map(({ zone: of, family, instanceType: type }) => ({
        zone: of,
        instanceFamily: family,
        instanceType: type,
        podLimits: podLimitsOf(type),
      }));
    return { totalCount: podLimitsInstanceSet.length, podLimitsInstanceSet };
  }),
];

/** By network interfaces beside the node's own, and IP addresses beside their primary ones. The numbers are the emulator's. */
function podLimitsOf(instanceType: string) {
  const { cpu, memory } = sizeOf(instanceType);
  const interfaces = cpu <= 1 ? 1 : cpu <= 4 ? 3 : cpu <= 12 ? 5 : 7;
  const addresses = memory <= 2 ? 5 : memory < 16 ? 9 : memory < 32 ? 19 : 29;
  return { routeEniNonStaticIp: interfaces * addresses, routeEniStaticIp: interfaces * addresses, directEni: interfaces, subEni: 0 };
}
