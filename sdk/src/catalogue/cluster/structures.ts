import { z } from "zod";
import { boolean, int, object, objects, sensitive, spelt, string, strings } from "../../operation/operation.ts";
import { tags } from "../shared.ts";

/** Structures that several operations of the cluster service share (specification, "Shared structures of the cluster service"). */

export const clusterId = string("ID of the cluster, such as `cls-3f8a0c1e`.");
export const nodePoolId = string("ID of the node pool, such as `np-3f8a0c1e`.");

export const labels = z.array(
  z.object({
    name: string("Name of the label: 1 to 63 characters, with or without a prefix such as `example.com/`."),
    value: string("Value of the label, at most 63 characters."),
  }),
);

export const annotations = z.array(
  z.object({
    name: string("Name of the annotation: 1 to 63 characters, with or without a prefix such as `example.com/`."),
    value: string("Value of the annotation, any text."),
  }),
);

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

export const taints = z.array(
  z.object({
    key: string("Key of the taint: 1 to 63 characters, with or without a prefix such as `example.com/`; once with each effect."),
    value: string("Value of the taint, at most 63 characters."),
    effect: z.enum(taintEffects).describe("Effect on pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute."),
  }),
);

export const tagSpecifications = z.array(
  z.object({
    resourceType: string("Type of the tagged resources, such as `cluster` or `machine`."),
    tags: tags.describe("The tags."),
  }),
);

export const autoUpgradeClusterLevel = z.object({
  isAutoUpgrade: boolean("Whether the cluster's level is raised automatically when it has more nodes than its level supports."),
});

export const clusterExtraArgs = z.object({
  etcd: strings("Arguments of etcd, such as `k1=v1`; only for self-deployed clusters.").optional(),
  kubeApiServer: spelt("KubeAPIServer", strings("Arguments of kube-apiserver, such as `max-requests-inflight=500`.").optional()),
  kubeControllerManager: strings("Arguments of kube-controller-manager, such as `k1=v1`.").optional(),
  kubeScheduler: strings("Arguments of kube-scheduler, such as `k1=v1`.").optional(),
});

export const clusterProperty = z.object({
  nodeNameType: string("How nodes are named: `lan-ip` or `hostname`.").optional(),
});

export const securityModeConfig = z.object({
  enabled: boolean("Whether the security mode is on.").optional(),
  namespaces: strings("Namespaces it applies to.").optional(),
  labels: labels.optional().describe("Labels of the objects it applies to."),
});

export const instanceExtraArgs = z.object({
  kubelet: strings("Arguments of the kubelet, such as `max-pods=64`.").optional(),
});

const driverVersion = z.object({
  name: string("Name of the driver."),
  version: string("Version of the driver."),
});

export const gpuArgs = z.object({
  cuda: spelt("CUDA", driverVersion.optional().describe("CUDA version.")),
  cudnn: spelt(
    "CUDNN",
    object("cuDNN version.", {
      name: string("Name of cuDNN."),
      version: string("Version of cuDNN."),
      devName: string("Name of its development package.").optional(),
      docName: string("Name of its documentation package.").optional(),
    }).optional(),
  ),
  customDriver: object("A custom driver.", { address: string("URL of the driver.").optional() }).optional(),
  driver: driverVersion.optional().describe("GPU driver version."),
  migEnable: spelt("MIGEnable", boolean("Whether the GPU is split into instances (MIG).").optional()),
});

export const mountedDataDisk = z.object({
  diskType: string("Type of the disk, such as `CLOUD_PREMIUM`."),
  fileSystem: string("File system: ext3, ext4 or xfs."),
  diskSize: int("Size in GB; at least 50 is recommended."),
  autoFormatAndMount: boolean("Whether it is formatted and mounted."),
  mountTarget: string("Mount point of the disk."),
  diskPartition: string("Device or partition; required for an existing instance."),
});

