import type { Output } from "@pulumi/pulumi";
import type { Network } from "../../components/network.ts";
import type { Platform } from "../../components/platform.ts";
import { mapped } from "../../components/records.ts";

/** What a network tells programs in other languages, which do not have its children as properties. */
export interface NetworkOutputs {
  /** The id of the VPC. */
  readonly vpcId: Output<string>;
  /** IPv4 range of the VPC. */
  readonly cidrBlock: string;
  /** IPv6 block of the VPC, a /56; none without `dualStack`. */
  readonly ipv6CidrBlock?: Output<string>;
  /** The names of the zones, in order. */
  readonly zones: Output<readonly string[]>;
  /** The ids of the subnets by role, in the order of the zones. */
  readonly subnetIds: Readonly<Record<string, Output<string[]>>>;
}

/** What a platform tells programs in other languages. */
export interface PlatformOutputs {
  /** The id of the VPC. */
  readonly vpcId: Output<string>;
  /** The ids of the subnets by role, in the order of the zones. */
  readonly subnetIds: Readonly<Record<string, Output<string[]>>>;
  /** The id of the firewall of nodes and API server. */
  readonly securityGroupId: Output<string>;
  /** The id of the cluster. */
  readonly clusterId: Output<string>;
  /** The Kubernetes version of the cluster. */
  readonly clusterVersion: Output<string>;
  /** The ids of the pools of nodes, by name. */
  readonly nodePoolIds: Readonly<Record<string, Output<string>>>;
  /** The kubeconfig for access from the internet if there is that, else from the VPC; none without access. A secret. */
  readonly kubeconfig?: Output<string>;
  /** The id of the registry, if there is one. */
  readonly registryId?: Output<string>;
  /** The server that the nodes pull images from, over the VPC, if there is a registry. */
  readonly pullServer?: Output<string>;
  /**
   * The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, with which the nodes pull images over the VPC, if there is a
   * registry. A secret.
   */
  readonly pullSecret?: Output<string>;
}

/** The outputs that are secrets. */
export const secretOutputs: readonly string[] = ["kubeconfig", "pullSecret"] satisfies (keyof PlatformOutputs)[];

export function networkOutputs({ vpc, cidrBlock, ipv6, zones, subnetIds }: Network<string>): NetworkOutputs {
  return { vpcId: vpc.vpcId, cidrBlock, ...(ipv6 ? { ipv6CidrBlock: ipv6.ipv6CidrBlock } : {}), zones, subnetIds };
}

export function platformOutputs(platform: Platform<string, string>): PlatformOutputs {
  const { network, securityGroup, cluster, nodePools, endpoints, registry } = platform;
  return {
    vpcId: network.vpc.vpcId,
    subnetIds: network.subnetIds,
    securityGroupId: securityGroup.securityGroupId,
    clusterId: cluster.clusterId,
    clusterVersion: cluster.clusterVersion,
    nodePoolIds: mapped(nodePools, (_, { nodePoolId }) => nodePoolId),
    ...(endpoints.internal || endpoints.internet ? { kubeconfig: platform.kubeconfig } : {}),
    ...(registry ? { registryId: registry.registryId, pullServer: platform.pullServer, pullSecret: platform.pullSecret } : {}),
  };
}
