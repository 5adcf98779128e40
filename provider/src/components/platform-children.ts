import { addressFamily, parseCidr } from "@container-platform/sdk";
import { presetRoles } from "@container-platform/sdk/cluster";
import { type Input, output } from "@pulumi/pulumi";
import { type ChildArgs, type Children, type Making, tagged } from "./children.ts";
import type { PlatformAccess, PlatformArgs, PlatformGrant, PlatformPool, PlatformRegistry } from "./platform-args.ts";

/** The arguments of a child, and the platform's names for them. */
type Child<Kind extends keyof ChildArgs> = Pick<Making<Kind>, "args" | "from">;

/** The security group of nodes and API server: nodes and the VPC reach everything, listed ranges the API server, and everything may go out. */
export function groupOf(cidrBlock: string, { access: { internet = [] } = {}, tags }: PlatformArgs): Child<"securityGroup"> {
  const familyOf = (range: string) => addressFamily(range) ?? parseCidr(range)?.family;
  const open = internet.map((range) => ({ [familyOf(range) === 6 ? "ipv6CidrBlock" : "cidrBlock"]: range }));
  // The first two rules are for nodes and the VPC.
  const from = open.flatMap((range, index) =>
    Object.keys(range).map((key) => [`ingress[${index + 2}].${key}`, `access.internet[${index}]`] as const),
  );
  return {
    args: {
      groupDescription: "Nodes and API server of the platform",
      ingress: [
        { protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "nodes among each other" },
        { protocol: "ALL", cidrBlock, action: "ACCEPT", policyDescription: "the VPC: control plane and pods" },
        ...open.map((range) => ({
          protocol: "TCP" as const,
          port: "443",
          ...range,
          action: "ACCEPT" as const,
          policyDescription: "access to the API server",
        })),
        { protocol: "ICMPV6", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "IPv6 needs ICMP" },
      ],
      egress: [
        { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT", policyDescription: "out, over IPv4" },
        { protocol: "ALL", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "out, over IPv6" },
      ],
      ...tagged(tags),
    },
    from: Object.fromEntries(from),
  };
}

/** The place of a pool's nodes. */
interface PoolPlace {
  readonly clusterId: Input<string>;
  readonly subnetIds: Promise<readonly Input<string>[]>;
  readonly securityGroupId: Input<string>;
  readonly tags: PlatformArgs["tags"];
}

/** A pool: at least two nodes, spread over all zones and repaired by the platform. */
export function poolOf(key: string, pool: PlatformPool, { clusterId, subnetIds, securityGroupId, tags }: PoolPlace): Child<"nodePool"> {
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
  const own = Object.entries(names).filter(([path]) => !given.some(([one]) => path === one || path.startsWith(`${one}.`)));
  return {
    args: {
      clusterId,
      native: {
        subnetIds,
        instanceTypes,
        systemDisk: { diskType, diskSize },
        scaling: { minReplicas: min, maxReplicas: max },
        securityGroupIds: [securityGroupId],
        autoRepair: true,
        ...native,
      },
      ...(labels === undefined ? {} : { labels }),
      ...(taints === undefined ? {} : { taints }),
      ...tagged(tags),
    },
    from: Object.fromEntries([...own, ...given].map(([path, name]) => [path, `nodePools.${key}${name}`] as const)),
  };
}

type EndpointPlace = Pick<ChildArgs["endpoint"], "clusterId" | "subnetId" | "securityGroup" | "nodePoolIds">;

export function endpointsOf(
  children: Children,
  name: string,
  { internal = true, internet: allowedCidrBlocks = [] }: PlatformAccess,
  { subnetId, securityGroup, ...place }: EndpointPlace,
) {
  const fromVpc = { ...place, isExtranet: false, subnetId };
  const fromInternet = { ...place, isExtranet: true, securityGroup, allowedCidrBlocks };
  const from = { allowedCidrBlocks: "access.internet" };
  const isPublic = allowedCidrBlocks.length > 0;
  return {
    ...(internal ? { internal: children.make("endpoint", { name: `${name}-internal`, args: fromVpc }) } : {}),
    ...(isPublic ? { internet: children.make("endpoint", { name: `${name}-internet`, args: fromInternet, from }) } : {}),
  };
}

/** A permission: the type of a role that is no preset follows from where it holds. */
export function permissionOf(targetUin: string, grant: string | PlatformGrant, clusterId: Input<string>): Child<"permission"> {
  const { role: roleName, namespace } = typeof grant === "string" ? { role: grant } : grant;
  const preset = Object.entries(presetRoles).find(([name]) => name === roleName)?.[1];
  const roleType = preset ?? (namespace === undefined ? "cluster" : "namespace");
  const own = `permissions.${targetUin}`;
  const role = typeof grant === "string" ? own : `${own}.role`;
  return {
    args: { targetUin, clusterId, roleName, roleType, ...(namespace === undefined ? {} : { namespace }) },
    from: { targetUin: own, roleName: role, roleType: role, namespace: `${own}.namespace` },
  };
}

/** Makes a registry that the VPC reaches and the internet does not, with private namespaces and a login for pulls. */
export function imagesOf(
  children: Children,
  name: string,
  { name: registryName, namespaces: names, login = "service-account" }: PlatformRegistry,
  { deletionProtection = true, tags }: PlatformArgs,
  vpc: { readonly vpcId: Input<string>; readonly subnetId: Input<string> },
) {
  const args = { registryName, internalAccess: [vpc], deletionProtection, ...tagged(tags) };
  const registry = children.make("registry", { name, args, from: { registryName: "registry.name" } });
  const { registryId } = registry;
  const namespaces = Object.fromEntries(
    names.map((namespaceName) => [
      namespaceName,
      children.make("namespace", {
        name: `${name}-${namespaceName}`,
        from: { namespaceName: "registry.namespaces" },
        args: {
          registryId,
          namespaceName,
          isPublic: false,
          autoScan: true,
          severity: "high",
          retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
          ...tagged(tags),
        },
      }),
    ]),
  );
  const permissions = Object.values(namespaces).map(({ namespaceName }) => ({
    resource: namespaceName,
    actions: ["reg:PullRepository" as const],
  }));
  const puller = { registryId, name: "puller", permissions };
  return {
    registry,
    namespaces,
    login:
      login === "token"
        ? children.make("token", { name, args: { registryId, desc: `the nodes of ${name} pull with it` } })
        : children.make("serviceAccount", { name, args: puller, from: { permissions: "registry.namespaces" } }),
  };
}
