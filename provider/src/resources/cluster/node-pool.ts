import * as cluster from "@container-platform/sdk/cluster";
import { readinessOf } from "@container-platform/sdk";
import { nodePoolsOf } from "@container-platform/sdk/finders/cluster";
import { nodePoolStatus } from "@container-platform/sdk/status/cluster";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../definition/codes.ts";
import type { Input } from "@pulumi/pulumi";
import { idOf, joined } from "../../definition/ids.ts";
import { cleared, name, named, tagPairs, told } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { specifiedTags, tagList } from "../tags.ts";
import { orNone, same } from "../../schema/values.ts";
import { dataDisks, gpuTypes, instanceTypes, keyPairs, systemDisk } from "./nodes/machine-offers.ts";
import { annotations, labels, nameList, taints } from "./nodes/kubernetes-values.ts";
import { type Native, native } from "./nodes/native.ts";
import { autoscales, boundsOf, desiredNodes, settleNative } from "./nodes/scaling.ts";
import { Cluster } from "./cluster.ts";
import { nodesOfPool } from "./nodes/nodes-of-pool.ts";
import { podsHaveAddresses } from "./pod-addresses.ts";
import { nodesReachInternet } from "./nodes/way-out.ts";
import { inSameVpc } from "../network/same-vpc.ts";

/** The arguments of `NodePool`. */
export interface NodePoolArgs {
  /** The cluster of the nodes. A change replaces the node pool. */
  clusterId: Input<string>;
  /** Settings of the nodes, and their number. */
  native: Input<NodePoolNative>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  name?: Input<string | undefined>;
  /** Type of the nodes: `Native`. */
  type?: Input<"Native" | undefined>;
  /** Kubernetes labels of the nodes. Default: none. */
  labels?: Input<Record<string, Input<string>> | undefined>;
  /** Kubernetes annotations of the nodes. Default: none. */
  annotations?: Input<Record<string, Input<string>> | undefined>;
  /** Kubernetes taints of the nodes. Default: none. */
  taints?: Input<readonly Input<NodePoolTaint>[] | undefined>;
  /** Whether new nodes are unschedulable. Default: false. */
  unschedulable?: Input<boolean | undefined>;
  /**
   * Protects the node pool from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you delete the node
   * pool. Default: false.
   */
  deletionProtection?: Input<boolean | undefined>;
  /** Whether creation and scaling wait until the desired number of nodes is running. Default: true. */
  waitForNodes?: Input<boolean | undefined>;
  /** Tags of the nodes' instances, by key: at most 47. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

export interface NodePoolNative {
  /**
   * Subnets of the cluster's VPC for the nodes, at least one; with `ZonePriority`, in order of preference. A change applies to new nodes.
   * In a dual-stack cluster, each subnet needs an `ipv6SubnetCidrBlock`.
   */
  subnetIds: Input<readonly Input<string>[]>;
  /** Instance types of the zone (`getInstanceTypes`) in order of preference, at least one. A change applies to new nodes. */
  instanceTypes: Input<readonly Input<string>[]>;
  /** System disk of new nodes. */
  systemDisk: Input<NodePoolNativeSystemDisk>;
  /** Bounds for the number of nodes. Default: `replicas`. */
  scaling?: Input<NodePoolNativeScaling | undefined>;
  /** Desired number of nodes; ignored while the node pool scales automatically. Default: `scaling.minReplicas`. */
  replicas?: Input<number | undefined>;
  /** Whether the platform scales the node pool within `scaling`. Default: whether `minReplicas` is below `maxReplicas`. */
  enableAutoscaling?: Input<boolean | undefined>;
  /**
   * Billing of the nodes: `POSTPAID_BY_HOUR`, by use, or `PREPAID`, monthly. A change from `PREPAID` replaces the node pool. Default:
   * `POSTPAID_BY_HOUR`.
   */
  instanceChargeType?: Input<"POSTPAID_BY_HOUR" | "PREPAID" | undefined>;
  /** Prepaid period of the nodes. Required with `PREPAID`. */
  instanceChargePrepaid?: Input<NodePoolNativeInstanceChargePrepaid | undefined>;
  /** Security groups of the nodes, in order of priority. Default: the platform's. */
  securityGroupIds?: Input<readonly Input<string>[] | undefined>;
  /** Data disks of new nodes. Default: none. */
  dataDisks?: Input<readonly Input<NodePoolNativeDataDisk>[] | undefined>;
  /** IDs of key pairs for the login. Default: none. */
  keyIds?: Input<readonly Input<string>[] | undefined>;
  /** Password for the login. A secret. Default: none. */
  password?: Input<string | undefined>;
  /** Whether the platform repairs broken nodes. Default: the platform's choice. */
  autoRepair?: Input<boolean | undefined>;
  /** Name servers, hosts and kernel parameters of the nodes. */
  management?: Input<NodePoolNativeManagement | undefined>;
  /** Arguments of the kubelet, each such as `max-pods=64`. */
  kubeletArgs?: Input<readonly Input<string>[] | undefined>;
  /** Scripts that run before and after the initialization of a node. */
  lifecycle?: Input<NodePoolNativeLifecycle | undefined>;
  /** Automatic upgrade of the nodes. */
  upgradeSettings?: Input<NodePoolNativeUpgradeSettings | undefined>;
  /** Name of the health check policy that finds broken nodes. */
  healthCheckPolicyName?: Input<string | undefined>;
  /** Pattern of the nodes' host names. */
  hostNamePattern?: Input<string | undefined>;
  /** GPU drivers, by instance type. */
  gpuConfigs?: Input<readonly Input<NodePoolNativeGpuConfig>[] | undefined>;
  /** ID of a custom image. */
  customImage?: Input<string | undefined>;
  /** Whether changes of the node pool also apply to existing nodes. Default: false, new nodes only. */
  updateExistedNode?: Input<boolean | undefined>;
  /** Public bandwidth of the nodes. Default: none. A change replaces the node pool; an existing pool without the input rejects it. */
  internetAccessible?: Input<NodePoolNativeInternetAccessible | undefined>;
  /** `Native` or `NativeCVM`. Default: `Native`. A change replaces the node pool. */
  machineType?: Input<"Native" | "NativeCVM" | undefined>;
  /** Data directory of the container runtime. A change replaces the node pool; an existing pool accepts only its present directory. */
  runtimeRootDir?: Input<string | undefined>;
}

