/** The operations of the registry service, and the complete enumerations of its states. */

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
export {
  deleteReplicationRule,
  describeReplicationPolicies,
  manageReplication,
  modifyReplication,
  replicationFilterTypes,
} from "./registry/replication.ts";
export {
  createRepository,
  deleteImage,
  deleteRepository,
  describeImages,
  describeRepositories,
  modifyRepository,
} from "./registry/repositories.ts";
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
} from "./registry/endpoints.ts";
export {
  createServiceAccount,
  deleteServiceAccount,
  describeServiceAccounts,
  modifyServiceAccount,
  modifyServiceAccountPassword,
  registryActions,
} from "./registry/credentials.ts";
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
export {
  createInstanceToken,
  deleteInstanceToken,
  describeInstanceToken,
  modifyInstanceToken,
  tokenTypes,
} from "./registry/credentials.ts";
