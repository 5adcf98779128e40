import { z } from "zod";
import { boolean, int, object, objects, operations, sensitive, spelt, state, string, strings } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, tags } from "../shared.ts";
import { instanceStates, machineStates } from "./states.ts";
import {
  clusterExtraArgs,
  clusterId,
  enhancedService,
  gpuParams,
  instanceAdvancedSettings,
  instanceChargeTypes,
  instanceDeleteMode,
  internetAccessible,
  loginSettings,
  nodeSetup,
  resourceDeleteOptions,
  toldDataDisks,
  toldDisk,
} from "./structures.ts";

/** Machines that become nodes: new ones, by a request that is passed on to the compute service, and existing ones. */

const nodeRole = z.enum(["MASTER_ETCD", "WORKER"]).describe("Role of the nodes; `MASTER_ETCD` only in self-deployed clusters.");

/** The parameters for new nodes of a cluster. The specification's `RunInstancePara` and the public API's `RunInstancesForNode` mean the same. */
export const newNodes = {
  runInstancesForNode: objects("Requests for instances that become nodes.", {
    nodeRole,
    // May hold passwords.
    runInstancesPara: sensitive(strings("Requests for instances, each a JSON object as text.")),
    instanceAdvancedSettingsOverrides: z
      .array(instanceAdvancedSettings)
      .optional()
      .describe("Settings of the nodes, one for each request; they override `InstanceAdvancedSettings`."),
  }).optional(),
  // May hold passwords.
  runInstancePara: sensitive(
    string(
      "One request for instances that become nodes of the default role, a JSON object as text; the same as an entry of `RunInstancesForNode`.",
    ).optional(),
  ),
  instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the new nodes."),
  existedInstancesForNode: objects("Existing instances of the same VPC that become nodes.", {
    nodeRole,
    existedInstancesPara: object("The instances and how they are set up.", {
      instanceIds: strings("IDs of existing instances, at most 100."),
      ...nodeSetup,
      hostName: string("Host name given to the node.").optional(),
    }),
    instanceAdvancedSettingsOverride: instanceAdvancedSettings
      .optional()
      .describe("Settings of the nodes; they override `InstanceAdvancedSettings`."),
    desiredPodNumbers: z
      .array(z.int())
      .optional()
      .describe("The most pods on each node, in the order of the instances; custom PodCIDR mode."),
  }).optional(),
};

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");
const version2022 = operations("cluster", "2022-05-01");

const instanceIds = strings("IDs of instances, such as `ins-77aa0b1c`; at most 100.");

export const addExistedInstances = operation("AddExistedInstances", () => ({
  summary:
    "Adds existing instances of the cluster's VPC as nodes; they are reinstalled. The response has those that cannot be added, with the reasons.",
  input: {
    clusterId,
    instanceIds,
    instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the nodes."),
    enhancedService: enhancedService.optional().describe("Services on the nodes."),
    loginSettings: loginSettings.optional().describe("How to log in to the nodes: one of the three."),
    hostName: string("Host name given to the node.").optional(),
    securityGroupIds: strings("Security groups of the nodes; the default one's unless given.").optional(),
    nodePool: object("A node pool to join.", {
      addToNodePool: boolean("Whether they join a node pool; false unless given.").optional(),
      nodePoolId: string("ID of that node pool.").optional(),
      inheritConfigurationFromNodePool: boolean("Whether they inherit the node pool's settings.").optional(),
    }).optional(),
    skipValidateOptions: strings("Checks to leave out: `GlobalRouteCIDRCheck`, `VpcCniCIDRCheck`.").optional(),
    instanceAdvancedSettingsOverrides: z
      .array(instanceAdvancedSettings)
      .optional()
      .describe("Settings of each node, in the order of the instances; they override `InstanceAdvancedSettings`."),
    imageId: string("ID of an image to install.").optional(),
    nodeType: z.enum(["Regular"]).optional().describe("Type of the nodes: `Regular`."),
    tags: tags.optional().describe("Tags of the nodes."),
    renewFlag: z
      .enum(["NOTIFY_AND_AUTO_RENEW", "NOTIFY_AND_MANUAL_RENEW"])
      .optional()
      .describe("Renewal at the end of the prepaid period."),
  },
  output: {
    failedInstanceIds: strings("IDs that could not be added."),
    succInstanceIds: strings("IDs that are being added."),
    timeoutInstanceIds: strings("IDs that timed out."),
    failedReasons: strings("Why they could not be added, in the order of `FailedInstanceIds`."),
  },
  errors: ["FailedOperation.ClusterState", "LimitExceeded", "ResourceNotFound"],
}));

