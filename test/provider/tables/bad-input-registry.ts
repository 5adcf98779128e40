import type { Props } from "../../support/structs.ts";

export type Case = readonly [type: string, args: Props, reason: string, ...more: readonly string[]];

const images = { registryName: "acme-images" };
const namespace = { registryId: "tcr-1", namespaceName: "team", isPublic: false };
const account = { registryId: "tcr-1", name: "ci", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] };
const permitted = (...permissions: readonly object[]) => ({ ...account, permissions });
const repository = { registryId: "tcr-1", namespaceName: "team", repositoryName: "web" };
const rule = {
  sourceRegistryId: "tcr-1",
  ruleName: "copy",
  destinationRegistryId: "tcr-2",
  destNamespace: "team",
  filters: [{ type: "name", value: "**" }],
};
const grant = { targetUin: "100000000002", clusterId: "cls-1", roleName: "svc:ro", roleType: "cluster" };
const within = { ...grant, roleName: "svc:ns:dev", roleType: "namespace" };
const registryNames = "takes 5 to 50 lower-case letters, digits and -, and neither begins nor ends with -";
const namespaceNames =
  "takes 2 to 30 lower-case letters, digits and separators (., _, -), which neither begin nor end it nor follow each other";
const accountNames = "takes lower-case letters, digits and separators (., _, -), which neither begin nor end it nor follow each other";
const repositoryNames =
  "takes 2 to 200 lower-case letters, digits and separators (., _, -, /), which neither begin nor end it nor follow each other";
const kubernetesNames = "takes 1 to 63 lower-case letters, digits and - between them";
const place = { vpcId: "vpc-1", subnetId: "subnet-1" };

