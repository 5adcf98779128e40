import type { Cloud } from "@container-platform/sdk";
import type { everyCluster } from "@container-platform/sdk/finders/cluster";

// The operations on clusters are loaded when a question about clusters comes: most programs of networks ask none.

type Found = Awaited<ReturnType<typeof everyCluster>>[number];

/** The protected clusters of a VPC, by name. */
export async function protectedInVpc(cloud: Cloud, vpcId: string): Promise<readonly string[]> {
  const { clustersOn } = await import("@container-platform/sdk/finders/cluster");
  return protectedOf(await clustersOn(cloud, vpcId));
}

/** The protected clusters whose control plane or pods have addresses of a subnet, by name. */
export async function protectedInSubnet(cloud: Cloud, subnetId: string): Promise<readonly string[]> {
  const { everyCluster } = await import("@container-platform/sdk/finders/cluster");
  const isOn = ({ clusterNetworkSettings: { subnetId: own, subnets } }: Found) => own === subnetId || subnets.includes(subnetId);
  return protectedOf((await everyCluster(cloud)).filter(isOn));
}

function protectedOf(clusters: readonly Found[]): readonly string[] {
  return clusters.flatMap(({ clusterId, clusterName, deletionProtection }) =>
    deletionProtection ? [`${clusterId} (${clusterName})`] : [],
  );
}
