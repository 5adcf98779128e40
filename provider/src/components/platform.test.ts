import { output, runtime } from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parse } from "../definition/codes.ts";
import { Provider } from "../dynamic/provider.ts";
import { Vpc } from "../resources/network/vpc.ts";
import { Network } from "./network.ts";
import { noNode, type PlatformArgs } from "./platform-args.ts";
import { Platform } from "./platform.ts";

/** The inputs of the children that a program makes, by type and name. */
let made: Record<string, Record<string, unknown>> = {};

beforeEach(async () => {
  vi.stubEnv("CONTAINER_PLATFORM_REGION", "eu-frankfurt");
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "local::memory:");
  made = {};
  await runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      const given: Record<string, unknown> = { ...(inputs as object) };
      const kind = type.slice(type.lastIndexOf(":") + 1);
      made[`${kind} ${name}`] = given;
      const id = { [`${kind.charAt(0).toLowerCase()}${kind.slice(1)}Id`]: name, registryId: name };
      return { id: name, state: { ...id, addressIp: name, kubeconfig: name, ipv6CidrBlock: "2001:db8:0:ff00::/56", ...given } };
    },
    call: () => ({}),
  });
});
afterEach(async () => {
  // What is registered late is registered with these mocks.
  await runtime.disconnect();
  vi.unstubAllEnvs();
});

const instanceTypes = ["SA5.MEDIUM4"];
const zones = ["eu-frankfurt-2", "eu-frankfurt-1"];

async function platformOf(args: Partial<PlatformArgs>, children: readonly string[]): Promise<Platform> {
  const platform = new Platform("p", { network: { zones }, nodePools: { apps: { instanceTypes } }, ...args });
  await vi.waitFor(() => expect(Object.keys(made)).toEqual(expect.arrayContaining([...children])));
  return platform;
}

function kubeconfigOf({ kubeconfig }: Platform): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  kubeconfig.apply(resolve);
  return promise;
}

