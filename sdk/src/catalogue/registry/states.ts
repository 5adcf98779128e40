/** The complete enumerations of the registry service's states. Values that the specification does not show are the public API's. */

/** `Status` of a registry instance. There is no `Creating`. */
export const registryStatuses = [
  "Pending",
  "Deploying",
  "Running",
  "Unhealthy",
  "FailedCreated",
  "FailedUpdated",
  "Bucket-Error",
  "Isolate",
  "Deleting",
  "DeleteBucketFailed",
  "DeleteFailed",
] as const;
export type RegistryStatus = (typeof registryStatuses)[number];

/** `Status` of a registry's public endpoint; `Deleting` while it is being closed. */
export const externalEndpointStates = ["Opening", "Opened", "Deleting", "Closed"] as const;
export type ExternalEndpointState = (typeof externalEndpointStates)[number];

/** `Status` of a registry's connection to a VPC. The public API has no list; these are the local platform's. */
export const internalEndpointStates = ["Pending", "Running", "Deleting"] as const;
export type InternalEndpointState = (typeof internalEndpointStates)[number];

/** `Status` of a registry's domain name in a VPC: whether it resolves there. */
export const internalDnsStates = ["ENABLE", "DISABLE"] as const;
export type InternalDnsState = (typeof internalDnsStates)[number];
