import type { Reviewed } from "../review/assess/reviewed.ts";
import { review as vpcReview } from "./network/vpc.review.ts";
import { review as ipv6BlockReview } from "./network/ipv6-block.review.ts";
import { review as securityGroupReview } from "./network/security-group.review.ts";
import { review as elasticIpReview } from "./network/elastic-ip.review.ts";
import { review as natGatewayReview } from "./network/nat-gateway.review.ts";
import { review as routeTableReview } from "./network/route-table.review.ts";
import { review as subnetReview } from "./network/subnet.review.ts";
import { review as clusterReview } from "./cluster/cluster.review.ts";
import { review as nodePoolReview } from "./cluster/node-pool.review.ts";
import { review as clusterEndpointReview } from "./cluster/cluster-endpoint.review.ts";
import { review as userPermissionReview } from "./cluster/user-permission.review.ts";
import { review as registryInstanceReview } from "./registry/registry-instance.review.ts";
import { review as namespaceReview } from "./registry/namespace.review.ts";
import { review as repositoryReview } from "./registry/repository.review.ts";
import { review as replicationRuleReview } from "./registry/replication-rule.review.ts";
import { review as tokenReview } from "./registry/token.review.ts";
import { review as serviceAccountReview } from "./registry/service-account.review.ts";

// Written by `npm run fix` from the lines of index.ts.

/** What the reviewer knows about every kind of resource. Nothing here loads a resource. */
const reviews = {
  Vpc: vpcReview,
  Ipv6Block: ipv6BlockReview,
  SecurityGroup: securityGroupReview,
  ElasticIp: elasticIpReview,
  NatGateway: natGatewayReview,
  RouteTable: routeTableReview,
  Subnet: subnetReview,
  Cluster: clusterReview,
  NodePool: nodePoolReview,
  ClusterEndpoint: clusterEndpointReview,
  UserPermission: userPermissionReview,
  RegistryInstance: registryInstanceReview,
  Namespace: namespaceReview,
  Repository: repositoryReview,
  ReplicationRule: replicationRuleReview,
  Token: tokenReview,
  ServiceAccount: serviceAccountReview,
} as const;

export type KindName = keyof typeof reviews;

/** All kinds, dependencies first. */
export const kinds = Object.keys(reviews).filter((name): name is KindName => name in reviews);

export function reviewed(kind: KindName): Reviewed {
  return reviews[kind];
}
