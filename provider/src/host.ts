import "./node-version.ts";
import { setFlagsFromString } from "node:v8";
import { DynamicProvider } from "./dynamic.ts";
import type * as exported from "./index.ts";
import type { Kind } from "./kind.ts";

// What the young generation has grown to by now is enough: the next doubling would take 30 MB more, in a process that mostly waits.
setFlagsFromString("--semi-space-growth-factor=1");

type Resources = {
  readonly [Name in keyof typeof exported as (typeof exported)[Name] extends { kind: Kind } ? Name : never]: (typeof exported)[Name];
};

/** Every kind of resource. One is loaded when the engine first asks for it: most stacks have few of them. */
const kinds: { readonly [Name in keyof Resources]: () => Promise<Resources[Name]> } = {
  Vpc: async () => (await import("./network/vpc.ts")).Vpc,
  Ipv6Block: async () => (await import("./network/ipv6-block.ts")).Ipv6Block,
  Subnet: async () => (await import("./network/subnet.ts")).Subnet,
  SecurityGroup: async () => (await import("./network/security-group.ts")).SecurityGroup,
  Cluster: async () => (await import("./cluster/cluster.ts")).Cluster,
  NodePool: async () => (await import("./cluster/node-pool.ts")).NodePool,
  ClusterEndpoint: async () => (await import("./cluster/cluster-endpoint.ts")).ClusterEndpoint,
  RegistryInstance: async () => (await import("./registry/registry-instance.ts")).RegistryInstance,
  Namespace: async () => (await import("./registry/namespace.ts")).Namespace,
  Token: async () => (await import("./registry/token.ts")).Token,
  UserPermission: async () => (await import("./cluster/user-permission.ts")).UserPermission,
};

/**
 * The door that the text in Pulumi's state opens: the lifecycle of a kind of resource, by name.
 * Loaded with `require`, so nothing that it loads may use top-level await.
 */
export function get(type: string): DynamicProvider {
  if (!isKind(type))
    throw new Error(
      `this version of @container-platform/pulumi has no ${type}; it has ${Object.keys(kinds).join(", ")}: install the version that made the stack`,
    );
  return new DynamicProvider(kinds[type]().then(({ kind }) => kind));
}

function isKind(type: string): type is keyof typeof kinds {
  return Object.hasOwn(kinds, type);
}
