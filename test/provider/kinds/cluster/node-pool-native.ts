import { type Props, unknown } from "../../../support/structs.ts";
import type { Change, Unknown } from "../../every-kind/change-laws.ts";

export interface NativePlace {
  readonly base: Props;
  readonly native: Props;
  readonly subnetIds: readonly [string, string, string];
  readonly groupId: string;
  readonly otherGroupId: string;
  readonly keyId: string;
}

const prepaid = { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1, renewFlag: "NOTIFY_AND_MANUAL_RENEW" } };

type Values = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** Two values of each setting that the program may leave to the platform, and the platform tells. */
export function optionalValues(groupId: string, keyId: string): Values {
  return {
    securityGroupIds: [[groupId], []],
    keyIds: [[keyId], []],
    autoRepair: [true, false],
    management: [{ nameservers: ["10.0.0.53"] }, { nameservers: ["10.0.0.54"], hosts: ["10.0.0.9 nine"] }],
    kubeletArgs: [["max-pods=64"], ["max-pods=32"]],
    lifecycle: [{ preInit: "ZWNobyAx" }, { preInit: "ZWNobyAy" }],
    upgradeSettings: [
      { autoUpgrade: true, components: ["kubelet"] },
      { autoUpgrade: false, components: ["kubelet"] },
    ],
    healthCheckPolicyName: ["usual", "strict"],
    hostNamePattern: ["node-{R:1}", "worker-{R:1}"],
    gpuConfigs: [
      [{ instanceType: "GN7.2XLARGE32", gpuParams: { driver: "535.129.03" } }],
      [{ instanceType: "GN7.2XLARGE32", gpuParams: { driver: "550.54.15" } }],
    ],
    customImage: ["img-custom01", "img-custom02"],
  };
}

