import {
  describeAvailableClusterVersion,
  describeClusterLevelAttribute,
  describeRegions,
  describeVersions,
  updateClusterVersion,
} from "../../../catalogue/cluster/versions.ts";
import { on } from "../../behaviour.ts";
import { regions } from "../../regions.ts";
import { passing } from "../../store/timeline.ts";
import { levels } from "./levels.ts";
import { clusterOf, requireRunning, versionOf } from "../states.ts";
import { clusters } from "../tables.ts";
import { beginTask } from "./tasks.ts";
import { offeredVersions, versionsAfter } from "./versions-offered.ts";

export const versionBehaviours = [
  on(describeRegions, () => ({
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

  on(describeVersions, () => ({
    totalCount: offeredVersions.length,
    versionInstanceSet: offeredVersions.map((version) => ({ name: version, version, remark: "" })),
  })),

  on(describeAvailableClusterVersion, (call, { clusterId, clusterIds }) => {
    const versionsFor = (id: string) => versionsAfter(versionOf(call, clusterOf(call, id)));
    if (clusterIds) return { clusters: clusterIds.map((id) => ({ clusterId: id, versions: versionsFor(id) })) };
    return { versions: clusterId === undefined ? [...offeredVersions] : versionsFor(clusterId) };
  }),

  on(describeClusterLevelAttribute, (call, { clusterId }) => {
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

  on(updateClusterVersion, (call, { clusterId, dstVersion, extraArgs }) => {
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
    return {};
  }),
];
