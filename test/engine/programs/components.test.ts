import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { z } from "zod";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const plain = `
import { Ipv6Block, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const ipv6 = new Ipv6Block("platform", { vpcId: vpc.vpcId });
["eu-frankfurt-1", "eu-frankfurt-2"].map((zone, index) => new Subnet("nodes-" + (index + 1), {
  vpcId: vpc.vpcId,
  zone,
  cidrBlock: ["10.0.0.0/20", "10.0.16.0/20"][index],
  ipv6SubnetCidrBlock: ipv6.subnetCidrBlock(index),
}));
`;
const moved = `
import { Network } from "@container-platform/pulumi";
new Network("main", {
  zones: ["eu-frankfurt-1", "eu-frankfurt-2"],
  adopts: { vpc: "platform", ipv6: "platform", subnet: { "main-nodes-eu-frankfurt-1": "nodes-1", "main-nodes-eu-frankfurt-2": "nodes-2" } },
});
`;

test("plain resources move into a network without a call that writes, and keep their names", async () => {
  await using stack = await Stack.create({ program: plain });
  await stack.up();
  const before = stack.calls().length;
  stack.write(moved.replace('"nodes-2"', '"node-2"'));
  expect((await stack.fails("preview")).output).toContain(
    'warning: adopts: the stack has no Subnet "node-2" at its top, but "nodes-1", "nodes-2": "main-nodes-eu-frankfurt-2" is not made of it, but new',
  );
  stack.write(moved);
  const { output } = await stack.up();
  expect(output).not.toContain("adopts");
  // The component, and what remembers its zones.
  expect(output).toMatch(/\+ 2 created\n\s+5 unchanged/);
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
  expect((await stack.resource("Vpc main")).inputs?.["vpcName"]).toMatch(/^platform-/);
  expect(stack.writesSince(before)).toEqual([]);
});

