/** Only the real engine shows once, and without a stack trace, what a component refuses in its constructor, in an output and in a child. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { codedOf } from "../../support/coded.ts";
import { nameOf, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Arguments that are wrong, and what is said about them. */
const ofNetwork: Readonly<Record<string, string>> = {
  '{ cidrBlok: "10.0.0.0/16" }': "Network: has no property cidrBlok; maybe you meant cidrBlock",
  '{ cidrBlock: "10.0.0.7/16" }': "cidrBlock: 10.0.0.7/16 is not in its one spelling: write 10.0.0.0/16",
  "{ zones: 0 }": "zones: takes at least 1, not 0",
  "{ zones: [] }": "zones: takes at least 1 entry, not 0",
  '{ zones: ["eu-frankfurt-1", "eu-frankfurt-1"] }': 'zones: has "eu-frankfurt-1" twice: name each once',
  '{ zones: [""] }': 'zones[0]: takes the name of a zone, such as "eu-frankfurt-1", not ""',
  '{ zones: [1, "eu-frankfurt-1"] }': 'zones[0]: takes the name of a zone, such as "eu-frankfurt-1", not 1',
  "{ subnets: {} }": "subnets: is empty: it takes roles of subnets, such as { nodes: { prefix: 20 } }",
  "{ subnets: { nodes: { prefix: 30 } } }": "subnets.nodes.prefix: takes the prefix length of a subnet, 12 to 29, not 30",
  "{ subnets: { nodes: { prefix: 20, zone: 1 } } }": "subnets.nodes: has no property zone; it has prefix, tags",
  '{ subnets: { "1": { prefix: 20 } } }':
    'subnets: "1" is not a name: it takes lower-case letters, digits and single - between them, and begins with a letter',
  '{ cidrBlock: "10.0.0.0/19" }':
    "cidrBlock: 10.0.0.0/19 is too small for nodes (3 subnets with /20): the smallest range that would do is a /18, such as 10.0.0.0/18",
  '{ cidrBlock: "10.0.0.0/16", subnets: { nodes: { prefix: 20 }, pods: { prefix: 17 } } }':
    "cidrBlock: 10.0.0.0/16 is too small for nodes (3 subnets with /20), pods (3 subnets with /17): the smallest range that would do is a /14, such as 10.0.0.0/14",
  "{ subnets: { nodes: { prefix: 12 } } }":
    "subnets: nodes (3 subnets with /12) fit into no VPC, which is a /12 at most: give the subnets longer prefixes, or take fewer zones",
  "{ transform: { cluster: () => {} } }": "transform: has no property cluster; it has vpc, ipv6, elasticIp, natGateway, routeTable, subnet",
  '{ zones: "3" }': 'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not "3"',
  '{ dualStack: "no" }': 'dualStack: takes true or false, not "no"',
  null: "Network: takes an object, not null",
  "{ subnets: 20 }": "subnets: takes roles of subnets, such as { nodes: { prefix: 20 } }, not 20",
  '{ subnets: { nodes: { prefix: "20" } } }': 'subnets.nodes.prefix: takes the prefix length of a subnet, 12 to 29, not "20"',
  '{ transform: { vpc: "x" } }': 'transform.vpc: takes a function, not "x"',
  '{ egress: "igw" }': 'egress: takes "nat", "nat-per-zone" or "none", not "igw"',
  "{ childAliases: { vpc: 3 } }": "childAliases.vpc: takes the name of a resource, or names by that of the child, not 3",
  '{ tags: ["a"] }': 'tags: takes tags by key, not ["a"]',
  "{ subnets: { nodes: undefined } }": "subnets.nodes: is required: an object, such as { prefix: 20 }",
  "{ subnets: { nodes: {} } }": "subnets.nodes.prefix: is required: the prefix length of a subnet, 12 to 29",
  '{ zones: new Vpc("zones", { cidrBlock: "10.8.0.0/16" }) }':
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a resource',
  "{ zones: Promise.resolve(3) }":
    'zones: takes a number of zones, such as 3, or a list of their names, such as ["eu-frankfurt-1"], not a promise, which has to be awaited',
  '{ cidrBlock: new Vpc("ranged", { cidrBlock: "10.7.0.0/16" }).cidrBlock }':
    'cidrBlock: takes a range that is known in the preview, such as "10.0.0.0/16", not an output or a secret',
  '{ cidrBlock: "" }': 'cidrBlock: "" is not an IPv4 range such as 10.0.0.0/16',
};
const poolsByName = 'node pools by name, such as { apps: { instanceTypes: ["SA5.MEDIUM4"] } }';
const ofPlatform: Readonly<Record<string, string>> = {
  "{ nodePools: { a: undefined } }": 'nodePools.a: is required: an object, such as { instanceTypes: ["SA5.MEDIUM4"] }',
  "{ nodePools: { a: {} } }": 'nodePools.a.instanceTypes: is required: types of instance, such as ["SA5.MEDIUM4"]',
  '{ nodePools: { a: { instanceTypes: ["SA5.MEDIUM4"], min: 5, max: 2 } } }': "nodePools.a: min 5 is above max 2",
  "{}": `nodePools: is required: ${poolsByName}`,
  "{ nodePool: {} }": `nodePools: is required: ${poolsByName}\nPlatform: has no property nodePool; maybe you meant nodePools`,
  "{ nodePools: {} }": `nodePools: is empty: it takes ${poolsByName}`,
  '{ nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], size: 3 } } }': "nodePools.apps: has no property size; maybe you meant diskSize",
  '{ nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], role: "gpu" } } }':
    "nodePools.apps.role: the network has no role gpu; it has nodes",
  "{ nodePools: [nodePools.apps] }": `nodePools: takes ${poolsByName}, not a list`,
};
const roleOrObject = 'a role, such as "svc:ro", or an object, such as { role: "svc:ro", namespace: "team" }';
/** Besides pools that are right. */
const besidePools: Readonly<Record<string, string>> = {
  '{ network: "vpc-1234" }': 'network: takes a Network, or the arguments of one, not "vpc-1234"',
  "{ access: true }": 'access: takes an object, such as { internet: ["203.0.113.0/24"] }, not true',
  '{ registry: "x" }': 'registry: takes an object, such as { name: "prod-images", namespaces: ["team"] }, not "x"',
  '{ permissions: ["svc:ro"] }': 'permissions: takes roles by the ID of the sub-account, not ["svc:ro"]',
  '{ permissions: { "100": 5 } }': `permissions.100: takes ${roleOrObject}, not 5`,
  "{ network: { zones: 0 } }": "network.zones: takes at least 1, not 0",
  '{ permissions: { "100": undefined } }': `permissions.100: is required: ${roleOrObject}`,
  '{ registry: { name: undefined, namespaces: ["team"] } }': "registry.name: is required: the name of the registry, unique on the platform",
  '{ access: { internet: new Vpc("v", { cidrBlock: "10.9.0.0/16" }).vpcId } }':
    'access.internet: takes a list that is known in the preview, such as ["203.0.113.0/24"], not an output or a secret',
  '{ access: { internet: ["203.0.113.0/24", 7] } }':
    'access.internet[1]: takes text that is known in the preview, such as "203.0.113.0/24", not 7',
  "{ acces: {} }": "Platform: has no property acces; maybe you meant access",
  "{ access: { public: [] } }": "access: has no property public; it has internal, internet",
  '{ access: { internal: "yes" } }': 'access.internal: takes true or false, not "yes"',
  '{ registry: { name: "prod-images", namespaces: ["team"], login: "serviceaccount" } }':
    'registry.login: "serviceaccount" is not one of service-account, token',
  '{ registry: { name: "prod-images", namespaces: [] } }':
    'registry.namespaces: takes the names of its namespaces, at least one, such as ["team"], not []',
  '{ network: { cidrBlock: "10.1.0.0/16" }, childAliases: { cluster: "old", nodePool: { apps: "old" }, token: "old" } }':
    'childAliases.nodePool: there is no child apps; there is x-apps\nchildAliases.token: "old" can become one child only, and there is none: write { <child>: "old" }',
  '{ registry: pulumi.output({ name: "prod-images", namespaces: ["team"] }) }':
    'registry: takes an object, such as { name: "prod-images", namespaces: ["team"] }, not an output or a secret',
  '{ registry: { name: "prod-images", namespaces: ["team", "team"] } }': 'registry.namespaces: has "team" twice: name each once',
  "{ network: { zoness: 3 } }": "network: has no property zoness; maybe you meant zones",
  '{ network: new Network("own", { cidrBlock: "10.11.0.0/16" }), transform: { vpc: () => {}, cluster: () => {} } }':
    "transform.vpc: the network is made outside of this platform: give it to that Network",
  '{ permissions: { "100000000002": { roleName: "svc:ro" } } }':
    'permissions.100000000002.role: is required: a role, such as "svc:ro"\npermissions.100000000002: has no property roleName; it has role, namespace',
};
const mistakes = [
  ...Object.entries(ofNetwork).map(([args, sentence]) => ["Network", args, sentence] as const),
  ...Object.entries(ofPlatform).map(([args, sentence]) => ["Platform", args, sentence] as const),
  ...Object.entries(besidePools).map(([args, sentence]) => ["Platform", args.replace("{", "{ nodePools,"), sentence] as const),
];

