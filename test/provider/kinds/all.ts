import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { KindCases } from "./kind-cases.ts";
import { cases as vpcCases } from "./network/vpc.cases.ts";
import { cases as ipv6BlockCases } from "./network/ipv6-block.cases.ts";
import { cases as securityGroupCases } from "./network/security-group.cases.ts";
import { cases as elasticIpCases } from "./network/elastic-ip.cases.ts";
import { cases as natGatewayCases } from "./network/nat-gateway.cases.ts";
import { cases as routeTableCases } from "./network/route-table.cases.ts";
import { cases as subnetCases } from "./network/subnet.cases.ts";
import { cases as clusterCases } from "./cluster/cluster.cases.ts";
import { cases as nodePoolCases } from "./cluster/node-pool.cases.ts";
import { cases as clusterEndpointCases } from "./cluster/cluster-endpoint.cases.ts";
import { cases as userPermissionCases } from "./cluster/user-permission.cases.ts";
import { cases as registryInstanceCases } from "./registry/registry-instance.cases.ts";
import { cases as namespaceCases } from "./registry/namespace.cases.ts";
import { cases as repositoryCases } from "./registry/repository.cases.ts";
import { cases as replicationRuleCases } from "./registry/replication-rule.cases.ts";
import { cases as tokenCases } from "./registry/token.cases.ts";
import { cases as serviceAccountCases } from "./registry/service-account.cases.ts";

// Written by `npm run fix` from the lines of index.ts.

/** What the suites know of every kind of resource, dependencies first. */
export const casesOf: Readonly<Record<KindName, KindCases>> = {
  Vpc: vpcCases,
  Ipv6Block: ipv6BlockCases,
  SecurityGroup: securityGroupCases,
  ElasticIp: elasticIpCases,
  NatGateway: natGatewayCases,
  RouteTable: routeTableCases,
  Subnet: subnetCases,
  Cluster: clusterCases,
  NodePool: nodePoolCases,
  ClusterEndpoint: clusterEndpointCases,
  UserPermission: userPermissionCases,
  RegistryInstance: registryInstanceCases,
  Namespace: namespaceCases,
  Repository: repositoryCases,
  ReplicationRule: replicationRuleCases,
  Token: tokenCases,
  ServiceAccount: serviceAccountCases,
};
