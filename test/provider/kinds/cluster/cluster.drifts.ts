import * as cluster from "@container-platform/sdk/cluster";
import { type Drift, type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { alter, makeInstance, makeVpc } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Place } from "../../stage/place.ts";

/** Where the clusters of the cases are. */
interface Network {
  readonly vpcId: string;
  readonly subnetIds: readonly [string, string, string];
  /** A cluster whose pods have addresses of subnets: any number fits into the network. */
  readonly pods: { readonly vpcId: string; readonly subnetId: string; readonly eniSubnetIds: readonly string[] };
  /** A cluster whose pods have a range of their own, by its second number. */
  readonly ranged: (second: number) => { readonly vpcId: string; readonly subnetId: string; readonly clusterCidr: string };
}

/** Each input of a Cluster, changed behind the program's back. */
export async function clusterDrifts({ stage, vpcId, subnetIds }: Place): Promise<Drifts> {
  const [subnetId, second] = subnetIds;
  const network: Network = {
    vpcId,
    subnetIds,
    pods: { vpcId, subnetId, eniSubnetIds: [subnetId, second] },
    ranged: (number) => ({ vpcId, subnetId, clusterCidr: `172.${number}.0.0/16` }),
  };
  return {
    // A region has room for twenty clusters.
    atOnce: 12,
    unread: {
      upgradeNodes: "is for the next change of version",
      instanceDeleteMode: "is for the deletion",
      resourceDeleteOptions: "is for the deletion",
      credentialsVersion: "is the program's own count of what it had rotated",
    },
    cases: [...attributes(stage, network), ...(await fixed(stage, network)), ...(await settings(stage, network))],
  };
}

function attributes(stage: Stage, { pods }: Network): Drift[] {
  const { cloud } = stage;
  const modify = (change: object) => (clusterId: string) => cloud.call(cluster.modifyClusterAttribute, { clusterId, ...change });
  const changed = setByHand(modify, ["ModifyClusterAttribute"]);
  const retag = (value: string) => (clusterId: string) =>
    cloud.call(cluster.modifyClusterTags, { clusterId, tags: [{ key: "team", value }] });
  return [
    changed({ ...pods, clusterName: "one" }, { clusterName: "two" }),
    changed(pods, { clusterDescription: "mine" }, { byHand: modify({ clusterDesc: "mine" }) }),
    {
      input: "clusterVersion",
      from: { ...pods, clusterVersion: "1.30.0" },
      byHand: (clusterId) => cloud.call(cluster.updateClusterVersion, { clusterId, dstVersion: "1.32.2" }),
      shows: { clusterVersion: "1.32.2" },
      stays: true,
    },
    changed({ ...pods, clusterLevel: "L5" }, { clusterLevel: "L50" }),
    unnoticed(
      "clusterLevel",
      "grown by itself",
      { ...pods, clusterLevel: "L5", autoUpgradeClusterLevel: true },
      modify({ clusterLevel: "L50" }),
    ),
    changed(pods, { autoUpgradeClusterLevel: true }, { byHand: modify({ autoUpgradeClusterLevel: { isAutoUpgrade: true } }) }),
    unnoticed("eniSubnetIds", "in another order", pods, (id) =>
      alter(stage, "clusters", id, { "network.eniSubnetIds": pods.eniSubnetIds.toReversed() }),
    ),
    {
      input: "tags",
      from: { ...pods, tags: { team: "a", stage: "test" } },
      byHand: retag("b"),
      shows: { tags: { team: "b" } },
      repairs: ["ModifyClusterTags"],
    },
    unnoticed("tags", "the provider's own", { ...pods, tags: { team: "a" } }, retag("a")),
  ];
}