/** Arguments that are wrong, and what is said about them. */
const mistakes = [
  ["Network", `{ cidrBlok: "10.0.0.0/16" }`, "cidrBlok: there is no such property; maybe you meant cidrBlock"],
  ["Network", `{ cidrBlock: "10.0.0.7/16" }`, "cidrBlock: 10.0.0.7/16 is not in its one spelling: write 10.0.0.0/16"],
  ["Network", `{ zones: 0 }`, "zones: 0 is no number of zones: it takes 1 or more, or names of zones"],
  ["Network", `{ zones: [] }`, "zones: is empty; a network needs one zone at least"],
  ["Network", `{ zones: ["eu-frankfurt-1", "eu-frankfurt-1"] }`, "zones: eu-frankfurt-1 is in it twice"],
  ["Network", `{ zones: [""] }`, 'zones: "" is no name of a zone, such as "eu-frankfurt-1"'],
  ["Network", `{ zones: [1, "eu-frankfurt-1"] }`, 'zones: 1 is no name of a zone, such as "eu-frankfurt-1"'],
  ["Network", `{ subnets: {} }`, "subnets: is empty; a network has one role of subnets at least, such as { nodes: { prefix: 20 } }"],
  ["Network", `{ subnets: { nodes: { prefix: 30 } } }`, "subnets.nodes.prefix: 30 is no prefix of a subnet: it takes 12 to 29"],
  ["Network", `{ subnets: { nodes: { prefix: 20, zone: 1 } } }`, "subnets.nodes.zone: there is no such property; it has prefix, tags"],
  [
    "Network",
    `{ subnets: { "1": { prefix: 20 } } }`,
    'subnets: "1" is no name: it takes lower-case letters, digits and single - between them, and begins with a letter',
  ],
  [
    "Network",
    `{ cidrBlock: "10.0.0.0/19" }`,
    "cidrBlock: 10.0.0.0/19 is too small for nodes (3 subnets with /20): the smallest range that would do is a /18, such as 10.0.0.0/18",
  ],
  [
    "Network",
    `{ cidrBlock: "10.0.0.0/16", subnets: { nodes: { prefix: 20 }, pods: { prefix: 17 } } }`,
    "cidrBlock: 10.0.0.0/16 is too small for nodes (3 subnets with /20), pods (3 subnets with /17): the smallest range that would do is a /14, such as 10.0.0.0/14",
  ],
  [
    "Network",
    `{ subnets: { nodes: { prefix: 12 } } }`,
    "subnets: nodes (3 subnets with /12) fit into no VPC, which is a /12 at most: give the subnets longer prefixes, or take fewer zones",
  ],
  ["Network", `{ transform: { cluster: () => {} } }`, "transform.cluster: there is no such property; it has vpc, ipv6, subnet"],
  ["Network", `{ zones: "3" }`, 'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not "3"'],
  ["Network", `{ dualStack: "no" }`, 'dualStack: takes true or false, not "no"'],
  ["Network", "null", "args: takes an object, not null"],
  ["Network", `{ subnets: 20 }`, "subnets: takes an object, such as { nodes: { prefix: 20 } }, not 20"],
  ["Network", `{ subnets: { nodes: { prefix: "20" } } }`, 'subnets.nodes.prefix: "20" is no prefix of a subnet: it takes 12 to 29'],
  ["Network", `{ transform: { vpc: "x" } }`, 'transform.vpc: takes a function, not "x"'],
  ["Network", `{ adopts: { vpc: 3 } }`, "adopts.vpc: takes the name of a resource, or names by that of the child, not 3"],
  ["Network", `{ tags: ["a"] }`, 'tags: takes an object, not ["a"]'],
  ["Platform", `{ nodePools, network: "vpc-1234" }`, 'network: takes an object: a Network, or the arguments of one, not "vpc-1234"'],
  ["Platform", `{ nodePools, access: true }`, "access: takes an object, not true"],
  ["Platform", `{ nodePools, registry: "x" }`, 'registry: takes an object, such as { name: "prod-images", namespaces: ["team"] }, not "x"'],
  ["Platform", `{ nodePools, permissions: ["svc:ro"] }`, `permissions: takes an object: roles by the sub-account's id, not ["svc:ro"]`],
  ["Platform", `{ nodePools, permissions: { "100": 5 } }`, 'permissions.100: takes an object or a role, such as "svc:ro", not 5'],
  ["Network", `{ subnets: { nodes: undefined } }`, "subnets.nodes: takes an object, such as { prefix: 20 }, not undefined"],
  ["Network", `{ subnets: { nodes: {} } }`, "subnets.nodes.prefix: is required: it takes 12 to 29"],
  [
    "Network",
    `{ zones: new Vpc("zones", { cidrBlock: "10.8.0.0/16" }) }`,
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a resource',
  ],
  ["Platform", `{ nodePools, network: { zones: 0 } }`, "network.zones: 0 is no number of zones: it takes 1 or more, or names of zones"],
  ["Platform", `{ nodePools, network: { zone: 2 } }`, "network.zone: there is no such property; maybe you meant zones"],
  [
    "Platform",
    `{ nodePools, network: { cidrBlock: "10.0.0.7/16" } }`,
    "network.cidrBlock: 10.0.0.7/16 is not in its one spelling: write 10.0.0.0/16",
  ],
  [
    "Platform",
    `{ nodePools, network: { subnets: { nodes: { prefix: 30 } } } }`,
    "network.subnets.nodes.prefix: 30 is no prefix of a subnet: it takes 12 to 29",
  ],
  ["Platform", `{ nodePools, network: { transform: { vpc: "x" } } }`, 'network.transform.vpc: takes a function, not "x"'],
  [
    "Platform",
    `{ nodePools: { a: undefined } }`,
    'nodePools.a: takes an object, such as { instanceTypes: ["SA5.MEDIUM4"] }, not undefined',
  ],
  [
    "Platform",
    `{ nodePools, permissions: { "100": undefined } }`,
    'permissions.100: takes an object or a role, such as "svc:ro", not undefined',
  ],
  [
    "Platform",
    `{ nodePools, registry: { name: undefined, namespaces: ["team"] } }`,
    "registry.name: is required: the name of the registry, unique on the platform",
  ],
  ["Platform", `{ nodePools: { a: {} } }`, 'nodePools.a.instanceTypes: is required: types of instance, such as ["SA5.MEDIUM4"]'],
  ["Platform", `{ nodePools: { a: { instanceTypes: ["SA5.MEDIUM4"], min: 5, max: 2 } } }`, "nodePools.a: min 5 is above max 2"],
  [
    "Platform",
    `{ nodePools, registry: { namespaces: ["team"] } }`,
    "registry.name: is required: the name of the registry, unique on the platform",
  ],
  ["Platform", `{}`, "nodePools: is required: the pools of nodes, by name"],
  ["Platform", `{ nodePool: {} }`, "nodePool: there is no such property; maybe you meant nodePools"],
  [
    "Platform",
    `{ nodePools, access: { internet: new Vpc("v", { cidrBlock: "10.9.0.0/16" }).vpcId } }`,
    'access.internet: takes a list that is known in the preview, such as ["203.0.113.0/24"], not an output or a secret',
  ],
  [
    "Platform",
    `{ nodePools, access: { internet: ["203.0.113.0/24", 7] } }`,
    'access.internet[1]: takes text that is known in the preview, such as "203.0.113.0/24", not 7',
  ],
  ["Platform", `{ nodePools: {} }`, "nodePools: is empty; a platform needs a pool, because access to a cluster needs a running node"],
  ["Platform", `{ nodePools, acces: {} }`, "acces: there is no such property; maybe you meant access"],
  ["Platform", `{ nodePools, access: { public: [] } }`, "access.public: there is no such property; it has internal, internet"],
  ["Platform", `{ nodePools, access: { internal: "yes" } }`, 'access.internal: takes true or false, not "yes"'],
  [
    "Platform",
    `{ nodePools, registry: { name: "prod-images", namespaces: ["team"], login: "serviceaccount" } }`,
    'registry.login: "serviceaccount" is not one of service-account, token',
  ],
  [
    "Platform",
    `{ nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], size: 3 } } }`,
    "nodePools.apps.size: there is no such property; it has instanceTypes, min, max, diskSize, diskType, role, labels, taints, native",
  ],
  [
    "Platform",
    `{ nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], role: "gpu" } } }`,
    "nodePools.apps.role: the network has no role gpu; it has nodes",
  ],
  [
    "Platform",
    `{ nodePools, registry: { name: "prod-images", namespaces: [] } }`,
    "registry.namespaces: is empty; images are in namespaces, so a registry needs one at least",
  ],
  [
    "Platform",
    `{ nodePools, network: { cidrBlock: "10.1.0.0/16" }, adopts: { cluster: "old", nodePool: { apps: "old" }, token: "old" } }`,
    [
      "adopts.nodePool: there is no child apps; there is x54-apps",
      'adopts.token: "old" can become one child only, and there is none: write { <child>: "old" }',
    ].join("\n"),
  ],
  [
    "Platform",
    `{ nodePools, permissions: { "100000000002": { roleName: "svc:ro" } } }`,
    "permissions.100000000002.roleName: there is no such property; it has role, namespace",
  ],
  [
    "Platform",
    `{ nodePools: [nodePools.apps] }`,
    'nodePools: takes an object, such as { apps: { instanceTypes: ["SA5.MEDIUM4"] } }, not a list',
  ],
  [
    "Network",
    `{ zones: Promise.resolve(3) }`,
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a promise, which has to be awaited',
  ],
  [
    "Network",
    `{ cidrBlock: new Vpc("ranged", { cidrBlock: "10.7.0.0/16" }).cidrBlock }`,
    'cidrBlock: takes a range that is known in the preview, such as "10.0.0.0/16", not an output or a secret',
  ],
  ["Network", `{ cidrBlock: "" }`, 'cidrBlock: "" is not an IPv4 range such as 10.0.0.0/16'],
] as const;