test("what is wrong with the arguments of a component is said in the preview, with what would do", async () => {
  const makes = mistakes.map(([kind, args], index) => `() => new ${kind}("x${index}", ${args})`);
  const collecting = `
import { writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { Network, Platform, Provider, Vpc } from "@container-platform/pulumi";
const nodePools = { apps: { instanceTypes: ["SA5.MEDIUM4"] } };
const times = { customTimeouts: { create: "soon", delete: 90, update: "0s", creation: "5m" } };
const makes = [
  ${makes.join(", ")},
  () => new Network("late", {}, times),
  () => new Platform("late", { nodePools }, times),
  () => new Provider("late", { endpoint: "local" }, times),
  () => new Vpc("late", { cidrBlock: "10.9.0.0/16" }, times),
];
const said = makes.map((make) => { try { make(); return "nothing"; } catch (error) { return error.message; } });
writeFileSync("said.json", JSON.stringify(said));
`;
  await using stack = await Stack.create({ program: collecting });
  await stack.preview();
  const coded = z.array(z.string()).parse(JSON.parse(readFileSync(join(stack.folder, "said.json"), "utf8")));
  const lines = coded.map((text) => text.split("\n").map(codedOf));
  expect(new Set(lines.flat().map(({ code }) => code))).toEqual(new Set(["InvalidInput"]));
  const said = lines.map((all) => all.map(({ message }) => message).join("\n"));
  // Each component has a name of its own.
  expect(said.slice(0, mistakes.length).map((sentence) => sentence.replace(/\bx\d+-/, "x-"))).toEqual(
    mistakes.map(([, , sentence]) => sentence),
  );
  expect(said.slice(mistakes.length)).toEqual(
    ["Network", "Platform", "Provider", "Vpc"].map((kind) =>
      [
        'create: "soon" is not a time such as 90s, 20m or 1h30m',
        "delete: 90 is not a time such as 90s, 20m or 1h30m",
        'update: "0s" is not more than 0',
        "creation: is not an operation. Use create, read, update, delete",
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

test("what is not known yet in a preview is refused nowhere", async () => {
  await using stack = await Stack.create({
    program: `
import { Platform, Vpc } from "@container-platform/pulumi";
const { vpcId: late } = new Vpc("late", { cidrBlock: "10.9.0.0/16" });
const nodePools = { apps: { instanceTypes: ["SA5.MEDIUM4"] } };
new Platform("whole", {
  nodePools,
  version: late,
  deletionProtection: late,
  tags: { team: late },
  permissions: { "100000000003": { role: late, namespace: late } },
  registry: { name: late, namespaces: ["team"] },
  network: { cidrBlock: "10.1.0.0/16", tags: { team: late }, subnets: { nodes: { prefix: 20, tags: { team: late } } } },
});
const pool = { instanceTypes: late, min: late, max: 1, diskSize: late, diskType: late, labels: late, taints: late, native: { keyIds: late } };
new Platform("pools", { nodePools: { apps: pool, others: { instanceTypes: [late] } }, network: { cidrBlock: "10.2.0.0/16" } });
`,
  });
  expect(operationsOf(await stack.preview())).toMatchObject({ "NodePool pools-apps": ["create"], "RegistryInstance whole": ["create"] });
});

test("what only a child of a component sees is said by the name of the component's argument, unless a transform has changed it", async () => {
  const platform = (pool: string, more = "") => `
import { output } from "@pulumi/pulumi";
import { Platform } from "@container-platform/pulumi";
new Platform("prod", { nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], ${pool} } }, ${more} });
`;
  await using stack = await Stack.create({ program: "" });
  const [wide, sold] = ["min: output(5), max: output(2)", 'diskSize: 10, instanceTypes: ["SA2.MEDIUM4"]'];
  const refused: readonly (readonly [pool: string, more: string, ...says: string[]])[] = [
    [wide, "", "'prod-apps' has a problem: nodePools.apps: min 5 is above max 2"],
    [
      wide,
      "transform: { nodePool: (args) => { args.native.scaling.minReplicas = 9; } }",
      "has a problem: native.scaling: minReplicas 9 is above maxReplicas 2",
    ],
    [
      sold,
      'network: { zones: ["eu-frankfurt-3"] }',
      // Also of a network that is new, in its first preview.
      `nodePools.apps.instanceTypes: "SA2.MEDIUM4" cannot be had in eu-frankfurt-3, but in eu-frankfurt-1 and eu-frankfurt-2; eu-frankfurt-3 takes`,
      "nodePools.apps.diskSize: is 10 GB; as a SYSTEM_DISK of eu-frankfurt, CLOUD_PREMIUM takes 20 to 2048 GB",
    ],
    ['diskType: "gp3"', "", 'nodePools.apps.diskType: is "gp3", which eu-frankfurt does not have as a SYSTEM_DISK'],
    [
      "",
      'network: { zones: ["eu-frankfurt-4"] }',
      'network.zones: "eu-frankfurt-4" cannot be used at present: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3',
    ],
  ];
  for (const [pool, more, ...says] of refused) {
    stack.write(platform(pool, more));
    const { output } = await stack.fails("preview");
    for (const one of says) expect(output).toContain(one);
  }
});

test("of a platform, pools without nodes are warned of, unless it has no access", async () => {
  const pool = '{ apps: { instanceTypes: ["SA5.MEDIUM4"], min: 0, max: 0 } }';
  await using stack = await Stack.create({
    program: `
import { Platform } from "@container-platform/pulumi";
new Platform("reached", { nodePools: ${pool} });
new Platform("closed", { nodePools: ${pool}, network: { cidrBlock: "10.1.0.0/16" }, access: { internal: false } });
`,
  });
  const { events } = await stack.preview();
  const warnings = events.flatMap(({ diagnosticEvent: line }) =>
    line?.message.includes("min 0") === true ? [`${nameOf(line.urn ?? "")}: ${line.message.trim()}`] : [],
  );
  expect(warnings).toEqual([
    "Platform reached: nodePools: each has min 0, so a new cluster has no node, and access to it needs one: give one of them a min of 1, or leave access out, { internal: false }, until there is a node [Provider.Unwise]",
  ]);
});

test("a platform has the way out that it asks for, and is warned without one", async () => {
  const nodePools = '{ apps: { instanceTypes: ["SA5.MEDIUM4"] } }';
  await using stack = await Stack.create({
    program: `
import { Platform } from "@container-platform/pulumi";
const base = { nodePools: ${nodePools}, deletionProtection: false };
export const { egressIps } = new Platform("one", { ...base, network: { zones: 2 }, egress: "nat" }).network;
new Platform("zoned", { ...base, network: { cidrBlock: "10.1.0.0/16", zones: 2, egress: "nat-per-zone" } });
new Platform("closed", { ...base, network: { cidrBlock: "10.2.0.0/16", zones: 1 }, egress: "none" });
new Platform("silent", { ...base, network: { cidrBlock: "10.3.0.0/16", zones: 1 } });
`,
  });
  const { events } = await stack.preview();
  const said = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "warning" ? [line.message.trim()] : []));
  expect(said).toEqual([
    expect.stringMatching(
      /^the nodes of "silent-apps" in "silent-nodes-eu-frankfurt-1" have no way to the internet: over IPv4, .+; over IPv6, an/,
    ),
  ]);
  expect(said[0]).toContain('\n  - Set egress of the Network or Platform to "nat", or to "none" if you do not want one.');
  await stack.up();
  const names = (await stack.resources()).map(({ urn }) => nameOf(urn)).filter((one) => /^(NatGateway|RouteTable) /.test(one));
  const ofBoth = ["one", "zoned-eu-frankfurt-1", "zoned-eu-frankfurt-2"];
  expect(names.toSorted()).toEqual(["NatGateway", "RouteTable"].flatMap((type) => ofBoth.map((name) => `${type} ${name}`)));
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.world.prepare("SELECT count(*) AS left FROM elasticIps").get()).toEqual({ left: 0 });
});
