import type { Input } from "@pulumi/pulumi";
import type { ChildAliases, ChildArgs, Transforms } from "./children.ts";
import type { Network, NetworkArgs, NetworkChild } from "./network.ts";

type Plain<T> = Exclude<T, PromiseLike<unknown> | { apply: unknown }>;

/** A node pool of a platform. */
export interface PlatformPool {
  /** Instance types in order of preference, at least one. */
  instanceTypes: readonly Input<string>[];
  /** Minimum number of nodes. Default: 2. */
  min?: Input<number> | undefined;
  /** Maximum number of nodes. The node pool scales automatically between `min` and `max`. Default: 3, or `min` if `min` is higher. */
  max?: Input<number> | undefined;
  /** Size of the system disk in GB. Default: 50. */
  diskSize?: Input<number> | undefined;
  /** Type of the system disk. Default: `CLOUD_PREMIUM`. */
  diskType?: Input<string> | undefined;
  /** Role of the nodes' subnets. Default: `nodes`, or the first role of the network. */
  role?: string | undefined;
  /** Kubernetes labels of the nodes. Default: none. */
  labels?: ChildArgs["nodePool"]["labels"];
  /** Kubernetes taints of the nodes. Default: none. */
  taints?: ChildArgs["nodePool"]["taints"];
  /** Further settings of `NodePool.native`. They override the settings above. Default: none. */
  native?: Partial<Plain<ChildArgs["nodePool"]["native"]>> | undefined;
}

/** The endpoints of a platform's API server. */
export interface PlatformAccess {
  /** Whether the API server has a private endpoint in the VPC. Default: true. */
  internal?: boolean | undefined;
  /** CIDR blocks or IP addresses that may connect to the public endpoint. Default: none, no public endpoint. */
  internet?: readonly string[] | undefined;
}

/** The registry of a platform. */
export interface PlatformRegistry {
  /** Name of the registry, unique on the whole platform. */
  name: Input<string>;
  /** Names of the namespaces, at least one. They are private, and their images are scanned. */
  namespaces: readonly string[];
  /**
   * Login of the nodes: a `service-account`, which may only pull from the namespaces, or a long-term `token`, which has all permissions in
   * the registry. Default: `service-account`.
   */
  login?: "service-account" | "token" | undefined;
}

/** A permission of a sub-account in a platform's cluster: a role and its namespace. */
export interface PlatformGrant {
  /** The role, as `UserPermission.roleName`. */
  role: string;
  /** The namespace. Default: none, the role applies in the whole cluster. */
  namespace?: string | undefined;
}

/** The children of a platform that `transform` and `childAliases` know, those of a network that it makes included. */
export type PlatformChild = keyof ChildArgs;

/** The arguments of `Platform`. */
export interface PlatformArgs<Pool extends string = string, Role extends string = string> {
  /** A network of the program, or the arguments of a network. Default: a network with all defaults. */
  network?: Network<Role> | NetworkArgs<Role> | undefined;
  /** Kubernetes version. It can only be raised, and nodes are upgraded with it. Default: the newest at creation, then unchanged. */
  version?: Input<string> | undefined;
  /**
   * Protects the cluster and the registry from deletion, in the platform and in Pulumi. Set it to `false` and run `pulumi up` before you
   * delete the platform. Default: true.
   */
  deletionProtection?: Input<boolean> | undefined;
  /** Node pools by name, at least one. */
  nodePools: Readonly<Record<Pool, PlatformPool>>;
  /** Endpoints of the API server. Default: a private endpoint. */
  access?: PlatformAccess | undefined;
  /** A registry for private images, which the nodes reach over the VPC. Default: none. */
  registry?: PlatformRegistry | undefined;
  /** Permissions in the cluster: a role such as `svc:ro`, by the ID of the sub-account. Default: none. */
  permissions?: Readonly<Record<string, string | PlatformGrant>> | undefined;
  /** Tags of all children that take tags, by key. Default: none. */
  tags?: Readonly<Record<string, Input<string>>> | undefined;
  /** Functions that change the arguments and options of the children. Default: none. */
  transform?: Transforms<PlatformChild> | undefined;
  /** Names of top-level resources of the stack that become children, without a change on the platform. Default: none. */
  childAliases?: ChildAliases<PlatformChild> | undefined;
}

/** Words for the children that are made by the network. */
export const networkChildren = ["vpc", "ipv6", "subnet"] as const satisfies readonly NetworkChild[];
