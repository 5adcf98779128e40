import type { Input } from "@pulumi/pulumi";
import { ClusterEndpoint } from "../resources/cluster/cluster-endpoint.ts";
import type { Children } from "./children.ts";
import type { PlatformAccess } from "./platform-args.ts";

interface Place {
  readonly name: string;
  readonly clusterId: Input<string>;
  readonly subnetId: Input<string>;
  readonly securityGroupId: Input<string>;
  readonly nodePoolIds: readonly Input<string>[];
}

/** The ways to a platform's API server. */
export interface PlatformEndpoints {
  /** From the VPC. */
  readonly internal?: ClusterEndpoint;
  /** From the internet. */
  readonly internet?: ClusterEndpoint;
}

/** Opens the ways to the API server that are asked for. */
export function endpointsOf(children: Children, { internal = true, internet = [] }: PlatformAccess, place: Place): PlatformEndpoints {
  const { name, clusterId, subnetId, securityGroupId: securityGroup, nodePoolIds } = place;
  const common = { kind: "endpoint", of: ClusterEndpoint } as const;
  const [fromVpc, fromInternet] = [
    { clusterId, isExtranet: false, subnetId, nodePoolIds },
    { clusterId, isExtranet: true, securityGroup, allowedCidrBlocks: internet, nodePoolIds },
  ];
  return {
    ...(internal ? { internal: children.make({ ...common, name: `${name}-internal`, args: fromVpc }) } : {}),
    ...(internet.length > 0
      ? {
          internet: children.make({
            ...common,
            name: `${name}-internet`,
            args: fromInternet,
            from: { allowedCidrBlocks: "access.internet" },
          }),
        }
      : {}),
  };
}
