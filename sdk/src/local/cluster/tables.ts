import { z } from "zod";
import { oidcConfig, serviceAccounts } from "../../catalogue/cluster/authentication.ts";
import { networkSettings } from "../../catalogue/cluster/clusters.ts";
import { nativeNodePool } from "../../catalogue/cluster/node-pools.ts";
import * as structures from "../../catalogue/cluster/structures.ts";
import { roleTypes } from "../../catalogue/cluster/roles.ts";
import { taskTypes } from "../../catalogue/cluster/versions.ts";
import { tags } from "../../catalogue/shared.ts";
import { table } from "../store/table.ts";
import { timelineSchema } from "../store/timeline.ts";

const authenticationOptions = serviceAccounts
  .required({ useServiceDefault: true, autoCreateDiscoveryAnonymousAuth: true })
  .extend({ oidc: oidcConfig.optional() });

export const clusters = table("clusters", () => ({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  version: z.string(),
  /** The version to which it is upgraded, and when the upgrade is done. */
  upgrade: z.object({ to: z.string(), at: z.number() }).optional(),
  os: z.string(),
  osCustomizeType: z.string(),
  vpcId: z.string(),
  subnetId: z.string(),
  /** Set if the call that created it did not name the subnet. */
  isSubnetUnset: z.boolean().optional(),
  network: networkSettings.omit({ vpcId: true, subnetId: true, subnets: true, cni: true }).extend({
    type: z.enum(["GR", "VPC-CNI"]),
    eniSubnetIds: z.array(z.string()),
    claimExpiredSeconds: z.int(),
    vpcCniType: z.string(),
    isNonStaticIpMode: z.boolean(),
    customizedPodCidr: z.boolean(),
  }),
  projectId: z.int(),
  tags,
  /** The latest change of the tags, the moment at which it is done, and whether it includes the cluster's other resources. */
  tagChange: z.object({ until: z.number(), syncSubresource: z.boolean(), tags }).optional(),
  level: z.string(),
  autoUpgradeLevel: z.boolean(),
  containerRuntime: z.string(),
  runtimeVersion: z.string(),
  nodeNameType: z.string(),
  deletionProtection: z.boolean(),
  auditEnabled: z.boolean(),
  qgpuShareEnable: z.boolean(),
  isHighAvailability: z.boolean(),
  securityModeConfig: structures.securityModeConfig.optional(),
  extraArgs: structures.clusterExtraArgs,
  cdcId: z.string().optional(),
  createdTime: z.string(),
  timeline: timelineSchema,
  authentication: authenticationOptions,
  /** The latest change of the authentication options. It takes effect when its timeline reaches `Success`. */
  authenticationChange: z.object({ options: authenticationOptions, timeline: timelineSchema }).optional(),
}));
export type ClusterRow = z.output<typeof clusters.row>;
export type AuthenticationOptions = z.output<typeof authenticationOptions>;

const poolSettings = nativeNodePool.omit({ readyReplicas: true }).extend({
  instanceChargeType: z.enum(structures.instanceChargeTypes),
  automationService: z.boolean(),
});
export type PoolSettings = z.output<typeof poolSettings>;

/** The settings that a native node takes over from its pool when it is made. */
const nativeMachine = poolSettings.pick({
  securityGroupIds: true,
  instanceChargePrepaid: true,
  systemDisk: true,
  dataDisks: true,
  keyIds: true,
  gpuConfigs: true,
  internetAccessible: true,
  machineType: true,
});

/** Belongs to its cluster. */
export const nodePools = table("nodePools", () => ({
  clusterId: z.string(),
  /** The API version of the action that made it. Pools of `2022` are native. */
  generation: z.enum(["2018", "2022"]),
  name: z.string(),
  createdTime: z.string(),
  /** States as 2022-05-01 spells them. */
  timeline: timelineSchema,
  labels: structures.labels,
  taints: structures.taints,
  annotations: structures.annotations,
  tags: structures.tagSpecifications,
  deletionProtection: z.boolean(),
  unschedulable: z.boolean(),
  settings: poolSettings,
  /** Only regular pools have it: a scaling group makes their nodes. */
  regular: z
    .object({ launchConfigurationId: z.string(), autoscalingGroupId: z.string(), os: z.string(), osCustomizeType: z.string() })
    .optional(),
  /** Only regular and external pools have this and the advanced settings. */
  runtime: z.object({ type: z.string(), version: z.string() }).optional(),
  instanceAdvancedSettings: structures.instanceAdvancedSettings.optional(),
}));
export type PoolRow = z.output<typeof nodePools.row>;