const access = { maxBandwidthOut: 10, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" };

/** Two values of each setting that a pool keeps for life. */
export const fixedValues: Values = {
  internetAccessible: [access, { ...access, maxBandwidthOut: 20 }],
  machineType: ["Native", "NativeCVM"],
  runtimeRootDir: ["/data/containerd", "/var/containerd"],
};

/** NodePool: what its nodes are made of. */
export function nativeChanges({ base, native, subnetIds: [first, second], groupId, otherGroupId, keyId }: NativePlace): Change[] {
  const disk = { diskType: "CLOUD_PREMIUM", diskSize: 100 };
  const optional: Values = {
    ...optionalValues(groupId, keyId),
    dataDisks: [[disk], [{ ...disk, mountTarget: "/data", fileSystem: "xfs" }]],
    password: ["Pa55-word", "Pa66-word"],
  };
  const required = {
    subnetIds: [first, second],
    instanceTypes: ["SA5.LARGE8", "SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_SSD", diskSize: 60 },
  };
  const pool = (more: Props): Props => ({ ...base, native: { ...native, ...more } });
  const changed = (of: string, before: Props, after: Props, more: Partial<Change> = {}): Change => ({
    of: `native.${of}`,
    from: pool(before),
    to: { native: { ...native, ...after } },
    ...more,
  });
  return [
    ...Object.entries(required).map(([key, after]) => changed(key, {}, { [key]: after })),
    // `ZonePriority` fills the first subnet first, and a machine's first security group has the highest priority (public API).
    changed("subnetIds, another order", { subnetIds: [first, second] }, { subnetIds: [second, first] }),
    changed(
      "securityGroupIds, another order",
      { securityGroupIds: [groupId, otherGroupId] },
      { securityGroupIds: [otherGroupId, groupId] },
    ),
    ...Object.entries(optional).flatMap(([key, [before, after]]) => [
      changed(key, { [key]: before }, { [key]: after }),
      changed(`${key}, put in`, {}, { [key]: before }),
      changed(`${key}, taken out`, { [key]: before }, {}, { calls: [] }),
    ]),
    ...["healthCheckPolicyName", "hostNamePattern", "customImage"].map((key) =>
      changed(`${key}, emptied`, { [key]: "one" }, { [key]: "" }),
    ),
    ...["management", "lifecycle", "upgradeSettings"].map((key) =>
      changed(`${key}, none to empty`, {}, { [key]: {} }, { does: "nothing" }),
    ),
    changed("updateExistedNode", {}, { updateExistedNode: true }, { calls: [] }),
    ...Object.entries(fixedValues).map(([key, [before, after]]) => changed(key, { [key]: before }, { [key]: after }, { does: "replace" })),
    changed("what the platform has set, put in", {}, { machineType: "Native", runtimeRootDir: "/var/lib/containerd" }, { calls: [] }),
    changed("another machineType than the platform's, put in", {}, { machineType: "NativeCVM" }, { does: "replace" }),
    changed("instanceChargeType, to PREPAID", {}, prepaid),
    changed("instanceChargeType, from PREPAID", prepaid, {}, { does: "replace" }),
    changed("instanceChargeType, from PREPAID by leaving it out", prepaid, { instanceChargeType: undefined }, { calls: [] }),
  ];
}

/** What is not known yet of the nodes. */
export function nativeUnknowns({ base, native, subnetIds: [first] }: NativePlace): Unknown[] {
  const part = (path: string, more: Props, does: Unknown["does"] = "update"): Unknown => ({
    of: `native.${path}`,
    to: { native: { ...native, ...more } },
    does,
  });
  const fixed = (path: string, before: unknown, more: Props): Unknown => ({
    ...part(path, more, "replace"),
    from: { ...base, native: { ...native, [path.split(".")[0] ?? path]: before } },
  });
  const inPlace = [
    ...["subnetIds", "instanceTypes", "systemDisk", "scaling", "replicas", "enableAutoscaling", "securityGroupIds", "dataDisks", "keyIds"],
    ...["password", "autoRepair", "management", "kubeletArgs", "lifecycle", "upgradeSettings", "healthCheckPolicyName", "hostNamePattern"],
    ...["gpuConfigs", "customImage", "updateExistedNode", "instanceChargeType"],
  ];
  const disk = { diskType: "CLOUD_PREMIUM", diskSize: unknown };
  return [
    ...inPlace.map((key) => part(key, { [key]: unknown })),
    ...Object.entries(fixedValues).map(([key, [before]]) => fixed(key, before, { [key]: unknown })),
    part("subnetIds[1]", { subnetIds: [first, unknown] }),
    part("systemDisk.diskSize", { systemDisk: disk }),
    part("scaling.minReplicas", { scaling: { minReplicas: unknown, maxReplicas: 1 } }),
    part("dataDisks[0].diskSize", { dataDisks: [disk] }),
    fixed("internetAccessible.maxBandwidthOut", access, { internetAccessible: { ...access, maxBandwidthOut: unknown } }),
    {
      ...part("instanceChargeType that was PREPAID", { ...prepaid, instanceChargeType: unknown }, "replace"),
      from: { ...base, native: { ...native, ...prepaid } },
    },
  ];
}

/** NodePool: how many nodes there are. Widened, set, narrowed: so the platform never refuses. */
export function scalingChanges({ base, native }: NativePlace): Change[] {
  const fixed = (minReplicas: number, replicas: number, maxReplicas: number): Props => ({
    ...native,
    scaling: { minReplicas, maxReplicas },
    replicas,
    enableAutoscaling: false,
  });
  const free = (minReplicas: number, maxReplicas: number): Props => ({ ...native, scaling: { minReplicas, maxReplicas } });
  const desired = (replicas: number): Props => ({ ...native, scaling: undefined, replicas });
  const moved = (of: string, from: Props, to: Props, ...calls: string[]): Change => ({
    of: `native.scaling: ${of}`,
    from: { ...base, native: from },
    to: { native: to },
    calls,
  });
  const [bounds, number] = ["ModifyNodePool", "ScaleNodePool"];
  return [
    moved("the number, upward", fixed(0, 1, 3), fixed(0, 3, 3), number),
    moved("the number, downward", fixed(0, 3, 3), fixed(0, 0, 3), number),
    moved("all of it, upward", fixed(1, 2, 3), fixed(4, 5, 6), bounds, number, bounds),
    moved("all of it, downward", fixed(4, 5, 6), fixed(1, 2, 3), bounds, number, bounds),
    moved("the number and the upper bound, upward", fixed(0, 1, 1), fixed(0, 2, 2), bounds, number),
    moved("the number and the upper bound, downward", fixed(0, 2, 2), fixed(0, 1, 1), number, bounds),
    moved("the bounds alone", fixed(0, 1, 1), fixed(1, 1, 3), bounds),
    moved("the bounds of a pool that scales by itself", free(0, 2), free(1, 4), bounds),
    moved("the bounds of a pool that scales by itself, closer", { ...free(0, 4), replicas: 4 }, free(1, 2), bounds),
    moved("the number in a pool that scales by itself", { ...free(0, 2), replicas: 1 }, { ...free(0, 2), replicas: 2 }),
    moved("the policy", free(0, 2), { ...native, scaling: { minReplicas: 0, maxReplicas: 2, createPolicy: "ZonePriority" } }, bounds),
    moved("a number without bounds, upward", desired(1), desired(3), bounds, number, bounds),
    moved("a number without bounds, downward", desired(3), desired(1), bounds, number, bounds),
    moved("automatic scaling is switched off", free(1, 3), fixed(1, 2, 3), bounds, number),
    moved("automatic scaling is switched on", fixed(1, 1, 3), { ...free(1, 3), enableAutoscaling: true }, bounds),
    moved("bounds are taken out, the number stays", fixed(0, 1, 3), {
      ...native,
      scaling: undefined,
      replicas: 1,
      enableAutoscaling: false,
    }),
  ];
}
