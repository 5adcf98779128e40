import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { z } from "zod";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { identityOf } from "../../../provider/src/runtime/tokens.ts";
import { nativeClasses } from "../../support/native-classes.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { mistakes } from "./native-mistakes.ts";

/**
 * The components of the native plugin, with the real engine. Their classes are those that a generated SDK has. What programs in YAML have of
 * them is in native-yaml.long.test.ts, also in the short run: it makes, changes and destroys the same platform.
 */

const dynamic = "@container-platform/pulumi";
const native = "./native.ts";
const unchanged = "--expect-no-changes";

async function stackOf(program: string, pace: "instant" | "fast" = "instant"): Promise<Stack> {
  const stack = await Stack.create({ program, plugin: true, pace });
  writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
  return stack;
}

const platform = (classes: string, more = "") => `
import { Platform } from "${classes}";
const platform = new Platform("prod", {
  network: {
    zones: 2,
    subnets: { nodes: { prefix: 20 }, data: { prefix: 20 } },
    ${classes === native ? 'subnetRoles: ["nodes", "data"],' : ""}
  },
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], max: 4, labels: { pool: "apps" } } },
  access: { internet: ["203.0.113.0/24"] },
  registry: { name: "prod-images", namespaces: ["team"] },
  permissions: { "100000000003": "svc:ro" },
  tags: { team: "platform" },
  ${more}
});
`;

/** What a stack has of its resources, whatever the shell: where they are in it, and what the platform has of them. */
async function identitiesIn(stack: Stack): Promise<unknown[]> {
  const all = await stack.resources();
  return all
    .map(({ urn, id = "", protect = false }) => ({ urn: identityOf(urn), id: urn.includes(":Stash::") ? "" : id, protect }))
    .toSorted((one, other) => one.urn.localeCompare(other.urn));
}

if (isLong)
  test("a platform of dynamic resources becomes one of the plugin, and goes back: nothing is written, and all is as it was", async () => {
    await using stack = await stackOf(platform(dynamic));
    await stack.up();
    const calls = stack.calls().length;
    const before = await identitiesIn(stack);
    expect(before).toHaveLength(18);

    stack.write(platform(native));
    expect(operationsOf(await stack.preview())).toEqual({});
    const moved = await stack.up();
    expect(operationsOf(moved)).toEqual({});
    expect(moved.output).toMatch(/Resources:\n +19 unchanged/);
    expect(await identitiesIn(stack)).toEqual(before);
    expect((await stack.resources()).filter(({ urn }) => urn.includes("pulumi-nodejs:dynamic"))).toEqual([]);
    await stack.refresh(unchanged);
    await stack.preview(unchanged);

    stack.write(`${platform(dynamic).replace("});", "}, { transforms: [returning] });")}
function returning({ type, props, opts }) {
  const [, kind] = type.split("dynamic/container-platform:");
  return kind && { props, opts: { ...opts, aliases: [{ type: "container-platform:index:" + kind }] } };
}
`);
    expect(operationsOf(await stack.up())).toEqual({});
    expect(await identitiesIn(stack)).toEqual(before);
    await stack.refresh(unchanged);
    expect(stack.writesSince(calls)).toEqual([]);
  });

if (isLong)
  test("a platform is previewed, made, changed and destroyed, and its outputs are as secret as they are", async () => {
    const program = (more: string) => `${platform(native, more)}
export const { vpcId, subnetIds, clusterId, clusterVersion, nodePoolIds, kubeconfig, registryId, pullServer, pullSecret } = platform;
`;
    await using stack = await stackOf(program("deletionProtection: false,"));
    expect((await stack.preview()).output).toMatch(/\+ 19 to create/);
    await stack.up();
    const outputs = (await stack.ok("stack", "output")).output;
    for (const secret of ["kubeconfig", "pullSecret"]) expect(outputs).toMatch(new RegExp(`${secret} +\\[secret\\]`));
    expect(outputs).toMatch(/pullServer +prod-images-vpc\.registry\.container-platform\.internal/);
    expect(outputs).toMatch(/subnetIds +\{"data":\["subnet-\w+","subnet-\w+"\],"nodes":\["subnet-\w+","subnet-\w+"\]\}/);
    expect(outputs).toMatch(/nodePoolIds +\{"apps":"np-\w+"\}/);
    await stack.preview(unchanged);

    stack.write(program("deletionProtection: false,").replace("max: 4", "max: 5").replace('"team"]', '"team", "web"]'));
    const changes = { "NodePool prod-apps": ["update"], "Namespace prod-web": ["create"], "ServiceAccount prod": ["update"] };
    expect(operationsOf(await stack.preview())).toEqual(changes);
    expect(operationsOf(await stack.up())).toEqual(changes);
    await stack.destroy();
    // The registry's bucket, with the images in it, stays.
    expect(stack.leftovers()).toEqual({ buckets: 1 });
  });