test("a platform makes its children of what it is given", async () => {
  const platform = await platformOf(
    {
      network: {
        zones,
        subnets: { nodes: { prefix: 20, tags: { team: "role" } }, pods: { prefix: 18 } },
        egress: "nat-per-zone",
        tags: { team: "net" },
      },
      nodePools: { apps: { instanceTypes }, big: { instanceTypes, role: "pods", min: 4, diskSize: 80, native: { autoRepair: false } } },
      access: { internet: ["203.0.113.0/24"] },
      registry: { name: "acme", namespaces: ["team", "ops"] },
      permissions: { "1": "svc:ro", "2": "svc:ns:ro", "3": "own", "4": { role: "own", namespace: "a" } },
      tags: { team: "all", of: "p" },
    },
    ["NodePool p-big", "ClusterEndpoint p-internet", "ClusterEndpoint p-internal", "ServiceAccount p", "UserPermission p-4"],
  );
  const [subnetIds, podSubnets] = ["nodes", "pods"].map((role) => zones.map((zone) => `p-${role}-${zone}`));
  const systemDisk = { diskType: "CLOUD_PREMIUM", diskSize: 50 };
  const pull = (resource: string) => ({ resource, actions: ["reg:PullRepository"] });
  const retentionRule = { key: "latestPushedK", value: 20, cronSetting: "weekly" };
  const network = { vpcId: "p", tags: { team: "net", of: "p" } };
  expect(made).toMatchObject({
    "Vpc p": { cidrBlock: "10.0.0.0/16", tags: { team: "net", of: "p" } },
    "NatGateway p-eu-frankfurt-1": { ...network, zone: "eu-frankfurt-1", publicIpAddresses: ["p-eu-frankfurt-1"] },
    "RouteTable p-eu-frankfurt-1": {
      routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: "p-eu-frankfurt-1" }],
    },
    "Subnet p-nodes-eu-frankfurt-2": {
      vpcId: "p",
      tags: { team: "role", of: "p" },
      cidrBlock: "10.0.0.0/20",
      ipv6SubnetCidrBlock: "2001:db8:0:ff00::/64",
    },
    "Subnet p-nodes-eu-frankfurt-1": { cidrBlock: "10.0.16.0/20", routeTableId: "p-eu-frankfurt-1" },
    "Subnet p-pods-eu-frankfurt-1": { zone: "eu-frankfurt-1", cidrBlock: "10.0.192.0/18", ipv6SubnetCidrBlock: "2001:db8:0:ff81::/64" },
    "Cluster p": {
      subnetId: "p-nodes-eu-frankfurt-2",
      eniSubnetIds: podSubnets,
      networkType: "VPC-CNI",
      isDualStack: true,
      upgradeNodes: true,
      deletionProtection: true,
      clusterVersion: "1.34.1",
      tags: { team: "all", of: "p" },
    },
    "NodePool p-apps": {
      native: { subnetIds, systemDisk, securityGroupIds: ["p"], scaling: { minReplicas: 2, maxReplicas: 3 }, autoRepair: true },
    },
    "NodePool p-big": {
      native: { subnetIds: podSubnets, systemDisk: { diskSize: 80 }, scaling: { minReplicas: 4, maxReplicas: 4 }, autoRepair: false },
    },
    "ClusterEndpoint p-internal": { isExtranet: false, subnetId: "p-nodes-eu-frankfurt-2" },
    "ClusterEndpoint p-internet": { isExtranet: true, securityGroup: "p", allowedCidrBlocks: ["203.0.113.0/24"] },
    "UserPermission p-1": { targetUin: "1", roleName: "svc:ro", roleType: "cluster" },
    "UserPermission p-2": { roleName: "svc:ns:ro", roleType: "namespace" },
    "UserPermission p-3": { roleName: "own", roleType: "cluster" },
    "UserPermission p-4": { roleName: "own", roleType: "namespace", namespace: "a" },
    "RegistryInstance p": {
      registryName: "acme",
      deletionProtection: true,
      internalAccess: [{ vpcId: "p", subnetId: "p-nodes-eu-frankfurt-2" }],
    },
    "Namespace p-ops": { namespaceName: "ops", isPublic: false, autoScan: true, severity: "high", retentionRule },
    "ServiceAccount p": { name: "puller", permissions: [pull("team"), pull("ops")] },
  });
  expect(Object.keys(made)).not.toContain("NatGateway p");
  expect(Object.keys(platform.endpoints)).toEqual(["internal", "internet"]);
  expect(await kubeconfigOf(platform)).toBe("p-internet");
});

test("a platform changes its children as it is told to, and makes none that it is not asked for", async () => {
  const { endpoints, registry } = await platformOf(
    {
      network: { zones, dualStack: false, egress: "nat" },
      version: "1.32.2",
      deletionProtection: false,
      access: { internal: false },
      nodePools: { apps: { instanceTypes, min: 5, max: 5, native: { scaling: { minReplicas: 0, maxReplicas: 9 } } } },
      childAliases: { cluster: "old", nodePool: { "p-apps": "pool" } },
      transform: {
        vpc: () => ({ cidrBlock: "10.9.0.0/16" }),
        nodePool: (args, _, name) => void (args.labels = { of: name }),
      },
    },
    ["NodePool p-apps", "Subnet p-nodes-eu-frankfurt-1"],
  );
  expect(made).toMatchObject({
    "Vpc p": { cidrBlock: "10.9.0.0/16" },
    "NatGateway p": { publicIpAddresses: ["p"] },
    "Subnet p-nodes-eu-frankfurt-1": { routeTableId: "p" },
    "Cluster p": { clusterVersion: "1.32.2", deletionProtection: false, isDualStack: false, __adopts: "old" },
    "NodePool p-apps": { native: { scaling: { minReplicas: 0, maxReplicas: 9 } }, labels: { of: "p-apps" }, __adopts: "pool" },
  });
  expect(Object.keys(made).filter((child) => /Ipv6Block|Endpoint|Registry|NatGateway p-/.test(child))).toEqual([]);
  expect([endpoints, registry]).toEqual([{}, undefined]);
});

/** Arguments that are refused before anything is made, and with what. */
type Refused = readonly (readonly [says: string, args: () => object | null])[];

