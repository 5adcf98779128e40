import type { z } from "zod";
import { createClusterNodePool, createExternalNodePool } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { refuseGpu, servicesOf } from "../nodes/joining.ts";
import { refuseLoginWith } from "../nodes/log-in.ts";
import { usualImageId } from "../nodes/public-images.ts";
import { refuseDisk, refuseInstanceTypes } from "../nodes/offered.ts";
import { launchConfiguration, refuseOtherZone, requestIn, scalingGroupRequest } from "../nodes/machine-requests.ts";
import { makePool } from "./node-pools.ts";
import { subnetRequirements, refuseMissingGroups, subnetIn } from "../network.ts";
import { subnets } from "../../vpc/tables.ts";
import { clusterOf, requireUsable } from "../states.ts";
import type { ClusterRow, PoolRow, PoolSettings } from "../tables.ts";

type Launch = z.output<typeof launchConfiguration>;
type Group = z.output<typeof scalingGroupRequest>;

/** Node pools of 2018-05-25: regular ones, whose nodes a scaling group makes, and external ones, which machines outside of the cloud join. */
export const regularPoolBehaviours = [
  on(createClusterNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    const group = requestIn(call, "AutoScalingGroupPara", scalingGroupRequest, input.autoScalingGroupPara);
    const launch = requestIn(call, "LaunchConfigurePara", launchConfiguration, input.launchConfigurePara);
    refuseGroup(call, cluster, group);
    refuseLaunch(call, launch, input.nodePoolOs ?? cluster.os);
    refuseMachines(call, launch, group.subnetIds);
    const settings = input.instanceAdvancedSettings;
    refuseGpu(call, settings, launch.instanceType);
    const pool = makePool(call, cluster, {
      ...attributesOf(input),
      tags: input.tags && input.tags.length > 0 ? [{ resourceType: "machine", tags: input.tags }] : [],
      settings: scaledSettings(group, launch, input.enableAutoscale),
      regular: {
        launchConfigurationId: call.world.newId("asc"),
        autoscalingGroupId: call.world.newId("asg"),
        os: input.nodePoolOs ?? cluster.os,
        osCustomizeType: input.osCustomizeType ?? "GENERAL",
      },
      runtime: { type: input.containerRuntime ?? cluster.containerRuntime, version: input.runtimeVersion ?? cluster.runtimeVersion },
    });
    return { nodePoolId: pool.id };
  }),

  on(createExternalNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsable(call, cluster);
    if (input.name === "") throw call.error("InvalidParameter.Param", "Name is empty; a node pool takes a name of one character or more");
    // The platform does not know the machines themselves, only the settings of their nodes.
    const settings: PoolSettings = { ...emptySettings, scaling: { minReplicas: 0 }, replicas: 0, subnetIds: [], instanceTypes: [] };
    const runtime = { type: input.containerRuntime, version: input.runtimeVersion };
    const pool = makePool(call, cluster, { ...attributesOf(input), annotations: [], tags: [], settings, runtime });
    return { nodePoolId: pool.id };
  }),
];

/** The attributes of both types. The pool's labels and taints take precedence over those in its nodes' settings. */
function attributesOf(input: {
  name?: string | undefined;
  labels?: PoolRow["labels"] | undefined;
  taints?: PoolRow["taints"] | undefined;
  annotations?: PoolRow["annotations"] | undefined;
  deletionProtection?: boolean | undefined;
  instanceAdvancedSettings?: PoolRow["instanceAdvancedSettings"];
}) {
  const { instanceAdvancedSettings = {} } = input;
  return {
    generation: "2018" as const,
    name: input.name ?? "",
    labels: input.labels ?? instanceAdvancedSettings.labels ?? [],
    taints: input.taints ?? instanceAdvancedSettings.taints ?? [],
    annotations: input.annotations ?? [],
    deletionProtection: input.deletionProtection ?? false,
    unschedulable: instanceAdvancedSettings.unschedulable === 1,
    instanceAdvancedSettings,
  };
}

/** Defaults for the settings that a call does not give. */
const emptySettings = {
  enableAutoscaling: false,
  securityGroupIds: [],
  instanceChargeType: "POSTPAID_BY_HOUR" as const,
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  dataDisks: [],
  keyIds: [],
  autoRepair: false,
  healthCheckPolicyName: "",
  hostNamePattern: "",
  kubeletArgs: [],
  runtimeRootDir: "/var/lib/containerd",
  machineType: "",
  customImage: "",
  automationService: true,
};

export function scaledSettings(group: Omit<Group, "vpcId">, launch: Launch, enableAutoscaling: boolean): PoolSettings {
  return {
    ...emptySettings,
    scaling: { minReplicas: group.minSize, maxReplicas: group.maxSize, createPolicy: "ZoneEquality" },
    replicas: group.desiredCapacity ?? group.minSize,
    enableAutoscaling,
    subnetIds: group.subnetIds,
    securityGroupIds: launch.securityGroupIds,
    instanceTypes: [launch.instanceType],
    instanceChargeType: launch.instanceChargeType,
    systemDisk: launch.systemDisk ?? emptySettings.systemDisk,
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
  const places = subnetIds.map((id) => subnetIn(call, "AutoScalingGroupPara: SubnetIds", id, subnetRequirements(cluster)).zone);
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

function refuseMachines(call: Call<"InvalidParameter.Param">, { instanceType, systemDisk }: Launch, subnetIds: readonly string[]): void {
  const zones = [...new Set(subnetIds.flatMap((id) => call.rows(subnets).get(id)?.zone ?? []))];
  const asked = (parameter: string) => ({ parameter: `LaunchConfigurePara: ${parameter}`, zones, code: "InvalidParameter.Param" }) as const;
  refuseInstanceTypes(call, [instanceType], asked("InstanceType"));
  if (systemDisk) refuseDisk(call, { ...systemDisk, usage: "SYSTEM_DISK" }, asked("SystemDisk"));
}

function refuseLaunch(
  call: Call<"ResourceNotFound">,
  { imageId = usualImageId, loginSettings, securityGroupIds }: Launch,
  osName: string,
): void {
  refuseMissingGroups(call, securityGroupIds);
  refuseLoginWith(call, loginSettings, [{ name: "LaunchConfigurePara", imageId, osName }]);
}
