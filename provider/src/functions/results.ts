// Written by `npm run fix` from the SDK's catalogue.

export interface ClusterRecordClusterNetworkSettings {
  /** CIDR block of pods and services; empty in VPC-CNI clusters. */
  readonly clusterCidr: string;
  /** Whether conflicts of that CIDR block were ignored. */
  readonly ignoreClusterCidrConflict: boolean;
  /** The most pods on a node. */
  readonly maxNodePodNum: number;
  /** The most services in the cluster. */
  readonly maxClusterServiceNum: number;
  /** Whether services use IPVS. */
  readonly ipvs: boolean;
  /** ID of the cluster's VPC. */
  readonly vpcId: string;
  /** Whether the network plugin is on. */
  readonly cni: boolean;
  /** How services are forwarded; empty: the platform's default. */
  readonly kubeProxyMode: string;
  /** CIDR block of services. */
  readonly serviceCidr: string;
  /** Subnets from which pods take addresses; of VPC-CNI clusters. */
  readonly subnets: string[];
  /** Whether conflicts of that CIDR block were ignored. */
  readonly ignoreServiceCidrConflict: boolean;
  /** Whether pods and services have IPv6 addresses too. */
  readonly isDualStack: boolean;
  /** IPv6 CIDR block of services; of dual-stack clusters. */
  readonly ipv6ServiceCidr: string | undefined;
  /** Mode of Cilium; empty: not used. */
  readonly ciliumMode: string;
  /** ID of the cluster's subnet. */
  readonly subnetId: string;
  /** Whether the second data plane is used. */
  readonly dataPlaneV2: boolean;
}

export interface TagRecord {
  /** Key of the tag. */
  readonly key: string;
  /** Value of the tag. */
  readonly value: string;
}

export interface ClusterRecordTagSpecification {
  /** Type of the tagged resources, such as `cluster` or `machine`. */
  readonly resourceType: string;
  /** The tags. */
  readonly tags: TagRecord[];
}

export interface LabelRecord {
  /** Name of the label: 1 to 63 characters, with or without a prefix such as `example.com/`. */
  readonly name: string;
  /** Value of the label, at most 63 characters. */
  readonly value: string;
}

export interface ClusterRecordSecurityModeConfig {
  /** Whether the security mode is on. */
  readonly enabled: boolean | undefined;
  /** Namespaces it applies to. */
  readonly namespaces: string[] | undefined;
  /** Labels of the objects it applies to. */
  readonly labels: LabelRecord[] | undefined;
}

export interface ClusterRecord {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** Name of the cluster. */
  readonly clusterName: string;
  /** Description of the cluster. */
  readonly clusterDescription: string;
  /** Kubernetes version, such as `1.32.2`. */
  readonly clusterVersion: string;
  /** Operating system of its nodes. */
  readonly clusterOs: string;
  /** `MANAGED_CLUSTER` or `INDEPENDENT_CLUSTER`. */
  readonly clusterType: string;
  /** Network of the cluster. */
  readonly clusterNetworkSettings: ClusterRecordClusterNetworkSettings;
  /** Nodes in the cluster. */
  readonly clusterNodeNum: number;
  /** Project of the cluster. */
  readonly projectId: number;
  /** Tags of the cluster. */
  readonly tagSpecification: ClusterRecordTagSpecification[];
  /** Status; `Abnormal`: its creation failed, and DescribeTasks (`create_cluster`) has the reason. */
  readonly clusterStatus:
    | "Trading"
    | "Creating"
    | "Running"
    | "Deleting"
    | "Idling"
    | "Recovering"
    | "Scaling"
    | "Upgrading"
    | "WaittingForConnect"
    | "Isolated"
    | "Pause"
    | "NodeUpgrading"
    | "RuntimeUpgrading"
    | "MasterScaling"
    | "ClusterLevelUpgrading"
    | "ResourceIsolate"
    | "ResourceIsolated"
    | "ResourceReverse"
    | "Abnormal";
  /** State as in DescribeClusterStatus; `Running` means healthy. */
  readonly clusterState:
    | "Creating"
    | "Running"
    | "Deleting"
    | "Upgrading"
    | "NodeUpgrading"
    | "RuntimeUpgrading"
    | "MasterScaling"
    | "ClusterLevelUpgrading"
    | "ClusterLevelTrading"
    | "Pause"
    | "Isolated"
    | "ResourceIsolate"
    | "ResourceIsolated"
    | "ResourceReverse"
    | "ResourceReversal"
    | "ResourceDestroy"
    | "ResourceDestroyed"
    | "Abnormal";
  /** State of all its nodes together; `AllNormal`: none has failed. */
  readonly clusterInstanceState: "AllNormal" | "AllAbnormal" | "PartialAbnormal";
  /** Whether the cluster is protected from deletion. */
  readonly clusterDeletionProtection: boolean;
  /** Public address; empty if no public endpoint is open. */
  readonly clusterExternalEndpoint: string;
  /** Internal address; empty if no internal endpoint is open. */
  readonly clusterIntranetEndpoint: string;
  /** Access domain of the cluster. */
  readonly domain: string;
  /** More attributes, a JSON object: `NodeNameType`, `NetworkType`, `VpcCniType`, `IsNonStaticIpMode`. */
  readonly property: string;
  /** Primary nodes (the platform's spelling). */
  readonly clusterMaterNodeNum: number;
  /** ID of a custom image of its nodes. */
  readonly imageId: string | undefined;
  /** `GENERAL` or `DOCKER_CUSTOMIZE`. */
  readonly osCustomizeType: string;
  /** `containerd` or `docker`. */
  readonly containerRuntime: string;
  /** Time of creation, ISO 8601. */
  readonly createdTime: string;
  /** Whether the cluster is protected from deletion. */
  readonly deletionProtection: boolean;
  /** Whether it takes external nodes. */
  readonly enableExternalNode: boolean;
  /** Level, such as `L5`: the number of nodes that it supports. */
  readonly clusterLevel: string;
  /** Whether the level is raised automatically. */
  readonly autoUpgradeClusterLevel: boolean;
  /** Whether GPUs are shared. */
  readonly qgpuShareEnable: boolean;
  /** Version of the container runtime. */
  readonly runtimeVersion: string;
  /** Nodes of etcd. */
  readonly clusterEtcdNodeNum: number;
  /** Dedicated zone of the cluster. */
  readonly cdcId: string | undefined;
  /** Whether it is in high-availability mode. */
  readonly isHighAvailability: boolean;
  /** Category of the cluster. */
  readonly clusterCategory: string | undefined;
  /** Security mode of the cluster. */
  readonly securityModeConfig: ClusterRecordSecurityModeConfig | undefined;
}

