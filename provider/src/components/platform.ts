import * as cluster from "@container-platform/sdk/cluster";
import { ComponentResource, type ComponentResourceOptions, log, type Output } from "@pulumi/pulumi";
import { withTimes } from "../pulumi/options.ts";
import { Cluster } from "../resources/cluster/cluster.ts";
import { NodePool } from "../resources/cluster/node-pool.ts";
import { UserPermission } from "../resources/cluster/user-permission.ts";
import { isOlder } from "../resources/cluster/versions.ts";
import { SecurityGroup } from "../resources/network/security-group.ts";
import type { OtherNames } from "../schema/paths.ts";
import type { Namespace } from "../resources/registry/namespace.ts";
import { pullSecret } from "../resources/registry/pulling/pull-secret.ts";
import type { RegistryInstance } from "../resources/registry/registry-instance.ts";
import type { ServiceAccount } from "../resources/registry/service-account.ts";
import type { Token } from "../resources/registry/token.ts";
import { endpointsOf, type PlatformEndpoints } from "./access.ts";
import { Children } from "./children.ts";
import { grantNames, grantOf } from "./grants.ts";
import { groupArgs, groupNames } from "./group.ts";
import { imagesOf } from "./images.ts";
import { refuse } from "./mistakes.ts";
import { goingBy } from "./names.ts";
import { Network, networkArguments, type NetworkArgs } from "./network.ts";
import { networkChildren, type PlatformArgs } from "./platform-args.ts";
import { doubtsAbout, mistakesIn, wrongRoles } from "./platform-mistakes.ts";
import { placeOf } from "./places.ts";
import { poolArgs, poolNames } from "./pools.ts";
import { lackingFor, reading } from "./reading.ts";
import { mapped, tagged } from "./records.ts";

/**
 * A whole platform: a network, a cluster with node pools and endpoints, a registry from which the nodes pull private images over the VPC,
 * and permissions.
 *
 * A child has the name of the platform, or `<platform>-<key>` if the platform has several children of its type.
 *
 * @remarks Each child is a property.
 * @example
 * const platform = new Platform("prod", {
 *   network: { zones: 2 },
 *   nodePools: { system: { instanceTypes: ["SA5.MEDIUM4"] }, apps: { instanceTypes: ["SA5.MEDIUM4"], max: 6 } },
 *   registry: { name: "prod-images", namespaces: ["team"] },
 * });
 * export const { kubeconfig, pullSecret } = platform;
 */
export class Platform<Pool extends string = string, Role extends string = "nodes"> extends ComponentResource {
  /** The network: the given one, or the platform's own. */
  readonly network: Network<Role>;
  /** The security group of the nodes and the API server. */
  readonly securityGroup: SecurityGroup;
  /** The cluster. */
  readonly cluster: Cluster;
  /** The node pools, by name. */
  readonly nodePools: Readonly<Record<Pool, NodePool>>;
  /** The endpoints of the API server: `internal` (private) and `internet` (public). */
  readonly endpoints: PlatformEndpoints;
  /** The permissions, by the ID of the sub-account. */
  readonly permissions: Readonly<Record<string, UserPermission>>;
  /** The registry, if the platform has one. */
  readonly registry: RegistryInstance | undefined;
  /** The namespaces of the registry, by name. */
  readonly namespaces: Readonly<Record<string, Namespace>>;
  /** The login of the nodes to the registry, if the platform has a registry. */
  readonly login: ServiceAccount | Token | undefined;
  readonly #name: string;

  constructor(name: string, args: PlatformArgs<Pool, Role>, opts?: ComponentResourceOptions) {
    super("container-platform:index:Platform", name, {}, withTimes(`Platform ${name}`, opts));
    refuse(this, mistakesIn(args));
    refuse(this, lackingFor(this));
    for (const doubt of doubtsAbout(args)) void log.warn(doubt, this);
    this.#name = name;
    const { nodePools, access = {}, registry, permissions = {}, tags, deletionProtection = true } = args;
    const children = new Children(this, args, networkChildren);
    this.network = args.network instanceof Network ? args.network : networkOf(this, name, args);
    refuse(this, wrongRoles(nodePools, this.network.roles));
    const { vpcId } = this.network.vpc;
    const { subnetId } = placeOf(this.network, "nodes");

    const { internet = [] } = access;
    const group = { ...groupArgs(this.network.cidrBlock, internet), ...tagged(tags) };
    this.securityGroup = children.make({ kind: "securityGroup", of: SecurityGroup, name, args: group, from: groupNames(internet) });
    const { securityGroupId } = this.securityGroup;
    this.cluster = clusterOf(this, children, name, { ...args, deletionProtection });
    const { clusterId } = this.cluster;
    const pools = mapped(nodePools, (key, pool) => {
      const { subnetIds } = placeOf(this.network, pool.role ?? "nodes");
      const place = { clusterId, subnetIds, securityGroupId, tags };
      const args = poolArgs(pool, place);
      return children.make({ kind: "nodePool", of: NodePool, name: `${name}-${key}`, args, from: poolNames(key, pool) });
    });
    this.nodePools = pools;
    const nodePoolIds = Object.values(pools).map(({ nodePoolId }) => nodePoolId);
    this.endpoints = endpointsOf(children, access, { name, clusterId, subnetId, securityGroupId, nodePoolIds });
    this.permissions = mapped(permissions, (targetUin, grant) => {
      const granted = { targetUin, clusterId, ...grantOf(grant) };
      const from = grantNames(targetUin, grant);
      return children.make({ kind: "permission", of: UserPermission, name: `${name}-${targetUin}`, args: granted, from });
    });
    const images = registry && imagesOf(children, registry, { name, vpcId, subnetId, deletionProtection, tags });
    this.registry = images?.registry;
    this.namespaces = images?.namespaces ?? {};
    this.login = images?.login;
    children.finish();
    this.registerOutputs({ clusterId, vpcId });
  }