/** Makes a component as a program in JavaScript may, and tells why it is refused, each reason in a line. */
function refusalOf(component: new (...args: never[]) => unknown, ...args: readonly unknown[]): string {
  try {
    Reflect.construct(component, args);
    return "nothing";
  } catch (error) {
    const reasons = (error instanceof Error ? error.message : "").split("\n").map(parse);
    expect(new Set(reasons.map((reason) => reason?.code))).toEqual(new Set(["InvalidInput"]));
    return reasons.map((reason) => reason?.message).join("\n");
  }
}

const ofNetwork: Refused = [
  ["Network: has no property cidrBlok; maybe you meant cidrBlock", () => ({ cidrBlok: "10.0.0.0/16" })],
  ["cidrBlock: 10.0.0.7/16 is not in its one spelling: write 10.0.0.0/16", () => ({ cidrBlock: "10.0.0.7/16" })],
  ["zones: takes at least 1, not 0", () => ({ zones: 0 })],
  ["zones: takes at least 1 entry, not 0", () => ({ zones: [] })],
  ['zones: has "eu-frankfurt-1" twice: name each once', () => ({ zones: ["eu-frankfurt-1", "eu-frankfurt-1"] })],
  ['zones[0]: takes the name of a zone, such as "eu-frankfurt-1", not ""', () => ({ zones: [""] })],
  ['zones[0]: takes the name of a zone, such as "eu-frankfurt-1", not 1', () => ({ zones: [1, "eu-frankfurt-1"] })],
  ["subnets: is empty: it takes roles of subnets, such as { nodes: { prefix: 20 } }", () => ({ subnets: {} })],
  ["subnets.nodes.prefix: takes the prefix length of a subnet, 12 to 29, not 30", () => ({ subnets: { nodes: { prefix: 30 } } })],
  ["subnets.nodes: has no property zone; it has prefix, tags", () => ({ subnets: { nodes: { prefix: 20, zone: 1 } } })],
  [
    'subnets: "1" is not a name: it takes lower-case letters, digits and single - between them, and begins with a letter',
    () => ({ subnets: { "1": { prefix: 20 } } }),
  ],
  [
    "cidrBlock: 10.0.0.0/19 is too small for nodes (3 subnets with /20): the smallest range that would do is a /18, such as 10.0.0.0/18",
    () => ({ cidrBlock: "10.0.0.0/19" }),
  ],
  [
    "cidrBlock: 10.0.0.0/16 is too small for nodes (3 subnets with /20), pods (3 subnets with /17): the smallest range that would do is a /14, such as 10.0.0.0/14",
    () => ({ cidrBlock: "10.0.0.0/16", subnets: { nodes: { prefix: 20 }, pods: { prefix: 17 } } }),
  ],
  [
    "subnets: nodes (3 subnets with /12) fit into no VPC, which is a /12 at most: give the subnets longer prefixes, or take fewer zones",
    () => ({ subnets: { nodes: { prefix: 12 } } }),
  ],
  [
    "transform: has no property cluster; it has vpc, ipv6, elasticIp, natGateway, routeTable, subnet",
    () => ({ transform: { cluster: () => undefined } }),
  ],
  ['zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not "3"', () => ({ zones: "3" })],
  ['dualStack: takes true or false, not "no"', () => ({ dualStack: "no" })],
  ["Network: takes an object, not null", () => null],
  ["subnets: takes roles of subnets, such as { nodes: { prefix: 20 } }, not 20", () => ({ subnets: 20 })],
  ['subnets.nodes.prefix: takes the prefix length of a subnet, 12 to 29, not "20"', () => ({ subnets: { nodes: { prefix: "20" } } })],
  ['transform.vpc: takes a function, not "x"', () => ({ transform: { vpc: "x" } })],
  ['egress: takes "nat", "nat-per-zone" or "none", not "igw"', () => ({ egress: "igw" })],
  ["childAliases.vpc: takes the name of a resource, or names by that of the child, not 3", () => ({ childAliases: { vpc: 3 } })],
  ['tags: takes tags by key, not ["a"]', () => ({ tags: ["a"] })],
  ["subnets.nodes: is required: an object, such as { prefix: 20 }", () => ({ subnets: { nodes: undefined } })],
  ["subnets.nodes.prefix: is required: the prefix length of a subnet, 12 to 29", () => ({ subnets: { nodes: {} } })],
  [
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a resource',
    () => ({ zones: new Vpc("zones", { cidrBlock: "10.8.0.0/16" }) }),
  ],
  [
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a promise, which has to be awaited',
    () => ({ zones: Promise.resolve(3) }),
  ],
  [
    'cidrBlock: takes a range that is known in the preview, such as "10.0.0.0/16", not an output or a secret',
    () => ({ cidrBlock: new Vpc("ranged", { cidrBlock: "10.7.0.0/16" }).cidrBlock }),
  ],
  ['cidrBlock: "" is not an IPv4 range such as 10.0.0.0/16', () => ({ cidrBlock: "" })],
];

