import * as cluster from "@container-platform/sdk/cluster";
import { unknown } from "../../../support/structs.ts";
import { laws, notKnown, refusedOnceSet } from "../../every-kind/change-laws.ts";
import { makeInstance, makeNetwork, makeSubnet, makeVpc } from "../../stage/outside.ts";
import { changesInPlace } from "./cluster-in-place.ts";

/** What each input of a Cluster does when it changes and when it is taken out. */
await laws(async (stage) => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [first, second, third] = subnetIds;
  const elsewhere = await makeVpc(stage, "10.1.0.0/16");
  const subnetElsewhere = await makeSubnet(stage, elsewhere, "10.1.1.0/24");
  const machines = [await makeInstance(stage, vpcId, first), await makeInstance(stage, vpcId, second)] as const;

  const base = { vpcId, subnetId: first, clusterCidr: "172.16.0.0/16" };
  const pods = { vpcId, subnetId: first, eniSubnetIds: [first] };
  const dual = { ...pods, isDualStack: true };
  // Ranges of pods in one VPC cannot overlap: a new cluster beside the old one needs another.
  const apart = { clusterCidr: "172.17.0.0/16" };
  const inPlace = changesInPlace({ base, pods, subnetIds: [first, second, third], machines });
  return {
    type: "Cluster",
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
    updates: ["ModifyClusterAttribute"],
    deletes: ["DeleteCluster"],
    changes: [
      ...inPlace.changes,
      { to: { clusterType: "INDEPENDENT_CLUSTER" }, does: "delete-replace" },
      { from: { ...base, clusterType: "INDEPENDENT_CLUSTER" }, to: { clusterType: undefined }, does: "delete-replace" },
      { to: { clusterOs: "tlinux3.1x86_64" }, does: "delete-replace" },
      { from: { ...base, clusterOs: "tlinux3.1x86_64" }, to: { clusterOs: undefined }, calls: [] },
      { to: { containerRuntime: "docker" }, does: "delete-replace" },
      { from: { ...base, containerRuntime: "docker" }, to: { containerRuntime: undefined }, calls: [] },
      { to: { vpcId: elsewhere, subnetId: subnetElsewhere }, does: "replace" },
      { to: { subnetId: second }, does: "delete-replace" },
      { of: "subnetId, with ranges apart", to: { subnetId: second, ...apart }, does: "replace" },
      {
        to: { networkType: "VPC-CNI", eniSubnetIds: [first], clusterCidr: undefined },
        does: "replace",
        onlyPlanned: "the platform would refuse it",
      },
      { of: "networkType, to its default", to: { networkType: "GR" }, calls: [] },
      { from: { ...pods, networkType: "VPC-CNI" }, to: { networkType: undefined }, calls: [] },
      { to: apart, does: "replace" },
      { from: pods, to: { serviceCidr: "172.18.0.0/20" }, does: "replace" },
      { from: { ...pods, maxNodePodNum: 64 }, to: { maxNodePodNum: 128 }, does: "replace" },
      { from: { ...pods, maxClusterServiceNum: 1024 }, to: { maxClusterServiceNum: 2048 }, does: "replace" },
      { of: "eniSubnetIds, one fewer", from: { ...pods, eniSubnetIds: [first, second] }, to: { eniSubnetIds: [first] }, does: "replace" },
      { of: "eniSubnetIds, one for another", from: pods, to: { eniSubnetIds: [second] }, does: "replace" },
      { from: pods, to: { isDualStack: true }, does: "replace" },
      { from: dual, to: { isDualStack: undefined }, does: "replace" },
      { from: pods, to: { kubeProxyMode: "ipvs-bpf" }, does: "replace" },
      { from: pods, to: { ipvs: true }, does: "replace" },
    ],
    refusals: [
      {
        of: "clusterVersion, downward",
        from: { ...base, clusterVersion: "1.30.0" },
        to: { clusterVersion: "1.28.3" },
        says: "clusterVersion: a cluster is never downgraded: it is 1.30.0, which is newer than 1.28.3",
      },
      ...refusedOnceSet(base, "clusterCidr"),
      ...refusedOnceSet({ ...pods, serviceCidr: "172.18.0.0/20" }, "eniSubnetIds", "serviceCidr"),
      ...refusedOnceSet({ ...base, maxNodePodNum: 64, maxClusterServiceNum: 1024 }, "maxNodePodNum", "maxClusterServiceNum"),
    ],
    unknowns: [
      ...inPlace.unknowns,
      ...notKnown("replace", ["vpcId", "subnetId", "clusterType", "clusterOs", "containerRuntime", "networkType", "clusterCidr"], pods),
      ...notKnown("replace", ["serviceCidr", "maxNodePodNum", "maxClusterServiceNum", "isDualStack", "kubeProxyMode", "ipvs"], pods),
      ...notKnown("replace", ["eniSubnetIds"], pods),
      { of: "one more of eniSubnetIds", from: pods, to: { eniSubnetIds: [first, unknown] }, does: "update" },
      { of: "one of eniSubnetIds for another", from: pods, to: { eniSubnetIds: [unknown] }, does: "replace" },
    ],
    vanish: (clusterId) => stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "retain" }),
  };
});