export const scaleOutClusterMaster = operation("ScaleOutClusterMaster", () => ({
  summary:
    "Adds nodes to the control plane of a self-deployed cluster, which is `MasterScaling` meanwhile. Managed clusters are rejected: the platform runs their control plane.",
  input: {
    clusterId,
    ...newNodes,
    extraArgs: clusterExtraArgs
      .optional()
      .describe("Arguments of the cluster's Kubernetes components; components that are not given keep theirs."),
  },
  errors: [
    "FailedOperation.CvmVpcidNotMatch",
    "InvalidZone.ZoneNotAvailable",
    "LimitExceeded",
    "OperationDenied",
    "ResourceNotFound",
    "ResourceUnavailable.ClusterState",
  ],
}));

export const createEcmInstances = operation("CreateECMInstances", () => ({
  summary: "Creates edge instances and adds them as nodes. They are outside of the VPC, so the cluster's public endpoint must be open.",
  input: {
    clusterId: spelt("ClusterID", clusterId),
    moduleId: string("ID of the edge module, the template of the instances, such as `em-3f8a0c1e`."),
    zoneInstanceCountIspSet: spelt(
      "ZoneInstanceCountISPSet",
      objects("Numbers of instances by zone and network operator; at least one entry.", {
        zone: string("Zone of the instances."),
        instanceCount: z.int().min(1).describe("Number of instances; 100 at most in a call."),
        isp: spelt("ISP", string("Network operator of the instances.")),
      }),
    ),
    password: sensitive(string("Password to log in with.").optional()),
    internetMaxBandwidthOut: z.int().min(0).optional().describe("Outgoing public bandwidth, Mbit/s."),
    imageId: string("ID of the instances' image; the module's unless given.").optional(),
    instanceName: string("Name of the instances.").optional(),
    hostName: string("Host name of the instances.").optional(),
    enhancedService: enhancedService.optional().describe("Services on the instances."),
    userData: z.base64().optional().describe("Script run at the first start, base64."),
    external: string("More information about the instances.").optional(),
    securityGroupIds: strings("Security groups of the instances.").optional(),
  },
  output: { ecmIdSet: strings("IDs of the instances.") },
  errors: ["InvalidZone.ZoneNotAvailable", "LimitExceeded", "ResourceNotFound", "ResourceUnavailable", "ResourceUnavailable.ClusterState"],
}));

export const deleteClusterInstances = operation("DeleteClusterInstances", () => ({
  summary: "Removes nodes from a cluster, and destroys or keeps their instances.",
  input: {
    clusterId,
    instanceIds,
    instanceDeleteMode,
    forceDelete: boolean(
      "Required to remove nodes that are still initializing, and rejected for other nodes; false unless given.",
    ).optional(),
    resourceDeleteOptions: resourceDeleteOptions.optional(),
  },
  output: {
    succInstanceIds: strings("IDs of the nodes that are being removed."),
    failedInstanceIds: strings("IDs of the nodes that could not be removed, as they are still initializing."),
    notFoundInstanceIds: strings("IDs that are no nodes of the cluster."),
  },
  errors: ["LimitExceeded", "ResourceNotFound"],
  repeatable: true,
}));

const instanceRole = z.enum(["MASTER", "WORKER", "ETCD", "MASTER_ETCD", "ALL"]);

/** The fields of a node's record in both API versions. */
const node = {
  instanceId: string("ID of the node's instance, such as `ins-77aa0b1c`."),
  instanceRole: string("Role of the node, such as `WORKER`."),
  failedReason: string("Reason of a failure; empty: none."),
  instanceState: state(instanceStates).describe("State of the node."),
  createdTime: string("Time when it was added, ISO 8601."),
  lanIp: spelt("LanIP", string("Internal address.")),
  nodePoolId: string("ID of its node pool; empty: none."),
};

