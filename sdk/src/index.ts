import * as audit from "./catalogue/audit.ts";
import * as cluster from "./catalogue/cluster.ts";
import * as compute from "./catalogue/compute.ts";
import * as registry from "./catalogue/registry.ts";
import * as tag from "./catalogue/tag.ts";
import * as vpc from "./catalogue/vpc.ts";

export { audit, cluster, compute, registry, tag, vpc };
export { addressFamily, canonicalCidr, carve, contains, overlaps, parseCidr, type Cidr } from "./addresses.ts";
export { Cloud, type Answer, type Answered, type CallOptions, type CloudOptions } from "./client.ts";
export { Finder, Readings, type Lookup } from "./coalesce.ts";
export { readProfile, type Profile } from "./credentials.ts";
export { InputError, PlatformError, type ErrorCode, type ErrorKind, type ErrorOrigin } from "./errors.ts";
export {
  clusterFinder,
  mainRouteTable,
  namespacesOf,
  nodePoolsOf,
  nodesOf,
  registryFinder,
  securityGroupFinder,
  subnetFinder,
  tokensOf,
  vpcFinder,
} from "./finders.ts";
export { kubeconfigFacts, withServer, type KubeconfigFacts } from "./kubeconfig.ts";
export { fieldsOf, unwrapped, type Operation, type Product, type Source } from "./operation.ts";
export { everyPage } from "./pages.ts";
export { resourceKinds, resourceName } from "./resource-name.ts";
export { connect, localFile } from "./transport/connect.ts";
export { type Identity, type Reply, type Request, type Transport } from "./transport/transport.ts";
