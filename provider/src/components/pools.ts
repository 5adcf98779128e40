import { type Input, output } from "@pulumi/pulumi";
import type { ChildArgs } from "./children.ts";
import type { PlatformPool } from "./platform-args.ts";
import type { OtherNames } from "../schema/paths.ts";
import { tagged, type Tags } from "./records.ts";

interface Place {
  readonly clusterId: Input<string>;
  readonly subnetIds: Promise<readonly Input<string>[]>;
  readonly securityGroupId: Input<string>;
  readonly tags: Tags | undefined;
}

/** What a platform calls the arguments of a pool. */
export function poolNames(key: string, { native = {} }: PlatformPool): OtherNames {
  const pool = `nodePools.${key}`;
  const own = {
    "native.instanceTypes": `${pool}.instanceTypes`,
    "native.subnetIds": `${pool}.role`,
    "native.scaling": pool,
    "native.scaling.minReplicas": `${pool}.min`,
    "native.scaling.maxReplicas": `${pool}.max`,
    "native.systemDisk.diskType": `${pool}.diskType`,
    "native.systemDisk.diskSize": `${pool}.diskSize`,
    labels: `${pool}.labels`,
    taints: `${pool}.taints`,
  };
  const given = Object.keys(native).map((setting) => `native.${setting}`);
  const kept = Object.entries(own).filter(([path]) => !given.some((one) => path === one || path.startsWith(`${one}.`)));
  return Object.fromEntries([...kept, ...given.map((path): [string, string] => [path, `${pool}.${path}`])]);
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
