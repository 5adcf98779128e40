import type { Kind } from "../definition/definition.ts";
import type { KindName } from "./reviews.ts";

// Written by `npm run fix` from the lines of index.ts.

/** Every kind of resource, loaded when it is first needed: most stacks have few of them. */
export const kinds: Readonly<Record<KindName, () => Promise<{ readonly kind: Kind }>>> = {
  Vpc: async () => (await import("./network/vpc.ts")).Vpc,
  Ipv6Block: async () => (await import("./network/ipv6-block.ts")).Ipv6Block,
  SecurityGroup: async () => (await import("./network/security-group.ts")).SecurityGroup,
  ElasticIp: async () => (await import("./network/elastic-ip.ts")).ElasticIp,
  NatGateway: async () => (await import("./network/nat-gateway.ts")).NatGateway,
  RouteTable: async () => (await import("./network/route-table.ts")).RouteTable,
  Subnet: async () => (await import("./network/subnet.ts")).Subnet,
  Cluster: async () => (await import("./cluster/cluster.ts")).Cluster,
  NodePool: async () => (await import("./cluster/node-pool.ts")).NodePool,
  ClusterEndpoint: async () => (await import("./cluster/cluster-endpoint.ts")).ClusterEndpoint,
  UserPermission: async () => (await import("./cluster/user-permission.ts")).UserPermission,
  RegistryInstance: async () => (await import("./registry/registry-instance.ts")).RegistryInstance,
  Namespace: async () => (await import("./registry/namespace.ts")).Namespace,
  Repository: async () => (await import("./registry/repository.ts")).Repository,
  ReplicationRule: async () => (await import("./registry/replication-rule.ts")).ReplicationRule,
  Token: async () => (await import("./registry/token.ts")).Token,
  ServiceAccount: async () => (await import("./registry/service-account.ts")).ServiceAccount,
};

/** All kinds, dependencies first. */
export function everyKind(): Promise<readonly Kind[]> {
  return Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));
}

export function isKind(type: string): type is KindName {
  return Object.hasOwn(kinds, type);
}
