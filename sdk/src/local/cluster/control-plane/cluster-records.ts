import type { Call } from "../../behaviour.ts";
import { levelFor } from "./levels.ts";
import { kindOf } from "../pools/pool-settings.ts";
import { clusterStateOf, clusterStatusOf, endpointStateAt, instanceStateOf, nodeStateOf, versionOf } from "../states.ts";
import { servedClusters } from "../access/served-clusters.ts";
import { clusterEndpoints, type ClusterRow, clusters, nodePools, nodes } from "../tables.ts";

/** The access domain of a cluster. It only resolves inside of the platform. */
export function domainOf(clusterId: string): string {
  return `${clusterId}.clusters.container-platform.internal`;
}

/** The address of a cluster's endpoint, or the one of this machine at which this process serves it; empty if the endpoint is not open. */
export function addressOf(call: Call, clusterId: string, direction: "public" | "internal"): string {
  const endpoint = call.rows(clusterEndpoints).get(`${clusterId}/${direction}`);
  if (!endpoint || endpointStateAt(endpoint.timeline, call.now) !== "Created") return "";
  const vpcId = direction === "public" ? undefined : call.rows(clusters).get(clusterId)?.vpcId;
  return servedClusters(call.world)?.openAddressFor(vpcId) ?? endpoint.address;
}

/** A cluster's record in DescribeClusters. */
export function clusterRecordOf(call: Call, cluster: ClusterRow) {
  const { id } = cluster;
  const present = call.rows(nodes).list(id);
  const masters = present.filter(({ role }) => role === "MASTER_ETCD").length;
  return {
    clusterId: id,
    clusterName: cluster.name,
    clusterDescription: cluster.description,
    clusterVersion: versionOf(call, cluster),
    clusterOs: cluster.os,
    clusterType: cluster.type,
    clusterNetworkSettings: networkRecordOf(cluster),
    clusterNodeNum: present.length - masters,
    projectId: cluster.projectId,
    tagSpecification: cluster.tags.length > 0 ? [{ resourceType: "cluster", tags: cluster.tags }] : [],
    clusterStatus: clusterStatusOf(call, cluster),
    clusterState: clusterStateOf(call, cluster),
    clusterInstanceState: instanceStateOf(call, present),
    clusterDeletionProtection: cluster.deletionProtection,
    clusterExternalEndpoint: addressOf(call, id, "public"),
    clusterIntranetEndpoint: addressOf(call, id, "internal"),
    domain: domainOf(id),
    property: propertyOf(cluster),
    clusterMaterNodeNum: masters,
    osCustomizeType: cluster.osCustomizeType,
    containerRuntime: cluster.containerRuntime,
    createdTime: cluster.createdTime,
    deletionProtection: cluster.deletionProtection,
    enableExternalNode: takesExternalNodes(call, id),
    clusterLevel: cluster.autoUpgradeLevel ? levelFor(cluster.level, present.length) : cluster.level,
    autoUpgradeClusterLevel: cluster.autoUpgradeLevel,
    qgpuShareEnable: cluster.qgpuShareEnable,
    runtimeVersion: cluster.runtimeVersion,
    clusterEtcdNodeNum: masters,
    cdcId: cluster.cdcId,
    isHighAvailability: cluster.isHighAvailability,
    securityModeConfig: cluster.securityModeConfig,
  };
}

function propertyOf({ nodeNameType, network }: ClusterRow): string {
  const { type, vpcCniType, isNonStaticIpMode } = network;
  return JSON.stringify({ NodeNameType: nodeNameType, NetworkType: type, VpcCniType: vpcCniType, IsNonStaticIpMode: isNonStaticIpMode });
}

function takesExternalNodes(call: Call, clusterId: string): boolean {
  return call
    .rows(nodePools)
    .list(clusterId)
    .some((pool) => kindOf(pool) === "External");
}

function networkRecordOf({ vpcId, subnetId, network }: ClusterRow) {
  return {
    clusterCidr: network.clusterCidr,
    ignoreClusterCidrConflict: network.ignoreClusterCidrConflict,
    maxNodePodNum: network.maxNodePodNum,
    maxClusterServiceNum: network.maxClusterServiceNum,
    ipvs: network.ipvs,
    vpcId,
    cni: true,
    kubeProxyMode: network.kubeProxyMode,
    serviceCidr: network.serviceCidr,
    subnets: network.eniSubnetIds,
    ignoreServiceCidrConflict: network.ignoreServiceCidrConflict,
    isDualStack: network.isDualStack,
    ipv6ServiceCidr: network.ipv6ServiceCidr,
    ciliumMode: network.ciliumMode,
    subnetId,
    dataPlaneV2: network.dataPlaneV2,
  };
}

/** A cluster's record in DescribeClusterStatus. */
export function clusterStatusRecordOf(call: Call, cluster: ClusterRow) {
  const present = call.rows(nodes).list(cluster.id);
  const staying = present.filter(({ leaving }) => !leaving);
  const inState = (state: string) => staying.filter((node) => nodeStateOf(call, node) === state).length;
  return {
    clusterId: cluster.id,
    clusterState: clusterStateOf(call, cluster),
    clusterInstanceState: instanceStateOf(call, present),
    clusterBMonitor: true,
    clusterInitNodeNum: inState("initializing"),
    clusterRunningNodeNum: inState("running"),
    clusterFailedNodeNum: inState("failed"),
    clusterClosedNodeNum: 0,
    clusterClosingNodeNum: present.length - staying.length,
    clusterDeletionProtection: cluster.deletionProtection,
    clusterAuditEnabled: cluster.auditEnabled,
  };
}
