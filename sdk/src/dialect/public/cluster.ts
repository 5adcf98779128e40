import {
  createCluster,
  createClusterEndpoint,
  deleteUserPermissions,
  describeClusterAuthenticationOptions,
  describeClusterEndpoints,
  describeClusterEndpointStatus,
  describeClusterExtraArgs,
  describeClusters,
  describeClusterSecurity,
  describeTasks,
  describeUserPermissions,
  grantUserPermissions,
  modifyClusterAuthenticationOptions,
  modifyClusterTags,
  rotateClusterToken,
} from "../../catalogue/cluster.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { type Difference, differs, type Whole } from "../rule.ts";
import { noCluster, noRecord } from "./codes.ts";
import { mountedDisks, newNodes } from "./new-nodes.ts";

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
  there: (options) => options,
};

/** All four lists are told, unless none is set. */
const argumentLists: Whole = {
  says: "each of the four lists, if one is not empty",
  here: (lists) => lists,
  there: (lists) => (Object.keys(lists).length === 0 ? lists : { ...noArguments, ...lists }),
};
const noArguments: JsonObject = { Etcd: [], KubeAPIServer: [], KubeControllerManager: [], KubeScheduler: [] };

const roleName = { prefix: ["svc:", "tke:"] } as const;
const grants = { permissions: { fields: { roleName } } } as const;

export const controlPlaneDifferences: readonly Difference[] = [
  differs(createCluster, {
    ...noRecord,
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
  differs(describeClusterAuthenticationOptions, { answer: { serviceAccounts: { fields }, latestOperationState: { usual: "" } } }),
  differs(modifyClusterAuthenticationOptions, { request: { serviceAccounts: { fields, whole: issuer } } }),
  differs(describeClusterExtraArgs, { answer: { clusterExtraArgs: { fields: {}, whole: argumentLists } } }),
  differs(createClusterEndpoint, { request: { isExtranet: { absent: false } } }),
  differs(describeClusterEndpoints, {
    ...noCluster,
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
