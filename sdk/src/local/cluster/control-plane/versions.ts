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
  { name: "L5", nodes: 5, pods: 150, configMaps: 128, crds: 150 },
  { name: "L20", nodes: 20, pods: 600, configMaps: 256, crds: 1250 },
  { name: "L50", nodes: 50, pods: 1500, configMaps: 512, crds: 1250 },
  { name: "L100", nodes: 100, pods: 3000, configMaps: 1024, crds: 2500 },
  { name: "L200", nodes: 200, pods: 6000, configMaps: 1024, crds: 2500 },
  { name: "L500", nodes: 500, pods: 15_000, configMaps: 2048, crds: 10_000 },
  { name: "L1000", nodes: 1000, pods: 30_000, configMaps: 4096, crds: 20_000 },
  { name: "L3000", nodes: 3000, pods: 90_000, configMaps: 6144, crds: 50_000 },
  { name: "L5000", nodes: 5000, pods: 150_000, configMaps: 10_240, crds: 100_000 },
] as const;

export const levelNames: readonly string[] = levels.map(({ name }) => name);

/** The smallest level, from `level` upward, that is made for a number of nodes. */
export function levelFor(level: string, nodeCount: number): string {
  const from = levelNames.indexOf(level);
  return levels.slice(from).find(({ nodes }) => nodes >= nodeCount)?.name ?? level;
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
      items: levels.map(({ name, nodes, pods, configMaps, crds }) => ({
        name,
        alias: name,
        nodeCount: nodes,
        podCount: pods,
        configMapCount: configMaps,
        rsCount: pods,
        crdCount: crds,
        enable: true,
        otherCount: crds,
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
