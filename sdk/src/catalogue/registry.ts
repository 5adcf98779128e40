/** The operations of the registry service, and all its states. */

export {
  createInternalEndpointDns,
  deleteInternalEndpointDns,
  describeExternalEndpointStatus,
  describeInternalEndpointDnsStatus,
  describeInternalEndpoints,
  manageExternalEndpoint,
  manageInternalEndpoint,
} from "./registry/endpoints.ts";
export {
  checkInstanceName,
  createInstance,
  deleteInstance,
  describeInstances,
  describeInstanceStatus,
  modifyInstance,
  registryTypes,
} from "./registry/instances.ts";
export { createNamespace, deleteNamespace, describeNamespaces, modifyNamespace } from "./registry/namespaces.ts";
export { deleteReplicationRule, describeReplicationPolicies, manageReplication, replicationFilterTypes } from "./registry/replication.ts";
export { createRepository, deleteImage, deleteRepository, describeImages, describeRepositories } from "./registry/repositories.ts";
export {
  createTagRetentionExecution,
  createTagRetentionRule,
  cronSettings,
  deleteTagRetentionRule,
  describeTagRetentionRules,
  modifyTagRetentionRule,
  retentionKeys,
} from "./registry/retention.ts";
export {
  createMultipleSecurityPolicy,
  createSecurityPolicy,
  deleteMultipleSecurityPolicy,
  deleteSecurityPolicy,
  describeSecurityPolicies,
  modifySecurityPolicy,
} from "./registry/security-policies.ts";
export {
  createServiceAccount,
  deleteServiceAccount,
  describeServiceAccounts,
  modifyServiceAccount,
  registryActions,
} from "./registry/service-accounts.ts";
export {
  externalEndpointStates,
  internalDnsStates,
  internalEndpointStates,
  registryStatuses,
  type ExternalEndpointState,
  type InternalDnsState,
  type InternalEndpointState,
  type RegistryStatus,
} from "./registry/states.ts";
export { severities } from "./registry/structures.ts";
export { createInstanceToken, deleteInstanceToken, describeInstanceToken, modifyInstanceToken, tokenTypes } from "./registry/tokens.ts";
