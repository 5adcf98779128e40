import { addVpcCniSubnets, describeClusterExtraArgs, describeIpamd, modifyClusterExtraArgs } from "../../../catalogue/cluster/clusters.ts";
import { on } from "../../behaviour.ts";
import { attachPodSubnet } from "./creation.ts";
import { subnetRequirements, subnetIn } from "../network.ts";
import { clusterOf, clusterStateOf, requireRunning, requireUsable } from "../states.ts";
import { clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";

/** Components that the platform runs in a cluster: the network component, and Kubernetes with its arguments. */
export const componentBehaviours = [
  on(addVpcCniSubnets, (call, { clusterId, subnetIds, vpcId }) => {
    const cluster = clusterOf(call, clusterId);
    requireUsable(call, cluster);
    const { network } = cluster;
    if (network.type !== "VPC-CNI")
      throw call.error("InvalidParameter", `cluster ${clusterId} is of NetworkType ${network.type}; only VPC-CNI has subnets for pods`);
    if (vpcId !== cluster.vpcId) throw call.error("InvalidParameter", `VpcId is ${vpcId}; cluster ${clusterId} is in ${cluster.vpcId}`);
    const added = [...new Set(subnetIds)].filter((id) => !network.eniSubnetIds.includes(id));
    for (const id of added) subnetIn(call, "SubnetIds", id, subnetRequirements(cluster));
    for (const id of added) attachPodSubnet(call, cluster, id);
    call.rows(clusters).update(clusterId, { network: { ...network, eniSubnetIds: [...network.eniSubnetIds, ...added] } });
    return {};
  }),

  on(describeIpamd, (call, { clusterId }) => {
    const cluster = clusterOf(call, clusterId);
    const { network } = cluster;
    if (network.type !== "VPC-CNI") return { enableIpamd: false };
    return {
      enableIpamd: true,
      enableCustomizedPodCidr: network.customizedPodCidr,
      disableVpcCniMode: false,
      phase: clusterStateOf(call, cluster) === "Creating" ? "initializing" : "running",
      subnetIds: network.eniSubnetIds,
      claimExpiredDuration: `${network.claimExpiredSeconds}s`,
      enableTrunkingEni: false,
    };
  }),

  on(modifyClusterExtraArgs, (call, { clusterId, clusterExtraArgs }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.type !== "MANAGED_CLUSTER")
      throw call.error(
        "UnsupportedOperation",
        `cluster ${clusterId} is of type ${cluster.type}; only a managed cluster's arguments can be changed`,
      );
    requireRunning(call, cluster);
    call.rows(clusters).update(clusterId, { extraArgs: clusterExtraArgs });
    beginTask(call, clusterId, { type: "apply_cluster_extra_args", param: clusterExtraArgs, until: call.after("clusterModify") });
    return {};
  }),

  on(describeClusterExtraArgs, (call, { clusterId }) => ({ clusterExtraArgs: clusterOf(call, clusterId).extraArgs })),
];
