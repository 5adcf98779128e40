import { z } from "zod";
import { inExample, operations, spelt } from "../../operation/operation.ts";
import { newNodes } from "./machines.ts";
import {
  autoUpgradeClusterLevel,
  clusterExtraArgs,
  clusterId,
  mountedDataDisk,
  securityModeConfig,
  tagErrors,
  tagSpecifications,
} from "./structures.ts";

const operation = operations("cluster", "2018-05-25");

const cidrSettings = z.object({
  clusterCidr: inExample(
    spelt(
      "ClusterCIDR",
      z.string().optional().describe("CIDR block of pods and services, such as `172.16.0.0/16`, outside of the VPC's; required with GR."),
    ),
  ),
  ignoreClusterCidrConflict: spelt(
    "IgnoreClusterCIDRConflict",
    z.boolean().optional().describe("Whether conflicts of that CIDR block are ignored; false unless given."),
  ),
  maxNodePodNum: z.int().min(16).max(256).optional().describe("The most pods on a node, 16 to 256; 256 unless given."),
  maxClusterServiceNum: z.int().min(32).max(32768).optional().describe("The most services, 32 to 32768; 256 unless given."),
  serviceCidr: spelt("ServiceCIDR", z.string().optional().describe("CIDR block of services, outside of the VPC's.")),
  eniSubnetIds: z.array(z.string()).optional().describe("Subnets from which pods take addresses; at least one with VPC-CNI."),
  claimExpiredSeconds: z
    .int()
    .min(300)
    .max(15_768_000)
    .optional()
    .describe("Seconds until unused addresses are released, 300 to 15768000; with VPC-CNI."),
  ignoreServiceCidrConflict: spelt(
    "IgnoreServiceCIDRConflict",
    z.boolean().optional().describe("Whether conflicts of the CIDR block of services are ignored; with VPC-CNI."),
  ),
});

const basicSettings = z.object({
  clusterOs: z.string().optional().describe("Operating system of the nodes; the platform's unless given."),
  clusterVersion: z.string().optional().describe("Kubernetes version; the newest unless given."),
  clusterName: z.string().optional().describe("Name; the cluster's ID unless given."),
  clusterDescription: z.string().optional().describe("Description."),
  vpcId: z.string().optional().describe("ID of the VPC; the same as the top-level `VpcId`."),
  projectId: z.int().optional().describe("Project of the cluster; 0 unless given."),
  tagSpecification: tagSpecifications.optional().describe("Tags; `ResourceType` is `cluster`."),
  osCustomizeType: z.string().optional().describe("`GENERAL`, the default, or `DOCKER_CUSTOMIZE`."),
  needWorkSecurityGroup: z.boolean().optional().describe("Whether nodes get the default security group; false unless given."),
  subnetId: z.string().optional().describe("ID of the cluster's subnet; the same as the top-level `SubnetId`."),
  clusterLevel: z.string().optional().describe("Level, such as `L5`, the default; see DescribeClusterLevelAttribute."),
  autoUpgradeClusterLevel: autoUpgradeClusterLevel.optional().describe("Whether the level is raised automatically; false unless given."),
});

export const networkTypes = ["GR", "VPC-CNI"] as const;
export const containerRuntimes = ["containerd", "docker"] as const;

