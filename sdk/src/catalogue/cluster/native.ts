import { z } from "zod";
import { sensitive, spelt } from "../../operation/operation.ts";

/** Structures of native node pools and their machines. */

export const scaling = z.object({
  minReplicas: z.int().min(0).optional().describe("Nodes at least."),
  maxReplicas: z.int().min(0).optional().describe("Nodes at most; not below `MinReplicas`."),
  createPolicy: z
    .enum(["ZoneEquality", "ZonePriority"])
    .optional()
    .describe("`ZoneEquality`, the default, spreads nodes over the subnets; `ZonePriority` fills the first one first."),
  scaleDownMode: z.string().optional().describe("What becomes of nodes that are scaled away."),
});

export const disk = z.object({
  diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
  diskSize: z.int().min(1).describe("Size in GB."),
  autoFormatAndMount: z.boolean().optional().describe("Whether it is formatted and mounted."),
  fileSystem: z.string().optional().describe("File system: ext3, ext4 or xfs."),
  mountTarget: z.string().optional().describe("Where it is mounted."),
  diskId: z.string().optional().describe("Id of the disk."),
  encrypt: z.string().optional().describe("`ENCRYPT`: it is encrypted."),
  kmsKeyId: z.string().optional().describe("Id of one's own key for it."),
});

export const dataDisks = z.array(
  z.object({
    diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
    fileSystem: z.string().describe("File system: ext3, ext4 or xfs."),
    diskSize: z.int().min(1).describe("Size in GB; at least 50 is recommended."),
    autoFormatAndMount: z.boolean().describe("Whether it is formatted and mounted."),
    diskPartition: z.string().optional().describe("Device or partition."),
    mountTarget: z.string().optional().describe("Where it is mounted."),
    encrypt: z.string().optional().describe("`ENCRYPT`: it is encrypted."),
    kmsKeyId: z.string().optional().describe("Id of one's own key for it."),
    snapshotId: z.string().optional().describe("Snapshot it is made from."),
    throughputPerformance: z.int().optional().describe("Further performance, MB/s."),
  }),
);

export const instanceChargeTypes = ["POSTPAID_BY_HOUR", "PREPAID"] as const;
export type InstanceChargeType = (typeof instanceChargeTypes)[number];

export const instanceChargePrepaid = z.object({
  period: z.int().min(1).max(60).describe("Months paid at a time: 1 to 12, 24, 36, 48 or 60."),
  renewFlag: z
    .enum(["NOTIFY_AND_AUTO_RENEW", "NOTIFY_AND_MANUAL_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW"])
    .optional()
    .describe("What happens at the end; `NOTIFY_AND_MANUAL_RENEW` unless given."),
});

const intOrString = z.object({
  type: z.int().min(0).max(1).describe("0: a number, 1: text."),
  intVal: z.int().optional().describe("The number."),
  strVal: z.string().optional().describe("The text, such as `20%`."),
});

export const upgradeSettings = z.object({
  autoUpgrade: z.boolean().optional().describe("Whether nodes are upgraded automatically."),
  upgradeOptions: z
    .object({
      autoUpgradeStartTime: z.string().optional().describe("When it begins, such as `02:00`."),
      duration: z.string().optional().describe("How long it may take, such as `2h`."),
      weeklyPeriod: z.array(z.string()).optional().describe("Days it may happen on."),
    })
    .optional()
    .describe("When it may happen."),
  components: z.array(z.string()).optional().describe("What is upgraded."),
  maxUnavailable: intOrString.optional().describe("Nodes that may be unavailable meanwhile."),
});

export const management = z.object({
  nameservers: z.array(z.string()).optional().describe("Name servers."),
  hosts: z.array(z.string()).optional().describe("Lines of the hosts file."),
  kernelArgs: z.array(z.string()).optional().describe("Kernel parameters."),
});

export const lifecycle = z.object({
  preInit: z.string().optional().describe("Script run before a node is initialized."),
  postInit: z.string().optional().describe("Script run after a node is initialized."),
});

export const internetAccessible = z.object({
  maxBandwidthOut: z.int().describe("Outgoing bandwidth, Mbit/s."),
  chargeType: z.string().describe("How it is charged."),
  bandwidthPackageId: z.string().optional().describe("Id of a bandwidth package."),
});

export const gpuParams = z.object({
  driver: z.string().optional().describe("GPU driver version."),
  cuda: spelt("CUDA", z.string().optional().describe("CUDA version.")),
  cudnn: spelt("CUDNN", z.string().optional().describe("cuDNN version.")),
  migEnable: spelt("MIGEnable", z.boolean().optional().describe("Whether the GPU is split into instances (MIG).")),
  fabric: z.boolean().optional().describe("Whether the fabric manager runs."),
  customGpuDriver: spelt("CustomGPUDriver", z.string().optional().describe("Address of a driver of one's own.")),
});

export const gpuConfigs = z.array(
  z.object({
    instanceType: z.string().describe("Type of instance."),
    gpuParams: spelt("GPUParams", gpuParams.describe("Drivers of that type.")),
  }),
);

/** Fields that the creation and the change of a native pool share. */
export const nativeSettings = {
  securityGroupIds: z.array(z.string()).optional().describe("Security groups of the nodes."),
  upgradeSettings: upgradeSettings.optional().describe("Automatic upgrade of the nodes."),
  autoRepair: z.boolean().optional().describe("Whether broken nodes are repaired; false unless given."),
  instanceChargePrepaid: instanceChargePrepaid.optional().describe("For how long nodes are paid; required with `PREPAID`."),
  management: management.optional().describe("Name servers, hosts and kernel parameters of the nodes."),
  healthCheckPolicyName: z.string().optional().describe("Rule by which broken nodes are found."),
  hostNamePattern: z.string().optional().describe("Pattern of the nodes' host names."),
  kubeletArgs: z.array(z.string()).optional().describe("Arguments of the kubelet, such as `max-pods=64`."),
  lifecycle: lifecycle.optional().describe("Scripts run around the initialization of a node."),
  runtimeRootDir: z.string().optional().describe("Where the container runtime keeps its data."),
  enableAutoscaling: z.boolean().optional().describe("Whether the platform scales the pool within `Scaling`; false unless given."),
  replicas: z.int().min(0).optional().describe("Desired number of nodes, within `Scaling`; `MinReplicas` unless given."),
  gpuConfigs: spelt("GPUConfigs", gpuConfigs.optional().describe("GPU drivers by type of instance.")),
  dataDisks: dataDisks.optional().describe("Data disks of the nodes."),
  keyIds: z.array(z.string()).optional().describe("Key pairs to log in with."),
  automationService: z.boolean().optional().describe("Whether the automation service runs on the nodes; it does unless turned off."),
  password: sensitive(z.string().optional().describe("Password to log in with.")),
  customImage: z.string().optional().describe("Id of a custom image."),
};