  /** The kubeconfig for access from the internet if there is that, else from the VPC. A secret. */
  get kubeconfig(): Output<string> {
    const { internet, internal = internet } = this.endpoints;
    const endpoint = internet ?? internal;
    if (!endpoint) throw new Error(`the platform ${this.#name} has no kubeconfig: its access is neither internal nor from the internet`);
    return endpoint.kubeconfig;
  }

  /** The server that the nodes pull images from, over the VPC. */
  get pullServer(): Output<string> {
    return this.#pulled.registry.pullServer(this.#pulled.via);
  }

  /** The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, with which the nodes pull images over the VPC. A secret. */
  get pullSecret(): Output<string> {
    return pullSecret(this.#pulled);
  }

  get #pulled() {
    const { registry, login, network } = this;
    if (!registry || !login) throw new Error(`the platform ${this.#name} has no registry to pull from: give \`registry\``);
    return { registry, token: login, via: { vpcId: network.vpc.vpcId } };
  }
}

function networkOf<Pool extends string, Role extends string>(
  platform: Platform<Pool, Role>,
  name: string,
  { network, tags, transform, childAliases }: PlatformArgs<Pool, Role>,
): Network<Role> {
  if (network instanceof Network) return network;
  const { vpc, ipv6, subnet } = transform ?? {};
  const args = {
    ...network,
    ...(tags || network?.tags ? { tags: { ...tags, ...network?.tags } } : {}),
    transform: { vpc, ipv6, subnet, ...network?.transform },
    childAliases: { vpc: childAliases?.vpc, ipv6: childAliases?.ipv6, subnet: childAliases?.subnet, ...network?.childAliases },
  };
  return new Network(name, goingBy(args, namesInNetwork(network ?? {}, { transform, childAliases })), { parent: platform });
}

/** What a platform calls the arguments of the network that it makes: its own wishes for children hold where the network has none. */
function namesInNetwork(network: NetworkArgs, wishes: Readonly<Record<"transform" | "childAliases", object | undefined>>): OtherNames {
  const names = Object.keys({ ...networkArguments, ...network }).map((name) => [name, `network.${name}`] as const);
  const own = (["transform", "childAliases"] as const).flatMap((wish) =>
    Object.keys(wishes[wish] ?? {})
      .filter((child) => !(child in (network[wish] ?? {})))
      .map((child) => [`${wish}.${child}`, `${wish}.${child}`] as const),
  );
  return Object.fromEntries([...names, ...own]);
}

function clusterOf<Pool extends string, Role extends string>(
  platform: Platform<Pool, Role>,
  children: Children,
  name: string,
  { version, deletionProtection = true, tags }: PlatformArgs<Pool, Role>,
): Cluster {
  const { network } = platform;
  const { vpcId } = network.vpc;
  return children.make({
    kind: "cluster",
    of: Cluster,
    name,
    from: { clusterVersion: "version" },
    args: {
      vpcId,
      subnetId: placeOf(network, "nodes").subnetId,
      eniSubnetIds: placeOf(network, network.roles.includes("pods") ? "pods" : "nodes").subnetIds,
      networkType: "VPC-CNI",
      isDualStack: network.ipv6 !== undefined,
      upgradeNodes: true,
      deletionProtection,
      ...(version === undefined ? {} : { clusterVersion: version }),
      ...tagged(tags),
    },
    last: (args, opts) => {
      if (args.clusterVersion !== undefined) return;
      // The version at creation is in the state's inputs, and stays there: Pulumi takes it rather than this one.
      args.clusterVersion = newestVersion(platform);
      opts.ignoreChanges = [...(opts.ignoreChanges ?? []), "clusterVersion"];
    },
  });
}

function newestVersion(platform: ComponentResource): Output<string> {
  return reading(platform, async (cloud) => {
    const { versionInstanceSet } = await cloud.call(cluster.describeVersions, {});
    return versionInstanceSet.map(({ version }) => version).reduce((newest, one) => (isOlder(newest, one) ? one : newest));
  });
}
