import { clusterRules, readinessOf } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { clusterFinder, clustersTagged } from "@container-platform/sdk/finders/cluster";
import { clusterStatus, creationStall } from "@container-platform/sdk/status/cluster";
import * as z from "@container-platform/sdk/zod";
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
import { type ArgsOf, resource } from "../../definition/resource.ts";
import { tagList, tagRecord } from "../tags.ts";
import { orNone, without } from "../../schema/values.ts";
import { outlivingCluster } from "./cluster-outliving.ts";
import { existingInstances, joinedInstances, liveInstances, settleInstances } from "./nodes/instances.ts";
import { liveOptions, noOptions, platformsIfDefault, settleOptions } from "./authentication.ts";
import { levelOf, networkTypeOf, rules } from "./cluster-rules.ts";
import { level, operatingSystem, version } from "./offers.ts";
import { inSameVpc } from "../network/same-vpc.ts";
import * as ranges from "./ranges.ts";
import * as subnets from "./subnet-capacity.ts";
import { upgrade } from "./tasks.ts";
import { downgrade } from "./versions.ts";

/**
 * A managed Kubernetes cluster.
 *
 * @example
 * const platform = new Cluster("platform", { vpcId: vpc.vpcId, subnetId: subnet.subnetId, clusterCidr: "172.16.0.0/16" });
 */