export interface NodePoolNativeSystemDisk {
  /** Disk type of the zone (`getDiskTypes`), such as `CLOUD_PREMIUM`. */
  diskType: Input<string>;
  /** Size in GB. */
  diskSize: Input<number>;
}

export interface NodePoolNativeScaling {
  /** Minimum number of nodes. */
  minReplicas: Input<number>;
  /** Maximum number of nodes. */
  maxReplicas: Input<number>;
  /** `ZoneEquality` spreads nodes over the subnets, `ZonePriority` fills the first one first. Default: `ZoneEquality`. */
  createPolicy?: Input<"ZoneEquality" | "ZonePriority" | undefined>;
}

export interface NodePoolNativeInstanceChargePrepaid {
  /** Number of months: 1 to 12, 24, 36, 48 or 60. */
  period: Input<number>;
  /** Renewal at the end of the period. Default: `NOTIFY_AND_MANUAL_RENEW`. */
  renewFlag?: Input<"NOTIFY_AND_AUTO_RENEW" | "NOTIFY_AND_MANUAL_RENEW" | "DISABLE_NOTIFY_AND_MANUAL_RENEW" | undefined>;
}

export interface NodePoolNativeDataDisk {
  /** Disk type of the zone (`getDiskTypes`), such as `CLOUD_PREMIUM`. */
  diskType: Input<string>;
  /** Size in GB; at least 50 is recommended. */
  diskSize: Input<number>;
  /** File system: `ext3`, `ext4` or `xfs`. Default: `ext4`. */
  fileSystem?: Input<"ext3" | "ext4" | "xfs" | undefined>;
  /** Formats and mounts the disk. Default: true. */
  autoFormatAndMount?: Input<boolean | undefined>;
  /** Mount point of the disk. */
  mountTarget?: Input<string | undefined>;
}

export interface NodePoolNativeManagement {
  /** Name servers. */
  nameservers?: Input<readonly Input<string>[] | undefined>;
  /** Lines of the hosts file. */
  hosts?: Input<readonly Input<string>[] | undefined>;
  /** Kernel parameters, each such as `net.core.somaxconn=1024`. */
  kernelArgs?: Input<readonly Input<string>[] | undefined>;
}

export interface NodePoolNativeLifecycle {
  /** Script that runs before, base64. */
  preInit?: Input<string | undefined>;
  /** Script that runs after, base64. */
  postInit?: Input<string | undefined>;
}

