/** Only the real engine shows that plain resources become children of components, by its aliases, without a call that writes. */
import { expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const imports = `import * as cp from "@container-platform/pulumi";\n`;

/** A stack of plain resources, with automatic names. */
const plain = `${imports}
const vpc = new cp.Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const ipv6 = new cp.Ipv6Block("platform", { vpcId: vpc.vpcId });
const [first, second] = [1, 2].map((number) => new cp.Subnet("nodes-" + number, {
  vpcId: vpc.vpcId,
  zone: "eu-frankfurt-" + number,
  cidrBlock: cp.cidrSubnet("10.0.0.0/16", 20, number - 1),
  ipv6SubnetCidrBlock: ipv6.subnetCidrBlock(number - 1),
}));
const subnetIds = [first.subnetId, second.subnetId];
const group = new cp.SecurityGroup("platform", { ingress: [{ protocol: "ALL", self: true, action: "ACCEPT" }] });
const place = { vpcId: vpc.vpcId, subnetId: first.subnetId };
const cluster = new cp.Cluster("platform", { ...place, eniSubnetIds: subnetIds, networkType: "VPC-CNI", isDualStack: true });
const pool = new cp.NodePool("workers", {
  clusterId: cluster.clusterId,
  native: {
    subnetIds,
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    securityGroupIds: [group.securityGroupId],
    scaling: { minReplicas: 2, maxReplicas: 3 },
    autoRepair: true,
  },
});
const access = { clusterId: cluster.clusterId, isExtranet: false, subnetId: first.subnetId, nodePoolIds: [pool.nodePoolId] };
new cp.ClusterEndpoint("internal", access);
const registry = new cp.RegistryInstance("platform", { registryName: "moved-images", internalAccess: [place], deleteBucket: true });
new cp.Namespace("team", { registryId: registry.registryId, namespaceName: "team", isPublic: false });
const token = new cp.Token("pull", { registryId: registry.registryId, desc: "nodes" });
new cp.UserPermission("auditor", { targetUin: "100000000003", clusterId: cluster.clusterId, roleName: "svc:ro", roleType: "cluster" });
export const secret = cp.pullSecret({ registry, token, via: { vpcId: vpc.vpcId } });
`;

/** The same in components, with what differs from their defaults. */
const moved = (childAliases: string) => `${imports}
const platform = new cp.Platform("prod", {
  network: { zones: ["eu-frankfurt-1", "eu-frankfurt-2"] },
  nodePools: { workers: { instanceTypes: ["SA5.MEDIUM4"] } },
  registry: { name: "moved-images", namespaces: ["team"], login: "token" },
  permissions: { "100000000003": "svc:ro" },
  deletionProtection: false,
  transform: {
    securityGroup: () => ({ ingress: [{ protocol: "ALL", self: true, action: "ACCEPT" }] }),
    cluster: (args) => { args.upgradeNodes = false; },
    registry: (args) => { args.deleteBucket = true; },
    namespace: ({ registryId, namespaceName }) => ({ registryId, namespaceName, isPublic: false }),
    token: (args) => { args.desc = "nodes"; },
  },
  ${childAliases}
});
export const secret = platform.pullSecret;
`;

const childAliases = `childAliases: {
  vpc: "platform",
  ipv6: "platform",
  subnet: { "prod-nodes-eu-frankfurt-1": "nodes-1", "prod-nodes-eu-frankfurt-2": "nodes-2" },
  securityGroup: "platform",
  cluster: "platform",
  nodePool: { "prod-workers": "workers" },
  endpoint: { "prod-internal": "internal" },
  registry: "platform",
  namespace: "team",
  token: "pull",
  permission: "auditor",
},`;

const nameInputs = ["vpcName", "subnetName", "groupName", "clusterName", "name"];

async function namesIn(stack: Stack): Promise<string[]> {
  return (await stack.resources()).flatMap(({ inputs = {} }) => nameInputs.flatMap((key) => inputs[key] ?? []).map(String)).toSorted();
}

test("a stack of plain resources moves into components without a call that writes, and stays without the aliases", async () => {
  await using stack = await Stack.create({ program: plain });
  await stack.up();
  const names = await namesIn(stack);
  const before = stack.calls().length;

  stack.write(moved(childAliases.replace('"nodes-2"', '"node-2"')));
  expect((await stack.fails("preview")).output).toContain(
    'warning: childAliases: the stack has no top-level Subnet "node-2" (it has "nodes-1", "nodes-2"), so "prod-nodes-eu-frankfurt-2" is created',
  );
  stack.write(moved(childAliases));
  // What remembers the zones is in Pulumi's state alone, as components are.
  const components = { "Platform prod": ["create"], "Network prod": ["create"], "Stash prod-zones": ["create"] };
  const done = await stack.up();
  expect(operationsOf(done)).toEqual(components);
  expect(done.output).not.toContain("childAliases");
  expect(done.output).toMatch(/\+ 3 created\n\s+13 unchanged/);

  stack.write(moved(""));
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  expect(await namesIn(stack)).toEqual(names);
  expect(stack.writesSince(before)).toEqual([]);
});