if (isLong)
  test("a provider, a parent, an alias, protection and what is shared reach the children, and what they are made of", async () => {
    const program = (name: string, protect: boolean) => `
import * as pulumi from "@pulumi/pulumi";
import { Network, Platform, Provider, Vpc } from "${native}";
const singapore = new Provider("singapore", { endpoint: "local", region: "ap-singapore" });
const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { protect: ${protect}, providers: [singapore] });
const vpc = new Vpc("other", { cidrBlock: "10.1.0.0/16" }, { provider: singapore });
const network = new Network("${name}", { zones: 1 }, { parent, aliases: [{ name: "shared" }] });
const apps = { instanceTypes: ["SA5.MEDIUM4"], labels: { vpc: vpc.vpcId, team: pulumi.secret("blue") } };
const make = (name) => new Platform(name, {
  sharedNetwork: network,
  nodePools: { apps },
  deletionProtection: false,
  access: { internal: false },
}, { provider: singapore, dependsOn: [vpc] });
export const ids = [make("one"), make("two")].map(({ clusterId }) => clusterId);
`;
    await using stack = await stackOf(program("shared", false));
    expect((await stack.preview()).output).not.toContain("warning");
    await stack.up();
    const { urn: vpcUrn } = await stack.resource("Vpc other");
    const { deployment } = exportedForm.parse(JSON.parse(await stack.exported()));
    const subnet = deployment.resources.find(({ urn }) => urn.includes(":Subnet::"));
    expect(subnet?.urn).toContain(
      "test:index:Parent$container-platform:index:Network$container-platform:index:Subnet::shared-nodes-ap-singapore-1",
    );
    const pools = deployment.resources.filter(({ urn }) => urn.includes(":NodePool::"));
    expect(pools).toHaveLength(2);
    // The lines that make them are of the plugin, not of the program.
    for (const { urn, sourcePosition = "", stackTrace = [] } of deployment.resources.filter(({ urn }) => urn.includes(":index:Network")))
      expect([urn, sourcePosition, stackTrace]).toEqual([urn, "", []]);
    for (const { provider, propertyDependencies, inputs } of pools) {
      expect(provider).toContain("pulumi:providers:container-platform::singapore::");
      expect(propertyDependencies?.["labels"]).toEqual([vpcUrn]);
      expect(JSON.stringify(inputs?.["labels"])).toContain("ciphertext");
    }
    expect(new Set(pools.map(({ provider }) => provider)).size).toBe(1);

    stack.write(program("renamed", true));
    expect(operationsOf(await stack.up())).toEqual({});
    expect((await stack.fails("destroy", "--yes", "--skip-preview")).output).toContain("protect");
    stack.write(program("renamed", false));
    await stack.up();
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

const exportedForm = z.object({
  deployment: z.object({
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
});

test("what is wrong with the arguments of a component is said once, in the words of the dynamic one", async () => {
  await using stack = await stackOf("");
  for (const [component, args, sentence] of mistakes) {
    stack.write(`
import * as pulumi from "@pulumi/pulumi";
import { Network, Platform, Vpc } from "${native}";
const nodePools = { apps: { instanceTypes: ["SA5.MEDIUM4"] } };
const vpc = new Vpc("other", { cidrBlock: "10.1.0.0/16" });
const network = new Network("other", { cidrBlock: "10.2.0.0/16" });
new ${component}("x", ${args});
`);
    const { output } = await stack.fails("preview");
    expect(output).toContain(sentence);
    expect(output).not.toContain("10.7.0.0");
    expect(output).not.toContain("the update ended");
    // In the display, and among the diagnostics.
    const [, diagnostics = ""] = output.split("Diagnostics:");
    expect(diagnostics.split(sentence)).toHaveLength(2);
  }
});

test("Control-C ends a platform that is being made, and the next update finishes it", async () => {
  await using stack = await stackOf(platform(native, "deletionProtection: false,"), "fast");
  const run = stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => stack.count("clusters")).toBe(1);
  run.interrupt();
  const { code, output } = await run.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("'prod' has a problem: the update ended before all of it was made; still to do: Cluster \"prod\"");
  expect(run.providers()).toEqual([]);
  await stack.up();
  await stack.preview(unchanged);
  expect(stack.count("clusters")).toBe(1);
});

test("when a child fails, only the components that are not finished say so, with what they lack", async () => {
  await using stack = await stackOf(
    `
import { Network, Platform } from "${native}";
const network = new Network("whole", { cidrBlock: "10.1.0.0/16", zones: 1 });
new Platform("half", { sharedNetwork: network, nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } }, access: { internal: false } });
new Network("beside", { cidrBlock: "10.2.0.0/16", zones: 1 });
`,
    "fast",
  );
  stack.faults.add({ operation: cluster.createCluster, when: "before", code: "InvalidParameter", reason: "not this one" });
  const { output } = await stack.failingUp();
  expect(output).toContain("not this one");
  const [, diagnostics = ""] = output.split("Diagnostics:");
  const unfinished = Array.from(diagnostics.matchAll(/resource '(\w+)' has a problem: the update ended before (.*)/g), ([, name, what]) => [
    name,
    what,
  ]);
  expect(unfinished).toEqual([["half", 'all of it was made; still to do: Cluster "half" and NodePool "half-apps"']]);
});

test("a preview that is refused says nothing of the components that it has not come to the end of", async () => {
  await using stack = await stackOf(`
import { Network, Platform } from "${native}";
new Network("one", { cidrBlock: "10.1.0.0/16" });
new Network("two", { cidrBlock: "10.2.0.0/16" });
new Platform("wrong", { nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], min: 4, max: 1 } } });
`);
  const { output } = await stack.fails("preview");
  expect(output).toContain("'wrong' has a problem: nodePools.apps: min 4 is above max 1");
  expect(output).not.toMatch(/'(one|two)' has a problem/);
});
