import { z } from "zod";
import { object, objects, sensitive, spelt } from "../../operation/operation.ts";
import { tags } from "../shared.ts";

/** Structures that several operations of the cluster service share (specification, "Shared structures of the cluster service"). */

export const clusterId = z.string().describe("ID of the cluster, such as `cls-3f8a0c1e`.");
export const nodePoolId = z.string().describe("ID of the node pool, such as `np-3f8a0c1e`.");

export const labels = z.array(
  z.object({
    name: z.string().describe("Name of the label: 1 to 63 characters, with or without a prefix such as `example.com/`."),
    value: z.string().describe("Value of the label, at most 63 characters."),
  }),
);

export const annotations = z.array(
  z.object({
    name: z.string().describe("Name of the annotation: 1 to 63 characters, with or without a prefix such as `example.com/`."),
    value: z.string().describe("Value of the annotation, any text."),
  }),
);

export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

export const taints = z.array(
  z.object({
    key: z
      .string()
      .describe("Key of the taint: 1 to 63 characters, with or without a prefix such as `example.com/`; once with each effect."),
    value: z.string().describe("Value of the taint, at most 63 characters."),
    effect: z.enum(taintEffects).describe("Effect on pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute."),
  }),
);

export const tagSpecifications = z.array(
  z.object({
    resourceType: z.string().describe("Type of the tagged resources, such as `cluster` or `machine`."),
    tags: tags.describe("The tags."),
  }),
);

export const autoUpgradeClusterLevel = z.object({
  isAutoUpgrade: z
    .boolean()
    .describe("Whether the cluster's level is raised automatically when it has more nodes than its level supports."),
});

export const clusterExtraArgs = z.object({
  etcd: z.array(z.string()).optional().describe("Arguments of etcd, such as `k1=v1`; only for self-deployed clusters."),
  kubeApiServer: spelt(
    "KubeAPIServer",
    z.array(z.string()).optional().describe("Arguments of kube-apiserver, such as `max-requests-inflight=500`."),
  ),
  kubeControllerManager: z.array(z.string()).optional().describe("Arguments of kube-controller-manager, such as `k1=v1`."),
  kubeScheduler: z.array(z.string()).optional().describe("Arguments of kube-scheduler, such as `k1=v1`."),
});

export const clusterProperty = z.object({
  nodeNameType: z.string().optional().describe("How nodes are named: `lan-ip` or `hostname`."),
});

export const securityModeConfig = z.object({
  enabled: z.boolean().optional().describe("Whether the security mode is on."),
  namespaces: z.array(z.string()).optional().describe("Namespaces it applies to."),
  labels: labels.optional().describe("Labels of the objects it applies to."),
});

export const instanceExtraArgs = z.object({
  kubelet: z.array(z.string()).optional().describe("Arguments of the kubelet, such as `max-pods=64`."),
});

const driverVersion = z.object({
  name: z.string().describe("Name of the driver."),
  version: z.string().describe("Version of the driver."),
});

export const gpuArgs = z.object({
  cuda: spelt("CUDA", driverVersion.optional().describe("CUDA version.")),
  cudnn: spelt(
    "CUDNN",
    object("cuDNN version.", {
      name: z.string().describe("Name of cuDNN."),
      version: z.string().describe("Version of cuDNN."),
      devName: z.string().optional().describe("Name of its development package."),
      docName: z.string().optional().describe("Name of its documentation package."),
    }).optional(),
  ),
  customDriver: object("A custom driver.", { address: z.string().optional().describe("URL of the driver.") }).optional(),
  driver: driverVersion.optional().describe("GPU driver version."),
  migEnable: spelt("MIGEnable", z.boolean().optional().describe("Whether the GPU is split into instances (MIG).")),
});

export const mountedDataDisk = z.object({
  diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
  fileSystem: z.string().describe("File system: ext3, ext4 or xfs."),
  diskSize: z.int().describe("Size in GB; at least 50 is recommended."),
  autoFormatAndMount: z.boolean().describe("Whether it is formatted and mounted."),
  mountTarget: z.string().describe("Mount point of the disk."),
  diskPartition: z.string().describe("Device or partition; required for an existing instance."),
});

export const instanceAdvancedSettings = z.object({
  desiredPodNumber: z.int().optional().describe("The most pods on the node; in the custom PodCIDR mode."),
  gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("Drivers; only for GPU instance types.")),
  preStartUserScript: z.base64().optional().describe("Script run before the node is initialized, base64."),
  userScript: z.base64().optional().describe("Script run after the node's Kubernetes components have started, base64."),
  taints: taints.optional().describe("Taints of the node."),
  labels: labels.optional().describe("Labels of the node."),
  unschedulable: z.int().min(0).max(1).optional().describe("1: no pods are scheduled on the node. 0, the default: they are."),
  dockerGraphPath: z.string().optional().describe("Directory of container images; `/var/lib/docker` unless given."),
  mountTarget: z.string().optional().describe("Mount point of the data disk; not mounted unless given."),
  dataDisks: z.array(mountedDataDisk).optional().describe("Data disks and their mount points."),
  extraArgs: instanceExtraArgs.optional().describe("Arguments of the node's Kubernetes components."),
});

const enabled = (what: string) =>
  object(`${what}; on unless turned off.`, { enabled: z.boolean().optional().describe(`Whether ${what} is on.`) }).optional();

export const enhancedService = z.object({
  securityService: enabled("The security service"),
  monitorService: enabled("The monitoring service"),
  automationService: enabled("The automation service"),
});

export const loginSettings = z.object({
  password: sensitive(z.string().optional().describe("Password of the node.")),
  keyIds: z.array(z.string()).optional().describe("Key pairs; only one is supported, and none for Windows."),
  keepImageLogin: z.string().optional().describe("`true`: the image's own login is kept; only for custom, shared and imported images."),
});

/** How machines that become nodes are set up. */
export const nodeSetup = {
  instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the nodes."),
  enhancedService: enhancedService.optional().describe("Services on the nodes."),
  loginSettings: loginSettings.optional().describe("How to log in to the nodes: one of the three."),
  securityGroupIds: z.array(z.string()).optional().describe("Security groups of the nodes."),
};

export const instanceDeleteModes = ["terminate", "retain"] as const;

export const instanceDeleteMode = z
  .enum(instanceDeleteModes)
  .describe("`terminate` destroys the instances (pay-as-you-go ones only), `retain` keeps them outside of the cluster.");

export const resourceDeleteOptions = objects("Which resources such as disks are deleted; they are kept unless given.", {
  resourceType: z.string().describe("Type of resource: `CBS` (disks)."),
  deleteMode: z.enum(instanceDeleteModes).describe("`terminate` or `retain`."),
  skipDeletionProtection: z.boolean().optional().describe("Whether resources under deletion protection are skipped; false unless given."),
});

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
  upgradeOptions: object("Maintenance window of the upgrades.", {
    autoUpgradeStartTime: z.string().optional().describe("Start time, such as `02:00`."),
    duration: z.string().optional().describe("Duration, such as `2h`."),
    weeklyPeriod: z.array(z.string()).optional().describe("Days of the week."),
  }).optional(),
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
