import { type Input, output } from "@pulumi/pulumi";
import type { ChildArgs } from "./children.ts";
import type { PlatformPool } from "./platform-args.ts";
import { tagged, type Tags } from "./records.ts";

interface Place {
  readonly clusterId: Input<string>;
  readonly subnetIds: Promise<readonly Input<string>[]>;
  readonly securityGroupId: Input<string>;
  readonly tags: Tags | undefined;
}

/** The arguments of a pool: at least two nodes, spread over all zones and repaired by the platform. */
export function poolArgs(pool: PlatformPool, { clusterId, subnetIds, securityGroupId, tags }: Place): ChildArgs["nodePool"] {
  const { instanceTypes, min = 2, diskSize = 50, diskType = "CLOUD_PREMIUM", labels, taints, native } = pool;
  const max = pool.max ?? output(min).apply((fewest) => Math.max(3, fewest));
  return {
    clusterId,
    native: {
      subnetIds,
      instanceTypes,
      systemDisk: { diskType, diskSize },
      scaling: { minReplicas: min, maxReplicas: max },
      securityGroupIds: [securityGroupId],
      autoRepair: true,
      ...native,
    },
    ...(labels === undefined ? {} : { labels }),
    ...(taints === undefined ? {} : { taints }),
    ...tagged(tags),
  };
}
