import * as z from "@container-platform/sdk/zod";
import { type ComponentResource, type CustomResourceOptions, type Input, rootStackResource } from "@pulumi/pulumi";
import { Cluster, type ClusterArgs } from "../resources/cluster/cluster.ts";
import type { Kind } from "../definition/definition.ts";
import { ClusterEndpoint, type ClusterEndpointArgs } from "../resources/cluster/cluster-endpoint.ts";
import { NodePool, type NodePoolArgs } from "../resources/cluster/node-pool.ts";
import { UserPermission, type UserPermissionArgs } from "../resources/cluster/user-permission.ts";
import { ElasticIp, type ElasticIpArgs } from "../resources/network/elastic-ip.ts";
import { Ipv6Block, type Ipv6BlockArgs } from "../resources/network/ipv6-block.ts";
import { NatGateway, type NatGatewayArgs } from "../resources/network/nat-gateway.ts";
import { RouteTable, type RouteTableArgs } from "../resources/network/route-table.ts";
import { SecurityGroup, type SecurityGroupArgs } from "../resources/network/security-group.ts";
import { Subnet, type SubnetArgs } from "../resources/network/subnet.ts";
import { Vpc, type VpcArgs } from "../resources/network/vpc.ts";
import { Namespace, type NamespaceArgs } from "../resources/registry/namespace.ts";
import { RegistryInstance, type RegistryInstanceArgs } from "../resources/registry/registry-instance.ts";
import { ServiceAccount, type ServiceAccountArgs } from "../resources/registry/service-account.ts";
import { Token, type TokenArgs } from "../resources/registry/token.ts";
import { listed } from "@container-platform/sdk";
import type { OtherNames } from "../schema/paths.ts";
import { at } from "../schema/values.ts";
import { asCalled, parts, refuse, takes } from "./arguments.ts";

/** The arguments of the children of components, by the word that `transform` and `childAliases` have for them. */
export interface ChildArgs {
  /** The VPC of the network. */
  vpc: VpcArgs;
  /** The IPv6 block of the network's VPC. */
  ipv6: Ipv6BlockArgs;
  /** Each elastic IP of the network's NAT gateways. */
  elasticIp: ElasticIpArgs;
  /** Each NAT gateway of the network. */
  natGateway: NatGatewayArgs;
  /** Each route table of the network. */
  routeTable: RouteTableArgs;
  /** Each subnet of the network. */
  subnet: SubnetArgs;
  /** The security group of the nodes and the API server. */
  securityGroup: SecurityGroupArgs;
  /** The cluster. */
  cluster: ClusterArgs;
  /** Each node pool. */
  nodePool: NodePoolArgs;
  /** Each endpoint of the API server. */
  endpoint: ClusterEndpointArgs;
  /** Each permission of a sub-account. */
  permission: UserPermissionArgs;
  /** The registry. */
  registry: RegistryInstanceArgs;
  /** Each namespace of the registry. */
  namespace: NamespaceArgs;
  /** The service account that pulls images. */
  serviceAccount: ServiceAccountArgs;
  /** The token that pulls images, in place of the service account. */
  token: TokenArgs;
}

/**
 * Changes what a component makes a child with: its arguments and options, in place, or by returning other arguments. `name` is the
 * child's name in the program, such as `prod-nodes-eu-frankfurt-1`.
 */
// A function that only changes its arguments returns nothing.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type Transform<Args> = (args: Args, opts: CustomResourceOptions, name: string) => Args | void;

/** A transform for each kind of child. */
export type Transforms<Kind extends keyof ChildArgs> = {
  readonly [K in keyof Pick<ChildArgs, Kind>]?: Transform<ChildArgs[K]> | undefined;
};

/** The old names of resources at the top of the stack that become children: one name, or several by the child's name. */
export type ChildAliases<Kind extends keyof ChildArgs> = {
  readonly [K in keyof Pick<ChildArgs, Kind>]?: string | Readonly<Record<string, string>> | undefined;
};

interface ChildOptions {
  /** The tags of all children that take tags. */
  readonly tags?: Tags | undefined;
  readonly transform?: Transforms<keyof ChildArgs> | undefined;
  readonly childAliases?: ChildAliases<keyof ChildArgs> | undefined;
}

const byKind = {
  vpc: Vpc,
  ipv6: Ipv6Block,
  elasticIp: ElasticIp,
  natGateway: NatGateway,
  routeTable: RouteTable,
  subnet: Subnet,
  securityGroup: SecurityGroup,
  cluster: Cluster,
  nodePool: NodePool,
  endpoint: ClusterEndpoint,
  permission: UserPermission,
  registry: RegistryInstance,
  namespace: Namespace,
  serviceAccount: ServiceAccount,
  token: Token,
};
type Made = { readonly [Kind in keyof ChildArgs]: InstanceType<(typeof byKind)[Kind]> };
interface ChildClass<Args, Child> {
  readonly kind: Kind;
  new (name: string, args: Args, opts: CustomResourceOptions): Child;
}
type Classes = { readonly [Kind in keyof ChildArgs]: ChildClass<ChildArgs[Kind], Made[Kind]> };
const classes: Classes = byKind;

