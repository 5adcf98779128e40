import type { z } from "zod";
import * as operations from "../../../catalogue/cluster/node-pools.ts";
import { mostInstances } from "../../../rules/cluster.ts";
import { type Call, on } from "../../behaviour.ts";
import { given } from "../../requests/input.ts";
import { refuseMissingGroups, subnetIn } from "../network.ts";
import { refuseGpu, refuseUnoffered, removeNodes, scaleToDesired, servicesOf, usualImageId } from "../nodes/machines.ts";
import { launchConfiguration, refuseLoginWith, refuseOtherZone, requestIn, scalingGroupRequest } from "../nodes/make-nodes.ts";
import { clusterOf, poolStateOf, requireUsable } from "../states.ts";
import { type ClusterRow, nodePools, nodes, type PoolRow, type PoolSettings } from "../tables.ts";
import {
  changeablePool,
  kindOf,
  lowerDesired,
  makePool,
  membersOf,
  poolOf,
  refuseProtected,
  removePool,
  usualSettings,
  within,
} from "./node-pools.ts";

type Launch = z.output<typeof launchConfiguration>;
type Group = z.output<typeof scalingGroupRequest>;

/** Node pools of 2018-05-25: regular ones, whose nodes a scaling group makes, and external ones, which machines outside of the cloud join. */
export const regularPoolBehaviours = [
  on(operations.createClusterNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    const group = requestIn(call, "AutoScalingGroupPara", scalingGroupRequest, input.autoScalingGroupPara);
    const launch = requestIn(call, "LaunchConfigurePara", launchConfiguration, input.launchConfigurePara);
    refuseGroup(call, cluster, group);
    refuseMissingGroups(call, launch.securityGroupIds);
    const { imageId = usualImageId, loginSettings } = launch;
    const os = input.nodePoolOs ?? cluster.os;
    refuseLoginWith(call, loginSettings, [{ name: "LaunchConfigurePara", imageId, osName: os }]);
    const { instanceType, systemDisk } = launch;
    refuseUnoffered(call, "InvalidParameter.Param", "LaunchConfigurePara: ", { subnetIds: group.subnetIds, instanceType, systemDisk });
    const settings = input.instanceAdvancedSettings;
    refuseGpu(call, settings, launch.instanceType);
    const pool = makePool(call, cluster, {
      ...attributesOf(given(input)),
      tags: input.tags && input.tags.length > 0 ? [{ resourceType: "machine", tags: input.tags }] : [],
      settings: scaledSettings(group, launch, input.enableAutoscale),
      regular: newGroup(call, os, input.osCustomizeType),
      runtime: { type: input.containerRuntime ?? cluster.containerRuntime, version: input.runtimeVersion ?? cluster.runtimeVersion },
    });
    return { nodePoolId: pool.id };
  }),

  on(operations.createExternalNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    if (input.name === "") throw call.error("InvalidParameter.Param", "Name is empty; a node pool takes a name of one character or more");
    // The platform does not know the machines themselves, only the settings of their nodes.
    const settings: PoolSettings = { ...usualSettings, scaling: { minReplicas: 0 }, replicas: 0, subnetIds: [], instanceTypes: [] };
    const runtime = { type: input.containerRuntime, version: input.runtimeVersion };
    const pool = makePool(call, cluster, { ...attributesOf(given(input)), annotations: [], tags: [], settings, runtime });
    return { nodePoolId: pool.id };
  }),

  on(operations.modifyClusterNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    const was = olderPool(call, cluster, input.nodePoolId);
    if (input.name === "") throw call.error("InvalidParameter.Param", "Name is empty; a node pool takes a name of one character or more");
    const { name, labels, taints, annotations, deletionProtection } = input;
    const pool = call.rows(nodePools).update(was.id, {
      ...given({ name, labels, taints, annotations, deletionProtection }),
      tags: input.tags ? [{ resourceType: "machine", tags: input.tags }] : was.tags,
      unschedulable: input.unschedulable === undefined ? was.unschedulable : input.unschedulable === 1,
      regular: was.regular && { ...was.regular, ...given({ os: input.osName, osCustomizeType: input.osCustomizeType }) },
      instanceAdvancedSettings: nodeSettingsAfter(call, was, input),
      settings: boundsAfter(call, was, input),
    });
    if (!input.ignoreExistedNode) relabel(call, pool);
    scaleToDesired(call, cluster, pool);
  }),

  on(operations.modifyNodePoolDesiredCapacityAboutAsg, (call, { clusterId, nodePoolId, desiredCapacity }) => {
    const cluster = clusterOf(call, clusterId);
    const { settings } = scaledPool(call, olderPool(call, cluster, nodePoolId));
    const { minReplicas = 0, maxReplicas = Infinity } = settings.scaling;
    if (desiredCapacity < minReplicas || desiredCapacity > maxReplicas)
      throw call.error("InvalidParameter.Param", `DesiredCapacity is ${desiredCapacity}; it takes ${minReplicas} to ${maxReplicas}`);
    scaleToDesired(call, cluster, call.rows(nodePools).update(nodePoolId, { settings: { ...settings, replicas: desiredCapacity } }));
  }),

  on(operations.removeNodeFromNodePool, (call, { clusterId, nodePoolId, instanceIds }) => {
    const cluster = clusterOf(call, clusterId);
    const pool = changeablePool(call, cluster, nodePoolId);
    if (instanceIds.length === 0 || instanceIds.length > mostInstances)
      throw call.error("InvalidParameter.Param", `InstanceIds has ${instanceIds.length} ids; it takes 1 to ${mostInstances}`);
    const members = new Map(membersOf(call, pool).map((node) => [node.id, node]));
    const going = [...new Set(instanceIds)].map((id) => {
      const node = members.get(id);
      if (!node) throw call.error("FailedOperation.RecordNotFound", `node pool ${nodePoolId} has no node ${id}`);
      return node;
    });
    // A node without a pool counts as added by hand.
    for (const { id } of going) call.rows(nodes).update(id, { poolId: undefined, manual: true });
    lowerDesired(call, cluster, going);
  }),

  on(operations.deleteClusterNodePool, (call, { clusterId, nodePoolIds, keepInstance }) => {
    const cluster = clusterOf(call, clusterId);
    if (nodePoolIds.length === 0) throw call.error("InvalidParameter.Param", "NodePoolIds is empty; it takes at least one id");
    const pools = [...new Set(nodePoolIds)].map((id) => poolOf(call, cluster, id));
    for (const pool of pools) refuseProtected(call, pool);
    for (const pool of pools) {
      if (poolStateOf(call, pool) === "Deleting") continue;
      if (keepInstance) removeNodes(call, cluster, membersOf(call, pool), call.after("nodeDelete"), "retain");
      removePool(call, cluster, pool);
    }
  }),
];

