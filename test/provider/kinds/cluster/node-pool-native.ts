import { type Props, unknown } from "../../../support/structs.ts";
import type { Change, Unknown } from "../../every-kind/change-laws.ts";

export interface NativePlace {
  readonly base: Props;
  readonly native: Props;
  readonly subnetIds: readonly [string, string, string];
  readonly groupId: string;
  readonly keyId: string;
}

const modify = ["ModifyNodePool"];
const prepaid = { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 1, renewFlag: "NOTIFY_AND_MANUAL_RENEW" } };

/** NodePool: what its nodes are made of. */
export function nativeChanges({ base, native, subnetIds: [first, second], groupId, keyId }: NativePlace): Change[] {
  const disk = { diskType: "CLOUD_PREMIUM", diskSize: 100 };
  const required = {
    subnetIds: [first, second],
    instanceTypes: ["SA5.LARGE8", "SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_SSD", diskSize: 60 },
  };
  const optional: Record<string, readonly [before: unknown, after: unknown]> = {
    securityGroupIds: [[groupId], []],
    dataDisks: [[disk], [{ ...disk, mountTarget: "/data", fileSystem: "xfs" }]],
    keyIds: [[keyId], []],
    password: ["Pa55-word", "Pa66-word"],
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
  const fixed: Record<string, readonly [before: unknown, after: unknown]> = {
    internetAccessible: [
      { maxBandwidthOut: 10, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" },
      { maxBandwidthOut: 20, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" },
    ],
    machineType: ["Native", "NativeCVM"],
    runtimeRootDir: ["/data/containerd", "/var/containerd"],
  };
  const pool = (more: Props): Props => ({ ...base, native: { ...native, ...more } });
  const to = (more: Props): Props => ({ native: { ...native, ...more } });
  const replaced = ["CreateNodePool", "DeleteNodePool"];
  return [
    ...Object.entries(required).map(([key, after]): Change => ({
      of: `native.${key}`,
      to: to({ [key]: after }),
      does: "update",
      calls: modify,
    })),
    {
      of: "native.subnetIds, another order",
      from: pool({ subnetIds: [first, second] }),
      to: to({ subnetIds: [second, first] }),
      does: "nothing",
      calls: [],
    },
    ...Object.entries(optional).flatMap(([key, [before, after]]): Change[] => [
      { of: `native.${key}`, from: pool({ [key]: before }), to: to({ [key]: after }), does: "update", calls: modify },
      { of: `native.${key}, put in`, to: to({ [key]: before }), does: "update", calls: modify },
      { of: `native.${key}, taken out`, from: pool({ [key]: before }), to: to({}), does: "update", calls: [] },
    ]),
    ...["healthCheckPolicyName", "hostNamePattern", "customImage"].map((key): Change => ({
      of: `native.${key}, emptied`,
      from: pool({ [key]: "one" }),
      to: to({ [key]: "" }),
      does: "update",
      calls: modify,
    })),
    ...["management", "lifecycle", "upgradeSettings"].map((key): Change => ({
      of: `native.${key}, none to empty`,
      to: to({ [key]: {} }),
      does: "nothing",
      calls: [],
    })),
    { of: "native.updateExistedNode", to: to({ updateExistedNode: true }), does: "update", calls: [] },
    ...Object.entries(fixed).flatMap(([key, [before, after]]): Change[] => [
      { of: `native.${key}`, from: pool({ [key]: before }), to: to({ [key]: after }), does: "replace", calls: replaced },
    ]),
    { of: "native.instanceChargeType, to PREPAID", to: to(prepaid), does: "update", calls: modify },
    { of: "native.instanceChargeType, from PREPAID", from: pool(prepaid), to: to({}), does: "replace", calls: replaced },
    {
      of: "native.instanceChargeType, from PREPAID by leaving it out",
      from: pool(prepaid),
      to: to({ instanceChargeType: undefined }),
      does: "update",
      calls: [],
    },
  ];
}

/** What is not known yet of the nodes. */
export function nativeUnknowns({ base, native, subnetIds: [first] }: NativePlace): Unknown[] {
  const to = (more: Props): Props => ({ native: { ...native, ...more } });
  const inPlace = [
    ...["subnetIds", "instanceTypes", "systemDisk", "scaling", "replicas", "enableAutoscaling", "securityGroupIds", "dataDisks", "keyIds"],
    ...["password", "autoRepair", "management", "kubeletArgs", "lifecycle", "upgradeSettings", "healthCheckPolicyName", "hostNamePattern"],
    ...["gpuConfigs", "customImage", "updateExistedNode", "instanceChargeType"],
  ];
  return [
    { of: "native", to: { native: unknown }, does: "replace" },
    ...inPlace.map((key): Unknown => ({ of: `native.${key}`, to: to({ [key]: unknown }), does: "update" })),
    ...["internetAccessible", "machineType", "runtimeRootDir"].map((key): Unknown => ({
      of: `native.${key}`,
      to: to({ [key]: unknown }),
      does: "replace",
    })),
    { of: "one of native.subnetIds", to: to({ subnetIds: [first, unknown] }), does: "update" },
    { of: "native.systemDisk.diskSize", to: to({ systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: unknown } }), does: "update" },
    { of: "native.scaling.minReplicas", to: to({ scaling: { minReplicas: unknown, maxReplicas: 1 } }), does: "update" },
    { of: "native.dataDisks[0].diskSize", to: to({ dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: unknown }] }), does: "update" },
    {
      of: "native.internetAccessible.maxBandwidthOut",
      to: to({ internetAccessible: { maxBandwidthOut: unknown, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" } }),
      does: "replace",
    },
    {
      of: "native.instanceChargeType that was PREPAID",
      from: { ...base, native: { ...native, ...prepaid } },
      to: to({ ...prepaid, instanceChargeType: unknown }),
      does: "replace",
    },
  ];
}
