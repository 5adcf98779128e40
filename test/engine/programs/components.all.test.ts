/** Only the real engine shows once, and without a stack trace, what a component refuses in its constructor, in an output and in a child. */
import { expect, test } from "vitest";
import { nameOf, operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

test("zones that the region does not have are refused in the preview, each with what would do", async () => {
  await using stack = await Stack.create({
    program: `
import { Network, Platform } from "@container-platform/pulumi";
new Network("unknown", { zones: ["eu-frankfurt-1", "eu-frankfurt-9"] });
export const ids = new Network("few", { zones: 4, cidrBlock: "10.1.0.0/16" }).subnetIds.nodes;
new Platform("many", { network: { zones: 9, cidrBlock: "10.2.0.0/16" }, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } } });
`,
  });
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