/** The attributes of both types. The pool's labels and taints take precedence over those in its nodes' settings. */
function attributesOf({
  instanceAdvancedSettings = {},
  name = "",
  labels = instanceAdvancedSettings.labels ?? [],
  taints = instanceAdvancedSettings.taints ?? [],
  annotations = [],
  deletionProtection = false,
}: Partial<Omit<PoolRow, "tags">>) {
  const unschedulable = instanceAdvancedSettings.unschedulable === 1;
  return { generation: "2018" as const, name, labels, taints, annotations, deletionProtection, unschedulable, instanceAdvancedSettings };
}

/** The scaling group of a new pool. */
export function newGroup({ world }: Call, os: string, osCustomizeType = "GENERAL") {
  return { launchConfigurationId: world.newId("asc"), autoscalingGroupId: world.newId("asg"), os, osCustomizeType };
}

export function scaledSettings(group: Omit<Group, "vpcId">, launch: Launch, enableAutoscaling: boolean): PoolSettings {
  return {
    ...usualSettings,
    scaling: { minReplicas: group.minSize, maxReplicas: group.maxSize, createPolicy: "ZoneEquality" },
    replicas: group.desiredCapacity ?? group.minSize,
    enableAutoscaling,
    subnetIds: group.subnetIds,
    securityGroupIds: launch.securityGroupIds,
    instanceTypes: [launch.instanceType],
    instanceChargeType: launch.instanceChargeType,
    systemDisk: launch.systemDisk ?? usualSettings.systemDisk,
    keyIds: launch.loginSettings?.keyIds ?? [],
    customImage: launch.imageId === undefined || launch.imageId === usualImageId ? "" : launch.imageId,
    automationService: servicesOf(launch.enhancedService).automation,
  };
}