export const instanceAdvancedSettings = z.object({
  desiredPodNumber: int("The most pods on the node; in the custom PodCIDR mode.").optional(),
  gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("Drivers; only for GPU instance types.")),
  preStartUserScript: z.base64().optional().describe("Script run before the node is initialized, base64."),
  userScript: z.base64().optional().describe("Script run after the node's Kubernetes components have started, base64."),
  taints: taints.optional().describe("Taints of the node."),
  labels: labels.optional().describe("Labels of the node."),
  unschedulable: z.int().min(0).max(1).optional().describe("1: no pods are scheduled on the node. 0, the default: they are."),
  dockerGraphPath: string("Directory of container images; `/var/lib/docker` unless given.").optional(),
  mountTarget: string("Mount point of the data disk; not mounted unless given.").optional(),
  dataDisks: z.array(mountedDataDisk).optional().describe("Data disks and their mount points."),
  extraArgs: instanceExtraArgs.optional().describe("Arguments of the node's Kubernetes components."),
});

const enabled = (what: string) =>
  object(`${what}; on unless turned off.`, { enabled: boolean(`Whether ${what} is on.`).optional() }).optional();

export const enhancedService = z.object({
  securityService: enabled("The security service"),
  monitorService: enabled("The monitoring service"),
  automationService: enabled("The automation service"),
});

export const loginSettings = z.object({
  password: sensitive(string("Password of the node.").optional()),
  keyIds: strings("Key pairs; only one is supported, and none for Windows.").optional(),
  keepImageLogin: string("`true`: the image's own login is kept; only for custom, shared and imported images.").optional(),
});

/** How machines that become nodes are set up. */
export const nodeSetup = {
  instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the nodes."),
  enhancedService: enhancedService.optional().describe("Services on the nodes."),
  loginSettings: loginSettings.optional().describe("How to log in to the nodes: one of the three."),
  securityGroupIds: strings("Security groups of the nodes.").optional(),
};

export const instanceDeleteModes = ["terminate", "retain"] as const;

export const instanceDeleteMode = z
  .enum(instanceDeleteModes)
  .describe("`terminate` destroys the instances (pay-as-you-go ones only), `retain` keeps them outside of the cluster.");

export const resourceDeleteOptions = objects("Which resources such as disks are deleted; they are kept unless given.", {
  resourceType: string("Type of resource: `CBS` (disks)."),
  deleteMode: z.enum(instanceDeleteModes).describe("`terminate` or `retain`."),
  skipDeletionProtection: boolean("Whether resources under deletion protection are skipped; false unless given.").optional(),
});

/** Structures of native node pools and their machines. */

export const scaling = z.object({
  minReplicas: z.int().min(0).optional().describe("The fewest nodes."),
  maxReplicas: z.int().min(0).optional().describe("The most nodes; not below `MinReplicas`."),
  createPolicy: z
    .enum(["ZoneEquality", "ZonePriority"])
    .optional()
    .describe("`ZoneEquality`, the default, spreads nodes over the subnets; `ZonePriority` fills the first one first."),
  scaleDownMode: string("How nodes are removed when the node pool is scaled down.").optional(),
});

export const disk = z.object({
  diskType: string("Type of the disk, such as `CLOUD_PREMIUM`."),
  diskSize: z.int().min(1).describe("Size in GB."),
  autoFormatAndMount: boolean("Whether it is formatted and mounted.").optional(),
  fileSystem: string("File system: ext3, ext4 or xfs.").optional(),
  mountTarget: string("Mount point of the disk.").optional(),
  diskId: string("ID of the disk.").optional(),
  encrypt: string("`ENCRYPT`: it is encrypted.").optional(),
  kmsKeyId: string("ID of a custom encryption key.").optional(),
});

/** Disks as they are told, of which the public API's own examples have some of size 0. */
const toldSize = int("Size in GB; 0: not known.");
export const toldDisk = disk.extend({ diskSize: toldSize });

