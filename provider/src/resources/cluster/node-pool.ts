import * as cluster from "@container-platform/sdk/cluster";
import { readinessOf } from "@container-platform/sdk";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";
import { nodePoolStatus } from "@container-platform/sdk/status/cluster";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../definition/codes.ts";
import { idOf, joined } from "../../definition/ids.ts";
import { cleared, name, named, tagPairs, told } from "../../definition/inputs.ts";
import { type ArgsOf, below, resource } from "../../definition/resource.ts";
import { tagList, tagRecord } from "../tags.ts";
import { orNone, same } from "../../schema/values.ts";
import { dataDisks, gpuTypes, instanceTypes, keyPairs, systemDisk } from "./nodes/machine-offers.ts";
import { annotations, labels, taints } from "./nodes/kubernetes-values.ts";
import { type Native, native } from "./nodes/native.ts";
import { autoscales, boundsOf, desiredNodes, settleNative } from "./nodes/scaling.ts";
import { Cluster } from "./cluster.ts";
import { nodesOfPool } from "./nodes/nodes-of-pool.ts";
import { inSameVpc } from "../network/same-vpc.ts";

/**
 * A node pool: nodes of a cluster with the same settings. Their number is fixed, or scales automatically.
 *
 * @example
 * const pool = new NodePool("workers", {
 *   clusterId: platform.clusterId,
 *   native: { subnetIds: [subnet.subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 2 },
 * });
 */
export class NodePool extends resource("NodePool", {
  inputs: {
    /** The cluster of the nodes. A change replaces the node pool. */
    clusterId: idOf("cls"),
    /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
    name: named(name),
    /** Type of the nodes: `Native`. */
    type: z.enum(cluster.nodePoolTypes).default("Native"),
    /** Settings of the nodes, and their number. */
    native,
    /** Kubernetes labels of the nodes. Default: none. */
    labels: cleared(labels),
    /** Kubernetes annotations of the nodes. Default: none. */
    annotations: cleared(annotations),
    /** Kubernetes taints of the nodes. Default: none. */
    taints: cleared(taints),
    /** Whether new nodes are unschedulable. Default: false. */
    unschedulable: z.boolean().default(false),
    /**
     * Protects the node pool from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you delete the node
     * pool. Default: false.
     */
    deletionProtection: z.boolean().default(false),
    /** Whether creation and scaling wait until the desired number of nodes is running. Default: true. */
    waitForNodes: z.boolean().default(true),
    /** Tags of the nodes' instances, by key: at most 47. */
    tags: cleared(tagPairs),
  },
  outputs: {
    /** ID of the node pool, such as `np-3f8a0c1e`. */
    nodePoolId: z.string(),
  },
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
      (await nodePoolsOf(cloud, clusterId)).map((pool) => ({ id: `${clusterId}/${pool.nodePoolId}`, tags: tagsOf(pool) })),
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
      tags: tagsOf(pool),
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
      replaces: (desired, before) => fixed.some((key) => isFixedOtherwise(key, desired, before)) || backToPayAsYouGo(desired, before),
      unknownReplaces: true,
      step: async (cloud, { clusterId, nodePoolId, native: desired }, live) =>
        live.native && settleNative(cloud, { clusterId, nodePoolId }, changeable(desired, live.native), live.native),
    },
    waitForNodes: "local-only",
  },
  invariants: { check: [inSameVpc("native.subnetIds.*", "clusterId")] },
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
      broken: ({ native: desired }) =>
        desired.replicas !== undefined &&
        (desired.replicas < boundsOf(desired).minReplicas || desired.replicas > boundsOf(desired).maxReplicas) &&
        `${desired.replicas} is not within scaling, ${boundsOf(desired).minReplicas} to ${boundsOf(desired).maxReplicas}`,
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
    const machines = (await nodesOf(cloud, clusterId)).filter((node) => node.nodePoolId === nodePoolId).length;
    return machines > 0 ? `${machines} machine${machines === 1 ? "" : "s"} still going` : undefined;
  },
}) {}

export type NodePoolArgs = ArgsOf<typeof NodePool>;

/** Settings that cannot be changed on a pool. */
const fixed = ["internetAccessible", "machineType", "runtimeRootDir"] as const;
type Fixed = (typeof fixed)[number];

/**
 * Whether the program gives a fixed setting another value than before. If the program did not give the setting before, the live value may
 * be the same: a replacement would delete nodes for nothing, so the update compares and fails if the values differ.
 */
function isFixedOtherwise(key: Fixed, desired: Native, before: Native): boolean {
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

function backToPayAsYouGo(desired: Native, before: Native): boolean {
  // A charge type that is not known yet may turn out to be this change.
  return before.instanceChargeType === "PREPAID" && desired.instanceChargeType !== undefined && desired.instanceChargeType !== "PREPAID";
}

type LivePool = NonNullable<Pool["native"]>;

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

type Pool = Awaited<ReturnType<typeof nodePoolsOf>>[number];

function tagsOf({ tags: specifications }: Pool) {
  return tagRecord(specifications.flatMap(({ tags }) => tags));
}

function nameList(values: Readonly<Record<string, string>> | undefined) {
  return Object.entries(values ?? {}).map(([key, value]) => ({ name: key, value }));
}

function nameRecord(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> | undefined {
  return values.length > 0 ? Object.fromEntries(values.map(({ name: key, value }) => [key, value])) : undefined;
}
