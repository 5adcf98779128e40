import * as cluster from "../../catalogue/cluster.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { type Difference, differs, type Whole } from "../rule.ts";

/** The codes of a missing cluster or pool, for operations whose list does not have `ResourceNotFound`. */
const noCluster = { codes: { ResourceNotFound: "ResourceNotFound.ClusterNotFound" } } as const;
const noRecord = { codes: { ResourceNotFound: "InternalError.DbRecordNotFound" } } as const;

/** What differs in the settings of new nodes, which several operations take. */

/** The vendor's own clients send these settings without fields that its pages call required. */
const leftOut = { optional: "the vendor's clients leave it out" } as const;

const emptyText = { ...leftOut, absent: "" } as const;

const mountedDisks = { fields: { fileSystem: emptyText, mountTarget: emptyText, diskPartition: emptyText } } as const;

const advanced = {
  fields: { desiredPodNumber: leftOut, gpuArgs: leftOut, preStartUserScript: leftOut, taints: leftOut, dataDisks: mountedDisks },
} as const;

const newNodes = {
  runInstancesForNode: { fields: { instanceAdvancedSettingsOverrides: advanced } },
  runInstancePara: { there: false, instead: "RunInstancesForNode" },
  instanceAdvancedSettings: advanced,
  existedInstancesForNode: {
    fields: {
      existedInstancesPara: { fields: { instanceAdvancedSettings: advanced } },
      instanceAdvancedSettingsOverride: advanced,
    },
  },
} as const;

const none = { absent: [] } as const;
const empty = { absent: "" } as const;

const fields = { useServiceDefault: { there: "UseTKEDefault" } } as const;
const defaultIssuer = "https://kubernetes.default.svc.cluster.local";
const issuer: Whole = {
  says: `\`Issuer\` \`${defaultIssuer}\` is the default of the platform`,
  here: ({ Issuer, JWKSURI, ...options }) =>
    Issuer === defaultIssuer
      ? { ...options, UseServiceDefault: true }
      : { ...options, ...(Issuer !== undefined && { Issuer }), ...(JWKSURI !== undefined && { JWKSURI }) },
};

/** All four lists are told, unless none is set. */
const argumentLists: Whole = {
  says: "each of the four lists, if one is not empty",
  there: (lists) => (Object.keys(lists).length === 0 ? lists : { ...noArguments, ...lists }),
};
const noArguments: JsonObject = { Etcd: [], KubeAPIServer: [], KubeControllerManager: [], KubeScheduler: [] };

const roleName = { prefix: ["svc:", "tke:"] } as const;
const grants = { permissions: { fields: { roleName } } } as const;

const off = { absent: false } as const;
const zero = { absent: 0 } as const;
const notTold = { there: false } as const;
/** DescribeClusterStatus and DescribeClusterEndpoints tell these. */
const toldElsewhere = { ...notTold, ...empty } as const;

const decoded = { decoded: true } as const;

const pausing = { values: { pausing: "pauing" } } as const;
const native = { fields: { dataDisks: { fields: { diskPartition: leftOut } } } } as const;

/** Disks of a native node or pool; their sizes and types may be absent. */
const disks = {
  absent: [],
  fields: { diskType: empty, fileSystem: empty, diskSize: zero, autoFormatAndMount: off },
} as const;

/** Of the settings of regular nodes, these are not answered. */
const regularSettings = {
  fields: {
    gpuArgs: notTold,
    taints: notTold,
    labels: notTold,
    unschedulable: notTold,
    dockerGraphPath: notTold,
    mountTarget: notTold,
    dataDisks: notTold,
  },
} as const;

const counts = { absent: {}, fields: { joining: zero, initializing: zero, normal: zero, total: zero } } as const;

const time = { time: "UTC" } as const;

const machine = {
  createdAt: { time: "zoneless" },
  loginStatus: empty,
  isProtectedFromScaleIn: off,
  displayName: empty,
  gpu: zero,
  expiredTime: empty,
} as const;