export interface NodePoolNativeUpgradeSettings {
  /** Whether nodes are upgraded automatically. */
  autoUpgrade?: Input<boolean | undefined>;
  /** Components to upgrade, such as `kubelet`. */
  components?: Input<readonly Input<string>[] | undefined>;
}

export interface NodePoolNativeGpuConfig {
  /** Instance type. */
  instanceType: Input<string>;
  /** Drivers of the instance type. */
  gpuParams: Input<NodePoolNativeGpuConfigGpuParams>;
}

export interface NodePoolNativeGpuConfigGpuParams {
  /** Version of the driver. */
  driver?: Input<string | undefined>;
  /** Version of CUDA. */
  cuda?: Input<string | undefined>;
  /** Version of cuDNN. */
  cudnn?: Input<string | undefined>;
}

export interface NodePoolNativeInternetAccessible {
  /** Outbound bandwidth in Mbit/s. */
  maxBandwidthOut: Input<number>;
  /** Billing of the bandwidth, such as `TRAFFIC_POSTPAID_BY_HOUR`. */
  chargeType: Input<string>;
}

export interface NodePoolTaint {
  /** Key of the taint. */
  key: Input<string>;
  /** Value of the taint. */
  value: Input<string>;
  /** Effect on pods that do not tolerate it. */
  effect: Input<"NoSchedule" | "PreferNoSchedule" | "NoExecute">;
}

/** The properties of a `NodePool` once they are known. */
export interface NodePoolState extends ResolvedWithDefaults<
  NodePoolArgs,
  "name" | "type" | "unschedulable" | "deletionProtection" | "waitForNodes" | "fileSystem" | "autoFormatAndMount"
> {
  /** ID of the node pool, such as `np-3f8a0c1e`. */
  nodePoolId: string;
}

/**
 * A node pool: nodes of a cluster with the same settings. Their number is fixed, or scales automatically.
 *
 * @example
 * const pool = new NodePool("workers", {
 *   clusterId: platform.clusterId,
 *   native: { subnetIds: [subnet.subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 2 },
 * });
 */
