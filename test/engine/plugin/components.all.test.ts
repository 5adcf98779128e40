import { readFileSync } from "node:fs";
import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { z } from "zod";
import { operationsOf } from "../../support/pulumi.ts";
import { native, pluginStack } from "./plugin-stack.ts";

/** Only the engine makes the plugin's components: it asks for them, and they ask it for their children. Programs in YAML show the rest. */

const stateForm = z.object({
  checkpoint: z.object({
    latest: z.object({
      resources: z.array(
        z.object({
          urn: z.string(),
          provider: z.string().optional(),
          sourcePosition: z.string().optional(),
          stackTrace: z.array(z.unknown()).optional(),
          inputs: z.record(z.string(), z.unknown()).optional(),
          propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).optional(),
        }),
      ),
    }),
  }),
});

test("a provider, a parent, an alias, protection and what is shared reach the children, and what they are made of", async () => {
  const program = (name: string, protect: boolean) => `
import * as pulumi from "@pulumi/pulumi";
import { Network, Platform, Provider, Vpc } from "${native}";
const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { protect: ${protect}, providers: [singapore] });
const vpc = new Vpc("other", { cidrBlock: "10.1.0.0/16" }, { provider: singapore });
const network = new Network("${name}", { zones: 1, egress: "none" }, { parent, aliases: [{ name: "shared" }] });
const apps = { instanceTypes: ["SA5.MEDIUM4"], labels: { vpc: vpc.vpcId, team: pulumi.secret("blue") } };
const make = (name) => new Platform(name, {
  sharedNetwork: network,
  nodePools: { apps },
  deletionProtection: false,
  access: { internal: false },
}, { provider: singapore, dependsOn: [vpc] });
export const ids = [make("one"), make("two")].map(({ clusterId }) => clusterId);
`;
  await using stack = await pluginStack(program("shared", false));
  expect((await stack.preview()).output).not.toContain("warning");
  await stack.up();
  const { urn: vpcUrn } = await stack.resource("Vpc other");
  const { resources } = stateForm.parse(JSON.parse(readFileSync(stack.stateFile, "utf8"))).checkpoint.latest;
  expect(resources.find(({ urn }) => urn.includes(":Subnet::"))?.urn).toContain(
    "test:index:Parent$container-platform:index:Network$container-platform:index:Subnet::shared-nodes-ap-singapore-1",
  );
  // The lines that make them are of the plugin, not of the program.
  for (const { urn, sourcePosition = "", stackTrace = [] } of resources.filter(({ urn }) => urn.includes(":index:Network")))
    expect([urn, sourcePosition, stackTrace]).toEqual([urn, "", []]);
  const pools = resources.filter(({ urn }) => urn.includes(":NodePool::"));
  expect(pools).toHaveLength(2);
  for (const { provider, propertyDependencies, inputs } of pools) {
    expect(provider).toContain("pulumi:providers:container-platform::singapore::");
    expect(propertyDependencies?.["labels"]).toEqual([vpcUrn]);
    expect(JSON.stringify(inputs?.["labels"])).toContain("ciphertext");
  }
  expect(new Set(pools.map(({ provider }) => provider)).size).toBe(1);

  stack.write(program("renamed", true));
  expect(operationsOf(await stack.up())).toEqual({});
  expect((await stack.fails("destroy", "--yes", "--skip-preview")).output).toContain("protect");
});

/** Of a secret, of what is shared, and of a child, which is called by the component's names. */
const mistakes = [
  [`network: { cidrBlock: pulumi.secret("10.7.0.0/16") }`, "'x' has a problem: network.cidrBlock: is a secret, and the component makes"],
  ["network: {}, sharedNetwork: network", "'x' has a problem: sharedNetwork: cannot be given with network: a platform has one network"],
  ["sharedNetwork: vpc", "'x' has a problem: sharedNetwork: takes a Network of the same program and the same provider"],
  ["nodePools: { apps: { ...apps, diskSize: 10 } }", "'x-apps' has a problem: nodePools.apps.diskSize: is 10 GB"],
] as const;

test("arguments that are wrong are refused once, and the preview blames no other component", async () => {
  await using stack = await pluginStack("");
  for (const [args, sentence] of mistakes) {
    stack.write(`
import * as pulumi from "@pulumi/pulumi";
import { Network, Platform, Vpc } from "${native}";
const apps = { instanceTypes: ["SA5.MEDIUM4"] };
const vpc = new Vpc("other", { cidrBlock: "10.1.0.0/16" });
const network = new Network("other", { cidrBlock: "10.2.0.0/16" });
new Network("third", { cidrBlock: "10.3.0.0/16" });
new Platform("x", { nodePools: { apps }, ${args} });
`);
    const { output } = await stack.fails("preview");
    expect(output).not.toContain("10.7.0.0");
    expect(output).not.toContain("the update ended");
    expect(output).not.toMatch(/'(other|third)' has a problem/);
    // In the display, and among the diagnostics.
    const [, diagnostics = ""] = output.split("Diagnostics:");
    expect(diagnostics.split(sentence), output).toHaveLength(2);
  }
});

test("Control-C ends a platform that is being made, and the next update finishes it", async () => {
  const text = `
import { Platform } from "${native}";
new Platform("prod", { network: { zones: 1 }, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } }, access: { internal: false } });
`;
  await using stack = await pluginStack(text, "fast");
  const run = stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => stack.count("clusters")).toBe(1);
  run.interrupt();
  const { code, output } = await run.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("'prod' has a problem: the update ended before the component was complete; missing: Cluster \"prod\"");
  expect(run.providers()).toEqual([]);
  await stack.up();
  expect([stack.count("clusters"), stack.count("nodePools")]).toEqual([1, 1]);
});

test("when a child fails, only the components that are not finished say so, with what they lack", async () => {
  await using stack = await pluginStack(
    `
import { Network, Platform } from "${native}";
const network = new Network("whole", { cidrBlock: "10.1.0.0/16", zones: 1 });
const beside = new Network("beside", { cidrBlock: "10.2.0.0/16", zones: 1 });
const options = { dependsOn: beside };
new Platform("half", { sharedNetwork: network, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } }, access: { internal: false } }, options);
`,
    "fast",
  );
  stack.faults.add({ operation: cluster.createCluster, when: "before", code: "InvalidParameter", reason: "not this one" });
  const { output } = await stack.failingUp();
  expect(output).toContain("not this one");
  const [, diagnostics = ""] = output.split("Diagnostics:");
  const unfinished = Array.from(
    diagnostics.matchAll(/resource '(\w+)' has a problem: the update ended before (.*)/g),
    ([, ...said]) => said,
  );
  expect(unfinished, output).toEqual([
    ["half", 'the component was complete; missing: Cluster "half" and NodePool "half-apps" [Provider.Interrupted]'],
  ]);
});
