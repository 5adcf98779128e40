import type { z } from "zod";
import type { createNodePool, modifyNodePool } from "../../../catalogue/cluster/node-pools.ts";
import type { Call } from "../../behaviour.ts";
import { clusterNumberRules, clusterRules } from "../../../rules/cluster.ts";
import { gpuTypesIn } from "../../compute/offers.ts";
import { refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { keyPairs } from "../../compute/tables.ts";
import { requireRow } from "../../requests/require-row.ts";
import { refuseDisk, refuseInstanceTypes } from "../nodes/offered.ts";
import { subnetRequirements, refuseMissingGroups, subnetIn } from "../network.ts";
import { subnets } from "../../vpc/tables.ts";
import type { ClusterRow, PoolRow, PoolSettings } from "../tables.ts";

type NewNative = NonNullable<z.output<typeof createNodePool.input>["native"]>;
type ChangedNative = NonNullable<z.output<typeof modifyNodePool.input>["native"]>;

/**
 * The type of a pool. `Native` pools make native nodes. A scaling group makes the nodes of `Regular` pools. Machines outside of the
 * cloud join `External` pools by themselves.
 */
export function kindOf({ generation, regular }: PoolRow): "Native" | "Regular" | "External" {
  if (generation === "2022") return "Native";
  return regular ? "Regular" : "External";
}

/** The settings of a new pool, with defaults. */
export function newSettings({ scaling, replicas = scaling.minReplicas ?? 0, ...native }: NewNative): PoolSettings {
  return {
    scaling: { ...scaling, createPolicy: scaling.createPolicy ?? "ZoneEquality" },
    replicas,
    enableAutoscaling: native.enableAutoscaling ?? false,
    subnetIds: native.subnetIds,
    securityGroupIds: native.securityGroupIds ?? [],
    instanceTypes: native.instanceTypes,
    instanceChargeType: native.instanceChargeType,
    instanceChargePrepaid: native.instanceChargePrepaid,
    systemDisk: native.systemDisk,
    dataDisks: native.dataDisks ?? [],
    keyIds: native.keyIds ?? [],
    upgradeSettings: native.upgradeSettings,
    autoRepair: native.autoRepair ?? false,
    management: native.management,
    healthCheckPolicyName: native.healthCheckPolicyName ?? "",
    hostNamePattern: native.hostNamePattern ?? "",
    kubeletArgs: native.kubeletArgs ?? [],
    lifecycle: native.lifecycle,
    runtimeRootDir: native.runtimeRootDir ?? "/var/lib/containerd",
    gpuConfigs: native.gpuConfigs,
    internetAccessible: native.internetAccessible,
    machineType: native.machineType ?? "Native",
    customImage: native.customImage ?? "",
    automationService: native.automationService ?? true,
  };
}

/** The settings after a change: those that are not given stay. */
export function modifiedSettings(call: Call, pool: PoolRow, native: ChangedNative): PoolSettings {
  const { id, settings: was } = pool;
  if (kindOf(pool) !== "Native") throw call.error("InvalidParameter", `Native is given, but node pool ${id} is of Type ${kindOf(pool)}`);
  if (was.instanceChargeType === "PREPAID" && native.instanceChargeType === "POSTPAID_BY_HOUR")
    throw call.error("InvalidParameter", "Native.InstanceChargeType is PREPAID and cannot become POSTPAID_BY_HOUR; only the other way");
  if (native.runtimeRootDir !== undefined && native.runtimeRootDir !== was.runtimeRootDir)
    throw call.error("InvalidParameter", `Native.RuntimeRootDir is ${was.runtimeRootDir} and cannot be changed`);
  const scaling = modifiedScaling(was.scaling, native.scaling ?? {});
  const enableAutoscaling = native.enableAutoscaling ?? was.enableAutoscaling;
  return {
    ...was,
    scaling,
    replicas: native.replicas ?? (enableAutoscaling ? within(scaling, was.replicas) : was.replicas),
    enableAutoscaling,
    subnetIds: native.subnetIds ?? was.subnetIds,
    securityGroupIds: native.securityGroupIds ?? was.securityGroupIds,
    instanceTypes: native.instanceTypes ?? was.instanceTypes,
    instanceChargeType: native.instanceChargeType ?? was.instanceChargeType,
    instanceChargePrepaid: native.instanceChargePrepaid ?? was.instanceChargePrepaid,
    systemDisk: native.systemDisk ?? was.systemDisk,
    dataDisks: native.dataDisks ?? was.dataDisks,
    keyIds: native.keyIds ?? was.keyIds,
    upgradeSettings: native.upgradeSettings ?? was.upgradeSettings,
    autoRepair: native.autoRepair ?? was.autoRepair,
    management: native.management ?? was.management,
    healthCheckPolicyName: native.healthCheckPolicyName ?? was.healthCheckPolicyName,
    hostNamePattern: native.hostNamePattern ?? was.hostNamePattern,
    kubeletArgs: native.kubeletArgs ?? was.kubeletArgs,
    lifecycle: native.lifecycle ?? was.lifecycle,
    gpuConfigs: native.gpuConfigs ?? was.gpuConfigs,
    customImage: native.customImage ?? was.customImage,
    automationService: native.automationService ?? was.automationService,
  };
}

/** A number of nodes, limited to the bounds: the platform keeps the number of a pool that scales automatically within them. */
export function within({ minReplicas = 0, maxReplicas = Infinity }: PoolSettings["scaling"], replicas: number): number {
  return Math.min(Math.max(replicas, minReplicas), maxReplicas);
}

function modifiedScaling(was: PoolSettings["scaling"], given: NonNullable<ChangedNative["scaling"]>): PoolSettings["scaling"] {
  return {
    minReplicas: given.minReplicas ?? was.minReplicas,
    maxReplicas: given.maxReplicas ?? was.maxReplicas,
    createPolicy: given.createPolicy ?? was.createPolicy,
    scaleDownMode: given.scaleDownMode ?? was.scaleDownMode,
  };
}

/** Refuses invalid settings. */
export function refuseSettings(call: Call<"ResourceNotFound">, cluster: ClusterRow, settings: PoolSettings): void {
  const { scaling, replicas } = settings;
  const { minReplicas: least = 0, maxReplicas: most = Number.MAX_SAFE_INTEGER } = scaling;
  if (least > most)
    throw call.error("InvalidParameter", `Native.Scaling: MinReplicas ${least} is above MaxReplicas ${most}; it takes ${most} at most`);
  if (replicas < least || replicas > most)
    throw call.error(
      "InvalidParameter",
      `Replicas is ${replicas}; it takes ${least} to ${scaling.maxReplicas ?? "any"}, as Native.Scaling says`,
    );
  refusePlaces(call, cluster, settings);
  refuseMachines(call, settings);
  refuseCharge(call, settings);
}

function refusePlaces(call: Call<"ResourceNotFound">, cluster: ClusterRow, { subnetIds, securityGroupIds }: PoolSettings): void {
  if (subnetIds.length === 0) throw call.error("InvalidParameter", "Native.SubnetIds is empty; it takes at least one subnet");
  for (const id of subnetIds) subnetIn(call, "Native.SubnetIds", id, subnetRequirements(cluster));
  refuseMissingGroups(call, securityGroupIds);
}

/** Refuses types of instance and of disk that the subnets' zones do not have. An older pool may have some that are gone: only what is `given` counts. */
export function refuseUnoffered(call: Call, { subnetIds, instanceTypes }: PoolSettings, given: ChangedNative): void {
  const zones = [...new Set(subnetIds.flatMap((id) => call.rows(subnets).get(id)?.zone ?? []))];
  const asked = (parameter: string) => ({ parameter: `Native.${parameter}`, zones, code: "InvalidParameter" }) as const;
  if (given.instanceTypes ?? given.subnetIds) refuseInstanceTypes(call, instanceTypes, asked("InstanceTypes"));
  if (given.systemDisk) refuseDisk(call, { ...given.systemDisk, usage: "SYSTEM_DISK" }, asked("SystemDisk"));
  for (const disk of given.dataDisks ?? []) refuseDisk(call, { ...disk, usage: "DATA_DISK" }, asked("DataDisks[]"));
}

/** Only machine types with a GPU take GPU drivers (specification, GPUArgs). */
function refuseMachines(call: Call<"ResourceNotFound">, { instanceTypes, keyIds, gpuConfigs = [] }: PoolSettings): void {
  if (instanceTypes.length === 0 || !instanceTypes.every((type) => clusterRules.instanceType.allows(type)))
    throw call.error("InvalidParameter", `Native.InstanceTypes is empty, or has an empty one; it takes ${clusterRules.instanceType.takes}`);
  for (const id of keyIds) requireRow(call, keyPairs, "key pair", id);
  const withGpu = gpuTypesIn(call.region);
  const odd = gpuConfigs.find(({ instanceType }) => !withGpu.includes(instanceType));
  if (odd)
    throw call.error(
      "InvalidParameter",
      `Native.GPUConfigs has InstanceType ${JSON.stringify(odd.instanceType)}, which has no GPU; it takes ${withGpu.join(", ")}`,
    );
}

function refuseCharge(call: Call, { instanceChargeType, instanceChargePrepaid }: PoolSettings): void {
  if (instanceChargeType === "PREPAID" && !instanceChargePrepaid)
    throw call.error("MissingParameter", "Native.InstanceChargePrepaid is required with InstanceChargeType PREPAID");
  if (instanceChargePrepaid)
    refuseUnlessAllowed(
      call,
      "InvalidParameter",
      "Native.InstanceChargePrepaid.Period",
      instanceChargePrepaid.period,
      clusterNumberRules.prepaidPeriod,
    );
}
