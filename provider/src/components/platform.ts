import { isOlderVersion } from "@container-platform/sdk";
import { describeVersions, presetRoles } from "@container-platform/sdk/cluster";
import { ComponentResource, type ComponentResourceOptions, type Input, log, type Output, output } from "@pulumi/pulumi";
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
import { pick, type Props } from "../schema/values.ts";
import { checked, coded, goingBy } from "./arguments.ts";
import { type ChildArgs, type Children, childrenOf, mapped, tagged } from "./children.ts";
import { firewallOf } from "./firewall.ts";
import { Network, type NetworkChild, networkChildren } from "./network.ts";
import type { PlatformArgs, PlatformGrant, PlatformPool, PlatformRegistry } from "./platform-args.ts";
import { noNode, platformSchema } from "./platform-args.ts";
import { reading } from "./reading.ts";

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
    const doubt = noNode(args);
    if (doubt !== undefined) void log.warn(coded(doubt, "Unwise"), this);
    this.#name = name;
    const children = childrenOf(this, args, networkChildren);
    this.network = args.network instanceof Network ? args.network : new Network(name, networkArgs(args), { parent: this });
    const { cidrBlock, ipv6, vpc } = this.network;
    const { args: rules, from } = firewallOf(cidrBlock, ipv6?.ipv6CidrBlock, args.access?.internet ?? []);
    const group = { groupDescription: "Nodes and API server of the platform", ...rules };
    this.securityGroup = children.make("securityGroup", { name, args: group, from });
    this.cluster = this.#makeCluster(children, args);
    this.nodePools = this.#makePools(children, args);
    this.endpoints = this.#makeEndpoints(children, args);
    const { clusterId } = this.cluster;
    this.permissions = mapped(args.permissions ?? {}, (uin, grant) =>
      children.make("permission", { name: `${name}-${uin}`, ...permissionOf(uin, grant, clusterId) }),
    );
    const place = { vpcId: vpc.vpcId, subnetId: placeOf(this.network, "nodes").subnetId };
    const { registry, deletionProtection = true } = args;
    const images = registry && imagesOf(children, name, registry, { internalAccess: [place], deletionProtection });
    this.registry = images?.registry;
    this.namespaces = images?.namespaces ?? {};
    this.login = images?.login;
    children.finish();
    this.registerOutputs({ clusterId, vpcId: vpc.vpcId });
  }

  #makeCluster(children: Children, { version, deletionProtection = true }: PlatformArgs<Pool, Role>): Cluster {
    const { network } = this;
    return children.make("cluster", {
      name: this.#name,
      from: { clusterVersion: "version" },
      args: {
        vpcId: network.vpc.vpcId,
        subnetId: placeOf(network, "nodes").subnetId,
        eniSubnetIds: placeOf(network, network.roles.includes("pods") ? "pods" : "nodes").subnetIds,
        networkType: "VPC-CNI",
        isDualStack: network.ipv6 !== undefined,
        upgradeNodes: true,
        deletionProtection,
        clusterVersion: version,
      },
      last: (made, opts) => {
        if (made.clusterVersion !== undefined) return;
        // The version at creation is in the state's inputs, and stays there: Pulumi takes it rather than this one.
        made.clusterVersion = newestVersion(this);
        opts.ignoreChanges = [...(opts.ignoreChanges ?? []), "clusterVersion"];
      },
    });
  }

  #makePools(children: Children, { nodePools }: PlatformArgs<Pool, Role>): Readonly<Record<Pool, NodePool>> {
    const { clusterId } = this.cluster;
    const { securityGroupId } = this.securityGroup;
    return mapped(nodePools, (key, pool) => {
      const { subnetIds } = placeOf(this.network, pool.role ?? "nodes");
      const { native, labels, taints, from } = poolOf(key, pool);
      const args = { clusterId, native: { subnetIds, securityGroupIds: [securityGroupId], ...native }, labels, taints };
      return children.make("nodePool", { name: `${this.#name}-${key}`, args, from });
    });
  }

  #makeEndpoints(children: Children, { access: { internal = true, internet = [] } = {} }: PlatformArgs<Pool, Role>): PlatformEndpoints {
    const { clusterId } = this.cluster;
    const shared = { clusterId, nodePoolIds: Object.values<NodePool>(this.nodePools).map(({ nodePoolId }) => nodePoolId) };
    const fromVpc = { ...shared, isExtranet: false, subnetId: placeOf(this.network, "nodes").subnetId };
    const { securityGroupId } = this.securityGroup;
    const fromInternet = { ...shared, isExtranet: true, securityGroup: securityGroupId, allowedCidrBlocks: internet };
    const from = { allowedCidrBlocks: "access.internet" };
    return {
      ...(internal ? { internal: children.make("endpoint", { name: `${this.#name}-internal`, args: fromVpc }) } : {}),
      ...(internet.length > 0 ? { internet: children.make("endpoint", { name: `${this.#name}-internet`, args: fromInternet, from }) } : {}),
    };
  }

  /** The kubeconfig for access from the internet if there is that, else from the VPC. A secret. */
  get kubeconfig(): Output<string> {
    const { internal, internet = internal } = this.endpoints;
    if (internet) return internet.kubeconfig;
    throw programError(
      "UnmetRequirement",
      `the platform ${this.#name} has no kubeconfig: its access is neither internal nor from the internet`,
    );
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

/** The arguments of the network that a platform makes. */
function networkArgs<Role extends string>({ network, egress, tags, transform = {}, childAliases = {} }: PlatformArgs<string, Role>) {
  const own = network instanceof Network ? {} : network;
  // The options of the network win over those of the platform.
  const args = {
    egress,
    ...own,
    tags: tagged(tags, own?.tags),
    transform: { ...ofNetworkAlone(transform), ...own?.transform },
    childAliases: { ...ofNetworkAlone(childAliases), ...own?.childAliases },
  };
  const ofNetwork = ["cidrBlock", "zones", "subnets", ...Object.keys(own?.childAliases ?? {}).map((child) => `childAliases.${child}`)];
  goingBy(args, Object.fromEntries(ofNetwork.map((path) => [path, `network.${path}`])));
  return args;
}

/** Of the options by child, those of a network's children. */
function ofNetworkAlone<Options extends object>(options: Options): Pick<Options, NetworkChild & keyof Options>;
function ofNetworkAlone(options: Props): Props {
  return pick(options, networkChildren);
}

function newestVersion(platform: ComponentResource): Output<string> {
  return reading(platform, async (cloud) => {
    const { versionInstanceSet } = await cloud.call(describeVersions, {});
    return versionInstanceSet.map(({ version }) => version).reduce((newest, one) => (isOlderVersion(newest, one) ? one : newest));
  });
}

/** A pool's own settings: at least two nodes, spread over all zones and repaired by the platform. And the platform's names for them. */
function poolOf(key: string, pool: PlatformPool) {
  const { instanceTypes, min = 2, diskSize = 50, diskType = "CLOUD_PREMIUM", labels, taints, native = {} } = pool;
  const max = pool.max ?? output(min).apply((fewest) => Math.max(3, fewest));
  const names = {
    "native.instanceTypes": ".instanceTypes",
    "native.subnetIds": ".role",
    "native.scaling": "",
    "native.scaling.minReplicas": ".min",
    "native.scaling.maxReplicas": ".max",
    "native.systemDisk.diskType": ".diskType",
    "native.systemDisk.diskSize": ".diskSize",
    labels: ".labels",
    taints: ".taints",
  };
  const given = Object.keys(native).map((setting) => [`native.${setting}`, `.native.${setting}`] as const);
  const own = Object.entries(names).filter(([path]) => !given.some(([one]) => `${path}.`.startsWith(`${one}.`)));
  return {
    native: {
      instanceTypes,
      systemDisk: { diskType, diskSize },
      scaling: { minReplicas: min, maxReplicas: max },
      autoRepair: true,
      ...native,
    },
    labels,
    taints,
    from: Object.fromEntries([...own, ...given].map(([path, name]) => [path, `nodePools.${key}${name}`] as const)),
  };
}

/** A permission, and the platform's names for its arguments: the type of a role that is no preset follows from where it holds. */
function permissionOf(targetUin: string, grant: string | PlatformGrant, clusterId: Input<string>) {
  const { role: roleName, namespace } = typeof grant === "string" ? { role: grant } : grant;
  const preset = Object.entries(presetRoles).find(([name]) => name === roleName)?.[1];
  const roleType = preset ?? (namespace === undefined ? "cluster" : "namespace");
  const own = `permissions.${targetUin}`;
  const role = typeof grant === "string" ? own : `${own}.role`;
  return {
    args: { targetUin, clusterId, roleName, roleType, namespace },
    from: { targetUin: own, roleName: role, roleType: role, namespace: `${own}.namespace` },
  };
}

/** Makes a registry that the VPC reaches and the internet does not, with private namespaces and a login for pulls. */
function imagesOf(
  children: Children,
  name: string,
  { name: registryName, namespaces: names, login = "service-account" }: PlatformRegistry,
  given: Omit<ChildArgs["registry"], "registryName">,
) {
  const registry = children.make("registry", { name, args: { registryName, ...given }, from: { registryName: "registry.name" } });
  const { registryId } = registry;
  const namespaceOf = (namespaceName: string) =>
    children.make("namespace", {
      name: `${name}-${namespaceName}`,
      args: {
        registryId,
        namespaceName,
        isPublic: false,
        autoScan: true,
        severity: "high",
        retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
      },
      from: { namespaceName: "registry.namespaces" },
    });
  const namespaces = Object.fromEntries(names.map((one) => [one, namespaceOf(one)]));
  const actions = ["reg:PullRepository" as const];
  const permissions = Object.values(namespaces).map(({ namespaceName }) => ({ resource: namespaceName, actions }));
  return {
    registry,
    namespaces,
    login:
      login === "token"
        ? children.make("token", { name, args: { registryId, desc: `the nodes of ${name} pull with it` } })
        : children.make("serviceAccount", {
            name,
            args: { registryId, name: "puller", permissions },
            from: { permissions: "registry.namespaces" },
          }),
  };
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
