import { isOlderVersion } from "@container-platform/sdk";
import { describeVersions } from "@container-platform/sdk/cluster";
import { ComponentResource, type ComponentResourceOptions, log, type Output, output } from "@pulumi/pulumi";
import { programError } from "../definition/codes.ts";
import { knownValue } from "../dynamic/known.ts";
import { withTimes } from "../dynamic/options.ts";
import type { Cluster } from "../resources/cluster/cluster.ts";
import type { ClusterEndpoint } from "../resources/cluster/cluster-endpoint.ts";
import type { NodePool } from "../resources/cluster/node-pool.ts";
import type { UserPermission } from "../resources/cluster/user-permission.ts";
import type { SecurityGroup } from "../resources/network/security-group.ts";
import type { Subnet } from "../resources/network/subnet.ts";
import type { Namespace } from "../resources/registry/namespace.ts";
import { pullSecret } from "../resources/registry/pulling/pull-secret.ts";
import type { RegistryInstance } from "../resources/registry/registry-instance.ts";
import type { ServiceAccount } from "../resources/registry/service-account.ts";
import type { Token } from "../resources/registry/token.ts";
import { coded, checked, goingBy, refuse } from "./arguments.ts";
import { type Children, childrenOf, mapped, tagged } from "./children.ts";
import { Network } from "./network.ts";
import { doubtsAbout, networkChildren, type PlatformArgs, platformSchema } from "./platform-args.ts";
import { endpointsOf, groupOf, imagesOf, permissionOf, poolOf } from "./platform-children.ts";
import { lackingFor, reading } from "./reading.ts";

/** The endpoints of a platform's API server. */
export interface PlatformEndpoints {
  /** From the VPC. */
  readonly internal?: ClusterEndpoint;
  /** From the internet. */
  readonly internet?: ClusterEndpoint;
}

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
    checked(this, "Platform", platformSchema, args);
    refuse(this, lackingFor(this));
    for (const doubt of doubtsAbout(args)) void log.warn(coded(doubt, "Unwise"), this);
    this.#name = name;
    const { nodePools, access = {}, registry, permissions = {}, tags } = args;
    const children = childrenOf(this, args, networkChildren);
    this.network = args.network instanceof Network ? args.network : networkOf(this, name, args);
    const { vpcId } = this.network.vpc;
    const { subnetId } = placeOf(this.network, "nodes");
    this.securityGroup = children.make("securityGroup", { name, ...groupOf(this.network.cidrBlock, args) });
    const { securityGroupId } = this.securityGroup;
    this.cluster = clusterOf(this, children, name, args);
    const { clusterId } = this.cluster;
    const pools = mapped(nodePools, (key, pool) => {
      const { subnetIds } = placeOf(this.network, pool.role ?? "nodes");
      return children.make("nodePool", { name: `${name}-${key}`, ...poolOf(key, pool, { clusterId, subnetIds, securityGroupId, tags }) });
    });
    this.nodePools = pools;
    const nodePoolIds = Object.values(pools).map(({ nodePoolId }) => nodePoolId);
    this.endpoints = endpointsOf(children, name, access, { clusterId, subnetId, securityGroup: securityGroupId, nodePoolIds });
    this.permissions = mapped(permissions, (uin, grant) =>
      children.make("permission", { name: `${name}-${uin}`, ...permissionOf(uin, grant, clusterId) }),
    );
    const images = registry && imagesOf(children, name, registry, args, { vpcId, subnetId });
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
    const message = `the platform ${this.#name} has no kubeconfig: its access is neither internal nor from the internet`;
    if (!endpoint) throw programError("UnmetRequirement", message);
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
    if (!registry || !login)
      throw programError("UnmetRequirement", `the platform ${this.#name} has no registry to pull from: give \`registry\``);
    return { registry, token: login, via: { vpcId: network.vpc.vpcId } };
  }
}

function networkOf<Role extends string>(
  platform: ComponentResource,
  name: string,
  { network, tags, transform = {}, childAliases = {} }: PlatformArgs<string, Role>,
): Network<Role> {
  if (network instanceof Network) return network;
  const ofNetwork = <Option>(options: Readonly<Record<string, Option>>) =>
    Object.fromEntries(networkChildren.filter((child) => child in options).map((child) => [child, options[child]]));
  const args = {
    ...network,
    ...tagged(tags, network?.tags),
    transform: { ...ofNetwork(transform), ...network?.transform },
    childAliases: { ...ofNetwork(childAliases), ...network?.childAliases },
  };
  // The options of the network win over those of the platform.
  const own = networkChildren.filter((child) => !(child in (network?.childAliases ?? {}))).map((child) => `childAliases.${child}`);
  const names = ["cidrBlock", "zones", "subnets", "childAliases"].map((key) => [key, `network.${key}`] as const);
  goingBy(args, Object.fromEntries([...names, ...own.map((path) => [path, path] as const)]));
  return new Network(name, args, { parent: platform });
}

function clusterOf(
  platform: Platform<string, string>,
  children: Children,
  name: string,
  { version, deletionProtection = true, tags }: PlatformArgs,
): Cluster {
  const { network } = platform;
  return children.make("cluster", {
    name,
    from: { clusterVersion: "version" },
    args: {
      vpcId: network.vpc.vpcId,
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
    const { versionInstanceSet } = await cloud.call(describeVersions, {});
    return versionInstanceSet.map(({ version }) => version).reduce((newest, one) => (isOlderVersion(newest, one) ? one : newest));
  });
}

/**
 * The subnets of a role, or of the network's first role if it has none of that name: the first zone's, and all. All are a list of outputs: so
 * the preview of another zone knows all ids but one. An output of a list would be unknown as a whole, and the cluster would be replaced.
 */
function placeOf({ subnets, roles }: Network<string>, role: string) {
  const found = subnets[role] ?? subnets[roles[0] ?? ""] ?? output({});
  const idsIn = (byZone: Readonly<Record<string, Subnet>>) => Object.values(byZone).map((subnet) => subnet.subnetId);
  const subnetId = found.apply((byZone) => idsIn(byZone)[0] ?? output(""));
  return { subnetId, subnetIds: knownValue(found).then((byZone) => (byZone ? idsIn(byZone) : [subnetId])) };
}
