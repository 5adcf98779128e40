import {
  createCluster,
  createClusterEndpoint,
  deleteUserPermissions,
  describeClusterAuthenticationOptions,
  describeClusterEndpoints,
  describeClusterEndpointStatus,
  describeClusters,
  describeClusterSecurity,
  describeTasks,
  describeUserPermissions,
  grantUserPermissions,
  modifyClusterAuthenticationOptions,
  modifyClusterTags,
  rotateClusterToken,
} from "../../catalogue/cluster.ts";
import { type Difference, differs } from "../rule.ts";
import { mountedDisks, newNodes } from "./new-nodes.ts";

const none = { absent: [] } as const;
const empty = { absent: "" } as const;

const authentication = { serviceAccounts: { fields: { useServiceDefault: { there: "UseTKEDefault" } } } } as const;
const roleName = { prefix: ["svc:", "tke:"] } as const;
const grants = { permissions: { fields: { roleName } } } as const;

export const controlPlaneDifferences: readonly Difference[] = [
  differs(createCluster, {
    request: {
      vpcId: { into: "clusterBasicSettings", instead: "ClusterBasicSettings.VpcId" },
      subnetId: { into: "clusterBasicSettings", instead: "ClusterBasicSettings.SubnetId" },
      clusterType: { usual: "MANAGED_CLUSTER" },
      clusterCidrSettings: { usual: {} },
      ...newNodes,
      instanceDataDiskMountSettings: { fields: { dataDisks: mountedDisks } },
    },
  }),
  differs(describeClusters, {
    answer: {
      clusters: {
        fields: {
          // The published example has null for the first of these four, and lacks the others.
          clusterNetworkSettings: { fields: { subnets: none, subnetId: empty, dataPlaneV2: { absent: false } } },
          isHighAvailability: { absent: false },
          tagSpecification: { absent: [], fields: { tags: none } },
          clusterState: { same: "clusterStatus" },
          // DescribeClusterStatus and DescribeClusterEndpoints tell these.
          clusterInstanceState: { there: false, absent: "" },
          clusterDeletionProtection: { same: "deletionProtection" },
          clusterExternalEndpoint: { there: false, absent: "" },
          clusterIntranetEndpoint: { there: false, absent: "" },
          domain: { there: false, absent: "" },
        },
      },
    },
  }),
  differs(modifyClusterTags, { answer: { tags: none } }),
  differs(describeTasks, {
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
  differs(describeClusterAuthenticationOptions, { answer: authentication }),
  differs(modifyClusterAuthenticationOptions, { request: authentication }),
  differs(createClusterEndpoint, { request: { isExtranet: { absent: false } } }),
  differs(describeClusterEndpoints, {
    answer: { domain: { same: "clusterDomain" }, clusterExternalAcl: none, intranetSecurityGroup: empty },
  }),
  differs(describeClusterSecurity, { answer: { securityPolicy: none, jnsGwEndpoint: empty } }),
  differs(rotateClusterToken, { unusable: "its call does not have a field for the cluster; use UpdateClusterKubeconfig" }),
  differs(grantUserPermissions, { request: grants }),
  differs(describeUserPermissions, {
    answer: {
      // A sub-account without permissions has null, as the pages say that it may.
      permissions: {
        ...none,
        vital: "they are written back as a whole: what is not told would be taken away",
        fields: { roleName, namespace: empty },
      },
    },
  }),
  differs(deleteUserPermissions, {
    request: grants,
    unproven:
      "whether its list has the removed or the remaining permissions; the provider writes the remaining permissions with GrantUserPermissions",
  }),
  differs(describeClusterEndpointStatus, {
    unproven: "the state during the deletion of an endpoint; the provider waits for `NotFound`",
  }),
];
