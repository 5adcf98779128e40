import * as cluster from "@container-platform/sdk/cluster";
import * as z from "@container-platform/sdk/zod";
import { clusterNumberRules, clusterRules, kubernetesRules } from "@container-platform/sdk";
import { idOf } from "../../../definition/ids.ts";
import { allowed, following, kept, object, secret } from "../../../definition/inputs.ts";
import { script } from "./kubernetes-values.ts";

/** The settings of a native pool's nodes. */
export const native = object({
  subnetIds: z.array(idOf("subnet")).min(1),
  instanceTypes: z.array(allowed(z.string(), clusterRules.instanceType)).min(1),
  systemDisk: object({
    diskType: z.string(),
    diskSize: z.int().min(1),
  }),
  scaling: following(
    kept(
      object({
        minReplicas: z.int().min(0),
        maxReplicas: z.int().min(0),
        createPolicy: kept(z.enum(["ZoneEquality", "ZonePriority"])),
      }),
    ),
    "replicas",
  ),
  replicas: kept(z.int().min(0)),
  enableAutoscaling: following(kept(z.boolean()), "scaling", "replicas"),
  instanceChargeType: kept(z.enum(cluster.instanceChargeTypes)),
  instanceChargePrepaid: kept(
    object({
      period: allowed(z.int(), clusterNumberRules.prepaidPeriod),
      renewFlag: kept(z.enum(["NOTIFY_AND_AUTO_RENEW", "NOTIFY_AND_MANUAL_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW"])),
    }),
  ),
  securityGroupIds: kept(z.array(idOf("sg"))),
  dataDisks: kept(
    z.array(
      object({
        diskType: z.string(),
        diskSize: z.int().min(1),
        fileSystem: z.enum(["ext3", "ext4", "xfs"]).default("ext4"),
        autoFormatAndMount: z.boolean().default(true),
        mountTarget: kept(z.string()),
      }),
    ),
  ),
  keyIds: kept(z.array(idOf("skey"))),
  password: kept(secret(z.string())),
  autoRepair: kept(z.boolean()),
  management: kept(
    object({
      nameservers: kept(z.array(z.string())),
      hosts: kept(z.array(z.string())),
      kernelArgs: kept(z.array(allowed(z.string(), kubernetesRules.kernelArgument))),
    }),
  ),
  kubeletArgs: kept(z.array(z.string())),
  lifecycle: kept(
    object({
      preInit: kept(script),
      postInit: kept(script),
    }),
  ),
  upgradeSettings: kept(
    object({
      autoUpgrade: kept(z.boolean()),
      components: kept(z.array(z.string())),
    }),
  ),
  healthCheckPolicyName: kept(z.string()),
  hostNamePattern: kept(z.string()),
  gpuConfigs: kept(
    z.array(
      object({
        instanceType: z.string(),
        gpuParams: object({
          driver: kept(z.string()),
          cuda: kept(z.string()),
          cudnn: kept(z.string()),
        }),
      }),
    ),
  ),
  customImage: kept(z.string()),
  updateExistedNode: kept(z.boolean()),
  internetAccessible: kept(
    object({
      maxBandwidthOut: z.int().min(0),
      chargeType: z.string(),
    }),
  ),
  machineType: kept(z.enum(["Native", "NativeCVM"])),
  runtimeRootDir: kept(z.string()),
});
export type Native = z.output<typeof native>;