const advancedSettings = z.object({
  asEnabled: z.boolean().optional().describe("Whether nodes are scaled automatically."),
  auditEnabled: z.boolean().optional().describe("Whether the audit of the Kubernetes API is on."),
  auditLogTopicId: z.string().optional().describe("Topic of the audit logs."),
  auditLogsetId: z.string().optional().describe("Log set of the audit logs."),
  basePodNumber: z.int().optional().describe("The most pods on a node, in the custom PodCIDR mode."),
  ciliumMode: z.string().optional().describe("Mode of Cilium; Cilium is not used unless given."),
  containerRuntime: z.enum(containerRuntimes).optional().describe("`containerd`, the default, or `docker`."),
  dataPlaneV2: z.boolean().optional().describe("Whether the second data plane is used."),
  deletionProtection: z.boolean().optional().describe("Whether the cluster is protected from deletion; false unless given."),
  enableCustomizedPodCidr: spelt(
    "EnableCustomizedPodCIDR",
    z.boolean().optional().describe("Whether nodes have pod CIDR blocks of custom sizes."),
  ),
  etcdOverrideConfigs: z
    .array(z.object({ resources: z.array(z.string()).describe("Kinds of objects.") }))
    .optional()
    .describe("Objects that are kept in a separate etcd."),
  extraArgs: clusterExtraArgs.optional().describe("Arguments of the cluster's Kubernetes components."),
  ipvs: spelt("IPVS", z.boolean().optional().describe("Whether services use IPVS; false unless given.")),
  isDualStack: z.boolean().optional().describe("Whether pods and services have IPv6 addresses too; needs VPC-CNI and subnets with a /64."),
  isNonStaticIpMode: z.boolean().optional().describe("Whether pods' addresses change; with VPC-CNI."),
  kubeProxyMode: z.string().optional().describe("How services are forwarded: `ipvs-bpf`; the platform's default unless given."),
  networkType: z.enum(networkTypes).optional().describe("`GR`, the default, or `VPC-CNI`."),
  nodeNameType: z.string().optional().describe("How nodes are named: `lan-ip`, the default, or `hostname`."),
  qgpuShareEnable: spelt("QGPUShareEnable", z.boolean().optional().describe("Whether GPUs are shared.")),
  runtimeVersion: z.string().optional().describe("Version of the container runtime; the platform's unless given."),
  vpcCniType: z.string().optional().describe("`tke-route-eni`, the default, or `tke-direct-eni`; with VPC-CNI."),
  isHighAvailability: z.boolean().optional().describe("Whether it is in high-availability mode."),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

export const clusterTypes = ["MANAGED_CLUSTER", "INDEPENDENT_CLUSTER"] as const;

export const createCluster = operation("CreateCluster", () => ({
  summary: "Creates a cluster. It is `Creating` at first; DescribeClusterStatus shows when it is `Running`.",
  input: {
    vpcId: inExample(z.string().optional().describe("ID of the VPC; required, here or in `ClusterBasicSettings`.")),
    subnetId: inExample(
      z
        .string()
        .optional()
        .describe("ID of the subnet, with at least 10 available addresses; required, here or in `ClusterBasicSettings`."),
    ),
    clusterType: z
      .enum(clusterTypes)
      .optional()
      .describe(
        "`MANAGED_CLUSTER`, the default: the platform runs the control plane. `INDEPENDENT_CLUSTER`: the control plane runs on the cluster's own nodes.",
      ),
    clusterCidrSettings: inExample(spelt("ClusterCIDRSettings", cidrSettings.optional().describe("CIDR blocks of pods and services."))),
    clusterBasicSettings: basicSettings.optional().describe("Name, version, level and network."),
    clusterAdvancedSettings: advancedSettings.optional().describe("Network type, runtime, protection and more."),
    ...newNodes,
    instanceDataDiskMountSettings: z
      .array(
        z.object({
          instanceType: z.string().describe("Type of the instances."),
          dataDisks: z.array(mountedDataDisk).describe("Data disks and their mount points."),
          zone: z.string().describe("Zone of the instances."),
        }),
      )
      .optional()
      .describe("Mount points of data disks, by type of instance and zone."),
    extensionAddons: z
      .array(
        z.object({
          addonName: z.string().describe("Name of the add-on."),
          addonParam: z.string().describe("Its parameters, a JSON object as text."),
        }),
      )
      .optional()
      .describe("Add-ons to install."),
    cdcId: z.string().optional().describe("Dedicated zone of the cluster."),
    disableAddons: z.array(z.string()).optional().describe("Names of add-ons not to install."),
  },
  output: { clusterId },
  errors: [
    "FailedOperation.CvmVpcidNotMatch",
    "InvalidParameter.CidrConflictWithOtherCluster",
    "InvalidParameter.CidrConflictWithVpcCidr",
    "InvalidParameter.CidrInvalid",
    "InvalidZone.ZoneNotAvailable",
    "LimitExceeded",
    "ResourceNotFound",
    ...tagErrors,
  ],
  effect: "write",
  source: "specification",
}));
