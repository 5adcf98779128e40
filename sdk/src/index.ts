export {
  addressAt,
  addressFamily,
  canonicalCidr,
  cidrSubnet,
  contains,
  hasHostBits,
  overlaps,
  parseCidr,
  type Cidr,
  type Family,
} from "./formats/addresses.ts";
export { Cloud, type Answer, type Answered, type CallOptions, type CloudOptions, type ItemOf } from "./client/client.ts";
export { twoVersions } from "./client/copies.ts";
export { Finder, type Lookup } from "./client/finder.ts";
export { type Page } from "./client/paging.ts";
export { Readings } from "./client/read-cache.ts";
export { type Credentials, type CredentialSource } from "./config/credential-source.ts";
export { type GivenCredentials } from "./config/credentials.ts";
export { ConfigurationError, InputError, PlatformError, type ErrorCode, type ErrorKind, type ErrorOrigin } from "./operation/errors.ts";
export { kubeconfigFacts, withServer, type KubeconfigFacts } from "./formats/kubeconfig.ts";
export { fieldsOf, unwrapped, type Operation, type Product, type Source } from "./operation/operation.ts";
export { regions as localRegions } from "./local/regions.ts";
export { listed, nearest } from "./formats/texts.ts";
export { hasProfiles, readProfile, type Profile } from "./config/profiles.ts";
export { CallRecord, readRecord, type RecordedCall } from "./client/call-log.ts";
export { parseResourceName, resourceKinds, resourceName } from "./formats/resource-name.ts";
export { connect, localFile, noEndpoint, type ConnectOptions } from "./transport/connect.ts";
export { type Identity, type Reply, type Request, type Transport } from "./transport/transport.ts";
export { readinessOf, type Readiness, type ReadinessTable } from "./status/readiness.ts";
export { listingDelay, pauseAfter, spoken } from "./wait/pauses.ts";
export {
  clusterNumberRules,
  clusterRules,
  isOlderVersion,
  kubernetesRules,
  leastAddresses,
  mostInstances,
  ownAddresses,
  repeatedTaint,
  usualClusters,
  waysToLogIn,
} from "./rules/cluster.ts";
export { Addresses, areEveryone } from "./rules/everyone.ts";
export {
  bandwidthFlaw,
  familyFlaw,
  mostDnsServers,
  mostPolicies,
  natAddressFlaw,
  networkQuotas,
  networkRules,
  ruleRange,
} from "./rules/network.ts";
export { diskFlaw, type DiskFlaw, unofferedTypes, type Unoffered } from "./rules/offers.ts";
export { canonicalRange, openingFlaw, registryRules } from "./rules/registry.ts";
export { characterCount, longest, mostTags, type Rule, textRules } from "./rules/rule.ts";