export const describeClusterInstances = operation("DescribeClusterInstances", () => ({
  summary: "Lists the nodes of a cluster.",
  input: {
    clusterId,
    instanceIds: strings("IDs; all nodes unless given.").optional(),
    instanceRole: instanceRole.optional().describe("Role of the nodes; `WORKER` unless given, `ALL`: all roles."),
    filters: filters("Filters: `nodepool-id`; `nodepool-instance-type`: `MANUALLY_ADDED`, `AUTOSCALING_ADDED` or `ALL`."),
    ...offsetPaging(z.int()),
  },
  output: {
    totalCount: int("Number of matching nodes."),
    instanceSet: objects("The nodes.", {
      ...node,
      drainStatus: string("`draining` while pods are moved off the node; otherwise empty."),
      instanceAdvancedSettings: instanceAdvancedSettings.describe("Settings of the node."),
      autoscalingGroupId: string("ID of its scaling group; empty: none."),
    }),
  },
  errors: [...listingErrors, "ResourceUnavailable.ClusterState"],
  pages: { by: "offset", items: "instanceSet" },
}));

/** The machine behind a native node. */
const machine = {
  machineName: string("Name of the machine: the node pool's ID and a suffix."),
  machineState: state(machineStates).describe("State of the machine."),
  zone: string("Availability zone."),
  instanceChargeType: state(instanceChargeTypes).describe("How it is charged."),
  createdAt: string("Time of creation, ISO 8601."),
  loginStatus: string("`Enabled` if users can log in to it, otherwise `Disabled`."),
  isProtectedFromScaleIn: boolean("Whether it is kept when the node pool is scaled down."),
  displayName: string("Display name."),
  cpu: spelt("CPU", int("Processor cores.")),
  gpu: spelt("GPU", int("GPUs.")),
  renewFlag: string("Renewal at the end of the prepaid period; empty: it is charged by use."),
  payMode: string("The same as `InstanceChargeType`."),
  memory: int("Memory in GB."),
  systemDisk: toldDisk.describe("System disk."),
  internetAccessible: internetAccessible.optional().describe("Public bandwidth; absent: none."),
  instanceFamily: string("Family of its type, such as `SA5`."),
  instanceType: string("Its type, such as `SA5.MEDIUM4`."),
  expiredTime: string("End of the prepaid period, ISO 8601; empty: it is charged by use."),
};

export const describeClusterMachines = version2022.publicApiOperation("DescribeClusterMachines", () => ({
  summary: "Lists the machines of the native nodes of a cluster, including those that are being removed.",
  input: {
    clusterId,
    filters: filters("Filters: `NodePoolsName`, `NodePoolsId`, `tags` (`<key>:<value>`), `tag:<key>`."),
    ...offsetPaging(z.int()),
  },
  output: {
    machines: objects("The machines.", { ...machine, lanIp: spelt("LanIP", string("Internal address.")) }),
    totalCount: int("Number of matching machines."),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "machines" },
}));

export const nodeTypes = ["Regular", "Native", "External"] as const;

export const describeClusterInstances2022 = version2022.publicApiOperation("DescribeClusterInstances", () => ({
  summary: "Lists the nodes of a cluster, with the fields of each type of node.",
  input: {
    clusterId,
    filters: filters(
      "Filters: `InstanceIds`, `InstanceType` (`Regular`, `Native` or `External`), `VagueIpAddress`, `Labels` (`<name>:<value>`), `NodePoolNames`, `NodePoolIds`.",
    ),
    sortBy: object("Order; oldest first unless given.", {
      fieldName: string("Field to sort by: `CreatedTime` or `InstanceId`."),
      orderType: z.enum(["asc", "desc"]).describe("`asc` or `desc`."),
    }).optional(),
    needTags: boolean("Whether the response has tags; false unless given.").optional(),
    ...offsetPaging(z.int()),
  },
  output: {
    totalCount: int("Number of matching nodes."),
    instanceSet: objects("The nodes.", {
      ...node,
      unschedulable: boolean("Whether no pods are scheduled on the node."),
      nodeType: string("`Regular`, `Native` or `External`."),
      native: object("Fields of native nodes.", {
        ...machine,
        lanIp: string("Internal address."),
        wanIp: string("Public address; empty: none."),
        keyIds: strings("Key pairs to log in with."),
        gpuParams: spelt("GPUParams", gpuParams.optional().describe("GPU drivers.")),
        dataDisks: toldDataDisks.describe("Data disks."),
        securityGroupIds: spelt("SecurityGroupIDs", strings("Security groups.")),
        vpcId: string("ID of its VPC."),
        subnetId: string("ID of its subnet."),
        osImage: string("Operating system."),
        machineType: string("`Native` or `NativeCVM`."),
        instanceId: string("ID of its instance."),
        tags: tags.describe("Tags, if they were asked for."),
      }).optional(),
      regular: object("Fields of regular nodes.", {
        instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of the node."),
        autoscalingGroupId: string("ID of its scaling group; empty: none."),
        tags: tags.describe("Tags, if they were asked for."),
      }).optional(),
      external: object("Fields of external nodes, which are outside of the cloud.", {
        name: string("Name of the machine."),
        cpu: spelt("CPU", int("Processor cores.")),
        memory: int("Memory in GB."),
        k8sVersion: string("Version of the kubelet."),
      }).optional(),
    }),
    errors: strings("Errors of the listing."),
  },
  errors: [...listingErrors, "ResourceUnavailable.ClusterState"],
  pages: { by: "offset", items: "instanceSet" },
}));

