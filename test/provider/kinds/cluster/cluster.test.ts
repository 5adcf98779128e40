import * as cluster from "@container-platform/sdk/cluster";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeInstance, makeNetwork, makeSubnet, makeVpc } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import { changesInPlace } from "./cluster-in-place.ts";

/** What each input of a Cluster does when it changes and when it is taken out. */
async function clusterTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const {
    vpcId,
    subnetIds: [first, second, third],
  } = await makeNetwork(stage);
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const subnetElsewhere = await makeSubnet(stage, elsewhere, "10.1.1.0/24");
  const machines = [await makeInstance(stage, vpcId, first), await makeInstance(stage, vpcId, second)] as const;

  const base = { vpcId, subnetId: first, clusterCidr: "172.16.0.0/16" };
  const pods = { vpcId, subnetId: first, eniSubnetIds: [first] };
  const dual = { ...pods, isDualStack: true };
  // Ranges of pods in one VPC cannot overlap: a new cluster beside the old one needs another.
  const apart = { clusterCidr: "172.17.0.0/16" };
  const replaced = ["CreateCluster", "DeleteCluster"];
  const deletedFirst = ["DeleteCluster", "CreateCluster"];
  const inPlace = changesInPlace({ base, pods, subnetIds: [first, second, third], machines });
  return {
    type: "Cluster",
    inputs: [
      "clusterName",
      "clusterDescription",
      "clusterType",
      "clusterVersion",
      "upgradeNodes",
      "clusterLevel",
      "autoUpgradeClusterLevel",
      "clusterOs",
      "containerRuntime",
      "vpcId",
      "subnetId",
      "networkType",
      "clusterCidr",
      "serviceCidr",
      "maxNodePodNum",
      "maxClusterServiceNum",
      "eniSubnetIds",
      "isDualStack",
      "kubeProxyMode",
      "ipvs",
      "extraArgs",
      "deletionProtection",
      "instanceDeleteMode",
      "resourceDeleteOptions",
      "serviceAccounts",
      "oidcConfig",
      "existingInstances",
      "credentialsVersion",
      "tags",
    ],
    base,
    creates: ["CreateCluster"],
    full: {
      ...dual,
      clusterName: "one",
      clusterDescription: "for tests",
      clusterType: "MANAGED_CLUSTER",
      clusterVersion: "1.30.0",
      upgradeNodes: true,
      clusterLevel: "L20",
      autoUpgradeClusterLevel: false,
      clusterOs: "tlinux3.1x86_64",
      containerRuntime: "containerd",
      networkType: "VPC-CNI",
      serviceCidr: "172.18.0.0/20",
      maxNodePodNum: 64,
      maxClusterServiceNum: 1024,
      eniSubnetIds: [third, second],
      kubeProxyMode: "ipvs-bpf",
      ipvs: true,
      extraArgs: { kubeApiServer: ["max-requests-inflight=500"], kubeScheduler: ["v=2"] },
      deletionProtection: false,
      instanceDeleteMode: "retain",
      resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }],
      serviceAccounts: { useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "https://issuer.example/jwks" },
      oidcConfig: { autoCreateOidcConfig: true, autoCreateClientId: ["one"], autoInstallPodIdentityWebhookAddon: true },
      existingInstances: [{ instanceIds: [...machines], loginSettings: { password: "Pa55-word" } }],
      credentialsVersion: "7",
      tags: { team: "a" },
    },
    notFound: [
      "clusterCidr",
      "clusterLevel",
      "clusterOs",
      "containerRuntime",
      "credentialsVersion",
      "eniSubnetIds",
      "existingInstances",
      "instanceDeleteMode",
      "ipvs",
      "kubeProxyMode",
      "maxClusterServiceNum",
      "maxNodePodNum",
      "networkType",
      "resourceDeleteOptions",
      "serviceCidr",
      "upgradeNodes",
    ],
    createsFull: ["CreateCluster", "ModifyClusterAuthenticationOptions", "AddExistedInstances"],
    deletes: ["DeleteCluster"],
    changes: [
      ...inPlace.changes,
      { of: "clusterType", to: { clusterType: "INDEPENDENT_CLUSTER" }, does: "delete-replace", calls: deletedFirst },
      {
        of: "clusterType, taken out",
        from: { ...base, clusterType: "INDEPENDENT_CLUSTER" },
        to: { clusterType: undefined },
        does: "delete-replace",
        calls: deletedFirst,
      },
      { of: "clusterOs", to: { clusterOs: "tlinux3.1x86_64" }, does: "delete-replace", calls: deletedFirst },
      {
        of: "clusterOs, taken out",
        from: { ...base, clusterOs: "tlinux3.1x86_64" },
        to: { clusterOs: undefined },
        does: "update",
        calls: [],
      },
      { of: "containerRuntime", to: { containerRuntime: "docker" }, does: "delete-replace", calls: deletedFirst },
      {
        of: "containerRuntime, taken out",
        from: { ...base, containerRuntime: "docker" },
        to: { containerRuntime: undefined },
        does: "update",
        calls: [],
      },
      { of: "vpcId", to: { vpcId: elsewhere, subnetId: subnetElsewhere }, does: "replace", calls: replaced },
      { of: "subnetId", to: { subnetId: second }, does: "delete-replace", calls: deletedFirst },
      { of: "subnetId, with ranges apart", to: { subnetId: second, ...apart }, does: "replace", calls: replaced },
      { of: "networkType", to: { networkType: "VPC-CNI", eniSubnetIds: [first], clusterCidr: undefined }, does: "replace" },
      { of: "networkType, to its default", to: { networkType: "GR" }, does: "update", calls: [] },
      {
        of: "networkType, taken out",
        from: { ...pods, networkType: "VPC-CNI" },
        to: { networkType: undefined },
        does: "update",
        calls: [],
      },
      { of: "clusterCidr", to: { clusterCidr: "172.17.0.0/16" }, does: "replace", calls: replaced },
      { of: "serviceCidr", from: pods, to: { serviceCidr: "172.18.0.0/20" }, does: "replace", calls: replaced },
      { of: "maxNodePodNum", from: { ...pods, maxNodePodNum: 64 }, to: { maxNodePodNum: 128 }, does: "replace", calls: replaced },
      {
        of: "maxClusterServiceNum",
        from: { ...pods, maxClusterServiceNum: 1024 },
        to: { maxClusterServiceNum: 2048 },
        does: "replace",
        calls: replaced,
      },
      {
        of: "eniSubnetIds, one fewer",
        from: { ...pods, eniSubnetIds: [first, second] },
        to: { eniSubnetIds: [first] },
        does: "replace",
        calls: replaced,
      },
      { of: "eniSubnetIds, one for another", from: pods, to: { eniSubnetIds: [second] }, does: "replace", calls: replaced },
      { of: "isDualStack", from: pods, to: { isDualStack: true }, does: "replace", calls: replaced },
      { of: "isDualStack, taken out", from: dual, to: { isDualStack: undefined }, does: "replace", calls: replaced },
      { of: "kubeProxyMode", from: pods, to: { kubeProxyMode: "ipvs-bpf" }, does: "replace", calls: replaced },
      { of: "ipvs", from: pods, to: { ipvs: true }, does: "replace", calls: replaced },
    ],
    refusals: [
      {
        of: "clusterVersion, downward",
        from: { ...base, clusterVersion: "1.30.0" },
        to: { clusterVersion: "1.28.3" },
        says: "clusterVersion: a cluster is never downgraded: it is 1.30.0, which is newer than 1.28.3",
      },
      { of: "clusterCidr, taken out", to: { clusterCidr: undefined }, says: "clusterCidr: cannot be taken out once it is set" },
      {
        of: "serviceCidr, taken out",
        from: { ...pods, serviceCidr: "172.18.0.0/20" },
        to: { serviceCidr: undefined },
        says: "serviceCidr: cannot be taken out once it is set",
      },
      {
        of: "maxNodePodNum, taken out",
        from: { ...base, maxNodePodNum: 64 },
        to: { maxNodePodNum: undefined },
        says: "maxNodePodNum: cannot be taken out once it is set",
      },
      {
        of: "maxClusterServiceNum, taken out",
        from: { ...base, maxClusterServiceNum: 1024 },
        to: { maxClusterServiceNum: undefined },
        says: "maxClusterServiceNum: cannot be taken out once it is set",
      },
      {
        of: "eniSubnetIds, taken out",
        from: pods,
        to: { eniSubnetIds: undefined },
        says: "eniSubnetIds: cannot be taken out once it is set",
      },
    ],
    unknowns: [
      ...inPlace.unknowns,
      ...(
        [
          "vpcId",
          "subnetId",
          "clusterType",
          "clusterOs",
          "containerRuntime",
          "networkType",
          "clusterCidr",
          "serviceCidr",
          "maxNodePodNum",
          "maxClusterServiceNum",
          "isDualStack",
          "kubeProxyMode",
          "ipvs",
          "eniSubnetIds",
        ] as const
      ).map((of) => ({ of, from: pods, to: { [of]: unknown }, does: "replace" as const })),
      { of: "one more of eniSubnetIds", from: pods, to: { eniSubnetIds: [first, unknown] }, does: "update" },
      { of: "one of eniSubnetIds for another", from: pods, to: { eniSubnetIds: [unknown] }, does: "replace" },
    ],
    vanish: (clusterId) => cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "retain" }),
  };
}

await laws(clusterTable);