export interface ClusterStatusRecord {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** State; `Running` means healthy, `Abnormal`: DescribeTasks (`create_cluster`) has the reason. */
  readonly clusterState:
    | "Creating"
    | "Running"
    | "Deleting"
    | "Upgrading"
    | "NodeUpgrading"
    | "RuntimeUpgrading"
    | "MasterScaling"
    | "ClusterLevelUpgrading"
    | "ClusterLevelTrading"
    | "Pause"
    | "Isolated"
    | "ResourceIsolate"
    | "ResourceIsolated"
    | "ResourceReverse"
    | "ResourceReversal"
    | "ResourceDestroy"
    | "ResourceDestroyed"
    | "Abnormal";
  /** State of all nodes together; `AllNormal`: none has failed. */
  readonly clusterInstanceState: "AllNormal" | "AllAbnormal" | "PartialAbnormal";
  /** Whether it is monitored. */
  readonly clusterBMonitor: boolean;
  /** Number of initializing nodes. */
  readonly clusterInitNodeNum: number;
  /** Nodes running. */
  readonly clusterRunningNodeNum: number;
  /** Number of failed nodes. */
  readonly clusterFailedNodeNum: number;
  /** Number of nodes that are shut down. */
  readonly clusterClosedNodeNum: number;
  /** Number of nodes that are being removed. */
  readonly clusterClosingNodeNum: number;
  /** Whether the cluster is protected from deletion. */
  readonly clusterDeletionProtection: boolean;
  /** Whether the audit of the Kubernetes API is on. */
  readonly clusterAuditEnabled: boolean;
}

export interface InstanceSettingsRecordGpuArgsCuda {
  /** Name of the driver. */
  readonly name: string;
  /** Version of the driver. */
  readonly version: string;
}

export interface InstanceSettingsRecordGpuArgsCudnn {
  /** Name of cuDNN. */
  readonly name: string;
  /** Version of cuDNN. */
  readonly version: string;
  /** Name of its development package. */
  readonly devName: string | undefined;
  /** Name of its documentation package. */
  readonly docName: string | undefined;
}

export interface InstanceSettingsRecordGpuArgsCustomDriver {
  /** URL of the driver. */
  readonly address: string | undefined;
}

export interface InstanceSettingsRecordGpuArgsDriver {
  /** Name of the driver. */
  readonly name: string;
  /** Version of the driver. */
  readonly version: string;
}

export interface InstanceSettingsRecordGpuArgs {
  /** CUDA version. */
  readonly cuda: InstanceSettingsRecordGpuArgsCuda | undefined;
  /** cuDNN version. */
  readonly cudnn: InstanceSettingsRecordGpuArgsCudnn | undefined;
  /** A custom driver. */
  readonly customDriver: InstanceSettingsRecordGpuArgsCustomDriver | undefined;
  /** GPU driver version. */
  readonly driver: InstanceSettingsRecordGpuArgsDriver | undefined;
  /** Whether the GPU is split into instances (MIG). */
  readonly migEnable: boolean | undefined;
}