/** What a child is made with. @internal */
export interface Making<Kind extends keyof ChildArgs> {
  readonly name: string;
  readonly args: ChildArgs[Kind];
  /** Tags of this child alone. */
  readonly tags?: Tags | undefined;
  /** What the component calls the arguments that the child's are made of, by path, where that is another name. */
  readonly from?: OtherNames;
  /** What is decided only after the program's own transform. */
  readonly last?: (args: ChildArgs[Kind], opts: CustomResourceOptions) => void;
}

/** The schemas of `transform` and `childAliases`. @internal @param kinds the kinds of children that they know; all by default */
export function childOptionsFor(kinds: readonly string[] = Object.keys(classes)) {
  const forEach = <Option extends z.ZodType>(what: string, option: Option) =>
    parts(what, Object.fromEntries(kinds.map((kind) => [kind, option]))).optional();
  const change = z.custom<unknown>((given) => typeof given === "function", takes("a function"));
  const name = z.string(takes("the name of a resource"));
  const names = z.union([name, z.record(z.string(), name)], takes("the name of a resource, or names by that of the child"));
  return { transform: forEach("functions by child", change.optional()), childAliases: forEach("names by child", names.optional()) };
}

/** The value at a path such as `ingress[2].cidrBlock`. */
const valueAt = (args: object, path: string): unknown => at(args, path.replaceAll(/\[(\d+)\]/g, ".$1").split("."));

/** @internal */
export type Children = ReturnType<typeof childrenOf>;

/**
 * Makes the children of a component with the transforms and aliases of the program, and finds those that name no child.
 *
 * @internal
 * @param others kinds of children that another component makes, with their transforms and aliases
 */
export function childrenOf(component: ComponentResource, options: ChildOptions, others: readonly string[] = []) {
  const made: { readonly kind: string; readonly name: string }[] = [];

  function make<Kind extends keyof ChildArgs>(kind: Kind, { name, args: own, tags, from = {}, last }: Making<Kind>): Made[Kind] {
    made.push({ kind, name });
    const adopted = options.childAliases?.[kind];
    const old = typeof adopted === "string" ? adopted : adopted?.[name];
    const opts: CustomResourceOptions = { parent: component };
    // A transform can add aliases with `??=`.
    if (old !== undefined) opts.aliases = [{ name: old, parent: rootStackResource }];
    const args = classes[kind].kind.tagsInput === undefined ? own : { ...own, tags: tagged(options.tags, tags) };
    const before = mapped(from, (path) => valueAt(args, path));
    const transforms: Transforms<Kind> = options.transform ?? {};
    const transformed = transforms[kind]?.(args, opts, name) ?? args;
    // What a transform has changed is not of the component's arguments any more.
    const changed = Object.keys(from).filter((path) => before[path] !== valueAt(transformed, path));
    const kept = Object.entries(from).filter(([path]) => !changed.some((one) => `${one}.`.startsWith(`${path}.`)));
    const __from = Object.fromEntries(kept.map(([path, argument]) => [path, asCalled(component, `${argument}:`).slice(0, -1)]));
    last?.(transformed, opts);
    // Pulumi ignores an alias of a resource that does not exist. The provider warns of it.
    return new classes[kind](name, { ...transformed, __adopts: old, __from }, opts);
  }

  /** Ends the preview if an alias names a child that does not exist. Called once all children are made. */
  function finish(): void {
    const unmet = Object.entries(options.childAliases ?? {}).flatMap(([kind, adopted]) => {
      const names = made.filter((one) => one.kind === kind).map(({ name }) => name);
      return adopted === undefined || others.includes(kind) ? [] : unmetBy(names, kind, adopted);
    });
    refuse(component, unmet);
  }

  return { make, finish };
}

/** The names of resources that become none of the children of a kind. */
function unmetBy(names: readonly string[], kind: string, adopted: string | Readonly<Record<string, string>>): string[] {
  const are = names.length === 0 ? "there is none" : `there ${names.length === 1 ? "is" : "are"} ${listed(names)}`;
  if (typeof adopted !== "string") {
    const absent = Object.keys(adopted).filter((name) => !names.includes(name));
    return absent.map((name) => `childAliases.${kind}: there is no child ${name}; ${are}`);
  }
  if (names.length === 1) return [];
  return [`childAliases.${kind}: "${adopted}" can become one child only, and ${are}: write { <child>: "${adopted}" }`];
}

/** A record with another value for each key, in the same order. */
export function mapped<Value, Made>(
  of: Readonly<Record<string, Value>>,
  make: (key: string, value: Value) => Made,
): Readonly<Record<string, Made>> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, make(key, value)]));
}

export type Tags = Readonly<Record<string, Input<string>>>;

/** The input of tags, if there are any: later ones win. */
export function tagged(...tags: readonly (Tags | undefined)[]): Tags | undefined {
  const all = tags.flatMap((some = {}) => Object.entries(some));
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}
