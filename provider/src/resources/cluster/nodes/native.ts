import * as cluster from "@container-platform/sdk/cluster";
import * as z from "@container-platform/sdk/zod";
import { clusterNumberRules, clusterRules, kubernetesRules } from "@container-platform/sdk";
import { idOf } from "../../../definition/ids.ts";
import { allowed, following, kept, object, secret } from "../../../definition/inputs.ts";
import { script } from "./kubernetes-values.ts";

/** The settings of a native pool's nodes. */
const shape = {
  /**
   * Subnets of the cluster's VPC for the nodes, at least one; with `ZonePriority`, in order of preference. A change applies to new nodes.
   * In a dual-stack cluster, each subnet needs an `ipv6SubnetCidrBlock`.
   */
  subnetIds: z.array(idOf("subnet")).min(1),
  /** Instance types of the zone (`getInstanceTypes`) in order of preference, at least one. A change applies to new nodes. */
  instanceTypes: z.array(allowed(z.string(), clusterRules.instanceType)).min(1),
  /** System disk of new nodes. */
  systemDisk: object({
    /** Disk type of the zone (`getDiskTypes`), such as `CLOUD_PREMIUM`. */
    diskType: z.string(),
    /** Size in GB. */
    diskSize: z.int().min(1),
  }),
  /** Bounds for the number of nodes. Default: `replicas`. */
  scaling: following(
    kept(
      object({
        /** Minimum number of nodes. */
        minReplicas: z.int().min(0),
        /** Maximum number of nodes. */
        maxReplicas: z.int().min(0),
        /** `ZoneEquality` spreads nodes over the subnets, `ZonePriority` fills the first one first. Default: `ZoneEquality`. */
        createPolicy: kept(z.enum(["ZoneEquality", "ZonePriority"])),
      }),
    ),
    "replicas",
  ),
  /** Desired number of nodes; ignored while the node pool scales automatically. Default: `scaling.minReplicas`. */
  replicas: kept(z.int().min(0)),
  /** Whether the platform scales the node pool within `scaling`. Default: whether `minReplicas` is below `maxReplicas`. */
  enableAutoscaling: following(kept(z.boolean()), "scaling", "replicas"),
  /**
   * Billing of the nodes: `POSTPAID_BY_HOUR`, by use, or `PREPAID`, monthly. A change from `PREPAID` replaces the node pool. Default:
   * `POSTPAID_BY_HOUR`.
   */
  instanceChargeType: kept(z.enum(cluster.instanceChargeTypes)),
  /** Prepaid period of the nodes. Required with `PREPAID`. */
  instanceChargePrepaid: kept(
    object({
      /** Number of months: 1 to 12, 24, 36, 48 or 60. */
      period: allowed(z.int(), clusterNumberRules.prepaidPeriod),
      /** Renewal at the end of the period. Default: `NOTIFY_AND_MANUAL_RENEW`. */
      renewFlag: kept(z.enum(["NOTIFY_AND_AUTO_RENEW", "NOTIFY_AND_MANUAL_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW"])),
    }),
  ),
  /** Security groups of the nodes, in order of priority. Default: the platform's. */
  securityGroupIds: kept(z.array(idOf("sg"))),
  /** Data disks of new nodes. Default: none. */
  dataDisks: kept(
    z.array(
      object({
        /** Disk type of the zone (`getDiskTypes`), such as `CLOUD_PREMIUM`. */
        diskType: z.string(),
        /** Size in GB; at least 50 is recommended. */
        diskSize: z.int().min(1),
        /** File system: `ext3`, `ext4` or `xfs`. Default: `ext4`. */
        fileSystem: z.enum(["ext3", "ext4", "xfs"]).default("ext4"),
        /** Formats and mounts the disk. Default: true. */
        autoFormatAndMount: z.boolean().default(true),
        /** Mount point of the disk. */
        mountTarget: kept(z.string()),
      }),
    ),
  ),
  /** IDs of key pairs for the login. Default: none. */
  keyIds: kept(z.array(idOf("skey"))),
  /** Password for the login. A secret. Default: none. */
  password: kept(secret(z.string())),
  /** Whether the platform repairs broken nodes. Default: the platform's choice. */
  autoRepair: kept(z.boolean()),
  /** Name servers, hosts and kernel parameters of the nodes. */
  management: kept(
    object({
      /** Name servers. */
      nameservers: kept(z.array(z.string())),
      /** Lines of the hosts file. */
      hosts: kept(z.array(z.string())),
      /** Kernel parameters, each such as `net.core.somaxconn=1024`. */
      kernelArgs: kept(z.array(allowed(z.string(), kubernetesRules.kernelArgument))),
    }),
  ),
  /** Arguments of the kubelet, each such as `max-pods=64`. */
  kubeletArgs: kept(z.array(z.string())),
  /** Scripts that run before and after the initialization of a node. */
  lifecycle: kept(
    object({
      /** Script that runs before, base64. */
      preInit: kept(script),
      /** Script that runs after, base64. */
      postInit: kept(script),
    }),
  ),
  /** Automatic upgrade of the nodes. */
  upgradeSettings: kept(
    object({
      /** Whether nodes are upgraded automatically. */
      autoUpgrade: kept(z.boolean()),
      /** Components to upgrade, such as `kubelet`. */
      components: kept(z.array(z.string())),
    }),
  ),
  /** Name of the health check policy that finds broken nodes. */
  healthCheckPolicyName: kept(z.string()),
  /** Pattern of the nodes' host names. */
  hostNamePattern: kept(z.string()),
  /** GPU drivers, by instance type. */
  gpuConfigs: kept(
    z.array(
      object({
        /** Instance type. */
        instanceType: z.string(),
        /** Drivers of the instance type. */
        gpuParams: object({
          /** Version of the driver. */
          driver: kept(z.string()),
          /** Version of CUDA. */
          cuda: kept(z.string()),
          /** Version of cuDNN. */
          cudnn: kept(z.string()),
        }),
      }),
    ),
  ),
  /** ID of a custom image. */
  customImage: kept(z.string()),
  /** Whether changes of the node pool also apply to existing nodes. Default: false, new nodes only. */
  updateExistedNode: kept(z.boolean()),
  /** Public bandwidth of the nodes. Default: none. A change replaces the node pool; an existing pool without the input rejects it. */
  internetAccessible: kept(
    object({
      /** Outbound bandwidth in Mbit/s. */
      maxBandwidthOut: z.int().min(0),
      /** Billing of the bandwidth, such as `TRAFFIC_POSTPAID_BY_HOUR`. */
      chargeType: z.string(),
    }),
  ),
  /** `Native` or `NativeCVM`. Default: `Native`. A change replaces the node pool. */
  machineType: kept(z.enum(["Native", "NativeCVM"])),
  /** Data directory of the container runtime. A change replaces the node pool; an existing pool accepts only its present directory. */
  runtimeRootDir: kept(z.string()),
};

type Shape = typeof shape;
/** A named type, so that published declarations lead to the comments above. */
export interface NativeShape extends Shape {}

export const native: z.ZodObject<NativeShape, z.core.$strict> = object(shape);
export type Native = z.output<typeof native>;
