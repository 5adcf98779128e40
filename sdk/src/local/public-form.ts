import * as operations from "../catalogue/public-form.ts";
import { type Behaviour, on } from "./behaviour.ts";
import { clusterOf } from "./cluster/states.ts";
import { registryOf } from "./registry/states.ts";
import { tagsOfResource } from "./tag/tags.ts";
import { replaceAllPolicies } from "./vpc/security-groups.ts";

const off = { enable: false };

/** The behavior of the operations that only the public API's form has. */
export const publicFormBehaviours: readonly Behaviour[] = [
  on(
    operations.describeResourceTagsByResourceIds,
    (call, { serviceType, resourcePrefix, resourceIds, resourceRegion, offset = 0, limit = 15 }) => {
      const kind = { service: serviceType, type: resourcePrefix, region: resourceRegion };
      const tags = tagsOfResource(call, kind, resourceIds).flatMap(({ id, tags: own }) =>
        own.map(({ key, value }) => ({ tagKey: key, tagValue: value, resourceId: id, serviceType })),
      );
      return { totalCount: tags.length, offset, limit, tags: tags.slice(offset, offset + limit) };
    },
  ),

  on(operations.modifySecurityGroupPolicies, (call, { securityGroupId, securityGroupPolicySet }) => {
    replaceAllPolicies(call, securityGroupId, securityGroupPolicySet);
  }),

  on(operations.describeClusterAsGroupOption, (call, { clusterId }) => {
    clusterOf(call, clusterId);
    return {
      clusterAsGroupOption: {
        isScaleDownEnabled: false,
        expander: "random",
        maxEmptyBulkDelete: 10,
        scaleDownDelay: 10,
        scaleDownUnneededTime: 10,
        scaleDownUtilizationThreshold: 50,
        skipNodesWithLocalStorage: true,
        skipNodesWithSystemPods: true,
      },
    };
  }),

  on(operations.describeClusterVirtualNode, (call, { clusterId }) => {
    clusterOf(call, clusterId);
    return { nodes: [], totalCount: 0 };
  }),

  on(operations.describeLogSwitches, (call, { clusterIds }) => ({
    switchSet: clusterIds.map((clusterId) => {
      const { auditEnabled } = clusterOf(call, clusterId);
      return { clusterId, audit: { enable: auditEnabled }, event: off, log: off, masterLog: off };
    }),
  })),

  on(operations.describeReplicationInstances, (call, { registryId }) => {
    registryOf(call, registryId);
    return { totalCount: 0, replicationRegistries: [] };
  }),
];