export class Cluster extends resource("Cluster", {
  inputs: {
    /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
    clusterName: named(name),
    /** Description of the cluster. Default: empty. */
    clusterDescription: z.string().default(""),
    /**
     * Control plane on instances of the platform (`MANAGED_CLUSTER`) or on your own (`INDEPENDENT_CLUSTER`). A change replaces the cluster.
     */
    clusterType: z.enum(cluster.clusterTypes).default("MANAGED_CLUSTER"),
    /** Kubernetes version (`getClusterVersions`). It can only be raised. Default: the newest at creation, then unchanged. */
    clusterVersion: kept(z.string()),
    /** Whether a change of the version also upgrades the nodes. Default: false. */
    upgradeNodes: z.boolean().default(false),
    /** Number of nodes that the control plane supports: `L5`, `L20` and so on. Default: `L5`. */
    clusterLevel: kept(allowed(z.string(), clusterRules.level)),
    /** Whether the level grows with the number of nodes. Default: false. */
    autoUpgradeClusterLevel: z.boolean().default(false),
    /** Operating system of the nodes. Default: the platform's. A change replaces the cluster. */
    clusterOs: kept(z.string()),
    /** Container runtime of the nodes. Default: the platform's. A change replaces the cluster. */
    containerRuntime: kept(z.enum(cluster.containerRuntimes)),
    /** The VPC of the cluster. A change replaces the cluster. */
    vpcId: idOf("vpc"),
    /** The subnet of the control plane, with at least 10 free IP addresses. A change replaces the cluster. */
    subnetId: idOf("subnet"),
    /**
     * `GR`: pods have a CIDR block of their own. `VPC-CNI`: pods have IP addresses of subnets. Default: `VPC-CNI` with `isDualStack` or
     * `eniSubnetIds`, else `GR`.
     */
    networkType: kept(z.enum(cluster.networkTypes)),
    /**
     * IPv4 CIDR block for pods and services, outside of the VPC's. Required with `GR`, not allowed with `VPC-CNI`. A change replaces the
     * cluster.
     */
    clusterCidr: refusedOnceSet(ipv4Range("10.0.0.0/16")),
    /** IPv4 CIDR block for services, outside of the VPC's. Default: the platform's. A change replaces the cluster. */
    serviceCidr: refusedOnceSet(ipv4Range("10.0.0.0/16")),
    /** Maximum number of pods on a node, 16 to 256. Default: the platform's. A change replaces the cluster. */
    maxNodePodNum: usually(refusedOnceSet(z.int().min(16).max(256)), 256),
    /** Maximum number of services, 32 to 32768. Default: the platform's. A change replaces the cluster. */
    maxClusterServiceNum: usually(refusedOnceSet(z.int().min(32).max(32768)), 256),
    /**
     * Subnets for the IP addresses of pods: required with `VPC-CNI`, not allowed with `GR`. A new subnet is added in place; removing one
     * replaces the cluster.
     */
    eniSubnetIds: refusedOnceSet(unordered(distinct(z.array(idOf("subnet")).min(1)))),
    /**
     * Whether pods and services also have IPv6 addresses. Requires `VPC-CNI` and subnets with an IPv6 CIDR block. Default: false. A change
     * replaces the cluster.
     */
    isDualStack: z.boolean().default(false),
    /** Forwarding mode of kube-proxy, such as `ipvs-bpf`. Default: the platform's. A change replaces the cluster. */
    kubeProxyMode: kept(z.string()),
    /** Whether kube-proxy forwards services with IPVS. Default: the platform's. A change replaces the cluster. */
    ipvs: usually(kept(z.boolean()), false),
    /** Arguments of Kubernetes components, such as `max-requests-inflight=500`. Default: none. */
    extraArgs: cleared(
      object({
        /** Arguments of kube-apiserver. */
        kubeApiServer: cleared(z.array(z.string())),
        /** Arguments of kube-controller-manager. */
        kubeControllerManager: cleared(z.array(z.string())),
        /** Arguments of kube-scheduler. */
        kubeScheduler: cleared(z.array(z.string())),
        /** Arguments of etcd; only with `INDEPENDENT_CLUSTER`. */
        etcd: cleared(z.array(z.string())),
      }),
    ),
    /**
     * Protects the cluster from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you delete the
     * cluster. Default: false.
     */
    deletionProtection: z.boolean().default(false),
    /** The nodes' instances when the cluster is deleted: `terminate` deletes them, `retain` keeps them. Default: `terminate`. */
    instanceDeleteMode: z.enum(cluster.instanceDeleteModes).default("terminate"),
    /** Other resources when the cluster is deleted, by type. Default: disks are deleted. */
    resourceDeleteOptions: z
      .array(
        object({
          /** Resource type: `CBS` is a disk. */
          resourceType: z.enum(["CBS", "CLB", "CVM"]),
          /** `terminate` deletes them, `retain` keeps them. */
          deleteMode: z.enum(cluster.instanceDeleteModes),
        }),
      )
      .default([{ resourceType: "CBS", deleteMode: "terminate" }]),
    /** Issuer of the tokens of service accounts. Default: the platform. */
    serviceAccounts: cleared(
      spelt(
        object({
          /** Whether the platform issues the tokens. If `true`, leave out `issuer` and `jwksUri`. */
          useServiceDefault: z.boolean().optional(),
          /** Address of the issuer, `https://…`. */
          issuer: allowed(z.url(), clusterRules.httpsAddress).optional(),
          /** Address of the issuer's public keys. */
          jwksUri: allowed(z.url(), clusterRules.httpsAddress).optional(),
        }),
        platformsIfDefault,
      ),
    ),
    /** OIDC for workloads. Default: not configured. */
    oidcConfig: cleared(
      object({
        /** Whether the platform creates the OIDC configuration. */
        autoCreateOidcConfig: z.boolean().optional(),
        /** IDs of the clients to create. */
        autoCreateClientId: cleared(z.array(z.string())),
        /** Whether the add-on Pod Identity Webhook is installed. */
        autoInstallPodIdentityWebhookAddon: z.boolean().optional(),
      }),
    ),
    /** Existing instances that join as nodes. An instance that you remove from the list leaves the cluster and is kept. Default: none. */
    existingInstances: cleared(existingInstances),
    /** Any text. A change rotates the certificates of the kubeconfig, and older kubeconfigs stop working. Default: `1`. */
    credentialsVersion: kept(z.string()),
    /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
    tags: cleared(tagPairs),
  },
  outputs: {
    /** ID of the cluster, such as `cls-3f8a0c1e`. */
    clusterId: z.string(),
    /** The Kubernetes version that is running. */
    clusterVersion: z.string(),
    /** Issuer of the tokens of service accounts. */
    issuer: z.string(),
    /** Address of the issuer's public keys. */
    jwksUri: z.string(),
  },
  states: { clusterState: readinessOf.cluster },
  id: joined("cls-3f8a0c1e", "clusterId"),
}).managed({
  create: (cloud, desired) =>
    cloud.call(cluster.createCluster, {
      clusterType: desired.clusterType,
      clusterCidrSettings: {
        clusterCidr: desired.clusterCidr,
        serviceCidr: desired.serviceCidr,
        maxNodePodNum: desired.maxNodePodNum,
        maxClusterServiceNum: desired.maxClusterServiceNum,
        eniSubnetIds: desired.eniSubnetIds,
      },
      clusterBasicSettings: {
        clusterName: desired.clusterName,
        clusterDescription: desired.clusterDescription,
        clusterVersion: desired.clusterVersion,
        clusterLevel: desired.clusterLevel,
        autoUpgradeClusterLevel: { isAutoUpgrade: desired.autoUpgradeClusterLevel },
        clusterOs: desired.clusterOs,
        vpcId: desired.vpcId,
        subnetId: desired.subnetId,
        tagSpecification: desired.tags && [{ resourceType: "cluster", tags: tagList(desired.tags) }],
      },
      clusterAdvancedSettings: {
        containerRuntime: desired.containerRuntime,
        networkType: networkTypeOf(desired),
        isDualStack: desired.isDualStack,
        kubeProxyMode: desired.kubeProxyMode,
        ipvs: desired.ipvs,
        extraArgs: desired.extraArgs,
        deletionProtection: desired.deletionProtection,
      },
    }),
  owned: {
    tagged: async (cloud, _desired, tag) =>
      (await clustersTagged(cloud, tag)).map(({ clusterId, ...found }) => ({ id: clusterId, tags: tagsOf(found) })),
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
      tags: tagsOf({ tagSpecification }),
      lacking: undefined,
      reason,
      requestId,
    };
  },
  list: ranges.list,
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
  unique: ranges.unique,
  invariants: {
    check: [
      ...ranges.outsideVpc,
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
  never: { clusterVersion: downgrade },
  takesAlong: true,
  inputsToImport: async (cloud, { clusterId }) => ({
    existingInstances: await joinedInstances(cloud, clusterId),
    credentialsVersion: undefined,
  }),
}) {}

export type ClusterArgs = ArgsOf<typeof Cluster>;

type Found = NonNullable<Awaited<ReturnType<typeof clusterFinder.find>>>;

function tagsOf({ tagSpecification }: Pick<Found, "tagSpecification">) {
  return tagRecord(tagSpecification.flatMap(({ tags }) => tags));
}