/** What no operation changes on a cluster that is there. */
async function fixed(stage: Stage, { pods, ranged, subnetIds: [, , third] }: Network): Promise<Drift[]> {
  const elsewhere = await makeVpc(stage, "10.95.0.0/16");
  const other = (input: string, path: string, value: unknown, more: Partial<Drift> = {}): Drift => ({
    input,
    from: pods,
    byHand: async (id) => {
      await alter(stage, "clusters", id, { [path]: value });
      // The addresses that it had where it was would stay taken.
      stage.world.prepare("DELETE FROM attachments WHERE data ->> '$.owner' = ?").run(id);
    },
    shows: { [input]: value },
    stays: true,
    ...more,
  });
  return [
    other("clusterType", "type", "INDEPENDENT_CLUSTER"),
    other("clusterOs", "os", "tlinux2.4x86_64", { from: { ...pods, clusterOs: "tlinux3.1x86_64" } }),
    other("containerRuntime", "containerRuntime", "docker", { from: { ...pods, containerRuntime: "containerd" } }),
    other("vpcId", "vpcId", elsewhere),
    other("subnetId", "subnetId", third),
    other("networkType", "network.eniSubnetIds", [], {
      from: { ...pods, networkType: "VPC-CNI" },
      shows: { networkType: "GR", eniSubnetIds: undefined },
      // With subnets for pods, the type is what it was.
      plan: "update",
      repairs: ["AddVpcCniSubnets"],
    }),
    other("clusterCidr", "network.clusterCidr", "172.31.0.0/16", { from: ranged(29) }),
    other("serviceCidr", "network.serviceCidr", "172.19.0.0/20", { from: { ...pods, serviceCidr: "172.18.0.0/20" } }),
    other("maxNodePodNum", "network.maxNodePodNum", 128, { from: { ...pods, maxNodePodNum: 64 } }),
    other("maxClusterServiceNum", "network.maxClusterServiceNum", 2048, { from: { ...pods, maxClusterServiceNum: 1024 } }),
    other("isDualStack", "network.isDualStack", true),
    other("kubeProxyMode", "network.kubeProxyMode", "ipvs-bpf", { from: { ...pods, kubeProxyMode: "" } }),
    other("ipvs", "network.ipvs", true, { from: { ...pods, ipvs: false } }),
    other("eniSubnetIds", "network.eniSubnetIds", [...pods.eniSubnetIds, third]),
    {
      input: "clusterOs",
      how: "and all else that was left to the platform",
      from: pods,
      byHand: (id) =>
        alter(stage, "clusters", id, {
          os: "tlinux2.4x86_64",
          containerRuntime: "docker",
          level: "L20",
          "network.ipvs": true,
          "network.kubeProxyMode": "ipvs-bpf",
          "network.serviceCidr": "172.19.0.0/20",
          "network.maxNodePodNum": 128,
          "network.maxClusterServiceNum": 2048,
        }),
      tells: [
        "clusterOs",
        "containerRuntime",
        "clusterLevel",
        "ipvs",
        "kubeProxyMode",
        "serviceCidr",
        "maxNodePodNum",
        "maxClusterServiceNum",
      ],
    },
  ];
}

async function settings(stage: Stage, { vpcId, pods, subnetIds: [first, second] }: Network): Promise<Drift[]> {
  const { cloud } = stage;
  const machines = [await makeInstance(stage, vpcId, first), await makeInstance(stage, vpcId, second)] as const;
  const authenticate = (change: object) => (clusterId: string) =>
    cloud.call(cluster.modifyClusterAuthenticationOptions, { clusterId, ...change });
  const changed = setByHand(authenticate, ["ModifyClusterAuthenticationOptions"]);
  const own = { useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "https://issuer.example/jwks" };
  const oidc = { autoCreateOidcConfig: true, autoCreateClientId: ["one"], autoInstallPodIdentityWebhookAddon: true };
  const kept = { ...pods, instanceDeleteMode: "retain" };
  const args = { kubeApiServer: ["max-requests-inflight=500"] };
  return [
    {
      input: "extraArgs",
      from: { ...pods, extraArgs: args },
      byHand: (clusterId) =>
        cloud.call(cluster.modifyClusterExtraArgs, { clusterId, clusterExtraArgs: { ...args, kubeScheduler: ["v=2"] } }),
      shows: { extraArgs: { ...args, kubeScheduler: ["v=2"] } },
      repairs: ["ModifyClusterExtraArgs"],
    },
    {
      input: "deletionProtection",
      from: pods,
      byHand: (clusterId) => cloud.call(cluster.enableClusterDeletionProtection, { clusterId }),
      shows: { deletionProtection: true },
      repairs: ["DisableClusterDeletionProtection"],
    },
    changed({ ...pods, serviceAccounts: own }, { serviceAccounts: { ...own, issuer: "https://other.example" } }, { tells: ["issuer"] }),
    changed(pods, { serviceAccounts: own }, { how: "where they were the platform's", tells: ["issuer", "jwksUri"] }),
    unnoticed("serviceAccounts", "said to be the platform's", { ...pods, serviceAccounts: { useServiceDefault: true } }),
    changed({ ...pods, oidcConfig: oidc }, { oidcConfig: { ...oidc, autoCreateClientId: ["two"] } }),
    {
      input: "existingInstances",
      from: { ...kept, existingInstances: [{ instanceIds: [...machines].reverse(), loginSettings: { password: "Pa55-word" } }] },
      byHand: (clusterId) =>
        cloud.call(cluster.deleteClusterInstances, { clusterId, instanceIds: [machines[1]], instanceDeleteMode: "retain" }),
      shows: { existingInstances: [{ instanceIds: [machines[0]], loginSettings: { password: "Pa55-word" } }] },
      repairs: ["AddExistedInstances"],
    },
    unnoticed("oidcConfig", "said to be none", {
      ...pods,
      oidcConfig: { autoCreateOidcConfig: false, autoCreateClientId: [], autoInstallPodIdentityWebhookAddon: false },
    }),
    unnoticed(
      "credentialsVersion",
      "rotated by somebody else, with values that say the default",
      {
        ...pods,
        clusterDescription: "",
        clusterType: "MANAGED_CLUSTER",
        autoUpgradeClusterLevel: false,
        isDualStack: false,
        networkType: "VPC-CNI",
        eniSubnetIds: pods.eniSubnetIds.toReversed(),
        extraArgs: { kubeApiServer: [] },
        oidcConfig: {},
        existingInstances: [],
        tags: {},
        resourceDeleteOptions: [],
      },
      (clusterId) => cloud.call(cluster.updateClusterKubeconfig, { clusterId }),
    ),
  ];
}