/** Bad inputs of registries, namespaces, tokens and permissions. */
export const refusedOfRegistriesAndGrants: readonly Case[] = [
  // Registries.
  ...["acme", "Acme-images", "acme_images", "-acme-images", "acme-images-", "x".repeat(51)].map(
    (registryName) => ["RegistryInstance", { registryName }, `registryName: ${registryNames}`] as const,
  ),
  ["RegistryInstance", { ...images, registryType: "gold" }, 'registryType: "gold" is not one of basic, standard, premium'],
  ...["0.0.0.0/0", "::/0", "0::/0"].map(
    (range) =>
      [
        "RegistryInstance",
        { ...images, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7" }, { cidrBlock: range, description: "all" }] } },
        `publicAccess.whitelist[1].cidrBlock: ${range} lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32`,
      ] as const,
  ),
  [
    "RegistryInstance",
    { ...images, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/24" }] } },
    "publicAccess.whitelist[0].cidrBlock: 203.0.113.7/24 has bits behind its prefix: write 203.0.113.0/24",
  ],
  [
    "RegistryInstance",
    { ...images, publicAccess: { whitelist: [{ cidrBlock: "home" }] } },
    "publicAccess.whitelist[0].cidrBlock: home is no range or address such as 203.0.113.0/24 or 203.0.113.7",
  ],
  [
    "RegistryInstance",
    { ...images, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7" }, { cidrBlock: "203.0.113.7/32" }] } },
    "publicAccess.whitelist: 203.0.113.7/32 is in it twice: name each range once",
  ],
  ["RegistryInstance", { ...images, publicAccess: {} }, "publicAccess.whitelist: is required"],
  [
    "RegistryInstance",
    { ...images, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7", label: "office" }] } },
    "publicAccess.whitelist[0]: has no property label; it has cidrBlock, description",
  ],
  [
    "RegistryInstance",
    { ...images, internalAccess: [place, { ...place, subnetId: "subnet-2" }] },
    "internalAccess: vpc-1 is in it twice: a VPC has one access",
  ],
  ["RegistryInstance", { ...images, internalAccess: [{ vpcId: "vpc-1" }] }, "internalAccess[0].subnetId: is required"],
  [
    "RegistryInstance",
    { ...images, name: "acme" },
    "name: RegistryInstance has no such property; it has registryName, registryType, publicAccess, internalAccess, deletionProtection, deleteBucket, enableCosVersioning, enableCosMaz, tags",
  ],
  // Namespaces.
  ...["t", "Team", ".team", "team-", "te--am", "x".repeat(31)].map(
    (namespaceName) => ["Namespace", { ...namespace, namespaceName }, `namespaceName: ${namespaceNames}`] as const,
  ),
  ["Namespace", { registryId: "tcr-1", namespaceName: "team" }, "isPublic: is required"],
  ["Namespace", { ...namespace, severity: "critical" }, 'severity: "critical" is not one of low, medium, high'],
  ["Namespace", { ...namespace, cveWhitelist: ["2026-12345"] }, "cveWhitelist[0]: takes numbers such as CVE-2026-12345"],
  [
    "Namespace",
    { ...namespace, retentionRule: { key: "latestPushedK", value: 0, cronSetting: "weekly" } },
    "retentionRule.value: takes at least 1, not 0",
  ],
  [
    "Namespace",
    { ...namespace, retentionRule: { key: "oldest", value: 1, cronSetting: "hourly" } },
    'retentionRule.key: "oldest" is not one of latestPushedK, nDaysSinceLastPush',
    'retentionRule.cronSetting: "hourly" is not one of manual, daily, weekly, monthly',
  ],
  [
    "Namespace",
    { ...namespace, public: true },
    "public: Namespace has no such property; it has registryId, namespaceName, isPublic, autoScan, severity, cveWhitelist, retentionRule, tags",
  ],
  // Repositories.
  ...["w", "Web", "/web", "web/", "tools//web", "tools/-web", "x".repeat(201)].map(
    (repositoryName) => ["Repository", { ...repository, repositoryName }, `repositoryName: ${repositoryNames}`] as const,
  ),
  ["Repository", { registryId: "tcr-1", repositoryName: "web" }, "namespaceName: is required"],
  [
    "Repository",
    { ...repository, isPublic: true },
    "isPublic: Repository has no such property; it has registryId, namespaceName, repositoryName, briefDescription, description, forceDelete",
  ],
  // Replication rules.
  ...["", "to/far"].map(
    (ruleName) => ["ReplicationRule", { ...rule, ruleName }, "ruleName: takes 1 or more characters without /"] as const,
  ),
  [
    "ReplicationRule",
    { ...rule, destinationRegistryId: "tcr-1" },
    "destinationRegistryId: tcr-1 is the source itself: name another registry",
  ],
  ["ReplicationRule", { ...rule, filters: [] }, "filters: takes at least 1 entry, not 0"],
  ["ReplicationRule", { ...rule, filters: [{ type: "label" }] }, 'filters[0].type: "label" is not one of name, tag, resource'],
  [
    "ReplicationRule",
    { ...rule, name: "copy" },
    "name: ReplicationRule has no such property; it has sourceRegistryId, ruleName, destinationRegistryId, destinationRegion, destNamespace, filters, override, deletion, enabled, description",
  ],
  // Tokens.
  ["Token", { registryId: "tcr-1", tokenType: "short" }, 'tokenType: "short" is not one of temp, longterm'],
  [
    "Token",
    { registryId: "tcr-1", tokenType: "temp", desc: "nodes" },
    'desc: goes only with tokenType "longterm"; the platform keeps none of a temp token',
  ],
  [
    "Token",
    { registryId: "tcr-1", tokenType: "temp", enabled: false },
    'enabled: only a token of tokenType "longterm" can be disabled; a temp one ends by itself within an hour',
  ],
  ["Token", { registryId: "tcr-1", renewBefore: "20m" }, 'renewBefore: goes only with tokenType "temp"'],
  ["Token", { registryId: "tcr-1", tokenType: "temp", renewBefore: "soon" }, "renewBefore: takes a time such as 20m or 90s"],
  // Service accounts.
  ...["CI", "reg$ci", "-ci", "ci--two"].map((name) => ["ServiceAccount", { ...account, name }, `name: ${accountNames}`] as const),
  ["ServiceAccount", permitted(), "permissions: takes at least 1 entry, not 0"],
  ...["team/web", "*", "/", "Team"].map(
    (resource) =>
      [
        "ServiceAccount",
        permitted({ resource, actions: ["reg:PullRepository"] }),
        "permissions[0].resource: takes the name of a namespace, such as team",
      ] as const,
  ),
  ["ServiceAccount", permitted({ resource: "team", actions: [] }), "permissions[0].actions: takes at least 1 entry, not 0"],
  [
    "ServiceAccount",
    permitted({ resource: "team", actions: ["pull"] }),
    'permissions[0].actions[0]: "pull" is not one of reg:PushRepository, reg:PullRepository, reg:CreateRepository, reg:DeleteRepository, reg:CreateHelmChart, reg:DescribeHelmCharts',
  ],
  [
    "ServiceAccount",
    permitted(...account.permissions, { resource: "team/", actions: ["reg:PushRepository"] }),
    "permissions: team/ is in it twice: name each namespace once",
  ],
  ...["soon", "2027-01-01", "2027-01-01T00:00:00", "2027-02-30T00:00:00Z"].map(
    (expiresAt) =>
      ["ServiceAccount", { ...account, expiresAt }, "expiresAt: takes a moment with its time zone, such as 2027-01-01T00:00:00Z"] as const,
  ),
  ["ServiceAccount", { ...account, expiresAt: 1830297600000 }, "expiresAt: takes a string, not a number"],
  [
    "ServiceAccount",
    { ...account, password: "mine" },
    "password: ServiceAccount has no such property; it has registryId, name, permissions, description, disable, expiresAt, passwordVersion",
  ],
  // Permissions.
  ["UserPermission", { ...grant, targetUin: "root" }, "targetUin: takes the id of a sub-account, such as 100000000002"],
  ["UserPermission", { ...grant, targetUin: 100000000002 }, "targetUin: takes a string, not a number"],
  ...["cls", "ns"].map(
    (roleType) => ["UserPermission", { ...grant, roleType }, `roleType: "${roleType}" is not one of cluster, namespace`] as const,
  ),
  [
    "UserPermission",
    { ...grant, roleType: "namespace", namespace: "team" },
    'roleType: svc:ro is a role of a cluster: it takes "cluster", not "namespace"',
  ],
  [
    "UserPermission",
    { ...within, roleType: "cluster" },
    'roleType: svc:ns:dev is a role of a namespace: it takes "namespace", not "cluster"',
  ],
  ["UserPermission", within, 'namespace: is required for svc:ns:dev, because roleType is "namespace"'],
  ["UserPermission", { ...within, roleName: "deployer" }, 'namespace: is required for deployer, because roleType is "namespace"'],
  [
    "UserPermission",
    { ...grant, namespace: "team" },
    'namespace: svc:ro with roleType "cluster" holds in the whole cluster, and takes none',
  ],
  ...["", "Team", "-team", "x".repeat(64)].map(
    (name) => ["UserPermission", { ...within, namespace: name }, `namespace: ${kubernetesNames}`] as const,
  ),
  ["UserPermission", { ...grant, roleName: "" }, "roleName: takes at least 1 character, not 0"],
  [
    "UserPermission",
    { ...grant, isCustom: false },
    "isCustom: UserPermission has no such property; it has targetUin, clusterId, roleName, roleType, namespace",
  ],
];