test("what is wrong with the arguments of a component is said in the preview, with what would do", async () => {
  const makes = mistakes.map(([kind, args], index) => `() => new ${kind}("x${index}", ${args})`);
  const collecting = `
import { writeFileSync } from "node:fs";
import { Network, Platform, Provider, Vpc } from "@container-platform/pulumi";
const nodePools = { apps: { instanceTypes: ["SA5.MEDIUM4"] } };
const late = { customTimeouts: { create: "soon", delete: 90, update: "0s", creation: "5m" } };
const makes = [
  ${makes.join(", ")},
  () => new Network("late", {}, late),
  () => new Platform("late", { nodePools }, late),
  () => new Provider("late", { endpoint: "local" }, late),
  () => new Vpc("late", { cidrBlock: "10.9.0.0/16" }, late),
];
const said = makes.map((make) => { try { make(); return "nothing"; } catch (error) { return error.message; } });
writeFileSync("said.json", JSON.stringify(said));
`;
  await using stack = await Stack.create({ program: collecting });
  await stack.preview();
  const said = z.array(z.string()).parse(JSON.parse(readFileSync(join(stack.folder, "said.json"), "utf8")));
  expect(said.slice(0, mistakes.length)).toEqual(mistakes.map(([, , sentence]) => sentence));
  expect(said.slice(mistakes.length)).toEqual(
    ["Network", "Platform", "Provider", "Vpc"].map((kind) =>
      [
        'create: "soon" is not a time such as 90s, 20m or 1h30m',
        "delete: 90 is not a time such as 90s, 20m or 1h30m",
        'update: "0s" is no time to wait: it takes more than 0',
        "creation: there is no such time; it has create, update, delete",
      ]
        .map((flaw) => `${kind} late: customTimeouts.${flaw}`)
        .join("\n"),
    ),
  );

  stack.write(`
import { Network, Platform } from "@container-platform/pulumi";
new Network("unknown", { zones: ["eu-frankfurt-1", "eu-frankfurt-9"] });
export const ids = new Network("few", { zones: 4, cidrBlock: "10.1.0.0/16" }).subnetIds.nodes;
new Platform("many", { network: { zones: 9, cidrBlock: "10.2.0.0/16" }, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } } });
`);
  const zones = await stack.fails("preview");
  expect(zones.output).toContain(
    "zones: eu-frankfurt-9 is no zone of eu-frankfurt: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3",
  );
  expect(zones.output).toContain(
    "zones: 4 are asked for, and eu-frankfurt has 3 available zones: eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3. Give 3 at most, or the names of zones",
  );
  expect(zones.output).toContain("network.zones: 9 are asked for, and eu-frankfurt has 3 available zones");
  expect(zones.output).not.toContain("eu-frankfurt-4");
  // Each is said of its own network, and alone: not of the output or the resource that needs it.
  expect(zones.output).not.toMatch(/serializing|unhandled/);
});