export class NodePool extends resource<NodePoolArgs, NodePoolState>()("NodePool", {
  inputs: {
    clusterId: idOf("cls"),
    name: named(name),
    type: z.enum(cluster.nodePoolTypes).default("Native"),
    native,
    labels: cleared(labels),
    annotations: cleared(annotations),
    taints: cleared(taints),
    unschedulable: z.boolean().default(false),
    deletionProtection: z.boolean().default(false),
    waitForNodes: z.boolean().default(true),
    tags: cleared(tagPairs),
  },
  outputs: { nodePoolId: z.string() },
  states: { lifeState: readinessOf.nodePool },
  id: joined("cls-3f8a0c1e/np-3f8a0c1e", "clusterId", "nodePoolId"),
}).managed({
  within: { kind: Cluster.kind, by: "clusterId" },
  create: (cloud, { waitForNodes: _wait, labels, annotations, tags, native: desired, ...pool }) => {
    const { updateExistedNode: _existing, scaling, replicas, ...settings } = desired;
    return cloud.call(cluster.createNodePool, {
      ...pool,
      labels: nameList(labels),
      annotations: nameList(annotations),
      tags: tags && [{ resourceType: "machine", tags: tagList(tags) }],
      native: {
        ...settings,
        instanceChargeType: settings.instanceChargeType ?? "POSTPAID_BY_HOUR",
        scaling: { ...boundsOf(desired), createPolicy: scaling?.createPolicy },
        enableAutoscaling: autoscales(desired),
        replicas: autoscales(desired) ? undefined : replicas,
      },
    });
  },
  owned: {
    tagged: async (cloud, { clusterId }) =>
      (await nodePoolsOf(cloud, clusterId)).map((pool) => ({ id: `${clusterId}/${pool.nodePoolId}`, tags: specifiedTags(pool.tags) })),
  },
  read: async (cloud, known) => {
    const { clusterId, nodePoolId } = known;
    const pool = (await nodePoolsOf(cloud, clusterId)).find((one) => one.nodePoolId === nodePoolId);
    if (!pool) return undefined;
    const wanted = known.waitForNodes === true && known.native ? desiredNodes(known.native) : undefined;
    const { reason, requestId, lacking, hopeless } = await nodePoolStatus(cloud, pool, wanted);
    if (hopeless !== undefined) throw new ProviderError("Failed", `${hopeless}. Remove it from the pool, then run \`pulumi up\` again`);
    return {
      ...pool,
      waitForNodes: known.waitForNodes,
      type: "Native",
      native: pool.native && liveNative(pool.native, known.native),
      labels: nameRecord(pool.labels),
      annotations: nameRecord(pool.annotations),
      taints: pool.taints.length > 0 ? pool.taints : undefined,
      tags: specifiedTags(pool.tags),
      lacking,
      reason,
      requestId,
    };
  },
  list: (cloud, { clusterId: ids }) =>
    below(ids, async (clusterId) => (await nodePoolsOf(cloud, clusterId)).filter((pool) => pool.native !== undefined)),
  delete: (cloud, { clusterId, nodePoolId }) => cloud.call(cluster.deleteNodePool, { clusterId, nodePoolId }),

  changes: {
    clusterId: "replace",
    type: "replace",
    name: (cloud, { clusterId, nodePoolId, name }) => cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, name }),
    labels: (cloud, { clusterId, nodePoolId, labels }) =>
      cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, labels: nameList(labels) }),
    annotations: (cloud, { clusterId, nodePoolId, annotations }) =>
      cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, annotations: nameList(annotations) }),
    taints: (cloud, { clusterId, nodePoolId, taints = [] }) => cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, taints }),
    unschedulable: (cloud, { clusterId, nodePoolId, unschedulable }) =>
      cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, unschedulable }),
    deletionProtection: (cloud, { clusterId, nodePoolId, deletionProtection }) =>
      cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, deletionProtection }),
    tags: (cloud, { clusterId, nodePoolId, tags }) =>
      cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, tags: [{ resourceType: "machine", tags: tagList(tags) }] }),
    native: {
      replaces: (desired, before) => {
        // A charge type that is not known yet may turn out to be a change back to the use.
        const { instanceChargeType: type = "PREPAID" } = desired;
        return (
          (before.instanceChargeType === "PREPAID" && type !== "PREPAID") || fixed.some((key) => isFixedOtherwise(key, desired, before))
        );
      },
      unknownReplaces: true,
      step: async (cloud, { clusterId, nodePoolId, native: desired }, live) =>
        live.native && settleNative(cloud, { clusterId, nodePoolId }, changeable(desired, live.native), live.native),
    },
    waitForNodes: "local-only",
  },
  invariants: {
    check: [inSameVpc("native.subnetIds.*", "clusterId"), podsHaveAddresses],
    diff: [podsHaveAddresses],
    end: [nodesReachInternet],
  },
  holds: nodesOfPool,
  offered: {
    "native.instanceTypes": instanceTypes,
    "native.systemDisk": systemDisk,
    "native.dataDisks": dataDisks,
    "native.keyIds": keyPairs,
    "native.gpuConfigs": gpuTypes,
  },
  rules: [
    {
      of: "native.scaling",
      broken: ({ native: { scaling } }) =>
        scaling &&
        scaling.minReplicas > scaling.maxReplicas &&
        `minReplicas ${scaling.minReplicas} is above maxReplicas ${scaling.maxReplicas}`,
    },
    {
      of: "native.replicas",
      broken: ({ native: desired }, { native: before }) => {
        const { minReplicas, maxReplicas } = boundsOf(desired);
        const { replicas } = desired;
        if (replicas === undefined || (replicas >= minReplicas && replicas <= maxReplicas)) return false;
        const ignored =
          before?.replicas === replicas ? ". If the option ignoreChanges keeps this value, remove native.replicas from it" : "";
        return `${replicas} is not within scaling, ${minReplicas} to ${maxReplicas}${ignored}`;
      },
    },
    {
      of: "native",
      broken: ({ native: { scaling, replicas } }) =>
        !scaling && replicas === undefined && "takes scaling or replicas: how many nodes there are to be",
    },
    {
      of: "native.instanceChargePrepaid",
      broken: ({ native: { instanceChargeType, instanceChargePrepaid } }) =>
        instanceChargeType === "PREPAID" && !instanceChargePrepaid && 'is required with instanceChargeType "PREPAID"',
    },
  ],
  warnings: [
    // Specification, Limits: at least 50 GB is recommended.
    ({ native: { dataDisks = [] } }) =>
      dataDisks.some(({ diskSize }) => diskSize < 50) &&
      `native.dataDisks: ${Math.min(...dataDisks.map(({ diskSize }) => diskSize))} GB is small, at least 50 GB is recommended`,
  ],
  holdsWorkloads: true,
  protectedBy: "deletionProtection",
  hints: {
    InvalidParameter: (reason) => {
      if (reason.includes("InstanceType")) return "native.instanceTypes takes types that getInstanceTypes({ zone }) lists";
      return reason.includes("DiskType") ? "diskType takes a type that getDiskTypes({ zone }) lists" : undefined;
    },
  },
  seconds: { create: 1800, update: 1800, delete: 1800 },
  remains: async (cloud, { clusterId, nodePoolId }) => {
    const machines = (await nodesOfPool.list(cloud, { clusterId, nodePoolId })).length;
    return machines > 0 ? `${machines} machine${machines === 1 ? "" : "s"} still going` : undefined;
  },
}) {}
export interface NodePool extends Outputs<NodePoolState> {}

