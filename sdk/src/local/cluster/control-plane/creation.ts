import type { z } from "zod";
import { createCluster } from "../../../catalogue/cluster/creation.ts";
import { type Call, on } from "../../behaviour.ts";
import { ownAddresses, usualClusters } from "../../../rules/cluster.ts";
import { textRules } from "../../../rules/texts.ts";
import { refuseTags, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { passing } from "../../store/timeline.ts";
import { attach } from "../../vpc/attachments.ts";
import { makeAuthority } from "../access/certificates.ts";
import { makeNodes } from "../nodes/make-nodes.ts";
import { systemsOnline, usualSystem } from "../nodes/public-images.ts";
import { levelNames } from "./levels.ts";
import { networkOf, placeOf } from "./network-checks.ts";
import { authorities, type ClusterRow, clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";
import { newestVersion, offeredVersions } from "./versions-offered.ts";

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
    attachCluster(call, cluster);
    // The platform runs the control plane of a managed cluster.
    const roles = cluster.type === "MANAGED_CLUSTER" ? (["WORKER"] as const) : (["WORKER", "MASTER_ETCD"] as const);
    makeNodes(call, cluster, input, { usualRole: "WORKER", roles, from: call.after("clusterCreate") });
    return { clusterId: id };
  }),
];

function settingsOf(
  call: Call,
  id: string,
  { clusterType, clusterBasicSettings: basic = {}, clusterAdvancedSettings: advanced = {}, cdcId }: Input,
) {
  const { clusterVersion = newestVersion, clusterLevel = "L5" } = basic;
  refuseUnoffered(call, "ClusterVersion", clusterVersion, offeredVersions);
  refuseSystem(call, basic.clusterOs);
  if (basic.clusterName !== undefined) refuseUnlessAllowed(call, "InvalidParameter", "ClusterName", basic.clusterName, textRules.name);
  refuseUnoffered(call, "ClusterLevel", clusterLevel, levelNames);
  return {
    name: basic.clusterName ?? id,
    description: basic.clusterDescription ?? "",
    type: clusterType ?? "MANAGED_CLUSTER",
    version: clusterVersion,
    os: basic.clusterOs ?? usualSystem,
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

/** A public image by the name of its system, or an image of the account's own by its id (public API). */
function refuseSystem(call: Call, system = usualSystem): void {
  if (!/^img-\w+$/.test(system)) refuseUnoffered(call, "ClusterOs", system, systemsOnline);
}

export function refuseUnoffered(call: Call, parameter: string, value: string, offered: readonly string[]): void {
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

/** Attaches a cluster to its subnet, where it takes addresses, and to the subnets of its pods. */
function attachCluster(call: Call, { id: owner, vpcId, subnetId, network }: ClusterRow): void {
  attach(call, { owner, vpcId, subnetId, addresses: ownAddresses, ipv6: network.isDualStack, securityGroupIds: [] });
  for (const eniSubnetId of network.eniSubnetIds) attachPodSubnet(call, { id: owner, vpcId, network }, eniSubnetId);
}

/** Attaches a cluster to a subnet of its pods. The subnet is in use, but pods do not count against its free addresses. */
export function attachPodSubnet(
  call: Call,
  { id: owner, vpcId, network }: Pick<ClusterRow, "id" | "vpcId" | "network">,
  subnetId: string,
): void {
  attach(call, { owner, vpcId, subnetId, addresses: 0, ipv6: network.isDualStack, securityGroupIds: [] });
}
