import type { Cloud } from "@container-platform/sdk";
import { clustersOn, everyCluster } from "@container-platform/sdk/finders/cluster";

type Found = Awaited<ReturnType<typeof everyCluster>>[number];

/** The protected clusters of a VPC, by name. */
export async function protectedInVpc(cloud: Cloud, vpcId: string): Promise<readonly string[]> {
  return protectedOf(await clustersOn(cloud, vpcId));
}

/** The protected clusters whose control plane or pods have addresses of a subnet, by name. */
export async function protectedInSubnet(cloud: Cloud, subnetId: string): Promise<readonly string[]> {
  const all = await everyCluster(cloud);
  return protectedOf(
    all.filter(({ clusterNetworkSettings: { subnetId: own, subnets } }) => own === subnetId || subnets.includes(subnetId)),
  );
}

function protectedOf(clusters: readonly Found[]): readonly string[] {
  return clusters.flatMap(({ clusterId, clusterName, deletionProtection }) =>
    deletionProtection ? [`${clusterId} (${clusterName})`] : [],
  );
}
