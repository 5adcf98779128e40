import type { Input } from "@pulumi/pulumi";
import type { Adoptions, ChildArgs, Transforms } from "./children.ts";
import type { Network, NetworkArgs, NetworkChild } from "./network.ts";

type Plain<T> = Exclude<T, PromiseLike<unknown> | { apply: unknown }>;

/** A pool of nodes of a platform. */
export interface PlatformPool {
  /** Types of instance, in order of preference, at least one. */
  instanceTypes: readonly Input<string>[];
  /** Fewest nodes. Default: 2. */
  min?: Input<number> | undefined;
  /** Most nodes. The pool scales automatically between both. Default: 3, or `min` if that is more. */
  max?: Input<number> | undefined;
  /** Size of the system disk in GB. Default: 50. */
  diskSize?: Input<number> | undefined;
  /** Type of the system disk. Default: `CLOUD_PREMIUM`. */
  diskType?: Input<string> | undefined;
  /** The role of the subnets of the nodes. Default: `nodes`, or the network's first one. */
  role?: string | undefined;
  /** Kubernetes labels of the nodes. Default: none. */
  labels?: ChildArgs["nodePool"]["labels"];
  /** Kubernetes taints of the nodes. Default: none. */
  taints?: ChildArgs["nodePool"]["taints"];
  /** Further settings of `NodePool.native`, which win over those above. Default: none. */
  native?: Partial<Plain<ChildArgs["nodePool"]["native"]>> | undefined;
}

/** Who reaches a platform's API server. */
export interface PlatformAccess {
  /** Whether it is reached from the VPC. Default: true. */
  internal?: boolean | undefined;
  /** Ranges or addresses that reach it from the internet. Default: none, it is not on the internet. */
  internet?: readonly string[] | undefined;
}

/** The registry of a platform. */
export interface PlatformRegistry {
  /** Name of the registry, unique over the whole platform. */
  name: Input<string>;
  /** Names of its namespaces, at least one. They are private, and their images are scanned. */
  namespaces: readonly string[];
  /**
   * What the nodes log in with: a `service-account`, which may only pull from the namespaces, or a long-term `token`, which may do
   * everything in the registry. Default: `service-account`.
   */
  login?: "service-account" | "token" | undefined;
}

/** What one sub-account may do in a platform's cluster: a role, and the namespace in which a role of one holds. */
export interface PlatformGrant {
  /** The role, as `UserPermission.roleName`. */
  role: string;
  /** The namespace. Default: none, the role holds in the whole cluster. */
  namespace?: string | undefined;
}

/** The children of a platform that `transform` and `adopts` know, those of a network that it makes included. */
export type PlatformChild = keyof ChildArgs;

/** What a platform is made of. */
export interface PlatformArgs<Pool extends string = string, Role extends string = string> {
  /** The network, or what one is made of. Default: a network with all of its defaults. */
  network?: Network<Role> | NetworkArgs<Role> | undefined;
  /**
   * Kubernetes version. It can only be raised; nodes are upgraded with it. Default: the newest when the cluster is created, which then
   * stays.
   */
  version?: Input<string> | undefined;
  /**
   * Whether the platform refuses to delete the cluster and the registry, until this is set to false and `up` is run. While it is true, they
   * are protected in Pulumi, too: the `protect` of its messages is this. Default: true.
   */
  deletionProtection?: Input<boolean> | undefined;
  /** The pools of nodes, by name, at least one. */
  nodePools: Readonly<Record<Pool, PlatformPool>>;
  /** Who reaches the API server. Default: the VPC. */
  access?: PlatformAccess | undefined;
  /** A registry for private images, which the nodes reach over the VPC. Default: none. */
  registry?: PlatformRegistry | undefined;
  /** What sub-accounts may do in the cluster: a role such as `svc:ro`, by the sub-account's id. Default: none. */
  permissions?: Readonly<Record<string, string | PlatformGrant>> | undefined;
  /** Tags of all children that take tags, by key. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
  /** Changes what the children are made with. Default: nothing. */
  transform?: Transforms<PlatformChild> | undefined;
  /** The names of resources at the top of the stack that become children, as they are. Default: none. */
  adopts?: Adoptions<PlatformChild> | undefined;
}

/** Words for the children that are made by the network. */
export const networkChildren = ["vpc", "ipv6", "subnet"] as const satisfies readonly NetworkChild[];