export interface TaintRecord {
  /** Key of the taint: 1 to 63 characters, with or without a prefix such as `example.com/`; once with each effect. */
  readonly key: string;
  /** Value of the taint, at most 63 characters. */
  readonly value: string;
  /** Effect on pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute. */
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

export interface InstanceSettingsRecordDataDisk {
  /** Type of the disk, such as `CLOUD_PREMIUM`. */
  readonly diskType: string;
  /** File system: ext3, ext4 or xfs. */
  readonly fileSystem: string;
  /** Size in GB; at least 50 is recommended. */
  readonly diskSize: number;
  /** Whether it is formatted and mounted. */
  readonly autoFormatAndMount: boolean;
  /** Mount point of the disk. */
  readonly mountTarget: string;
  /** Device or partition; required for an existing instance. */
  readonly diskPartition: string;
}

export interface InstanceSettingsRecordExtraArgs {
  /** Arguments of the kubelet, such as `max-pods=64`. */
  readonly kubelet: string[] | undefined;
}

export interface InstanceSettingsRecord {
  /** The most pods on the node; in the custom PodCIDR mode. */
  readonly desiredPodNumber: number | undefined;
  /** Drivers; only for GPU instance types. */
  readonly gpuArgs: InstanceSettingsRecordGpuArgs | undefined;
  /** Script run before the node is initialized, base64. */
  readonly preStartUserScript: string | undefined;
  /** Script run after the node's Kubernetes components have started, base64. */
  readonly userScript: string | undefined;
  /** Taints of the node. */
  readonly taints: TaintRecord[] | undefined;
  /** Labels of the node. */
  readonly labels: LabelRecord[] | undefined;
  /** 1: no pods are scheduled on the node. 0, the default: they are. */
  readonly unschedulable: number | undefined;
  /** Directory of container images; `/var/lib/docker` unless given. */
  readonly dockerGraphPath: string | undefined;
  /** Mount point of the data disk; not mounted unless given. */
  readonly mountTarget: string | undefined;
  /** Data disks and their mount points. */
  readonly dataDisks: InstanceSettingsRecordDataDisk[] | undefined;
  /** Arguments of the node's Kubernetes components. */
  readonly extraArgs: InstanceSettingsRecordExtraArgs | undefined;
}

export interface NodeRecord {
  /** ID of the node's instance, such as `ins-77aa0b1c`. */
  readonly instanceId: string;
  /** Role of the node, such as `WORKER`. */
  readonly instanceRole: string;
  /** Reason of a failure; empty: none. */
  readonly failedReason: string;
  /** State of the node. */
  readonly instanceState: "initializing" | "running" | "failed";
  /** Time when it was added, ISO 8601. */
  readonly createdTime: string;
  /** Internal address. */
  readonly lanIp: string;
  /** ID of its node pool; empty: none. */
  readonly nodePoolId: string;
  /** `draining` while pods are moved off the node; otherwise empty. */
  readonly drainStatus: string;
  /** Settings of the node. */
  readonly instanceAdvancedSettings: InstanceSettingsRecord;
  /** ID of its scaling group; empty: none. */
  readonly autoscalingGroupId: string;
}

export interface AnnotationRecord {
  /** Name of the annotation: 1 to 63 characters, with or without a prefix such as `example.com/`. */
  readonly name: string;
  /** Value of the annotation, any text. */
  readonly value: string;
}

export interface NodePoolRecordTag {
  /** Type of the tagged resources, such as `cluster` or `machine`. */
  readonly resourceType: string;
  /** The tags. */
  readonly tags: TagRecord[];
}

export interface NodePoolRecordNativeScaling {
  /** The fewest nodes. */
  readonly minReplicas: number | undefined;
  /** The most nodes; not below `MinReplicas`. */
  readonly maxReplicas: number | undefined;
  /** `ZoneEquality`, the default, spreads nodes over the subnets; `ZonePriority` fills the first one first. */
  readonly createPolicy: "ZoneEquality" | "ZonePriority" | undefined;
  /** How nodes are removed when the node pool is scaled down. */
  readonly scaleDownMode: string | undefined;
}

export interface NodePoolRecordNativeUpgradeSettingsUpgradeOptions {
  /** Start time, such as `02:00`. */
  readonly autoUpgradeStartTime: string | undefined;
  /** Duration, such as `2h`. */
  readonly duration: string | undefined;
  /** Days of the week. */
  readonly weeklyPeriod: string[] | undefined;
}

export interface NodePoolRecordNativeUpgradeSettingsMaxUnavailable {
  /** 0: a number, 1: text. */
  readonly type: number;
  /** The number. */
  readonly intVal: number | undefined;
  /** The text, such as `20%`. */
  readonly strVal: string | undefined;
}

export interface NodePoolRecordNativeUpgradeSettings {
  /** Whether nodes are upgraded automatically. */
  readonly autoUpgrade: boolean | undefined;
  /** Maintenance window of the upgrades. */
  readonly upgradeOptions: NodePoolRecordNativeUpgradeSettingsUpgradeOptions | undefined;
  /** Components that are upgraded. */
  readonly components: string[] | undefined;
  /** The most nodes that may be unavailable during an upgrade. */
  readonly maxUnavailable: NodePoolRecordNativeUpgradeSettingsMaxUnavailable | undefined;
}

export interface NodePoolRecordNativeInstanceChargePrepaid {
  /** Number of prepaid months: 1 to 12, 24, 36, 48 or 60. */
  readonly period: number;
  /** Renewal at the end of the period; `NOTIFY_AND_MANUAL_RENEW` unless given. */
  readonly renewFlag: "NOTIFY_AND_AUTO_RENEW" | "NOTIFY_AND_MANUAL_RENEW" | "DISABLE_NOTIFY_AND_MANUAL_RENEW" | undefined;
}

export interface NodePoolRecordNativeSystemDisk {
  /** Type of the disk, such as `CLOUD_PREMIUM`. */
  readonly diskType: string;
  /** Size in GB; 0: not known. */
  readonly diskSize: number;
  /** Whether it is formatted and mounted. */
  readonly autoFormatAndMount: boolean | undefined;
  /** File system: ext3, ext4 or xfs. */
  readonly fileSystem: string | undefined;
  /** Mount point of the disk. */
  readonly mountTarget: string | undefined;
  /** ID of the disk. */
  readonly diskId: string | undefined;
  /** `ENCRYPT`: it is encrypted. */
  readonly encrypt: string | undefined;
  /** ID of a custom encryption key. */
  readonly kmsKeyId: string | undefined;
}

export interface NodePoolRecordNativeManagement {
  /** Name servers. */
  readonly nameservers: string[] | undefined;
  /** Lines of the hosts file. */
  readonly hosts: string[] | undefined;
  /** Kernel parameters, each such as `net.core.somaxconn=1024`. */
  readonly kernelArgs: string[] | undefined;
}

export interface NodePoolRecordNativeLifecycle {
  /** Script run before a node is initialized. */
  readonly preInit: string | undefined;
  /** Script run after a node is initialized. */
  readonly postInit: string | undefined;
}

export interface NodePoolRecordNativeInternetAccessible {
  /** Outgoing bandwidth, Mbit/s. */
  readonly maxBandwidthOut: number;
  /** How it is charged. */
  readonly chargeType: string;
  /** ID of a bandwidth package. */
  readonly bandwidthPackageId: string | undefined;
}

export interface NodePoolRecordNativeDataDisk {
  /** Type of the disk, such as `CLOUD_PREMIUM`. */
  readonly diskType: string;
  /** File system: ext3, ext4 or xfs. */
  readonly fileSystem: string;
  /** Size in GB; 0: not known. */
  readonly diskSize: number;
  /** Whether it is formatted and mounted. */
  readonly autoFormatAndMount: boolean;
  /** Device or partition. */
  readonly diskPartition: string | undefined;
  /** Mount point of the disk. */
  readonly mountTarget: string | undefined;
  /** `ENCRYPT`: it is encrypted. */
  readonly encrypt: string | undefined;
  /** ID of a custom encryption key. */
  readonly kmsKeyId: string | undefined;
  /** ID of the snapshot from which it is created. */
  readonly snapshotId: string | undefined;
  /** Additional throughput, MB/s. */
  readonly throughputPerformance: number | undefined;
}

export interface NodePoolRecordNativeGpuConfigGpuParams {
  /** GPU driver version. */
  readonly driver: string | undefined;
  /** CUDA version. */
  readonly cuda: string | undefined;
  /** cuDNN version. */
  readonly cudnn: string | undefined;
  /** Whether the GPU is split into instances (MIG). */
  readonly migEnable: boolean | undefined;
  /** Whether the fabric manager runs. */
  readonly fabric: boolean | undefined;
  /** URL of a custom driver. */
  readonly customGpuDriver: string | undefined;
}

export interface NodePoolRecordNativeGpuConfig {
  /** Type of instance. */
  readonly instanceType: string;
  /** Drivers of that type. */
  readonly gpuParams: NodePoolRecordNativeGpuConfigGpuParams;
}

export interface NodePoolRecordNative {
  /** Bounds of the number of nodes. */
  readonly scaling: NodePoolRecordNativeScaling;
  /** Subnets of the nodes. */
  readonly subnetIds: string[];
  /** Security groups of the nodes. */
  readonly securityGroupIds: string[];
  /** Automatic upgrade of the nodes. */
  readonly upgradeSettings: NodePoolRecordNativeUpgradeSettings | undefined;
  /** Whether broken nodes are repaired. */
  readonly autoRepair: boolean;
  /** How nodes are charged. */
  readonly instanceChargeType: "POSTPAID_BY_HOUR" | "PREPAID";
  /** Prepaid period of the nodes; with `PREPAID`. */
  readonly instanceChargePrepaid: NodePoolRecordNativeInstanceChargePrepaid | undefined;
  /** System disk of the nodes. */
  readonly systemDisk: NodePoolRecordNativeSystemDisk;
  /** Key pairs to log in with. */
  readonly keyIds: string[];
  /** Name servers, hosts and kernel parameters of the nodes. */
  readonly management: NodePoolRecordNativeManagement | undefined;
  /** Name of the rule that finds broken nodes; empty: none. */
  readonly healthCheckPolicyName: string;
  /** Pattern of the nodes' host names; empty: the platform's. */
  readonly hostNamePattern: string;
  /** Arguments of the kubelet. */
  readonly kubeletArgs: string[];
  /** Scripts run around the initialization of a node. */
  readonly lifecycle: NodePoolRecordNativeLifecycle | undefined;
  /** Data directory of the container runtime. */
  readonly runtimeRootDir: string;
  /** Whether the platform scales the node pool within `Scaling`. */
  readonly enableAutoscaling: boolean;
  /** Types of instance, in order of preference. */
  readonly instanceTypes: string[];
  /** Desired number of nodes. */
  readonly replicas: number;
  /** Number of running nodes. */
  readonly readyReplicas: number;
  /** Public bandwidth of the nodes; absent: none. */
  readonly internetAccessible: NodePoolRecordNativeInternetAccessible | undefined;
  /** Data disks of the nodes. */
  readonly dataDisks: NodePoolRecordNativeDataDisk[];
  /** `Native` or `NativeCVM`. */
  readonly machineType: string;
  /** ID of a custom image; empty: the platform's. */
  readonly customImage: string;
  /** GPU drivers by type of instance. */
  readonly gpuConfigs: NodePoolRecordNativeGpuConfig[] | undefined;
  /** Whether the automation service runs on the nodes. */
  readonly automationService: boolean | undefined;
}

export interface NodePoolRecordRegularNodeCountSummaryManuallyAdded {
  /** Nodes being added. */
  readonly joining: number;
  /** Nodes being initialized. */
  readonly initializing: number;
  /** Running nodes. */
  readonly normal: number;
  /** All nodes. */
  readonly total: number;
}

export interface NodePoolRecordRegularNodeCountSummaryAutoscalingAdded {
  /** Nodes being added. */
  readonly joining: number;
  /** Nodes being initialized. */
  readonly initializing: number;
  /** Running nodes. */
  readonly normal: number;
  /** All nodes. */
  readonly total: number;
}

export interface NodePoolRecordRegularNodeCountSummary {
  /** Nodes added by hand. */
  readonly manuallyAdded: NodePoolRecordRegularNodeCountSummaryManuallyAdded;
  /** Nodes that the node pool created. */
  readonly autoscalingAdded: NodePoolRecordRegularNodeCountSummaryAutoscalingAdded;
}

export interface NodePoolRecordRegular {
  /** ID of its launch configuration. */
  readonly launchConfigurationId: string;
  /** ID of its scaling group. */
  readonly autoscalingGroupId: string;
  /** Number of its nodes. */
  readonly nodeCountSummary: NodePoolRecordRegularNodeCountSummary;
  /** `enabled` or `disabled`: whether it scales automatically. */
  readonly autoscalingGroupStatus: string;
  /** The most nodes. */
  readonly maxNodesNum: number;
  /** The fewest nodes. */
  readonly minNodesNum: number;
  /** Desired number of nodes. */
  readonly desiredNodesNum: number;
  /** Operating system of its nodes. */
  readonly nodePoolOs: string;
  /** Settings of its nodes. */
  readonly instanceAdvancedSettings: InstanceSettingsRecord | undefined;
}

export interface NodePoolRecordExternalRuntimeConfig {
  /** Container runtime. */
  readonly runtimeType: string;
  /** Its version. */
  readonly runtimeVersion: string;
}

export interface NodePoolRecordExternal {
  /** Container runtime of its nodes. */
  readonly runtimeConfig: NodePoolRecordExternalRuntimeConfig;
  /** Number of its nodes. */
  readonly nodesNum: number;
}

export interface NodePoolRecord {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** ID of the node pool, such as `np-3f8a0c1e`. */
  readonly nodePoolId: string;
  /** Name of the node pool. */
  readonly name: string;
  /** `Native`; `Regular` for a node pool of 2018-05-25, whose nodes a scaling group creates; `External` for a node pool of servers outside of the cloud. */
  readonly type: string;
  /** State; `Abnormal`: its creation failed, and DescribeTasks (`create_node_pool`) has the reason. */
  readonly lifeState: "Creating" | "Running" | "Updating" | "Deleting" | "Abnormal";
  /** Labels of its nodes. */
  readonly labels: LabelRecord[];
  /** Taints of its nodes. */
  readonly taints: TaintRecord[];
  /** Annotations of its nodes. */
  readonly annotations: AnnotationRecord[];
  /** Tags of its nodes. */
  readonly tags: NodePoolRecordTag[];
  /** Whether it is protected from deletion. */
  readonly deletionProtection: boolean;
  /** Whether no pods are scheduled on new nodes. */
  readonly unschedulable: boolean;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Settings of native node pools. */
  readonly native: NodePoolRecordNative | undefined;
  /** Settings of regular node pools. */
  readonly regular: NodePoolRecordRegular | undefined;
  /** Settings of external node pools. */
  readonly external: NodePoolRecordExternal | undefined;
}

export interface PermissionRecord {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** The preset role, or the name of a Role or ClusterRole that is in the cluster. */
  readonly roleName: string;
  /** `cluster`: valid in the whole cluster. `namespace`: valid in one namespace. */
  readonly roleType: "cluster" | "namespace";
  /** Namespace, if the type is `namespace`; empty if it is `cluster`. */
  readonly namespace: string;
}

export interface TaskRecord {
  /** State; `aborted`: it failed or was stopped. */
  readonly lifeState: "process" | "pause" | "pausing" | "paused" | "done" | "abort" | "aborted" | "resume";
  /** ID of the resource that it changes: a cluster or a node pool. */
  readonly targetObj: string;
  /** Parameters, a JSON object. */
  readonly param: string;
  /** Type of task. */
  readonly taskType: string;
  /** Reason of a failure; empty: none. */
  readonly lastError: string;
  /** ID of the cluster. */
  readonly clusterId: string;
  /** Time when it began, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change of its state, ISO 8601. */
  readonly updatedAt: string;
  /** ID of the task: the request ID of the call that began it. */
  readonly taskId: string;
}

export interface RegionRecord {
  /** Name of the region, such as `eu-frankfurt`. */
  readonly regionName: string;
  /** Number of the region. */
  readonly regionId: number;
  /** `alluser`: open to all. */
  readonly status: string;
  /** Features of the region, a JSON object. */
  readonly featureGates: string;
  /** Short name. */
  readonly alias: string;
  /** Remark. */
  readonly remark: string;
}

export interface OsImageRecord {
  /** Name of its series, such as `TencentOS Server 3.1 (TK4)`. */
  readonly seriesName: string;
  /** Display name of its system. */
  readonly alias: string;
  /** The system as `ClusterOs` and `NodePoolOs` take it, such as `ubuntu22.04x86_64`. */
  readonly osName: string;
  /** `GENERAL`, or `DOCKER_CUSTOMIZE`: its container runtime is adapted. */
  readonly osCustomizeType: string;
  /** `online`: new nodes can have it; `offline`: only old ones have. */
  readonly status: string;
  /** ID of the image, such as `img-00000001`. */
  readonly imageId: string;
  /** Architecture of its processors, such as `amd64`. */
  readonly arch: string | undefined;
}

export interface ZoneRecord {
  /** Name of the zone, such as `eu-frankfurt-1`. */
  readonly zone: string;
  /** Display name of the zone. */
  readonly zoneName: string | undefined;
  /** Number of the zone, as text. */
  readonly zoneId: string | undefined;
  /** `AVAILABLE` when usable, otherwise `UNAVAILABLE`. */
  readonly zoneState: string;
}

export interface KeyPairRecord {
  /** ID of the key pair, such as `skey-4c1d9e20`. */
  readonly keyId: string;
  /** Name of the key pair. */
  readonly keyName: string;
  /** Project of the key pair. */
  readonly projectId: number | undefined;
  /** Description of the key pair. */
  readonly description: string | undefined;
  /** The public key, in OpenSSH format. */
  readonly publicKey: string | undefined;
  /** IDs of the instances that accept it. */
  readonly associatedInstanceIds: string[] | undefined;
  /** Time of creation, ISO 8601. */
  readonly createdTime: string | undefined;
  /** Tags of the key pair. */
  readonly tags: TagRecord[] | undefined;
}

export interface InstanceTypeRecord {
  /** Availability zone. */
  readonly zone: string;
  /** Type of instance, such as `SA5.MEDIUM4`. */
  readonly instanceType: string;
  /** How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`. */
  readonly instanceChargeType: string;
  /** Kind of network card; 25: one of 25 Gbit/s. */
  readonly networkCard: number | undefined;
  /** Cores. */
  readonly cpu: number;
  /** Memory, GB. */
  readonly memory: number;
  /** Family, such as `SA5`. */
  readonly instanceFamily: string;
  /** Display name of the family. */
  readonly typeName: string;
  /** `SELL`: to be had; `SOLD_OUT`: not now. */
  readonly status: string;
  /** Why it is not to be had. */
  readonly soldOutReason: string | undefined;
  /** Private bandwidth, Gbit/s. */
  readonly instanceBandwidth: number | undefined;
  /** The most packets per second, in units of 10,000. */
  readonly instancePps: number | undefined;
  /** Number of local disks. */
  readonly storageBlockAmount: number | undefined;
  /** Model of its processors. */
  readonly cpuType: string | undefined;
  /** Number of GPUs. */
  readonly gpu: number;
  /** Number of FPGAs. */
  readonly fpga: number | undefined;
  /** Remark. */
  readonly remark: string | undefined;
  /** Physical GPUs; below 1: a part of one. */
  readonly gpuCount: number | undefined;
  /** Clock rate of its processors. */
  readonly frequency: string | undefined;
  /** How many there are, such as `EnoughStock`. */
  readonly statusCategory: string | undefined;
}

export interface DiskTypeRecord {
  /** Whether new disks can be had. */
  readonly available: boolean;
  /** How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`. */
  readonly diskChargeType: string;
  /** Availability zone. */
  readonly zone: string;
  /** Family of instances that it can be attached to; for `INQUIRY_CVM_CONFIG`. */
  readonly instanceFamily: string | undefined;
  /** Type of the disk, such as `CLOUD_PREMIUM`. */
  readonly diskType: string;
  /** Sizes are multiples of it, GB. */
  readonly stepSize: number | undefined;
  /** Least and most of the additional throughput, MB/s. */
  readonly extraPerformanceRange: number[] | undefined;
  /** Model of instance; for `INQUIRY_CVM_CONFIG`. */
  readonly deviceClass: string | undefined;
  /** Usage of the disk: `SYSTEM_DISK` or `DATA_DISK`. */
  readonly diskUsage: "SYSTEM_DISK" | "DATA_DISK";
  /** The smallest size, GB. */
  readonly minDiskSize: number;
  /** The largest size, GB. */
  readonly maxDiskSize: number;
}

export interface VpcRecordIpv6CidrBlock {
  /** The CIDR block, a /56. */
  readonly ipv6CidrBlock: string;
  /** Network operator. */
  readonly ispType: string;
  /** `GUA`: global unicast. `ULA`: unique local. */
  readonly addressType: string;
}

export interface VpcRecordAssistantCidr {
  /** ID of the VPC, such as `vpc-3f8a0c1e`. */
  readonly vpcId: string;
  /** The CIDR block. */
  readonly cidrBlock: string;
  /** Type of the CIDR block: 0 is a common CIDR block, 1 a CIDR block for containers. */
  readonly assistantType: number;
}

export interface VpcRecord {
  /** ID of the VPC, such as `vpc-3f8a0c1e`. */
  readonly vpcId: string;
  /** Name of the VPC. */
  readonly vpcName: string;
  /** IPv4 CIDR block of the VPC. */
  readonly cidrBlock: string;
  /** IPv6 CIDR block of the VPC, a /56; absent if none is assigned. */
  readonly ipv6CidrBlock: string | undefined;
  /** The IPv6 CIDR block with its attributes; empty if none is assigned. */
  readonly ipv6CidrBlockSet: VpcRecordIpv6CidrBlock[] | undefined;
  /** Whether it is the account's default VPC. */
  readonly isDefault: boolean;
  /** Whether multicast is on. */
  readonly enableMulticast: boolean | undefined;
  /** Addresses of the DNS servers. */
  readonly dnsServerSet: string[];
  /** DHCP domain name; empty if none was given. */
  readonly domainName: string | undefined;
  /** ID of its DHCP options; empty: the default ones. */
  readonly dhcpOptionsId: string | undefined;
  /** Whether DHCP is on. */
  readonly enableDhcp: boolean | undefined;
  /** More IPv4 CIDR blocks of the VPC; always empty on the emulator. */
  readonly assistantCidrSet: VpcRecordAssistantCidr[] | undefined;
  /** Whether IPv4 routes are published by the VPC's CIDR block rather than by subnet. */
  readonly enableRouteVpcPublish: boolean | undefined;
  /** Whether IPv6 routes are published by the VPC's CIDR block rather than by subnet. */
  readonly enableRouteVpcPublishIpv6: boolean;
  /** Time of creation, ISO 8601. */
  readonly createdTime: string;
  /** Tags of the VPC. */
  readonly tagSet: TagRecord[];
}

export interface SubnetRecord {
  /** ID of the VPC, such as `vpc-3f8a0c1e`. */
  readonly vpcId: string;
  /** ID of the subnet, such as `subnet-5d20b7c4`. */
  readonly subnetId: string;
  /** Name of the subnet. */
  readonly subnetName: string;
  /** IPv4 CIDR block of the subnet. */
  readonly cidrBlock: string;
  /** IPv6 CIDR block of the subnet, a /64; absent if none is assigned. */
  readonly ipv6SubnetCidrBlock: string | undefined;
  /** The same as `Ipv6SubnetCidrBlock`, as the public API names it. */
  readonly ipv6CidrBlock: string | undefined;
  /** Whether it is the account's default subnet. */
  readonly isDefault: boolean | undefined;
  /** Whether broadcast is on. */
  readonly enableBroadcast: boolean | undefined;
  /** Availability zone of the subnet. */
  readonly zone: string;
  /** ID of the route table, such as `rtb-91c3e07a`. */
  readonly routeTableId: string | undefined;
  /** ID of its network ACL; empty: none. */
  readonly networkAclId: string | undefined;
  /** Whether it is a pool of addresses for the SNAT of another VPC. */
  readonly isRemoteVpcSnat: boolean | undefined;
  /** ID of the dedicated host cluster of the subnet; empty: none. */
  readonly cdcId: string | undefined;
  /** 1: it is on a dedicated host cluster. 0: it is not. */
  readonly isCdcSubnet: number | undefined;
  /** Time of creation, ISO 8601. */
  readonly createdTime: string;
  /** Number of free IPv4 addresses. */
  readonly availableIpAddressCount: number;
  /** Number of usable IPv4 addresses: all but those of the network, the gateway and broadcasts. */
  readonly totalIpAddressCount: number | undefined;
  /** Tags of the subnet. */
  readonly tagSet: TagRecord[];
}

export interface SecurityGroupRecord {
  /** ID of the security group, such as `sg-0b6e4f2d`. */
  readonly securityGroupId: string;
  /** Name of the group. */
  readonly groupName: string;
  /** Description of the group. */
  readonly groupDescription: string;
  /** The same as `GroupName`, as the public API names it. */
  readonly securityGroupName: string | undefined;
  /** The same as `GroupDescription`, as the public API names it. */
  readonly securityGroupDesc: string | undefined;
  /** Project of the group. */
  readonly projectId: string | undefined;
  /** Whether it is the account's default group, which cannot be deleted. */
  readonly isDefault: boolean | undefined;
  /** Time of creation, ISO 8601. */
  readonly createdTime: string | undefined;
  /** Time of the last change of the group or its rules, ISO 8601. */
  readonly updateTime: string | undefined;
  /** Tags of the group. */
  readonly tagSet: TagRecord[] | undefined;
}

export interface RegistryRecordTagSpecification {
  /** Type of the tagged resource; `instance` unless given. */
  readonly resourceType: string;
  /** The tags, at most 50. */
  readonly tags: TagRecord[];
}

export interface RegistryRecord {
  /** ID of the registry, such as `tcr-3f8a0c1e`. */
  readonly registryId: string;
  /** Name of the registry. */
  readonly registryName: string;
  /** Edition: `basic`, `standard` or `premium`. */
  readonly registryType: "basic" | "standard" | "premium";
  /** Status; `Running` means usable. */
  readonly status:
    | "Pending"
    | "Deploying"
    | "Running"
    | "Unhealthy"
    | "FailedCreated"
    | "FailedUpdated"
    | "Bucket-Error"
    | "Isolate"
    | "Deleting"
    | "DeleteBucketFailed"
    | "DeleteFailed";
  /** Public domain; it responds only while the public endpoint is open. */
  readonly publicDomain: string;
  /** Address of the internal access; empty if no VPC is connected. It only proves the connection: images are not pulled from it. */
  readonly internalEndpoint: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Region of the registry. */
  readonly regionName: string;
  /** Number of that region. */
  readonly regionId: number;
  /** Whether images of public namespaces may be pulled without a token. */
  readonly enableAnonymous: boolean;
  /** How long a temporary token is valid, in seconds. */
  readonly tokenValidTime: number;
  /** Tags of the registry. */
  readonly tagSpecification: RegistryRecordTagSpecification;
  /** End of the prepaid period, ISO 8601; of prepaid registries. */
  readonly expiredAt: string | undefined;
  /** 0: charged by use. 1: prepaid. */
  readonly payMod: number;
  /** Renewal at the end of the prepaid period; of prepaid registries. */
  readonly renewFlag: number | undefined;
  /** Whether the registry is protected from deletion. */
  readonly deletionProtection: boolean;
  /** Whether it also stores AI models. */
  readonly aiFeature: boolean | undefined;
  /** Whether its storage bucket spans several zones. */
  readonly enableCosMaz: boolean;
  /** Whether its storage bucket keeps older versions of objects. */
  readonly enableCosVersioning: boolean;
}

export interface NamespaceRecordTagSpecification {
  /** Type of the tagged resource; `instance` unless given. */
  readonly resourceType: string;
  /** The tags, at most 50. */
  readonly tags: TagRecord[];
}

export interface NamespaceRecordCveWhitelistItem {
  /** Number of a vulnerability, such as `CVE-2026-12345`. */
  readonly cveId: string;
}

export interface NamespaceRecord {
  /** Name of the namespace. */
  readonly namespaceName: string;
  /** The same as `NamespaceName`, as the public API names it. */
  readonly name: string;
  /** Time of creation, ISO 8601. */
  readonly creationTime: string;
  /** Whether everyone may pull its images. */
  readonly isPublic: boolean;
  /** The same as `IsPublic`, as the public API names it. */
  readonly public: boolean;
  /** Number of the namespace. */
  readonly namespaceId: number;
  /** Tags of the namespace. */
  readonly tagSpecification: NamespaceRecordTagSpecification;
  /** More settings, in the registry's own form. */
  readonly metadata: TagRecord[];
  /** Vulnerabilities that are ignored. */
  readonly cveWhitelistItems: NamespaceRecordCveWhitelistItem[];
  /** Whether images are scanned when they are pushed. */
  readonly autoScan: boolean;
  /** Whether vulnerable images cannot be pulled. */
  readonly preventVul: boolean;
  /** Images with vulnerabilities of this severity or higher cannot be pulled: `low`, `medium`, `high`; empty: nothing is blocked. */
  readonly severity: string;
}

export interface RepositoryRecord {
  /** Name of the repository with its namespace, `<namespace>/<name>`, such as `team/web`. */
  readonly name: string;
  /** Name of the namespace. */
  readonly namespace: string;
  /** Time of creation, ISO 8601. */
  readonly creationTime: string;
  /** Whether everyone may pull its images. */
  readonly public: boolean;
  /** Description of the repository. */
  readonly description: string;
  /** Description of the repository in a few words. */
  readonly briefDescription: string;
  /** Time of the last change of the repository or an image of it, ISO 8601. */
  readonly updateTime: string;
}

export interface ImageRecord {
  /** Digest of the image, `sha256:` and 64 digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly size: number;
  /** Version of the image, such as `1.4.2`. */
  readonly imageVersion: string;
  /** Time of the push, ISO 8601. */
  readonly updateTime: string;
  /** Type of artifact: `docker-image`. */
  readonly kind: string;
  /** Signature with a key of the platform; empty: none. */
  readonly kmsSignature: string;
}

export interface EventRecordResources {
  /** Product of the resources. */
  readonly resourceType: string;
  /** IDs and names of the resources, separated by commas: those of the call, and for a write also those of the response. */
  readonly resourceName: string;
}

export interface EventRecord {
  /** ID of the event. */
  readonly eventId: string;
  /** The operation, such as `CreateVpc`. */
  readonly eventName: string;
  /** Time of the call, ISO 8601. */
  readonly eventTime: string;
  /** Caller: name of the account or sub-account. */
  readonly username: string;
  /** The `RequestId` of the response. */
  readonly requestId: string;
  /** The product that was called. */
  readonly eventSource: string | undefined;
  /** The region that was called. */
  readonly eventRegion: string | undefined;
  /** Region of the resources: the one that was called, unless the call named another; the call is found there. */
  readonly resourceRegion: string | undefined;
  /** The resources that the call was about. */
  readonly resources: EventRecordResources;
  /** 0 if the call succeeded, 1 if it was rejected. */
  readonly errorCode: number | undefined;
  /** Error code of a rejected call, such as `ResourceInUse`; empty if the call succeeded. */
  readonly apiErrorCode: string | undefined;
  /** ID of the main account. */
  readonly accountId: number | undefined;
  /** The whole event, as JSON text. */
  readonly cloudAuditEvent: string | undefined;
}
