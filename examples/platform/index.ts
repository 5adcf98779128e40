import { cluster, internalAccess, publicAccess } from "./cluster.ts";
import { ipv6, subnets, vpc } from "./network.ts";

export const vpcId = vpc.vpcId;
export const ipv6CidrBlock = ipv6.ipv6CidrBlock;
export const subnetIds = subnets.map(({ subnetId }) => subnetId);
export const clusterId = cluster.clusterId;
export const clusterVersion = cluster.clusterVersion;
export const publicAddress = publicAccess.address;
export const internalAddress = internalAccess.address;

/** For `kubectl`: `npm run pulumi -- stack output kubeconfig --show-secrets > kubeconfig.yaml`. */
export const kubeconfig = publicAccess.kubeconfig;
