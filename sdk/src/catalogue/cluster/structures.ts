import { z } from "zod";
import type { ErrorCode } from "../../operation/errors.ts";
import { sensitive, spelt } from "../../operation/operation.ts";
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
    z
      .object({
        name: z.string().describe("Name of cuDNN."),
        version: z.string().describe("Version of cuDNN."),
        devName: z.string().optional().describe("Name of its development package."),
        docName: z.string().optional().describe("Name of its documentation package."),
      })
      .optional()
      .describe("cuDNN version."),
  ),
  customDriver: z
    .object({ address: z.string().optional().describe("URL of the driver.") })
    .optional()
    .describe("A custom driver."),
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
  z
    .object({ enabled: z.boolean().optional().describe(`Whether ${what} is on.`) })
    .optional()
    .describe(`${what}; on unless turned off.`);

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

export const instanceDeleteModes = ["terminate", "retain"] as const;

export const instanceDeleteMode = z
  .enum(instanceDeleteModes)
  .describe("`terminate` destroys the instances (pay-as-you-go ones only), `retain` keeps them outside of the cluster.");

export const resourceDeleteOptions = z.array(
  z.object({
    resourceType: z.string().describe("Type of resource: `CBS` (disks)."),
    deleteMode: z.enum(instanceDeleteModes).describe("`terminate` or `retain`."),
    skipDeletionProtection: z.boolean().optional().describe("Whether resources under deletion protection are skipped; false unless given."),
  }),
);

/** The error codes of operations that set tags. */
export const tagErrors = [
  "InvalidParameterValue.Duplicate",
  "InvalidParameterValue.Empty",
  "InvalidParameterValue.TooLong",
  "LimitExceeded.ResourceAttachedTags",
] as const satisfies readonly ErrorCode[];
