import { clusterRules, isOlderVersion, readinessOf } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder, clustersTagged, everyCluster } from "@container-platform/sdk/finders/cluster";
import { clusterStatus, creationStall } from "@container-platform/sdk/status/cluster";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import {
  allowed,
  cleared,
  distinct,
  ipv4Range,
  kept,
  name,
  named,
  object,
  refusedOnceSet,
  spelt,
  tagPairs,
  unordered,
  usually,
} from "../../definition/inputs.ts";
import { idOf, joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { specifiedTags, tagList } from "../tags.ts";
import { orNone, without } from "../../schema/values.ts";
import { outlivingCluster } from "./cluster-outliving.ts";
import { existingInstances, joinedInstances, liveInstances, settleInstances } from "./nodes/instances.ts";
import { liveOptions, noOptions, platformsIfDefault, settleOptions } from "./authentication.ts";
import { levelOf, networkTypeOf, rules } from "./cluster-rules.ts";
import { level, operatingSystem, version } from "./offers.ts";
import { cidrContainment } from "../../program/invariants.ts";
import { inSameVpc } from "../network/same-vpc.ts";
import { Vpc } from "../network/vpc.ts";
import * as subnets from "./subnet-capacity.ts";
import { upgrade } from "./tasks.ts";

/** The arguments of `Cluster`. */
export interface ClusterArgs {
  /** The VPC of the cluster. A change replaces the cluster. */
  vpcId: Input<string>;
  /** The subnet of the control plane, with at least 10 free IP addresses. A change replaces the cluster. */
  subnetId: Input<string>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  clusterName?: Input<string | undefined>;
  /** Description of the cluster. Default: empty. */
  clusterDescription?: Input<string | undefined>;
  /**
   * Control plane on instances of the platform (`MANAGED_CLUSTER`) or on your own (`INDEPENDENT_CLUSTER`). A change replaces the cluster.
   */
  clusterType?: Input<"MANAGED_CLUSTER" | "INDEPENDENT_CLUSTER" | undefined>;
  /** Kubernetes version (`getClusterVersions`). It can only be raised. Default: the newest at creation, then unchanged. */
  clusterVersion?: Input<string | undefined>;
  /** Whether a change of the version also upgrades the nodes. Default: false. */
  upgradeNodes?: Input<boolean | undefined>;
  /** Number of nodes that the control plane supports: `L5`, `L20` and so on. Default: `L5`. */
  clusterLevel?: Input<string | undefined>;
  /** Whether the level grows with the number of nodes. Default: false. */
  autoUpgradeClusterLevel?: Input<boolean | undefined>;
  /** Operating system of the nodes. Default: the platform's. A change replaces the cluster. */
  clusterOs?: Input<string | undefined>;
  /** Container runtime of the nodes. Default: the platform's. A change replaces the cluster. */
  containerRuntime?: Input<"containerd" | "docker" | undefined>;
  /**
   * `GR`: pods have a CIDR block of their own. `VPC-CNI`: pods have IP addresses of subnets. Default: `VPC-CNI` with `isDualStack` or
   * `eniSubnetIds`, else `GR`.
   */
  networkType?: Input<"GR" | "VPC-CNI" | undefined>;
  /**
   * IPv4 CIDR block for pods and services, outside of the VPC's. Required with `GR`, not allowed with `VPC-CNI`. A change replaces the
   * cluster.
   */
  clusterCidr?: Input<string | undefined>;
  /** IPv4 CIDR block for services, outside of the VPC's. Default: the platform's. A change replaces the cluster. */
  serviceCidr?: Input<string | undefined>;
  /** Maximum number of pods on a node, 16 to 256. Default: the platform's. A change replaces the cluster. */
  maxNodePodNum?: Input<number | undefined>;
  /** Maximum number of services, 32 to 32768. Default: the platform's. A change replaces the cluster. */
  maxClusterServiceNum?: Input<number | undefined>;
  /**
   * Subnets for the IP addresses of pods: required with `VPC-CNI`, not allowed with `GR`. A new subnet is added in place; removing one
   * replaces the cluster.
   */
  eniSubnetIds?: Input<readonly Input<string>[] | undefined>;
  /**
   * Whether pods and services also have IPv6 addresses. Requires `VPC-CNI` and subnets with an IPv6 CIDR block. Default: false. A change
   * replaces the cluster.
   */
  isDualStack?: Input<boolean | undefined>;
  /** Forwarding mode of kube-proxy, such as `ipvs-bpf`. Default: the platform's. A change replaces the cluster. */
  kubeProxyMode?: Input<string | undefined>;
  /** Whether kube-proxy forwards services with IPVS. Default: the platform's. A change replaces the cluster. */
  ipvs?: Input<boolean | undefined>;
  /** Arguments of Kubernetes components, such as `max-requests-inflight=500`. Default: none. */
  extraArgs?: Input<ClusterExtraArgs | undefined>;
  /**
   * Protects the cluster from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you delete the
   * cluster. Default: false.
   */
  deletionProtection?: Input<boolean | undefined>;
  /** The nodes' instances when the cluster is deleted: `terminate` deletes them, `retain` keeps them. Default: `terminate`. */
  instanceDeleteMode?: Input<"terminate" | "retain" | undefined>;
  /** Other resources when the cluster is deleted, by type. Default: disks are deleted. */
  resourceDeleteOptions?: Input<readonly Input<ClusterResourceDeleteOption>[] | undefined>;
  /** Issuer of the tokens of service accounts. Default: the platform. */
  serviceAccounts?: Input<ClusterServiceAccounts | undefined>;
  /** OIDC for workloads. Default: not configured. */
  oidcConfig?: Input<ClusterOidcConfig | undefined>;
  /** Existing instances that join as nodes. An instance that you remove from the list leaves the cluster and is kept. Default: none. */
  existingInstances?: Input<readonly Input<ClusterExistingInstance>[] | undefined>;
  /** Any text. A change rotates the certificates of the kubeconfig, and older kubeconfigs stop working. Default: `1`. */
  credentialsVersion?: Input<string | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface ClusterExtraArgs {
  /** Arguments of kube-apiserver. */
  kubeApiServer?: Input<readonly Input<string>[] | undefined>;
  /** Arguments of kube-controller-manager. */
  kubeControllerManager?: Input<readonly Input<string>[] | undefined>;
  /** Arguments of kube-scheduler. */
  kubeScheduler?: Input<readonly Input<string>[] | undefined>;
  /** Arguments of etcd; only with `INDEPENDENT_CLUSTER`. */
  etcd?: Input<readonly Input<string>[] | undefined>;
}

export interface ClusterResourceDeleteOption {
  /** Resource type: `CBS` is a disk. */
  resourceType: Input<"CBS" | "CLB" | "CVM">;
  /** `terminate` deletes them, `retain` keeps them. */
  deleteMode: Input<"terminate" | "retain">;
}

export interface ClusterServiceAccounts {
  /** Whether the platform issues the tokens. If `true`, leave out `issuer` and `jwksUri`. */
  useServiceDefault?: Input<boolean | undefined>;
  /** Address of the issuer, `https://…`. */
  issuer?: Input<string | undefined>;
  /** Address of the issuer's public keys. */
  jwksUri?: Input<string | undefined>;
}

export interface ClusterOidcConfig {
  /** Whether the platform creates the OIDC configuration. */
  autoCreateOidcConfig?: Input<boolean | undefined>;
  /** IDs of the clients to create. */
  autoCreateClientId?: Input<readonly Input<string>[] | undefined>;
  /** Whether the add-on Pod Identity Webhook is installed. */
  autoInstallPodIdentityWebhookAddon?: Input<boolean | undefined>;
}

export interface ClusterExistingInstance {
  /** IDs of the instances, 1 to 100. */
  instanceIds: Input<readonly Input<string>[]>;
  /** Settings of the nodes. */
  instanceAdvancedSettings?: Input<ClusterExistingInstanceAdvancedSettings | undefined>;
  /** Login to the nodes: one of the three ways. */
  loginSettings?: Input<ClusterExistingInstanceLoginSettings | undefined>;
}

export interface ClusterExistingInstanceAdvancedSettings {
  /** Labels of the nodes. */
  labels?: Input<Record<string, Input<string>> | undefined>;
  /** Taints of the nodes. */
  taints?: Input<readonly Input<ClusterExistingInstanceAdvancedSettingsTaint>[] | undefined>;
  /** Whether the nodes are unschedulable. */
  unschedulable?: Input<boolean | undefined>;
  /** Script run after the node has started, base64. */
  userScript?: Input<string | undefined>;
  /** Script run before the node is initialized, base64. */
  preStartUserScript?: Input<string | undefined>;
}

export interface ClusterExistingInstanceAdvancedSettingsTaint {
  /** Key of the taint. */
  key: Input<string>;
  /** Value of the taint. */
  value: Input<string>;
  /** Effect on pods that do not tolerate it. */
  effect: Input<"NoSchedule" | "PreferNoSchedule" | "NoExecute">;
}

export interface ClusterExistingInstanceLoginSettings {
  /** Password. */
  password?: Input<string | undefined>;
  /** ID of a key pair. */
  keyIds?: Input<readonly Input<string>[] | undefined>;
  /** Keeps the login of the image. Only for custom, shared and imported images. */
  keepImageLogin?: Input<true | undefined>;
}

/** The properties of a `Cluster` once they are known. */
export interface ClusterState extends ResolvedWithDefaults<
  ClusterArgs,
  | "clusterName"
  | "clusterDescription"
  | "clusterType"
  | "upgradeNodes"
  | "autoUpgradeClusterLevel"
  | "isDualStack"
  | "deletionProtection"
  | "instanceDeleteMode"
  | "resourceDeleteOptions"
> {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  clusterId: string;
  /** The Kubernetes version that is running. */
  clusterVersion: string;
  /** Issuer of the tokens of service accounts. */
  issuer: string;
  /** Address of the issuer's public keys. */
  jwksUri: string;
}

/**
 * A managed Kubernetes cluster.
 *
 * @example
 * const platform = new Cluster("platform", { vpcId: vpc.vpcId, subnetId: subnet.subnetId, clusterCidr: "172.16.0.0/16" });
 */
export class Cluster extends resource<ClusterArgs, ClusterState>()("Cluster", {
  inputs: {
    clusterName: named(name),
    clusterDescription: z.string().default(""),
    clusterType: z.enum(cluster.clusterTypes).default("MANAGED_CLUSTER"),
    clusterVersion: kept(z.string()),
    upgradeNodes: z.boolean().default(false),
    clusterLevel: kept(allowed(z.string(), clusterRules.level)),
    autoUpgradeClusterLevel: z.boolean().default(false),
    clusterOs: kept(z.string()),
    containerRuntime: kept(z.enum(cluster.containerRuntimes)),
    vpcId: idOf("vpc"),
    subnetId: idOf("subnet"),
    networkType: kept(z.enum(cluster.networkTypes)),
    clusterCidr: refusedOnceSet(ipv4Range("10.0.0.0/16")),
    serviceCidr: refusedOnceSet(ipv4Range("10.0.0.0/16")),
    maxNodePodNum: usually(refusedOnceSet(z.int().min(16).max(256)), 256),
    maxClusterServiceNum: usually(refusedOnceSet(z.int().min(32).max(32768)), 256),
    eniSubnetIds: refusedOnceSet(unordered(distinct(z.array(idOf("subnet")).min(1)))),
    isDualStack: z.boolean().default(false),
    kubeProxyMode: kept(z.string()),
    ipvs: usually(kept(z.boolean()), false),
    extraArgs: cleared(
      object({
        kubeApiServer: cleared(z.array(z.string())),
        kubeControllerManager: cleared(z.array(z.string())),
        kubeScheduler: cleared(z.array(z.string())),
        etcd: cleared(z.array(z.string())),
      }),
    ),
    deletionProtection: z.boolean().default(false),
    instanceDeleteMode: z.enum(cluster.instanceDeleteModes).default("terminate"),
    resourceDeleteOptions: z
      .array(
        object({
          resourceType: z.enum(["CBS", "CLB", "CVM"]),
          deleteMode: z.enum(cluster.instanceDeleteModes),
        }),
      )
      .default([{ resourceType: "CBS", deleteMode: "terminate" }]),
    serviceAccounts: cleared(
      spelt(
        object({
          useServiceDefault: z.boolean().optional(),
          issuer: allowed(z.url(), clusterRules.httpsAddress).optional(),
          jwksUri: allowed(z.url(), clusterRules.httpsAddress).optional(),
        }),
        platformsIfDefault,
      ),
    ),
    oidcConfig: cleared(
      object({
        autoCreateOidcConfig: z.boolean().optional(),
        autoCreateClientId: cleared(z.array(z.string())),
        autoInstallPodIdentityWebhookAddon: z.boolean().optional(),
      }),
    ),
    existingInstances: cleared(existingInstances),
    credentialsVersion: kept(z.string()),
    tags: cleared(tagPairs),
  },
  outputs: {
    clusterId: z.string(),
    clusterVersion: z.string(),
    issuer: z.string(),
    jwksUri: z.string(),
  },
  states: { clusterState: readinessOf.cluster },
  id: joined("cls-3f8a0c1e", "clusterId"),
}).managed({
  create: (cloud, desired) => {
    const { clusterType, clusterCidr, serviceCidr, maxNodePodNum, maxClusterServiceNum, eniSubnetIds } = desired;
    const { clusterName, clusterDescription, clusterVersion, clusterLevel, clusterOs, vpcId, subnetId, tags } = desired;
    const { containerRuntime, isDualStack, kubeProxyMode, ipvs, extraArgs, deletionProtection } = desired;
    const named = { clusterName, clusterDescription, clusterVersion, clusterLevel, clusterOs, vpcId, subnetId };
    const advanced = { containerRuntime, isDualStack, kubeProxyMode, ipvs, extraArgs, deletionProtection };
    return cloud.call(cluster.createCluster, {
      clusterType,
      clusterCidrSettings: { clusterCidr, serviceCidr, maxNodePodNum, maxClusterServiceNum, eniSubnetIds },
      clusterBasicSettings: {
        ...named,
        autoUpgradeClusterLevel: { isAutoUpgrade: desired.autoUpgradeClusterLevel },
        tagSpecification: tags && [{ resourceType: "cluster", tags: tagList(tags) }],
      },
      clusterAdvancedSettings: { ...advanced, networkType: networkTypeOf(desired) },
    });
  },
  owned: {
    tagged: async (cloud, _desired, tag) =>
      (await clustersTagged(cloud, tag)).map(({ clusterId, ...found }) => ({ id: clusterId, tags: specifiedTags(found.tagSpecification) })),
  },
  read: async (cloud, known) => {
    const { clusterId } = known;
    const found = await clusterFinder.find(cloud, clusterId);
    if (!found) return undefined;
    const { clusterNetworkSettings: network, tagSpecification, ...settings } = found;
    const isRunning = found.clusterState === "Running";
    const [options, extraArgs, instances, { reason, requestId }] = await Promise.all([
      isRunning ? liveOptions(cloud, clusterId) : noOptions,
      isRunning ? cloud.call(cluster.describeClusterExtraArgs, { clusterId }) : undefined,
      liveInstances(cloud, clusterId, known.existingInstances),
      clusterStatus(cloud, found),
    ]);
    return {
      ...settings,
      ...network,
      // A platform may not tell it. It never changes.
      subnetId: network.subnetId || known.subnetId,
      ...options,
      clusterType: cluster.clusterTypes.find((type) => type === found.clusterType),
      containerRuntime: cluster.containerRuntimes.find((runtime) => runtime === found.containerRuntime),
      networkType: network.subnets.length > 0 ? "VPC-CNI" : "GR",
      eniSubnetIds: network.subnets.length > 0 ? network.subnets : undefined,
      extraArgs: extraArgs && orNone(extraArgs.clusterExtraArgs),
      existingInstances: instances,
      credentialsVersion: known.credentialsVersion ?? "1",
      upgradeNodes: known.upgradeNodes,
      instanceDeleteMode: known.instanceDeleteMode,
      resourceDeleteOptions: known.resourceDeleteOptions,
      tags: specifiedTags(tagSpecification),
      lacking: undefined,
      reason,
      requestId,
    };
  },
  list: async (cloud) => (await everyCluster(cloud)).map((one) => ({ ...one, ...one.clusterNetworkSettings })),
  delete: (cloud, { clusterId, instanceDeleteMode = "terminate", resourceDeleteOptions }) =>
    cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode, resourceDeleteOptions }),

  changes: {
    vpcId: "replace",
    subnetId: "replace",
    clusterType: "replace",
    clusterOs: "replace",
    containerRuntime: "replace",
    networkType: "replace",
    clusterCidr: "replace",
    serviceCidr: "replace",
    maxNodePodNum: "replace",
    maxClusterServiceNum: "replace",
    isDualStack: "replace",
    kubeProxyMode: "replace",
    ipvs: "replace",
    eniSubnetIds: {
      replaces: (desired, before) => without(before ?? [], desired ?? []).length > 0,
      unknownReplaces: true,
      step: (cloud, { clusterId, vpcId, eniSubnetIds = [] }, live) =>
        cloud.call(cluster.addVpcCniSubnets, { clusterId, vpcId, subnetIds: without(eniSubnetIds, live.eniSubnetIds ?? []) }),
    },
    clusterVersion: upgrade,
    clusterName: (cloud, { clusterId, clusterName }) => cloud.call(cluster.modifyClusterAttribute, { clusterId, clusterName }),
    clusterDescription: (cloud, { clusterId, clusterDescription: clusterDesc }) =>
      cloud.call(cluster.modifyClusterAttribute, { clusterId, clusterDesc }),
    clusterLevel: (cloud, { clusterId, clusterLevel }) => cloud.call(cluster.modifyClusterAttribute, { clusterId, clusterLevel }),
    autoUpgradeClusterLevel: (cloud, { clusterId, autoUpgradeClusterLevel: isAutoUpgrade }) =>
      cloud.call(cluster.modifyClusterAttribute, { clusterId, autoUpgradeClusterLevel: { isAutoUpgrade } }),
    extraArgs: (cloud, { clusterId, extraArgs = {} }) =>
      cloud.call(cluster.modifyClusterExtraArgs, { clusterId, clusterExtraArgs: extraArgs }),
    deletionProtection: (cloud, { clusterId, deletionProtection }) =>
      cloud.call(deletionProtection ? cluster.enableClusterDeletionProtection : cluster.disableClusterDeletionProtection, { clusterId }),
    serviceAccounts: settleOptions,
    oidcConfig: settleOptions,
    existingInstances: settleInstances,
    credentialsVersion: (cloud, { clusterId }) => cloud.call(cluster.updateClusterKubeconfig, { clusterId }),
    tags: (cloud, { clusterId, tags }) => cloud.call(cluster.modifyClusterTags, { clusterId, tags: tagList(tags) }),
    upgradeNodes: "local-only",
    instanceDeleteMode: "local-only",
    resourceDeleteOptions: "local-only",
  },
  offered: {
    clusterVersion: version,
    clusterLevel: level,
    clusterOs: operatingSystem,
  },
  rules,
  holdsWorkloads: true,
  // The CIDR blocks of two clusters in one VPC cannot overlap.
  unique: [
    { by: "clusterCidr", as: "range", in: "vpcId" },
    { by: "serviceCidr", as: "range", in: "vpcId", meets: "clusterCidr" },
  ],
  invariants: {
    check: [
      // The CIDR blocks of pods and services are outside the VPC's.
      cidrContainment("outside", "clusterCidr", "vpcId", { kind: Vpc.kind, by: "cidrBlock" }),
      cidrContainment("outside", "serviceCidr", "vpcId", { kind: Vpc.kind, by: "cidrBlock" }),
      inSameVpc("subnetId", "vpcId"),
      inSameVpc("eniSubnetIds.*", "vpcId", { beside: "isDualStack", flaw: subnets.lacksIpv6 }),
      subnets.addressesAvailable,
      subnets.clusterQuota,
    ],
  },
  protectedBy: "deletionProtection",
  seconds: { create: 3600, update: 3600, delete: 1800 },
  slowCreation: creationStall,
  outliving: outlivingCluster,
  // A level that has grown automatically is no drift.
  ignoresDifference: {
    clusterLevel: (desired, live) => desired.autoUpgradeClusterLevel && levelOf(live.clusterLevel) > levelOf(desired.clusterLevel),
  },
  // The specification knows upgrades alone.
  never: {
    clusterVersion: ({ clusterVersion: desired }, { clusterVersion: live }) =>
      desired !== undefined &&
      live !== undefined &&
      isOlderVersion(desired, live) &&
      `a cluster is never downgraded: it is ${live}, which is newer than ${desired}`,
  },
  takesAlong: true,
  inputsToImport: async (cloud, { clusterId }) => ({
    existingInstances: await joinedInstances(cloud, clusterId),
    credentialsVersion: undefined,
  }),
}) {}
export interface Cluster extends Outputs<ClusterState> {}