test("what only a child of a component sees is said by the name of the component's argument, unless a transform has changed it", async () => {
  const platform = (more: string) => `
import { output } from "@pulumi/pulumi";
import { Platform } from "@container-platform/pulumi";
const apps = { instanceTypes: ["SA5.MEDIUM4"], min: output(5), max: output(2) };
new Platform("prod", { nodePools: { apps }, ${more} });
`;
  await using stack = await Stack.create({ program: platform("") });
  expect((await stack.fails("preview")).output).toContain("'prod-apps' has a problem: nodePools.apps: min 5 is above max 2");
  stack.write(platform("transform: { nodePool: (args) => { args.native.scaling.minReplicas = 9; } }"));
  expect((await stack.fails("preview")).output).toContain("has a problem: native.scaling: minReplicas 9 is above maxReplicas 2");
});

test("a type of instance that is sold out in the zone of a new network is refused in its first preview", async () => {
  await using stack = await Stack.create({
    program: `
import { Platform } from "@container-platform/pulumi";
const network = { zones: ["eu-frankfurt-3"] };
new Platform("prod", { network, nodePools: { apps: { instanceTypes: ["SA2.MEDIUM4"] } } });
`,
  });
  expect((await stack.fails("preview")).output).toContain(
    `nodePools.apps.instanceTypes: "SA2.MEDIUM4" cannot be had in eu-frankfurt-3, but in eu-frankfurt-1 and eu-frankfurt-2; eu-frankfurt-3 takes`,
  );
});