function refuseGroup(
  call: Call<"InvalidParameter.Param" | "InvalidZone.ZoneNotAvailable" | "ResourceNotFound">,
  cluster: ClusterRow,
  { vpcId, subnetIds, zones = [], minSize, maxSize, desiredCapacity = minSize }: Group,
): void {
  if (vpcId !== cluster.vpcId)
    throw call.error("InvalidParameter.Param", `AutoScalingGroupPara: VpcId is ${vpcId}; cluster ${cluster.id} is in ${cluster.vpcId}`);
  const places = subnetIds.map((id) => subnetIn(call, "AutoScalingGroupPara: SubnetIds", id, cluster).zone);
  refuseOtherZone(call, "AutoScalingGroupPara: Zones", zones, places);
  if (minSize > maxSize)
    throw call.error(
      "InvalidParameter.Param",
      `AutoScalingGroupPara: MinSize ${minSize} is above MaxSize ${maxSize}; it takes ${maxSize} at most`,
    );
  if (desiredCapacity < minSize || desiredCapacity > maxSize)
    throw call.error(
      "InvalidParameter.Param",
      `AutoScalingGroupPara: DesiredCapacity is ${desiredCapacity}; it takes ${minSize} to ${maxSize}`,
    );
}

type Input = z.output<typeof operations.modifyClusterNodePool.input>;
type ChangeCall = Call<"InvalidParameter.Param" | "OperationDenied" | "ResourceNotFound">;

function olderPool(call: ChangeCall, cluster: ClusterRow, nodePoolId: string): PoolRow {
  const pool = changeablePool(call, cluster, nodePoolId);
  if (kindOf(pool) === "Native")
    throw call.error("InvalidParameter.Param", `node pool ${nodePoolId} is of Type Native; ModifyNodePool and ScaleNodePool change it`);
  return pool;
}

/** A pool that can be scaled: machines join external pools by themselves. */
function scaledPool(call: ChangeCall, pool: PoolRow): PoolRow {
  if (kindOf(pool) === "External")
    throw call.error("InvalidParameter.Param", `node pool ${pool.id} is of Type External; machines join it by themselves`);
  return pool;
}

function nodeSettingsAfter(call: ChangeCall, { instanceAdvancedSettings: was = {}, settings }: PoolRow, input: Input) {
  const { gpuArgs, userScript, extraArgs, dockerGraphPath, preStartUserScript } = input;
  refuseGpu(call, { gpuArgs }, settings.instanceTypes[0] ?? "");
  return { ...was, ...given({ gpuArgs, userScript, extraArgs, dockerGraphPath, preStartUserScript }) };
}

/** The settings with new bounds; the desired number is kept within them. */
function boundsAfter(call: ChangeCall, pool: PoolRow, { minNodesNum, maxNodesNum, enableAutoscale }: Input): PoolRow["settings"] {
  const { settings } = pool;
  if (minNodesNum !== undefined || maxNodesNum !== undefined || enableAutoscale !== undefined) scaledPool(call, pool);
  const scaling = {
    ...settings.scaling,
    minReplicas: minNodesNum ?? settings.scaling.minReplicas ?? 0,
    maxReplicas: maxNodesNum ?? settings.scaling.maxReplicas,
  };
  if (scaling.minReplicas > (scaling.maxReplicas ?? Infinity))
    throw call.error(
      "InvalidParameter.Param",
      `MinNodesNum ${scaling.minReplicas} is above MaxNodesNum ${scaling.maxReplicas}; it takes ${scaling.maxReplicas} at most`,
    );
  return { ...settings, scaling, replicas: within(scaling, settings.replicas), ...given({ enableAutoscaling: enableAutoscale }) };
}

/** Applies labels and taints to existing nodes; other settings only apply to new ones. */
function relabel(call: Call, { id: poolId, clusterId, labels, taints }: PoolRow): void {
  for (const node of call.list(nodes, clusterId))
    if (node.poolId === poolId) call.rows(nodes).update(node.id, { settings: { ...node.settings, labels, taints } });
}
