import {
  addExistedInstances,
  addVpcCniSubnets,
  createClusterNodePool,
  createEcmInstances,
  createExternalNodePool,
  createNodePool,
  deleteClusterInstances,
  describeClusterInstances,
  describeClusterInstances2022,
  describeClusterMachines,
  describeClusterNodePoolDetail,
  describeClusterNodePools,
  describeGpuInfo,
  describeNodePools,
  getUpgradeInstanceProgress,
  modifyNodePool,
  scaleOutClusterMaster,
  upgradeClusterInstances,
} from "../../catalogue/cluster.ts";
import { type Difference, differs } from "../rule.ts";
import { noCluster, noRecord } from "./codes.ts";
import { advanced, leftOut, newNodes } from "./new-nodes.ts";

const none = { absent: [] } as const;
const empty = { absent: "" } as const;
const off = { absent: false } as const;
const zero = { absent: 0 } as const;
const notTold = { there: false } as const;

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
    type: { there: false, absent: "" },
    native: notTold,
    runtimeConfig: { absent: {}, fields: { runtimeType: empty, runtimeVersion: empty } },
    tags: none,
    dataDisks: none,
  },
} as const;

export const nodeDifferences: readonly Difference[] = [
  differs(addExistedInstances, {
    request: { instanceAdvancedSettings: advanced, instanceAdvancedSettingsOverrides: advanced },
    answer: {
      failedInstanceIds: none,
      succInstanceIds: none,
      timeoutInstanceIds: none,
      failedReasons: none,
    },
  }),
  differs(scaleOutClusterMaster, { request: newNodes }),
  differs(createEcmInstances, { request: { enhancedService: { fields: { automationService: { there: false } } } } }),
  differs(addVpcCniSubnets, noRecord),
  differs(deleteClusterInstances, {
    codes: { ResourceNotFound: "InternalError.ClusterNotFound" },
    answer: { succInstanceIds: none, failedInstanceIds: none, notFoundInstanceIds: none },
  }),
  differs(upgradeClusterInstances, { request: { resetParam: { fields: { instanceAdvancedSettings: advanced } } } }),
  differs(getUpgradeInstanceProgress, {
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
  differs(createNodePool, { request: { native } }),
  differs(modifyNodePool, { request: { native } }),
  differs(createClusterNodePool, { request: { instanceAdvancedSettings: advanced } }),
  differs(createExternalNodePool, { request: { instanceAdvancedSettings: advanced } }),
  differs(describeClusterNodePoolDetail, { ...noRecord, answer: { nodePool: pool2018 } }),
  differs(describeClusterNodePools, { ...noCluster, answer: { nodePoolSet: pool2018 } }),
  differs(describeNodePools, {
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
  differs(describeClusterInstances, {
    codes: { ResourceNotFound: "InvalidParameter.ClusterNotFound" },
    answer: { instanceSet: { fields: { lanIp: empty } } },
  }),
  differs(describeClusterInstances2022, {
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
  differs(describeGpuInfo, { answer: { gpuParams: none } }),
  differs(describeClusterMachines, { ...noCluster, answer: { machines: { absent: [], fields: machine } } }),
];