/** Belongs to its cluster; its id is that of its machine. */
export const nodes = table("nodes", () => ({
  clusterId: z.string(),
  poolId: z.string().optional(),
  role: z.string(),
  /**
   * `existing`: an instance of the compute service. `pool`: a machine that its pool made, and destroys. `edge`: a machine at
   * another site of the cloud. `external`: a machine outside of the cloud. The last two have no address of the VPC.
   */
  machine: z.enum(["existing", "pool", "edge", "external"]),
  /** `<pool>-<suffix>` for native nodes; otherwise empty. */
  machineName: z.string(),
  /** Whether it was added by hand, and not by its pool. */
  manual: z.boolean(),
  createdTime: z.string(),
  timeline: timelineSchema,
  /** Whether it is being removed. */
  leaving: z.boolean(),
  vpcId: z.string(),
  subnetId: z.string(),
  zone: z.string(),
  lanIp: z.string(),
  instanceType: z.string(),
  chargeType: z.enum(structures.instanceChargeTypes),
  settings: structures.instanceAdvancedSettings,
  services: z.object({ security: z.boolean(), monitor: z.boolean(), automation: z.boolean() }),
  /** Only native nodes have it. */
  native: nativeMachine.optional(),
  /** Only external nodes have it. */
  external: z.object({ name: z.string(), cpu: z.int(), memory: z.int() }).optional(),
  tags,
}));
export type NodeRow = z.output<typeof nodes.row>;

/** Belongs to its cluster; its id is `<cluster>/public` or `<cluster>/internal`. */
export const clusterEndpoints = table("clusterEndpoints", () => ({
  clusterId: z.string(),
  isExtranet: z.boolean(),
  timeline: timelineSchema,
  address: z.string(),
  domain: z.string(),
  securityGroup: z.string(),
  subnetId: z.string(),
  acl: z.array(z.string()),
}));
export type EndpointRow = z.output<typeof clusterEndpoints.row>;

/** The certificate authority of a cluster. It belongs to the cluster, and has its id. */
export const authorities = table("authorities", () => ({
  certificate: z.string(),
  privateKey: z.string(),
  /** Serial numbers of revoked certificates, in hexadecimal as Node formats them. */
  revoked: z.array(z.string()),
}));

/** A user's certificate for a cluster. Belongs to the cluster; its id is `<cluster>/<uin>`. */
export const clientCertificates = table("clientCertificates", () => ({
  clusterId: z.string(),
  uin: z.string(),
  serial: z.string(),
  certificate: z.string(),
  privateKey: z.string(),
}));

/** Belongs to its cluster; its id is the request id of the call that began it. */
export const clusterTasks = table("clusterTasks", () => ({
  clusterId: z.string(),
  type: z.enum(taskTypes),
  target: z.string(),
  param: z.string(),
  began: z.number(),
  timeline: timelineSchema,
  /** Only upgrades of nodes have it. `wish` is the last requested operation on the upgrade, `wishedAt` when it was requested. */
  upgrade: z
    .object({
      version: z.string(),
      concurrent: z.int(),
      wish: z.enum(["process", "pause", "abort"]),
      wishedAt: z.number(),
      nodes: z.array(z.object({ id: z.string(), start: z.number().optional(), end: z.number().optional() })),
    })
    .optional(),
}));
export type TaskRow = z.output<typeof clusterTasks.row>;
export type NodeUpgrade = NonNullable<TaskRow["upgrade"]>;

/** Addresses that are out of reach in a region: those of issuers and their keys, and domains of clusters. The address is the id. */
export const unreachableAddresses = table("unreachableAddresses", () => ({}));

/** Templates of edge machines. */
export const edgeModules = table("edgeModules", () => ({ name: z.string() }));

/** A permission of a sub-account. Belongs to the sub-account; its id is `<uin>/<cluster>/<type>/<namespace>/<role>`. */
export const permissions = table("permissions", () => ({
  uin: z.string(),
  clusterId: z.string(),
  roleName: z.string(),
  roleType: z.enum(roleTypes),
  /** Empty for the whole cluster. */
  namespace: z.string(),
}));
export type PermissionRow = z.output<typeof permissions.row>;

/** A custom ClusterRole, or a custom Role of a namespace. Belongs to its cluster; its id is `<cluster>/<namespace>/<name>`. */
export const clusterRoles = table("clusterRoles", () => ({
  /** Empty for a ClusterRole. */
  namespace: z.string(),
  name: z.string(),
}));
