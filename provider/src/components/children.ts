import { type ComponentResource, type CustomResourceOptions, rootStackResource } from "@pulumi/pulumi";
import type { Cluster } from "../resources/cluster/cluster.ts";
import type { ClusterEndpoint } from "../resources/cluster/cluster-endpoint.ts";
import type { NodePool } from "../resources/cluster/node-pool.ts";
import type { UserPermission } from "../resources/cluster/user-permission.ts";
import type { Ipv6Block } from "../resources/network/ipv6-block.ts";
import type { SecurityGroup } from "../resources/network/security-group.ts";
import type { Subnet } from "../resources/network/subnet.ts";
import type { Vpc } from "../resources/network/vpc.ts";
import type { Namespace } from "../resources/registry/namespace.ts";
import type { RegistryInstance } from "../resources/registry/registry-instance.ts";
import type { ServiceAccount } from "../resources/registry/service-account.ts";
import type { Token } from "../resources/registry/token.ts";
import { listed } from "@container-platform/sdk";
import type { OtherNames } from "../schema/paths.ts";
import { at } from "../schema/values.ts";
import { refuse } from "./mistakes.ts";
import { allAsCalled } from "./names.ts";

type ArgsOf<Class extends abstract new (name: string, args: never) => unknown> = Class extends new (
  name: string,
  args: infer Args,
) => unknown
  ? Args
  : never;

/** The arguments of the children of components, by the word that `transform` and `childAliases` have for them. */
export interface ChildArgs {
  /** The VPC of the network. */
  vpc: ArgsOf<typeof Vpc>;
  /** The IPv6 block of the network's VPC. */
  ipv6: ArgsOf<typeof Ipv6Block>;
  /** Each subnet of the network. */
  subnet: ArgsOf<typeof Subnet>;
  /** The security group of the nodes and the API server. */
  securityGroup: ArgsOf<typeof SecurityGroup>;
  /** The cluster. */
  cluster: ArgsOf<typeof Cluster>;
  /** Each node pool. */
  nodePool: ArgsOf<typeof NodePool>;
  /** Each endpoint of the API server. */
  endpoint: ArgsOf<typeof ClusterEndpoint>;
  /** Each permission of a sub-account. */
  permission: ArgsOf<typeof UserPermission>;
  /** The registry. */
  registry: ArgsOf<typeof RegistryInstance>;
  /** Each namespace of the registry. */
  namespace: ArgsOf<typeof Namespace>;
  /** The service account that pulls images. */
  serviceAccount: ArgsOf<typeof ServiceAccount>;
  /** The token that pulls images, in place of the service account. */
  token: ArgsOf<typeof Token>;
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

interface Wishes {
  readonly transform?: Transforms<keyof ChildArgs> | undefined;
  readonly childAliases?: ChildAliases<keyof ChildArgs> | undefined;
}

interface Making<Kind extends keyof ChildArgs, Made> {
  readonly kind: Kind;
  readonly of: new (name: string, args: ChildArgs[Kind], opts: CustomResourceOptions) => Made;
  readonly name: string;
  readonly args: ChildArgs[Kind];
  /** What the component calls the arguments that the child's are made of, by path, where that is another name. */
  readonly from?: OtherNames;
  /** What is decided only after the program's own transform. */
  readonly last?: (args: ChildArgs[Kind], opts: CustomResourceOptions) => void;
}

/** The values at some paths, such as `ingress[2].cidrBlock`. */
function valuesOf(args: object, names: OtherNames): ReadonlyMap<string, unknown> {
  const keysOf = (path: string): string[] => path.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
  return new Map(Object.keys(names).map((path) => [path, at(args, keysOf(path))]));
}

/** Makes the children of a component as the program wishes, and knows which of its wishes were for no child. */
export class Children {
  readonly #component: ComponentResource;
  readonly #wishes: Wishes;
  /** Kinds that another component makes, and whose wishes it looks after. */
  readonly #others: readonly string[];
  readonly #made: { readonly kind: string; readonly name: string }[] = [];

  constructor(component: ComponentResource, wishes: Wishes, others: readonly (keyof ChildArgs)[] = []) {
    this.#component = component;
    this.#wishes = wishes;
    this.#others = others;
  }

  make<Kind extends keyof ChildArgs, Made>({ kind, of, name, args, from = {}, last }: Making<Kind, Made>): Made {
    this.#made.push({ kind, name });
    const old = this.#adoptedAs(kind, name);
    const aliases = old === undefined ? {} : { aliases: [{ name: old, parent: rootStackResource }] };
    const opts: CustomResourceOptions = { parent: this.#component, ...aliases };
    const before = valuesOf(args, from);
    const transformed = this.#transformOf(kind)?.(args, opts, name) ?? args;
    const after = valuesOf(transformed, from);
    last?.(transformed, opts);
    // What a transform has changed is not of the component's arguments any more.
    const changed = Object.keys(from).filter((path) => before.get(path) !== after.get(path));
    const names = Object.entries(from).filter(([path]) => !changed.some((one) => one === path || one.startsWith(`${path}.`)));
    const hidden = {
      // The engine says nothing of an alias that nobody has. Our provider does.
      ...(old === undefined ? {} : { __adopts: old }),
      ...(names.length === 0 ? {} : { __from: allAsCalled(this.#component, Object.fromEntries(names)) }),
    };
    return new of(name, { ...transformed, ...hidden }, opts);
  }

  #transformOf<Kind extends keyof ChildArgs>(kind: Kind): Transform<ChildArgs[Kind]> | undefined {
    const transforms: Transforms<Kind> = this.#wishes.transform ?? {};
    return transforms[kind];
  }

  #adoptedAs(kind: keyof ChildArgs, name: string): string | undefined {
    const adopted = this.#wishes.childAliases?.[kind];
    return typeof adopted === "string" ? adopted : adopted?.[name];
  }

  /** Ends the preview if two children have one name, or a wish is for a child that does not exist. Called once all children are made. */
  finish(): void {
    const calledAlike = this.#made.filter(
      ({ kind, name }, index) => this.#made.findIndex((one) => one.kind === kind && one.name === name) < index,
    );
    const wishes = Object.entries(this.#wishes.childAliases ?? {}).flatMap(([kind, adopted]) =>
      this.#others.includes(kind) ? [] : this.#unmet(kind, adopted),
    );
    refuse(this.#component, [
      ...calledAlike.map(({ kind, name }) => `two children would be called ${name} (${kind}): name them differently`),
      ...wishes,
    ]);
  }

  #unmet(kind: string, adopted: string | Readonly<Record<string, string>> | undefined): string[] {
    if (adopted === undefined) return [];
    const names = this.#made.filter((one) => one.kind === kind).map(({ name }) => name);
    const are = names.length === 0 ? "there is none" : `there ${names.length === 1 ? "is" : "are"} ${listed(names)}`;
    if (typeof adopted === "string")
      return names.length === 1
        ? []
        : [`childAliases.${kind}: "${adopted}" can become one child only, and ${are}: write { <child>: "${adopted}" }`];
    return Object.keys(adopted)
      .filter((name) => !names.includes(name))
      .map((name) => `childAliases.${kind}: there is no child ${name}; ${are}`);
  }
}
