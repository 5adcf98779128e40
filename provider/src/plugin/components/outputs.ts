import type { Output } from "@pulumi/pulumi";
import type { Network } from "../../components/network.ts";
import type { Platform } from "../../components/platform.ts";
import { mapped } from "../../components/children.ts";

/** The outputs of `Network` for programs in YAML, Python and Go. */
export interface NetworkOutputs {
  /** ID of the VPC. */
  readonly vpcId: Output<string>;
  /** IPv4 CIDR block of the VPC. */
  readonly cidrBlock: string;
  /** IPv6 block of the VPC, a /56; absent without `dualStack`. */
  readonly ipv6CidrBlock?: Output<string>;
  /** The names of the zones, in order. */
  readonly zones: Output<readonly string[]>;
  /** IDs of the subnets by role, in the order of the zones. */
  readonly subnetIds: Readonly<Record<string, Output<string[]>>>;
  /** The public IPv4 addresses from which the subnets reach the internet; empty without a NAT gateway. */
  readonly egressIps: Output<string[]>;
}

/** The outputs of `Platform` for programs in YAML, Python and Go. */
export interface PlatformOutputs {
  /** ID of the VPC. */
  readonly vpcId: Output<string>;
  /** IDs of the subnets by role, in the order of the zones. */
  readonly subnetIds: Readonly<Record<string, Output<string[]>>>;
  /** The public IPv4 addresses from which the nodes reach the internet; empty without a NAT gateway. */
  readonly egressIps: Output<string[]>;
  /** ID of the security group of the nodes and the API server. */
  readonly securityGroupId: Output<string>;
  /** ID of the cluster. */
  readonly clusterId: Output<string>;
  /** The Kubernetes version of the cluster. */
  readonly clusterVersion: Output<string>;
  /** IDs of the node pools, by name. */
  readonly nodePoolIds: Readonly<Record<string, Output<string>>>;
  /** Kubeconfig of the public endpoint, or else of the private endpoint; absent without an endpoint. A secret. */
  readonly kubeconfig?: Output<string>;
  /** ID of the registry, if the platform has one. */
  readonly registryId?: Output<string>;
  /** Server from which the nodes pull images over the VPC, if the platform has a registry. */
  readonly pullServer?: Output<string>;
  /**
   * Content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, for pulls over the VPC, if the platform has a registry. A
   * secret.
   */
  readonly pullSecret?: Output<string>;
}

/** The outputs that are secrets. */
export const secretOutputs: readonly string[] = ["kubeconfig", "pullSecret"] satisfies (keyof PlatformOutputs)[];

export function networkOutputs({ vpc, cidrBlock, ipv6, zones, subnetIds, egressIps }: Network<string>): NetworkOutputs {
  return { vpcId: vpc.vpcId, cidrBlock, ...(ipv6 ? { ipv6CidrBlock: ipv6.ipv6CidrBlock } : {}), zones, subnetIds, egressIps };
}

export function platformOutputs(platform: Platform<string, string>): PlatformOutputs {
  const { network, securityGroup, cluster, nodePools, endpoints, registry } = platform;
  return {
    vpcId: network.vpc.vpcId,
    subnetIds: network.subnetIds,
    egressIps: network.egressIps,
    securityGroupId: securityGroup.securityGroupId,
    clusterId: cluster.clusterId,
    clusterVersion: cluster.clusterVersion,
    nodePoolIds: mapped(nodePools, (_, { nodePoolId }) => nodePoolId),
    ...(endpoints.internal || endpoints.internet ? { kubeconfig: platform.kubeconfig } : {}),
    ...(registry ? { registryId: registry.registryId, pullServer: platform.pullServer, pullSecret: platform.pullSecret } : {}),
  };
}
