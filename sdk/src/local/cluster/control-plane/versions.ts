import * as operations from "../../../catalogue/cluster/versions.ts";
import { isOlderVersion } from "../../../rules/cluster.ts";
import { on } from "../../behaviour.ts";
import { regions } from "../../regions.ts";
import { passing } from "../../store/timeline.ts";
import { clusterOf, requireRunning, versionOf } from "../states.ts";
import { clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";

/** The levels of clusters, smallest first, each with the numbers of objects that it is made for (public API). */
const levels = [
  { name: "L5", nodeCount: 5, podCount: 150, configMapCount: 128, crdCount: 150 },
  { name: "L20", nodeCount: 20, podCount: 600, configMapCount: 256, crdCount: 1250 },
  { name: "L50", nodeCount: 50, podCount: 1500, configMapCount: 512, crdCount: 1250 },
  { name: "L100", nodeCount: 100, podCount: 3000, configMapCount: 1024, crdCount: 2500 },
  { name: "L200", nodeCount: 200, podCount: 6000, configMapCount: 1024, crdCount: 2500 },
  { name: "L500", nodeCount: 500, podCount: 15_000, configMapCount: 2048, crdCount: 10_000 },
  { name: "L1000", nodeCount: 1000, podCount: 30_000, configMapCount: 4096, crdCount: 20_000 },
  { name: "L3000", nodeCount: 3000, podCount: 90_000, configMapCount: 6144, crdCount: 50_000 },
  { name: "L5000", nodeCount: 5000, podCount: 150_000, configMapCount: 10_240, crdCount: 100_000 },
] as const;

export const levelNames: readonly string[] = levels.map(({ name }) => name);

/** The smallest level, from `level` upward, that is made for a number of nodes. */
export function levelFor(level: string, nodeCount: number): string {
  const from = levelNames.indexOf(level);
  return levels.slice(from).find((one) => one.nodeCount >= nodeCount)?.name ?? level;
}

/** The Kubernetes versions that the platform offers, oldest first. */
const offered = ["1.28.3", "1.30.0", "1.32.2", "1.34.1"] as const;

export const offeredVersions: readonly string[] = offered;
export const newestVersion: string = offered[offered.length - 1] ?? offered[0];

/** The offered versions that are newer than a version. */
function versionsAfter(version: string): string[] {
  return offeredVersions.filter((other) => isOlderVersion(version, other));
}

export const versionBehaviours = [
  on(operations.describeRegions, () => ({
    totalCount: regions.length,
    regionInstanceSet: regions.map((regionName, index) => ({
      regionName,
      regionId: index + 1,
      status: "alluser",
      featureGates: "{}",
      alias: regionName.split("-")[1] ?? regionName,
      remark: "",
    })),
  })),

  on(operations.describeVersions, () => ({
    totalCount: offeredVersions.length,
    versionInstanceSet: offeredVersions.map((version) => ({ name: version, version, remark: "" })),
  })),

  on(operations.describeAvailableClusterVersion, (call, { clusterId, clusterIds }) => {
    const versionsFor = (id: string) => versionsAfter(versionOf(call, clusterOf(call, id)));
    if (clusterIds) return { clusters: clusterIds.map((id) => ({ clusterId: id, versions: versionsFor(id) })) };
    return { versions: clusterId === undefined ? [...offeredVersions] : versionsFor(clusterId) };
  }),

  on(operations.describeClusterLevelAttribute, (call, { clusterId }) => {
    if (clusterId !== undefined) clusterOf(call, clusterId);
    return {
      totalCount: levels.length,
      items: levels.map((level) => ({
        ...level,
        alias: level.name,
        rsCount: level.podCount,
        otherCount: level.crdCount,
        enable: true,
      })),
    };
  }),

  on(operations.updateClusterVersion, (call, { clusterId, dstVersion, extraArgs }) => {
    const cluster = clusterOf(call, clusterId);
    requireRunning(call, cluster);
    const version = versionOf(call, cluster);
    const choice = versionsAfter(version);
    if (!choice.includes(dstVersion)) {
      const offer = choice.length > 0 ? `it takes ${choice.join(", ")}` : "there is no newer one";
      throw call.error("InvalidParameter.Param", `DstVersion is ${dstVersion}; cluster ${clusterId} has ${version}, and ${offer}`);
    }
    const fault = call.faults.endFor("cluster");
    const until = call.after("clusterUpgrade");
    call.rows(clusters).update(clusterId, {
      version,
      upgrade: fault ? undefined : { to: dstVersion, at: until },
      timeline: passing("Upgrading", until, fault?.endState ?? "Running", fault?.reason),
      extraArgs: extraArgs ?? cluster.extraArgs,
    });
    beginTask(call, clusterId, { type: "cluster_upgrade", param: { DstVersion: dstVersion }, until, failure: fault?.reason });
  }),
];