/** The pools of 2018 tell neither their type nor native settings: native pools are not among them. */
const pool2018 = {
  fields: {
    type: { ...notTold, ...empty },
    native: notTold,
    runtimeConfig: { absent: {}, fields: { runtimeType: empty, runtimeVersion: empty } },
    tags: none,
    dataDisks: none,
  },
} as const;

export const clusterDifferences: readonly Difference[] = [
  differs(cluster.createCluster, {
    ...noRecord,
    request: {
      vpcId: { into: "clusterBasicSettings", instead: "ClusterBasicSettings.VpcId" },
      subnetId: { into: "clusterBasicSettings", instead: "ClusterBasicSettings.SubnetId" },
      clusterType: { usual: "MANAGED_CLUSTER" },
      clusterCidrSettings: { usual: {} },
      ...newNodes,
      instanceDataDiskMountSettings: { fields: { dataDisks: { ...mountedDisks, ...leftOut, ...none } } },
    },
  }),
  differs(cluster.describeClusters, {
    answer: {
      clusters: {
        fields: {
          // The published example has null for the first of these four, and lacks the others.
          clusterNetworkSettings: { fields: { subnets: none, subnetId: empty, dataPlaneV2: off } },
          isHighAvailability: off,
          tagSpecification: { absent: [], fields: { tags: none } },
          clusterState: { same: "clusterStatus" },
          clusterInstanceState: toldElsewhere,
          clusterDeletionProtection: { same: "deletionProtection" },
          clusterExternalEndpoint: toldElsewhere,
          clusterIntranetEndpoint: toldElsewhere,
          domain: toldElsewhere,
        },
      },
    },
  }),
  differs(cluster.modifyClusterTags, { answer: { tags: none } }),
  differs(cluster.describeTasks, {
    answer: {
      tasks: {
        fields: {
          lifeState: empty,
          targetObj: empty,
          param: empty,
          taskType: empty,
          lastError: empty,
          clusterId: empty,
          createdAt: empty,
          updatedAt: empty,
          taskId: empty,
        },
      },
    },
  }),
  differs(cluster.describeClusterAuthenticationOptions, { answer: { serviceAccounts: { fields }, latestOperationState: { usual: "" } } }),
  differs(cluster.modifyClusterAuthenticationOptions, { request: { serviceAccounts: { fields, whole: issuer } } }),
  differs(cluster.describeClusterExtraArgs, { answer: { clusterExtraArgs: { fields: {}, whole: argumentLists } } }),
  differs(cluster.createClusterEndpoint, { request: { isExtranet: off } }),
  differs(cluster.describeClusterEndpoints, {
    ...noCluster,
    answer: { domain: { same: "clusterDomain" }, clusterExternalAcl: none, intranetSecurityGroup: empty },
  }),
  differs(cluster.describeClusterSecurity, { answer: { securityPolicy: none, jnsGwEndpoint: empty } }),
  differs(cluster.rotateClusterToken, { unusable: "its call does not have a field for the cluster; use UpdateClusterKubeconfig" }),
  differs(cluster.grantUserPermissions, { request: grants }),
  differs(cluster.describeUserPermissions, {
    answer: {
      // A sub-account without permissions has null, as the pages say that it may.
      permissions: {
        ...none,
        vital: "they are written back as a whole: what is not told would be taken away",
        fields: { roleName, namespace: empty },
      },
    },
  }),
  differs(cluster.deleteUserPermissions, {
    request: grants,
    unproven:
      "whether its list has the removed or the remaining permissions; the provider writes the remaining permissions with GrantUserPermissions",
  }),
  differs(cluster.describeClusterEndpointStatus, {
    unproven: "the state during the deletion of an endpoint; the provider waits for `NotFound`",
  }),

  differs(cluster.addExistedInstances, {
    request: { instanceAdvancedSettings: advanced, instanceAdvancedSettingsOverrides: advanced },
    answer: { failedInstanceIds: none, succInstanceIds: none, timeoutInstanceIds: none, failedReasons: none },
  }),
  differs(cluster.scaleOutClusterMaster, { request: newNodes }),
  differs(cluster.createEcmInstances, { request: { enhancedService: { fields: { automationService: { there: false } } } } }),
  differs(cluster.addVpcCniSubnets, noRecord),
  differs(cluster.deleteClusterInstances, {
    codes: { ResourceNotFound: "InternalError.ClusterNotFound" },
    answer: { succInstanceIds: none, failedInstanceIds: none, notFoundInstanceIds: none },
  }),
  differs(cluster.upgradeClusterInstances, { request: { resetParam: { fields: { instanceAdvancedSettings: advanced } } } }),
  differs(cluster.getUpgradeInstanceProgress, {
    answer: {
      lifeState: pausing,
      instances: {
        fields: {
          lifeState: pausing,
          startAt: empty,
          endAt: empty,
          detail: { fields: { startAt: empty, endAt: empty } },
        },
      },
    },
  }),
  differs(cluster.createNodePool, { request: { native } }),
  differs(cluster.modifyNodePool, { request: { native } }),
  differs(cluster.createClusterNodePool, { request: { instanceAdvancedSettings: advanced } }),
  differs(cluster.createExternalNodePool, { request: { instanceAdvancedSettings: advanced } }),
  differs(cluster.describeClusterNodePoolDetail, { ...noRecord, answer: { nodePool: pool2018 } }),
  differs(cluster.describeClusterNodePools, {
    ...noCluster,
    request: { filters: { fields: { name: { values: { tags: "Tags" } } } } },
    answer: { nodePoolSet: pool2018 },
  }),
  differs(cluster.describeNodePools, {
    unproven: "the states of a node pool; the provider waits in an unknown state and shows it",
    answer: {
      nodePools: {
        fields: {
          createdAt: time,
          labels: none,
          taints: none,
          annotations: none,
          tags: { absent: [], fields: { resourceType: empty, tags: none } },
          deletionProtection: off,
          unschedulable: off,
          native: {
            fields: {
              securityGroupIds: none,
              autoRepair: off,
              keyIds: none,
              healthCheckPolicyName: empty,
              hostNamePattern: empty,
              kubeletArgs: none,
              dataDisks: disks,
              customImage: empty,
              // The vendor's Terraform provider encodes these itself.
              lifecycle: { fields: { preInit: decoded, postInit: decoded } },
              upgradeSettings: { fields: { maxUnavailable: { fields: { type: zero } } } },
              gpuConfigs: notTold,
              automationService: notTold,
            },
          },
          regular: {
            fields: {
              nodeCountSummary: { fields: { manuallyAdded: counts, autoscalingAdded: counts } },
              autoscalingGroupStatus: empty,
              maxNodesNum: zero,
              minNodesNum: zero,
              desiredNodesNum: zero,
              nodePoolOs: empty,
              instanceAdvancedSettings: regularSettings,
            },
          },
          external: { fields: { runtimeConfig: { fields: { runtimeType: empty, runtimeVersion: empty } } } },
        },
      },
    },
  }),
  differs(cluster.describeClusterInstances, {
    codes: { ResourceNotFound: "InvalidParameter.ClusterNotFound" },
    answer: { instanceSet: { fields: { lanIp: empty } } },
  }),
  differs(cluster.describeClusterInstances2022, {
    answer: {
      instanceSet: {
        fields: {
          createdTime: time,
          failedReason: empty,
          lanIp: empty,
          nodePoolId: empty,
          unschedulable: off,
          nodeType: empty,
          native: {
            fields: {
              ...machine,
              wanIp: empty,
              keyIds: none,
              dataDisks: disks,
              securityGroupIds: none,
              osImage: empty,
              machineType: empty,
              instanceId: empty,
              tags: none,
            },
          },
          regular: { fields: { autoscalingGroupId: empty, tags: none, instanceAdvancedSettings: regularSettings } },
          external: { fields: { cpu: zero, memory: zero, k8sVersion: { there: "K8SVersion", absent: "" } } },
        },
      },
    },
  }),
  differs(cluster.describeGpuInfo, { answer: { gpuParams: none } }),
  differs(cluster.describeClusterMachines, { ...noCluster, answer: { machines: { absent: [], fields: machine } } }),
];