test.each(ofNetwork)("a network is refused: %s", (says, args) => {
  expect(refusalOf(Network, "x", args())).toBe(says);
});

const pool = { instanceTypes };
const poolsByName = 'node pools by name, such as { apps: { instanceTypes: ["SA5.MEDIUM4"] } }';
const ofPlatform: Refused = [
  ['nodePools.a: is required: an object, such as { instanceTypes: ["SA5.MEDIUM4"] }', () => ({ nodePools: { a: undefined } })],
  ['nodePools.a.instanceTypes: is required: types of instance, such as ["SA5.MEDIUM4"]', () => ({ nodePools: { a: {} } })],
  ["nodePools.a: min 5 is above max 2", () => ({ nodePools: { a: { instanceTypes, min: 5, max: 2 } } })],
  [`nodePools: is required: ${poolsByName}`, () => ({})],
  [`nodePools: is required: ${poolsByName}\nPlatform: has no property nodePool; maybe you meant nodePools`, () => ({ nodePool: {} })],
  [`nodePools: is empty: it takes ${poolsByName}`, () => ({ nodePools: {} })],
  ["nodePools.apps: has no property size; maybe you meant diskSize", () => ({ nodePools: { apps: { instanceTypes, size: 3 } } })],
  ["nodePools.apps.role: the network has no role gpu; it has nodes", () => ({ nodePools: { apps: { instanceTypes, role: "gpu" } } })],
  [`nodePools: takes ${poolsByName}, not a list`, () => ({ nodePools: [pool] })],
];
const roleOrObject = 'a role, such as "svc:ro", or an object, such as { role: "svc:ro", namespace: "team" }';
const outside = "the network is made outside of this platform: give it to that Network";
/** Besides pools that are right. */
const besidePools: Refused = [
  ['network: takes a Network, or the arguments of one, not "vpc-1234"', () => ({ network: "vpc-1234" })],
  ['access: takes an object, such as { internet: ["203.0.113.0/24"] }, not true', () => ({ access: true })],
  ['registry: takes an object, such as { name: "prod-images", namespaces: ["team"] }, not "x"', () => ({ registry: "x" })],
  ['permissions: takes roles by the ID of the sub-account, not ["svc:ro"]', () => ({ permissions: ["svc:ro"] })],
  [`permissions.100: takes ${roleOrObject}, not 5`, () => ({ permissions: { "100": 5 } })],
  ["network.zones: takes at least 1, not 0", () => ({ network: { zones: 0 } })],
  [`permissions.100: is required: ${roleOrObject}`, () => ({ permissions: { "100": undefined } })],
  [
    "registry.name: is required: the name of the registry, unique on the platform",
    () => ({ registry: { name: undefined, namespaces: ["team"] } }),
  ],
  [
    'access.internet: takes a list that is known in the preview, such as ["203.0.113.0/24"], not an output or a secret',
    () => ({ access: { internet: new Vpc("v", { cidrBlock: "10.9.0.0/16" }).vpcId } }),
  ],
  [
    'access.internet[1]: takes text that is known in the preview, such as "203.0.113.0/24", not 7',
    () => ({ access: { internet: ["203.0.113.0/24", 7] } }),
  ],
  ["Platform: has no property acces; maybe you meant access", () => ({ acces: {} })],
  ["access: has no property public; it has internal, internet", () => ({ access: { public: [] } })],
  ['access.internal: takes true or false, not "yes"', () => ({ access: { internal: "yes" } })],
  [
    'registry.login: "serviceaccount" is not one of service-account, token',
    () => ({ registry: { name: "prod-images", namespaces: ["team"], login: "serviceaccount" } }),
  ],
  [
    'registry.namespaces: takes the names of its namespaces, at least one, such as ["team"], not []',
    () => ({ registry: { name: "prod-images", namespaces: [] } }),
  ],
  [
    'childAliases.nodePool: there is no child apps; there is x-apps\nchildAliases.token: "old" can become one child only, and there is none: write { <child>: "old" }',
    () => ({ network: { cidrBlock: "10.1.0.0/16" }, childAliases: { cluster: "old", nodePool: { apps: "old" }, token: "old" } }),
  ],
  [
    'registry: takes an object, such as { name: "prod-images", namespaces: ["team"] }, not an output or a secret',
    () => ({ registry: output({ name: "prod-images", namespaces: ["team"] }) }),
  ],
  ['registry.namespaces: has "team" twice: name each once', () => ({ registry: { name: "prod-images", namespaces: ["team", "team"] } })],
  ["network: has no property zoness; maybe you meant zones", () => ({ network: { zoness: 3 } })],
  [
    `transform.vpc: ${outside}`,
    () => ({ network: new Network("own", { cidrBlock: "10.11.0.0/16" }), transform: { vpc: () => undefined, cluster: () => undefined } }),
  ],
  [
    'permissions.100000000002.role: is required: a role, such as "svc:ro"\npermissions.100000000002: has no property roleName; it has role, namespace',
    () => ({ permissions: { "100000000002": { roleName: "svc:ro" } } }),
  ],
  [`egress: ${outside}`, () => ({ network: new Network("own", { zones: 1 }), egress: "nat" })],
  [
    "network.cidrBlock: 10.0.0.0/19 is too small for nodes (3 subnets with /20): the smallest range that would do is a /18, such as 10.0.0.0/18",
    () => ({ network: { cidrBlock: "10.0.0.0/19" } }),
  ],
];

