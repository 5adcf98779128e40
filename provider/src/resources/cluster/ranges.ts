import type { Cloud } from "@container-platform/sdk";
import { everyCluster } from "@container-platform/sdk/finders/cluster";
import { Vpc } from "../network/vpc.ts";

/** Where the ranges of pods and services may lie. */

const ofVpc = { lies: "outside", in: "vpcId", of: { kind: Vpc.kind, by: "cidrBlock" } } as const;
export const bounds = [
  { by: "clusterCidr", ...ofVpc },
  { by: "serviceCidr", ...ofVpc },
] as const;

export const sole = [
  { by: "clusterCidr", as: "range", in: "vpcId" },
  { by: "serviceCidr", as: "range", in: "vpcId", meets: "clusterCidr" },
] as const;

/** The clusters of the region, with their ranges. */
export async function neighbours(cloud: Cloud) {
  return (await everyCluster(cloud)).map(({ clusterId, clusterNetworkSettings: { vpcId, clusterCidr, serviceCidr } }) => ({
    clusterId,
    vpcId,
    clusterCidr,
    serviceCidr,
  }));
}
