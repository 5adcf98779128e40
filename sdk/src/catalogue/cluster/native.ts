import { z } from "zod";
import { sensitive, spelt } from "../../operation/operation.ts";

/** Structures of native node pools and their machines. */

export const scaling = z.object({
  minReplicas: z.int().min(0).optional().describe("The fewest nodes."),
  maxReplicas: z.int().min(0).optional().describe("The most nodes; not below `MinReplicas`."),
  createPolicy: z
    .enum(["ZoneEquality", "ZonePriority"])
    .optional()
    .describe("`ZoneEquality`, the default, spreads nodes over the subnets; `ZonePriority` fills the first one first."),
  scaleDownMode: z.string().optional().describe("How nodes are removed when the node pool is scaled down."),
});

export const disk = z.object({
  diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
  diskSize: z.int().min(1).describe("Size in GB."),
  autoFormatAndMount: z.boolean().optional().describe("Whether it is formatted and mounted."),
  fileSystem: z.string().optional().describe("File system: ext3, ext4 or xfs."),
  mountTarget: z.string().optional().describe("Mount point of the disk."),
  diskId: z.string().optional().describe("ID of the disk."),
  encrypt: z.string().optional().describe("`ENCRYPT`: it is encrypted."),
  kmsKeyId: z.string().optional().describe("ID of a custom encryption key."),
});

/** Disks as they are told, of which the public API's own examples have some of size 0. */
const toldSize = z.int().describe("Size in GB; 0: not known.");
export const toldDisk = disk.extend({ diskSize: toldSize });

export const dataDisks = z.array(
  z.object({
    diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
    fileSystem: z.string().describe("File system: ext3, ext4 or xfs."),
    diskSize: z.int().min(1).describe("Size in GB; at least 50 is recommended."),
    autoFormatAndMount: z.boolean().describe("Whether it is formatted and mounted."),
    diskPartition: z.string().optional().describe("Device or partition."),
    mountTarget: z.string().optional().describe("Mount point of the disk."),
    encrypt: z.string().optional().describe("`ENCRYPT`: it is encrypted."),
    kmsKeyId: z.string().optional().describe("ID of a custom encryption key."),
    snapshotId: z.string().optional().describe("ID of the snapshot from which it is created."),
    throughputPerformance: z.int().optional().describe("Additional throughput, MB/s."),
  }),
);

export const toldDataDisks = z.array(dataDisks.element.extend({ diskSize: toldSize }));

export const instanceChargeTypes = ["POSTPAID_BY_HOUR", "PREPAID"] as const;
export type InstanceChargeType = (typeof instanceChargeTypes)[number];

export const instanceChargePrepaid = z.object({
  period: z.int().min(1).max(60).describe("Number of prepaid months: 1 to 12, 24, 36, 48 or 60."),
  renewFlag: z
    .enum(["NOTIFY_AND_AUTO_RENEW", "NOTIFY_AND_MANUAL_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW"])
    .optional()
    .describe("Renewal at the end of the period; `NOTIFY_AND_MANUAL_RENEW` unless given."),
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
      autoUpgradeStartTime: z.string().optional().describe("Start time, such as `02:00`."),
      duration: z.string().optional().describe("Duration, such as `2h`."),
      weeklyPeriod: z.array(z.string()).optional().describe("Days of the week."),
    })
    .optional()
    .describe("Maintenance window of the upgrades."),
  components: z.array(z.string()).optional().describe("Components that are upgraded."),
  maxUnavailable: intOrString.optional().describe("The most nodes that may be unavailable during an upgrade."),
});

export const management = z.object({
  nameservers: z.array(z.string()).optional().describe("Name servers."),
  hosts: z.array(z.string()).optional().describe("Lines of the hosts file."),
  kernelArgs: z.array(z.string()).optional().describe("Kernel parameters, each such as `net.core.somaxconn=1024`."),
});

export const lifecycle = z.object({
  preInit: z.string().optional().describe("Script run before a node is initialized."),
  postInit: z.string().optional().describe("Script run after a node is initialized."),
});

const givenLifecycle = lifecycle.extend({
  preInit: z.base64().optional().describe("Script run before a node is initialized, base64."),
  postInit: z.base64().optional().describe("Script run after a node is initialized, base64."),
});

export const internetAccessible = z.object({
  maxBandwidthOut: z.int().describe("Outgoing bandwidth, Mbit/s."),
  chargeType: z.string().describe("How it is charged."),
  bandwidthPackageId: z.string().optional().describe("ID of a bandwidth package."),
});

export const gpuParams = z.object({
  driver: z.string().optional().describe("GPU driver version."),
  cuda: spelt("CUDA", z.string().optional().describe("CUDA version.")),
  cudnn: spelt("CUDNN", z.string().optional().describe("cuDNN version.")),
  migEnable: spelt("MIGEnable", z.boolean().optional().describe("Whether the GPU is split into instances (MIG).")),
  fabric: z.boolean().optional().describe("Whether the fabric manager runs."),
  customGpuDriver: spelt("CustomGPUDriver", z.string().optional().describe("URL of a custom driver.")),
});

export const gpuConfigs = z.array(
  z.object({
    instanceType: z.string().describe("Type of instance."),
    gpuParams: spelt("GPUParams", gpuParams.describe("Drivers of that type.")),
  }),
);

/** The settings of native pools that creations and changes share. */
export const nativeSettings = {
  securityGroupIds: z.array(z.string()).optional().describe("Security groups of the nodes."),
  upgradeSettings: upgradeSettings.optional().describe("Automatic upgrade of the nodes."),
  autoRepair: z.boolean().optional().describe("Whether broken nodes are repaired; false unless given."),
  instanceChargePrepaid: instanceChargePrepaid.optional().describe("Prepaid period of the nodes; required with `PREPAID`."),
  management: management.optional().describe("Name servers, hosts and kernel parameters of the nodes."),
  healthCheckPolicyName: z.string().optional().describe("Name of the rule that finds broken nodes."),
  hostNamePattern: z.string().optional().describe("Pattern of the nodes' host names."),
  kubeletArgs: z.array(z.string()).optional().describe("Arguments of the kubelet, such as `max-pods=64`."),
  lifecycle: givenLifecycle.optional().describe("Scripts run around the initialization of a node."),
  runtimeRootDir: z.string().optional().describe("Data directory of the container runtime."),
  enableAutoscaling: z.boolean().optional().describe("Whether the platform scales the node pool within `Scaling`; false unless given."),
  replicas: z.int().min(0).optional().describe("Desired number of nodes, within `Scaling`; `MinReplicas` unless given."),
  gpuConfigs: spelt("GPUConfigs", gpuConfigs.optional().describe("GPU drivers by type of instance.")),
  dataDisks: dataDisks.optional().describe("Data disks of the nodes."),
  keyIds: z.array(z.string()).optional().describe("Key pairs to log in with."),
  automationService: z.boolean().optional().describe("Whether the automation service runs on the nodes; true unless given."),
  password: sensitive(z.string().optional().describe("Password to log in with.")),
  customImage: z.string().optional().describe("ID of a custom image."),
};