const dataDisks = z.array(
  z.object({
    diskType: string("Type of the disk, such as `CLOUD_PREMIUM`."),
    fileSystem: string("File system: ext3, ext4 or xfs."),
    diskSize: z.int().min(1).describe("Size in GB; at least 50 is recommended."),
    autoFormatAndMount: boolean("Whether it is formatted and mounted."),
    diskPartition: string("Device or partition.").optional(),
    mountTarget: string("Mount point of the disk.").optional(),
    encrypt: string("`ENCRYPT`: it is encrypted.").optional(),
    kmsKeyId: string("ID of a custom encryption key.").optional(),
    snapshotId: string("ID of the snapshot from which it is created.").optional(),
    throughputPerformance: int("Additional throughput, MB/s.").optional(),
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

export const upgradeSettings = z.object({
  autoUpgrade: boolean("Whether nodes are upgraded automatically.").optional(),
  upgradeOptions: object("Maintenance window of the upgrades.", {
    autoUpgradeStartTime: string("Start time, such as `02:00`.").optional(),
    duration: string("Duration, such as `2h`.").optional(),
    weeklyPeriod: strings("Days of the week.").optional(),
  }).optional(),
  components: strings("Components that are upgraded.").optional(),
  maxUnavailable: object("The most nodes that may be unavailable during an upgrade.", {
    type: z.int().min(0).max(1).describe("0: a number, 1: text."),
    intVal: int("The number.").optional(),
    strVal: string("The text, such as `20%`.").optional(),
  }).optional(),
});

export const management = z.object({
  nameservers: strings("Name servers.").optional(),
  hosts: strings("Lines of the hosts file.").optional(),
  kernelArgs: strings("Kernel parameters, each such as `net.core.somaxconn=1024`.").optional(),
});

export const lifecycle = z.object({
  preInit: string("Script run before a node is initialized.").optional(),
  postInit: string("Script run after a node is initialized.").optional(),
});

const givenLifecycle = lifecycle.extend({
  preInit: z.base64().optional().describe("Script run before a node is initialized, base64."),
  postInit: z.base64().optional().describe("Script run after a node is initialized, base64."),
});

export const internetAccessible = z.object({
  maxBandwidthOut: int("Outgoing bandwidth, Mbit/s."),
  chargeType: string("How it is charged."),
  bandwidthPackageId: string("ID of a bandwidth package.").optional(),
});

export const gpuParams = z.object({
  driver: string("GPU driver version.").optional(),
  cuda: spelt("CUDA", string("CUDA version.").optional()),
  cudnn: spelt("CUDNN", string("cuDNN version.").optional()),
  migEnable: spelt("MIGEnable", boolean("Whether the GPU is split into instances (MIG).").optional()),
  fabric: boolean("Whether the fabric manager runs.").optional(),
  customGpuDriver: spelt("CustomGPUDriver", string("URL of a custom driver.").optional()),
});

export const gpuConfigs = z.array(
  z.object({
    instanceType: string("Type of instance."),
    gpuParams: spelt("GPUParams", gpuParams.describe("Drivers of that type.")),
  }),
);

/** The settings of native pools that creations and changes share. */
export const nativeSettings = {
  securityGroupIds: strings("Security groups of the nodes.").optional(),
  upgradeSettings: upgradeSettings.optional().describe("Automatic upgrade of the nodes."),
  autoRepair: boolean("Whether broken nodes are repaired; false unless given.").optional(),
  instanceChargePrepaid: instanceChargePrepaid.optional().describe("Prepaid period of the nodes; required with `PREPAID`."),
  management: management.optional().describe("Name servers, hosts and kernel parameters of the nodes."),
  healthCheckPolicyName: string("Name of the rule that finds broken nodes.").optional(),
  hostNamePattern: string("Pattern of the nodes' host names.").optional(),
  kubeletArgs: strings("Arguments of the kubelet, such as `max-pods=64`.").optional(),
  lifecycle: givenLifecycle.optional().describe("Scripts run around the initialization of a node."),
  runtimeRootDir: string("Data directory of the container runtime.").optional(),
  enableAutoscaling: boolean("Whether the platform scales the node pool within `Scaling`; false unless given.").optional(),
  replicas: z.int().min(0).optional().describe("Desired number of nodes, within `Scaling`; `MinReplicas` unless given."),
  gpuConfigs: spelt("GPUConfigs", gpuConfigs.optional().describe("GPU drivers by type of instance.")),
  dataDisks: dataDisks.optional().describe("Data disks of the nodes."),
  keyIds: strings("Key pairs to log in with.").optional(),
  automationService: boolean("Whether the automation service runs on the nodes; true unless given.").optional(),
  password: sensitive(string("Password to log in with.").optional()),
  customImage: string("ID of a custom image.").optional(),
};
