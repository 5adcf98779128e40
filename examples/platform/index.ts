import { cluster, internalAccess, publicAccess } from "./cluster.ts";
import { egress, ipv6, subnets, vpc } from "./network.ts";
import { imagePullSecret, images, registry } from "./registry.ts";

export const vpcId = vpc.vpcId;
export const ipv6CidrBlock = ipv6.ipv6CidrBlock;
export const egressIp = egress.addressIp;
export const subnetIds = subnets.map(({ subnetId }) => subnetId);
export const clusterId = cluster.clusterId;
export const clusterVersion = cluster.clusterVersion;
export const publicAddress = publicAccess.address;
export const internalAddress = internalAccess.address;
export const registryServer = registry.pullServer({ vpcId: vpc.vpcId });
export const imagePrefix = images.imagePrefix.vpc;

/**
 * For `kubectl`: `npm run pulumi -- stack output kubeconfig --show-secrets > kubeconfig.yaml`. On a local platform the addresses above are
 * not real, and this leads nowhere: `npm run up -- --serve` serves what answers.
 */
export const kubeconfig = publicAccess.kubeconfig;

/** The content of the Kubernetes secret with which workloads pull images: `npm run pulumi -- stack output pullSecret --show-secrets`. */
export const pullSecret = imagePullSecret;