/** The specification mentions this query (Versioning 2); its action and fields are the public API's. */
export const describeGpuInfo = version2022.publicApiOperation("DescribeGPUInfo", () => ({
  summary: "Lists the GPU drivers that are available for an instance type.",
  input: {
    instanceType: string("Instance type with GPUs, such as `GN7.2XLARGE32`."),
    osName: string("Operating system of the instances; any unless given.").optional(),
  },
  output: { gpuParams: spelt("GPUParams", z.array(gpuParams).describe("Sets of compatible versions, newest first.")) },
  errors: ["InvalidParameter.Param"],
}));

export const describeOsImages = publicApiOperation("DescribeOSImages", () => ({
  summary: "Lists the public images that nodes of the region can have.",
  input: { filters: filters("Filters; the public API names none.") },
  output: {
    osImageSeriesSet: spelt(
      "OSImageSeriesSet",
      objects("The images.", {
        seriesName: string("Name of its series, such as `TencentOS Server 3.1 (TK4)`."),
        alias: string("Display name of its system."),
        osName: string("The system as `ClusterOs` and `NodePoolOs` take it, such as `ubuntu22.04x86_64`."),
        osCustomizeType: string("`GENERAL`, or `DOCKER_CUSTOMIZE`: its container runtime is adapted."),
        status: string("`online`: new nodes can have it; `offline`: only old ones have."),
        imageId: string("ID of the image, such as `img-00000001`."),
        arch: string("Architecture of its processors, such as `amd64`.").optional(),
      }),
    ),
    totalCount: int("Number of images.").optional(),
  },
  remoteErrors: ["FailedOperation"],
}));

const podLimit = (name: string, of: string) => spelt(name, int(`The most pods with ${of}.`).optional());

export const describeVpcCniPodLimits = publicApiOperation("DescribeVpcCniPodLimits", () => ({
  summary: "Lists how many pods a node can have in a VPC-CNI cluster, by instance type and zone.",
  input: {
    zone: string("Zone, such as `eu-frankfurt-1`; all zones unless given.").optional(),
    instanceFamily: string("Instance family, such as `S5`; all families unless given.").optional(),
    instanceType: string("Instance type, such as `S5.LARGE8`; all types unless given.").optional(),
  },
  output: {
    totalCount: int("Number of entries.").optional(),
    podLimitsInstanceSet: objects("The entries.", {
      zone: string("The zone."),
      instanceFamily: string("The instance family."),
      instanceType: string("The instance type."),
      podLimits: object("The most pods of a node, by type of network.", {
        routeEniNonStaticIp: podLimit("TKERouteENINonStaticIP", "shared network interfaces and changing IP addresses"),
        routeEniStaticIp: podLimit("TKERouteENIStaticIP", "shared network interfaces and static IP addresses"),
        directEni: podLimit("TKEDirectENI", "a network interface each"),
        subEni: podLimit("TKESubENI", "a trunked network interface each"),
      }),
    }),
  },
  errors: [],
}));