test("of a platform, what its own network or a disk is refused for goes by the platform's names, and pools without nodes are warned of", async () => {
  const platform = (pool: string, more = "") => `
import { Platform } from "@container-platform/pulumi";
new Platform("prod", { nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], ${pool} } }, ${more} });
`;
  await using stack = await Stack.create({ program: platform("", 'network: { zones: ["eu-frankfurt-4"] }') });
  expect((await stack.fails("preview")).output).toContain(
    'network.zones: "eu-frankfurt-4" cannot be used at present: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3',
  );
  stack.write(platform("diskSize: 10"));
  expect((await stack.fails("preview")).output).toContain(
    "nodePools.apps.diskSize: is 10 GB; as a SYSTEM_DISK of eu-frankfurt, CLOUD_PREMIUM takes 20 to 2048 GB",
  );
  stack.write(platform('diskType: "gp3"'));
  expect((await stack.fails("preview")).output).toContain(
    'nodePools.apps.diskType: is "gp3", which eu-frankfurt does not have as a SYSTEM_DISK',
  );
  stack.write(platform("min: 0, max: 0"));
  expect((await stack.preview()).output).toContain(
    "nodePools: each has min 0, so a new cluster has no node, and access to it needs one: give one of them a min of 1, or leave access out, { internal: false }, until there is a node",
  );
  stack.write(platform("min: 0, max: 0", "access: { internal: false }"));
  expect((await stack.preview()).output).not.toContain("warning");
});

test("each zone keeps its ranges when another one is taken out, put back or added, and when zones are counted instead", async () => {
  const program = (zones: string) => `
import { Network } from "@container-platform/pulumi";
new Network("main", { zones: ${zones}, subnets: { nodes: { prefix: 20 }, pods: { prefix: 20 } } });
`;
  const zone = (number: number) => `eu-frankfurt-${number}`;
  const both = (number: number, what: string) => ({
    [`Subnet main-nodes-${zone(number)}`]: [what],
    [`Subnet main-pods-${zone(number)}`]: [what],
  });
  const list = (...numbers: number[]) => program(JSON.stringify(numbers.map(zone)));
  const ranges = async () => {
    const { subnetSet } = await stack.cloud().call(vpc.describeSubnets, {});
    return subnetSet.map((one) => `${one.zone} ${one.cidrBlock} ${one.ipv6CidrBlock?.replace(/^.*:(\w\w)(\w\w)::/, "$2::")}`).toSorted();
  };
  const first = [`${zone(1)} 10.0.144.0/20 81::/64`, `${zone(1)} 10.0.16.0/20 01::/64`];
  const second = [`${zone(2)} 10.0.160.0/20 82::/64`, `${zone(2)} 10.0.32.0/20 02::/64`];
  const third = [`${zone(3)} 10.0.0.0/20 00::/64`, `${zone(3)} 10.0.128.0/20 80::/64`];

  await using stack = await Stack.create({ program: list(3, 1) });
  await stack.up();
  expect(await ranges()).toEqual([...first, ...third]);
  stack.write(list(1));
  expect(operationsOf(await stack.preview())).toEqual(both(3, "delete"));
  expect(operationsOf(await stack.up())).toEqual(both(3, "delete"));
  stack.write(list(2, 1));
  expect(operationsOf(await stack.up())).toEqual(both(2, "create"));
  expect(await ranges()).toEqual([...first, ...second]);
  stack.write(program("3"));
  expect(operationsOf(await stack.up())).toEqual(both(3, "create"));
  expect(await ranges()).toEqual([...first, ...second, ...third]);

  // The places of the others are kept, so that one zone alone may stand behind the end of a range.
  stack.write(list(4).replace("prefix: 20", "prefix: 18"));
  const far = (await stack.fails("preview")).output;
  expect(far).toContain(`zones: ${zone(4)} has place 4 in the ranges, as the zones before it keep theirs`);
  expect(far).toContain(
    `cidrBlock: 10.0.0.0/16 is too small for nodes (4 subnets with /18), pods (4 subnets with /20): the smallest range that would do is a /15, such as 10.0.0.0/15`,
  );
});