/** Settings that cannot be changed on a pool. */
const fixed = ["internetAccessible", "machineType", "runtimeRootDir"] as const;

/**
 * Whether the program gives a fixed setting another value than before. If the program did not give the setting before, the live value may
 * be the same: a replacement would delete nodes for nothing, so the update compares and fails if the values differ.
 */
function isFixedOtherwise(key: (typeof fixed)[number], desired: Native, before: Native): boolean {
  const was = before[key] ?? (key === "machineType" ? "Native" : undefined);
  return desired[key] !== undefined && was !== undefined && !same(desired[key], was);
}

/** Returns the settings that can be changed. @throws Error if a fixed setting has another value on the platform */
function changeable({ internetAccessible, machineType, runtimeRootDir, ...desired }: Native, live: Native): Native {
  const given = { internetAccessible, machineType, runtimeRootDir };
  const wrong = fixed.find((key) => given[key] !== undefined && !same(given[key], live[key]));
  if (wrong === undefined) return desired;
  const [value, now] = [given[wrong], live[wrong] ?? "not set"].map((one) => JSON.stringify(one));
  throw new ProviderError(
    "CannotChange",
    `native.${wrong}: is ${now} and cannot become ${value} on an existing node pool. Leave it out, or replace the pool with its nodes: \`pulumi up --replace\` with its URN`,
    { path: `native.${wrong}` },
  );
}

type LivePool = NonNullable<Awaited<ReturnType<typeof nodePoolsOf>>[number]["native"]>;

/** The live settings as programs write them. While the pool scales automatically, the number of nodes is not compared. */
function liveNative(live: LivePool, known: Native | undefined): Native {
  const { minReplicas = 0, maxReplicas = 0, createPolicy } = live.scaling;
  const settings = {
    ...settingsOf(live, known),
    scaling: { minReplicas, maxReplicas, createPolicy },
    replicas: live.enableAutoscaling ? known?.replicas : live.replicas,
    enableAutoscaling: live.enableAutoscaling,
    password: known?.password,
    updateExistedNode: known?.updateExistedNode,
  };
  return told(native, settings, "native");
}

/** The settings that programs can write. An empty text counts as missing, unless the program has an empty text, too. */
function settingsOf(live: LivePool, known: Native | undefined): object {
  const { diskType, diskSize } = live.systemDisk;
  const { dataDisks, management, lifecycle, upgradeSettings, ...rest } = live;
  const entries = native.keyof().options.map((key) => [key, Reflect.get(rest, key) as unknown] as const);
  const plain = Object.fromEntries(entries.filter(([key, value]) => value !== "" || known?.[key] === ""));
  return {
    ...plain,
    systemDisk: { diskType, diskSize },
    dataDisks: dataDisks.map(({ diskType: type, diskSize: size, fileSystem, autoFormatAndMount, mountTarget }) => ({
      diskType: type,
      diskSize: size,
      fileSystem,
      autoFormatAndMount,
      mountTarget,
    })),
    management: management && orNone(management),
    lifecycle: lifecycle && orNone(lifecycle),
    upgradeSettings: upgradeSettings && { autoUpgrade: upgradeSettings.autoUpgrade, components: upgradeSettings.components },
  };
}

function nameRecord(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> | undefined {
  return values.length > 0 ? Object.fromEntries(values.map(({ name: key, value }) => [key, value])) : undefined;
}
