import { runtime } from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

const outside = "the network is made outside of this platform: give it to that Network";
test.each<[says: string, args: () => object]>([
  ["nodePools.apps: min 5 is above max 2", () => ({ nodePools: { apps: { instanceTypes, min: 5, max: 2 } } })],
  [`egress: ${outside}`, () => ({ network: new Network("own", { zones: 1 }), egress: "nat" })],
  [`transform.vpc: ${outside}`, () => ({ network: new Network("own", { zones: 1 }), transform: { vpc: () => undefined } })],
  ["nodePools.apps.role: the network has no role gpu; it has nodes", () => ({ nodePools: { apps: { instanceTypes, role: "gpu" } } })],
  ['childAliases.token: "old" can become one child only, and there is none', () => ({ childAliases: { token: "old" } })],
  ["childAliases.nodePool: there is no child apps; there is p-apps", () => ({ childAliases: { nodePool: { apps: "old" } } })],
  ["network.cidrBlock: 10.0.0.0/19 is too small for nodes (3 subnets with /20)", () => ({ network: { cidrBlock: "10.0.0.0/19" } })],
  ['registry.namespaces: has "a" twice: name each once', () => ({ registry: { name: "acme", namespaces: ["a", "a"] } })],
])("a platform is refused: %s", (says, args) => {
  expect(() => new Platform("p", { nodePools: { apps: { instanceTypes } }, ...args() })).toThrow(says);
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
