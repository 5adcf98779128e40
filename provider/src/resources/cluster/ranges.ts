import type { Cloud } from "@container-platform/sdk";
import { everyCluster } from "@container-platform/sdk/finders/cluster";
import { cidrContainment } from "../../program/invariants.ts";
import { Vpc } from "../network/vpc.ts";

/** The CIDR blocks of pods and services are outside the VPC's. */
export const outsideVpc = (["clusterCidr", "serviceCidr"] as const).map((by) =>
  cidrContainment("outside", by, "vpcId", { kind: Vpc.kind, by: "cidrBlock" }),
);

export const unique = [
  { by: "clusterCidr", as: "range", in: "vpcId" },
  { by: "serviceCidr", as: "range", in: "vpcId", meets: "clusterCidr" },
] as const;

/** The clusters of the region, with their CIDR blocks. */
export const list = async (cloud: Cloud) => (await everyCluster(cloud)).map((one) => ({ ...one, ...one.clusterNetworkSettings }));
