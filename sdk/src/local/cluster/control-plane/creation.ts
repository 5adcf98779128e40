import { z } from "zod";
import { createCluster } from "../../../catalogue/cluster/clusters.ts";
import { addressFamily, overlaps, parseCidr } from "../../../formats/addresses.ts";
import { jsonIn } from "../../../formats/texts.ts";
import { leastAddresses, ownAddresses, usualClusters } from "../../../rules/cluster.ts";
import { textRules } from "../../../rules/rule.ts";
import { type Call, on } from "../../behaviour.ts";
import { requireRow } from "../../requests/listing.ts";
import { refuseTags, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { passing } from "../../store/timeline.ts";
import { attach, freeAddresses } from "../../vpc/subnets.ts";
import { subnets, vpcs } from "../../vpc/tables.ts";
import { makeAuthority } from "../access/certificates.ts";
import { subnetIn } from "../network.ts";
import { systemsOnline, usualSystem } from "../nodes/machines.ts";
import { makeNodes } from "../nodes/make-nodes.ts";
import { authorities, type ClusterRow, clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";
import { levelNames, newestVersion, offeredVersions } from "./versions.ts";

type Network = ClusterRow["network"];
type NetworkCall = Call<
  | "InvalidParameter.CidrConflictWithOtherCluster"
  | "InvalidParameter.CidrConflictWithVpcCidr"
  | "InvalidParameter.CidrInvalid"
  | "ResourceNotFound"
>;

/** The VPC and subnet of a new cluster. The specification and the public API have these parameters in different places. */
function placeOf(call: Call<"ResourceNotFound">, input: Input) {
  const { vpcId, subnetId, clusterBasicSettings = {} } = input;
  const nested = call.form === "public" ? completedPlace(call, input) : clusterBasicSettings;
  const place = {
    vpcId: agreed(call, "VpcId", vpcId, nested.vpcId),
    subnetId: agreed(call, "SubnetId", subnetId, nested.subnetId),
    ...(clusterBasicSettings.subnetId === undefined && subnetId === undefined && { isSubnetUnset: true }),
  };
  requireRow(call, vpcs, "VPC", place.vpcId);
  const subnet = subnetIn(call, "SubnetId", place.subnetId, place);
  const free = freeAddresses(call, subnet);
  if (free < leastAddresses)
    throw call.error("InvalidParameter", `subnet ${subnet.id} has ${free} available addresses; a cluster needs ${leastAddresses} or more`);
  return place;
}

/** Clients of the public API may name the VPC and the subnet with the first instances alone, and leave the subnet to the platform. */
function completedPlace(call: Call<"ResourceNotFound">, input: Input): { vpcId?: string | undefined; subnetId?: string | undefined } {
  const { clusterBasicSettings: basic = {}, clusterAdvancedSettings: advanced = {}, runInstancesForNode: [first] = [] } = input;
  const network = instancesNetwork.safeParse(jsonIn(first?.runInstancesPara[0] ?? "")).data?.VirtualPrivateCloud;
  const vpcId = basic.vpcId ?? network?.VpcId;
  const subnetId = basic.subnetId ?? network?.SubnetId;
  if (vpcId === undefined || subnetId !== undefined) return { vpcId, subnetId };
  requireRow(call, vpcs, "VPC", vpcId);
  const own = call.list(subnets, vpcId);
  const found = own.find((one) => freeAddresses(call, one) >= leastAddresses && (one.ipv6CidrBlock !== undefined || !advanced.isDualStack));
  if (!found)
    throw call.error("InvalidParameter", `VPC ${vpcId} has no subnet with ${leastAddresses} available addresses, which a cluster needs`);
  return { vpcId, subnetId: found.id };
}

const instancesNetwork = z.object({ VirtualPrivateCloud: z.object({ VpcId: z.string(), SubnetId: z.string() }) });

function agreed(call: Call, name: string, top: string | undefined, nested: string | undefined): string {
  if (top !== undefined && nested !== undefined && top !== nested)
    throw call.error("InvalidParameter", `${name} is ${top} and ClusterBasicSettings.${name} is ${nested}; they mean the same, give one`);
  const given = top ?? nested;
  if (given === undefined || given === "") throw call.error("MissingParameter", `${name} is required`);
  return given;
}

/** The network of a new cluster, by its type. */
function networkOf(
  call: NetworkCall,
  { clusterCidrSettings: ranges = {}, clusterAdvancedSettings: settings = {} }: Input,
  place: { vpcId: string; subnetId: string },
): Network {
  const { networkType: type = "GR", isDualStack = false } = settings;
  const { cidrBlock } = requireRow(call, vpcs, "VPC", place.vpcId);
  const network: Network = {
    type,
    clusterCidr: ranges.clusterCidr ?? "",
    ignoreClusterCidrConflict: ranges.ignoreClusterCidrConflict ?? false,
    serviceCidr: ranges.serviceCidr ?? "",
    ignoreServiceCidrConflict: ranges.ignoreServiceCidrConflict ?? false,
    ...(isDualStack && { ipv6ServiceCidr: `fd${call.world.drawHex().slice(0, 2)}::/112` }),
    maxNodePodNum: ranges.maxNodePodNum ?? 256,
    maxClusterServiceNum: ranges.maxClusterServiceNum ?? 256,
    eniSubnetIds: [...new Set(ranges.eniSubnetIds ?? [])],
    claimExpiredSeconds: ranges.claimExpiredSeconds ?? 300,
    isDualStack,
    ipvs: settings.ipvs ?? false,
    kubeProxyMode: settings.kubeProxyMode ?? "",
    ciliumMode: settings.ciliumMode ?? "",
    dataPlaneV2: settings.dataPlaneV2 ?? false,
    vpcCniType: type === "VPC-CNI" ? (settings.vpcCniType ?? "tke-route-eni") : "",
    isNonStaticIpMode: settings.isNonStaticIpMode ?? false,
    customizedPodCidr: settings.enableCustomizedPodCidr ?? false,
  };
  if (type === "GR") refuseGlobalRouter(call, network);
  else refuseVpcCni(call, network, place);
  refuseConflicts(call, network, { vpcId: place.vpcId, cidrBlock });
  return network;
}

function refuseGlobalRouter(call: NetworkCall, { clusterCidr, eniSubnetIds, isDualStack }: Network): void {
  if (isDualStack) throw call.error("InvalidParameter", "IsDualStack is true with NetworkType GR; a dual-stack cluster needs VPC-CNI");
  if (clusterCidr === "") throw call.error("MissingParameter", "ClusterCIDRSettings.ClusterCIDR is required with NetworkType GR");
  if (eniSubnetIds.length > 0)
    throw call.error("InvalidParameter", "ClusterCIDRSettings.EniSubnetIds is given with NetworkType GR; only VPC-CNI takes it");
}

function refuseVpcCni(call: NetworkCall, network: Network, { vpcId, subnetId }: { vpcId: string; subnetId: string }): void {
  const { clusterCidr, eniSubnetIds } = network;
  if (clusterCidr !== "")
    throw call.error(
      "InvalidParameter",
      "ClusterCIDRSettings.ClusterCIDR is given with NetworkType VPC-CNI, whose pods take addresses of EniSubnetIds",
    );
  if (eniSubnetIds.length === 0)
    throw call.error("MissingParameter", "ClusterCIDRSettings.EniSubnetIds is required with NetworkType VPC-CNI: at least one subnet");
  subnetIn(call, "SubnetId", subnetId, { vpcId, network });
  for (const id of eniSubnetIds) subnetIn(call, "ClusterCIDRSettings.EniSubnetIds", id, { vpcId, network });
}

/** The ranges of pods and services must not overlap the VPC's range, nor the pod ranges of other clusters in the VPC. */
function refuseConflicts(call: NetworkCall, network: Network, vpc: { vpcId: string; cidrBlock: string }): void {
  const ranges = [
    { name: "ClusterCIDR", cidr: network.clusterCidr, ignored: network.ignoreClusterCidrConflict },
    { name: "ServiceCIDR", cidr: network.serviceCidr, ignored: network.ignoreServiceCidrConflict },
  ].filter(({ cidr }) => cidr !== "");
  const others = call.list(clusters).filter(({ vpcId }) => vpcId === vpc.vpcId);
  for (const { name, cidr, ignored } of ranges) {
    if (parseCidr(cidr)?.canonical !== cidr || addressFamily(cidr.split("/")[0] ?? "") !== 4)
      throw call.error(
        "InvalidParameter.CidrInvalid",
        `${name} is ${JSON.stringify(cidr)}; it takes an IPv4 range without host bits such as 10.244.0.0/16`,
      );
    if (overlaps(vpc.cidrBlock, cidr))
      throw call.error(
        "InvalidParameter.CidrConflictWithVpcCidr",
        `${name} ${cidr} overlaps ${vpc.cidrBlock} of ${vpc.vpcId}; take a range outside of it`,
      );
    const other = ignored ? undefined : others.find((one) => one.network.clusterCidr !== "" && overlaps(one.network.clusterCidr, cidr));
    if (other)
      throw call.error(
        "InvalidParameter.CidrConflictWithOtherCluster",
        `${name} ${cidr} overlaps ${other.network.clusterCidr} of cluster ${other.id} in the same VPC; take another range`,
      );
  }
}

type Input = z.output<typeof createCluster.input>;

export const creationBehaviours = [
  on(createCluster, async (call, input) => {
    const place = placeOf(call, input);
    const network = networkOf(call, input, place);
    const tags = tagsOf(call, input);
    refuseTags(call, tags);
    if (call.rows(clusters).count() >= usualClusters)
      throw call.error("LimitExceeded", `there are ${usualClusters} clusters in ${call.region}, the most that a region has`);
    const id = call.world.newId("cls", clusters);
    const fault = call.faults.endFor("cluster");
    const timeline = passing("Creating", call.after("clusterCreate"), fault?.endState ?? "Running", fault?.reason);
    const cluster = call.rows(clusters).insert({ id, ...settingsOf(call, id, input), ...place, network, tags, timeline });
    beginTask(call, id, { type: "create_cluster", until: call.after("clusterCreate"), failure: fault?.reason });
    const { certificate, privateKey } = await makeAuthority(id, call.world.draw(), call.now);
    call.rows(authorities).insert({ id, certificate, privateKey, revoked: [] }, id);
    attachTo(call, cluster, cluster.subnetId, ownAddresses);
    for (const subnetId of network.eniSubnetIds) attachTo(call, cluster, subnetId);
    // The platform runs the control plane of a managed cluster.
    const roles = cluster.type === "MANAGED_CLUSTER" ? (["WORKER"] as const) : (["WORKER", "MASTER_ETCD"] as const);
    makeNodes(call, cluster, input, roles, call.after("clusterCreate"));
    return { clusterId: id };
  }),
];

function settingsOf(
  call: Call,
  id: string,
  { clusterType, clusterBasicSettings: basic = {}, clusterAdvancedSettings: advanced = {}, cdcId }: Input,
) {
  const { clusterVersion = newestVersion, clusterLevel = "L5", clusterOs: os = usualSystem } = basic;
  refuseOtherValue(call, "ClusterVersion", clusterVersion, offeredVersions);
  // A public image by the name of its system, or an image of the account's own by its id (public API).
  if (!/^img-\w+$/.test(os)) refuseOtherValue(call, "ClusterOs", os, systemsOnline);
  if (basic.clusterName !== undefined) refuseUnlessAllowed(call, "InvalidParameter", "ClusterName", basic.clusterName, textRules.name);
  refuseOtherValue(call, "ClusterLevel", clusterLevel, levelNames);
  return {
    name: basic.clusterName ?? id,
    description: basic.clusterDescription ?? "",
    type: clusterType ?? "MANAGED_CLUSTER",
    version: clusterVersion,
    os,
    osCustomizeType: basic.osCustomizeType ?? "GENERAL",
    projectId: basic.projectId ?? 0,
    level: clusterLevel,
    autoUpgradeLevel: basic.autoUpgradeClusterLevel?.isAutoUpgrade ?? false,
    containerRuntime: advanced.containerRuntime ?? "containerd",
    runtimeVersion: advanced.runtimeVersion ?? "1.6.9",
    nodeNameType: advanced.nodeNameType ?? "lan-ip",
    deletionProtection: advanced.deletionProtection ?? false,
    auditEnabled: advanced.auditEnabled ?? false,
    qgpuShareEnable: advanced.qgpuShareEnable ?? false,
    isHighAvailability: advanced.isHighAvailability ?? false,
    ...(advanced.securityModeConfig && { securityModeConfig: advanced.securityModeConfig }),
    extraArgs: advanced.extraArgs ?? {},
    ...(cdcId !== undefined && { cdcId }),
    createdTime: call.timestamp,
    authentication: { useServiceDefault: true, autoCreateDiscoveryAnonymousAuth: false },
  } satisfies Partial<ClusterRow>;
}

export function refuseOtherValue(call: Call, parameter: string, value: string, offered: readonly string[]): void {
  if (!offered.includes(value))
    throw call.error("InvalidParameter", `${parameter} is ${JSON.stringify(value)}; it takes ${offered.join(", ")}`);
}

function tagsOf(call: Call, { clusterBasicSettings }: Input): ClusterRow["tags"] {
  return (clusterBasicSettings?.tagSpecification ?? []).flatMap(({ resourceType, tags }) => {
    if (resourceType !== "cluster")
      throw call.error(
        "InvalidParameter",
        `TagSpecification has ResourceType ${JSON.stringify(resourceType)}; CreateCluster takes "cluster"`,
      );
    return tags;
  });
}

/** Attaches a cluster to a subnet. Those of its pods are in use, but pods do not count against their free addresses. */
export function attachTo(call: Call, { id: owner, vpcId, network }: ClusterRow, subnetId: string, addresses = 0): void {
  attach(call, { owner, vpcId, subnetId, addresses, ipv6: network.isDualStack, securityGroupIds: [] });
}
