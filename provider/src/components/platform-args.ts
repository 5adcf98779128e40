import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { distinct } from "../definition/inputs.ts";
import { NodePool } from "../resources/cluster/node-pool.ts";
import { schemaOf } from "../schema/parts.ts";
import { byName, enforced, fail, input, orLater, parts, type Schemas, takes } from "./arguments.ts";
import { type ChildAliases, type ChildArgs, mapped, type Transforms, childOptionsFor } from "./children.ts";
import { egress, Network, type NetworkArgs, networkChildren, networkSchema, tags } from "./network.ts";

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
  /**
   * How the nodes reach the internet over IPv4: `nat`, `nat-per-zone` or `none`, as `egress` of the network that the platform makes. Default:
   * not at all, with a warning.
   */
  egress?: "nat" | "nat-per-zone" | "none" | undefined;
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

const later = input().optional();

const pool = parts('an object, such as { instanceTypes: ["SA5.MEDIUM4"] }', {
  instanceTypes: orLater('types of instance, such as ["SA5.MEDIUM4"]', z.array(input())),
  min: later,
  max: later,
  diskSize: later,
  diskType: later,
  role: z.string(takes("a role of the network's subnets")).optional(),
  labels: later,
  taints: later,
  native: parts(
    "settings of NodePool.native",
    mapped(fieldsOf(unwrapped(schemaOf(NodePool.kind, "native"))), () => later),
  ).optional(),
} satisfies Schemas<PlatformPool>).superRefine(({ min, max }, context) => {
  if (typeof min === "number" && typeof max === "number" && min > max) fail(context, `min ${min} is above max ${max}`);
});

const access = parts('an object, such as { internet: ["203.0.113.0/24"] }', {
  internal: z.boolean(takes("true or false")).optional(),
  internet: z
    .array(
      z.string(takes('text that is known in the preview, such as "203.0.113.0/24"')),
      takes('a list that is known in the preview, such as ["203.0.113.0/24"]'),
    )
    .optional(),
} satisfies Schemas<PlatformAccess>);

const namespace = z.string(takes('the name of a namespace, such as "team"'));

const registry = parts('an object, such as { name: "prod-images", namespaces: ["team"] }', {
  name: input("the name of the registry, unique on the platform"),
  namespaces: enforced(distinct(z.array(namespace, takes('the names of its namespaces, at least one, such as ["team"]')).min(1))),
  login: z.enum(["service-account", "token"]).optional(),
} satisfies Schemas<PlatformRegistry>);

const role = 'a role, such as "svc:ro"';

const grant = parts(role, {
  role: orLater(role, z.string()),
  namespace: orLater("a namespace of the cluster", z.string()).optional(),
} satisfies Schemas<PlatformGrant>);

/** The schema of the arguments of a platform. @internal */
export const platformSchema = parts("an object", {
  network: z
    .union([z.custom<Network<string>>((given) => given instanceof Network), networkSchema], takes("a Network, or the arguments of one"))
    .optional(),
  egress,
  version: later,
  deletionProtection: later,
  nodePools: byName('node pools by name, such as { apps: { instanceTypes: ["SA5.MEDIUM4"] } }', pool),
  access: access.optional(),
  registry: registry.optional(),
  permissions: z
    .record(
      z.string(),
      z.union([z.string(), grant], takes('a role, such as "svc:ro", or an object, such as { role: "svc:ro", namespace: "team" }')),
      takes("roles by the ID of the sub-account"),
    )
    .optional(),
  tags,
  ...childOptionsFor(),
} satisfies Schemas<PlatformArgs>).superRefine(({ network, egress, nodePools, transform, childAliases }, context) => {
  const roles = network instanceof Network ? network.roles : Object.keys(network?.subnets ?? { nodes: {} });
  for (const [name, { role }] of Object.entries(nodePools))
    if (role !== undefined && !roles.includes(role))
      fail(context, `the network has no role ${role}; it has ${roles.join(", ")}`, ["nodePools", name, "role"]);
  if (network instanceof Network && egress !== undefined)
    fail(context, "the network is made outside of this platform: give it to that Network", ["egress"]);
  for (const [option, given = {}] of Object.entries(network instanceof Network ? { transform, childAliases } : {}))
    for (const child of networkChildren.filter((one) => one in given))
      fail(context, "the network is made outside of this platform: give it to that Network", [option, child]);
});

/** A warning if the pools of a new platform have no node, and its endpoints need one. */
export function noNode({ nodePools, access = {}, transform }: PlatformArgs): string | undefined {
  const { internal = true, internet = [] } = access;
  const isEmpty = ({ min, native = {} }: PlatformPool) => min === 0 && native.replicas === undefined && native.scaling === undefined;
  const isClosed = !internal && internet.length === 0;
  if (isClosed || transform?.nodePool !== undefined || !Object.values<PlatformPool>(nodePools).every(isEmpty)) return undefined;
  return "nodePools: each has min 0, so a new cluster has no node, and access to it needs one: give one of them a min of 1, or leave access out, { internal: false }, until there is a node";
}