test.each([...ofPlatform, ...besidePools.map(([says, args]) => [says, () => ({ nodePools: { apps: pool }, ...args() })] as const)])(
  "a platform is refused: %s",
  (says, args) => {
    expect(refusalOf(Platform, "x", args())).toBe(says);
  },
);

test.each([
  ["Network", Network, {}],
  ["Platform", Platform, { nodePools: { apps: pool } }],
  ["Provider", Provider, { endpoint: "local" }],
  ["Vpc", Vpc, { cidrBlock: "10.9.0.0/16" }],
] as const)("times of a %s that are wrong are refused", (name, type, args) => {
  const customTimeouts = { create: "soon", delete: 90, update: "0s", creation: "5m" };
  const flaws = [
    'create: "soon" is not a time such as 90s, 20m or 1h30m',
    "delete: 90 is not a time such as 90s, 20m or 1h30m",
    'update: "0s" is not more than 0',
    "creation: is not an operation. Use create, read, update, delete",
  ];
  expect(refusalOf(type, "late", args, { customTimeouts })).toBe(flaws.map((flaw) => `${name} late: customTimeouts.${flaw}`).join("\n"));
});

test.each<[warns: boolean, args: Partial<PlatformArgs>]>([
  [true, {}],
  [true, { access: { internal: false, internet: ["203.0.113.0/24"] } }],
  [false, { access: { internal: false } }],
  [false, { nodePools: { none: { instanceTypes, min: 0 }, apps: { instanceTypes } } }],
  [false, { nodePools: { apps: { instanceTypes, min: 0, native: { replicas: 1 } } } }],
  [false, { transform: { nodePool: () => undefined } }],
])("that a platform has no node is told: %j, of %j", (warns, args) => {
  expect(noNode({ nodePools: { none: { instanceTypes, min: 0 } }, ...args }) !== undefined).toBe(warns);
});

test("the kubeconfig of a platform that only its VPC reaches is for the VPC", async () => {
  expect(await kubeconfigOf(await platformOf({}, []))).toBe("p-internal");
});

test("a platform without access or a registry says which argument it lacks", async () => {
  const platform = await platformOf({ access: { internal: false } }, []);
  expect(() => platform.kubeconfig).toThrow("the platform p has no kubeconfig");
  expect(() => platform.pullServer).toThrow("the platform p has no registry to pull from: give `registry`");
});
