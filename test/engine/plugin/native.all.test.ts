import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { identityOf, nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { severalOfEach } from "../../provider/kinds/one-of-each.ts";
import { root } from "../../support/compiler.ts";
import type { Stack } from "../../support/stack.ts";
import { back, changedIn, dynamic, native, pluginStack, unchanged } from "./plugin-stack.ts";

/** Only the engine shows that aliases lead from one package to the other, that its secrets are those of the plugin, and that it takes the schema. */

/** With the settings of children that the plugin's own runtime hands over, in the region of a provider of the program. */
const everything = (classes: string) => `${severalOfEach("moved").replace(dynamic, classes)}
import { Platform } from "${classes === back ? dynamic : classes}";
import { Provider } from "${classes}";
const far = new Provider("far", { endpoint: "local", region: "ap-singapore" });
new Vpc("far", { cidrBlock: "10.9.0.0/16" }, { provider: far });
Vpc.get("same", vpcId);
new Platform("prod", {
  network: {
    zones: 2,
    subnets: { nodes: { prefix: 20 }, data: { prefix: 20 } },
    ${classes === native ? 'subnetRoles: ["nodes", "data"],' : ""}
  },
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], max: 4, labels: { pool: "apps" } } },
  access: { internet: ["203.0.113.0/24"] },
  registry: { name: "prod-images", namespaces: ["team"] },
  permissions: { "100000000003": "svc:ro" },
  deletionProtection: false,
  tags: { team: "platform" },
}, { providers: [far], ${classes === back ? "transforms: [returning]" : ""} });
function returning({ type, props, opts }) {
  const [, kind] = type.split("dynamic/container-platform:");
  return kind && { props, opts: { ...opts, aliases: [{ type: "container-platform:index:" + kind }] } };
}
`;

/** What a stack has of its resources, whatever the shell: where they are in it, and what the platform has of them. */
async function identitiesIn(stack: Stack): Promise<unknown[]> {
  const all = await stack.resources();
  return all
    .map(({ urn, id = "", protect = false }) => ({ urn: identityOf(urn), id: urn.includes(":Stash::") ? "" : id, protect }))
    .toSorted((one, other) => one.urn.localeCompare(other.urn));
}

test("a stack with all kinds of dynamic resources and a component becomes one of native ones, and goes back: nothing is written", async () => {
  await using stack = await pluginStack(everything(dynamic));
  await stack.up();
  const calls = stack.calls().length;
  const before = await identitiesIn(stack);
  for (const [classes, gone] of [
    [native, "pulumi-nodejs:dynamic"],
    [back, "container-platform:index:Subnet::"],
  ] as const) {
    stack.write(everything(classes));
    expect(changedIn(await stack.up())).toEqual([]);
    await stack.preview("--refresh", unchanged);
    expect(await identitiesIn(stack)).toEqual(before);
    expect((await stack.resources()).filter(({ urn }) => urn.includes(gone))).toEqual([]);
  }
  expect(stack.writesSince(calls)).toEqual([]);
  await stack.destroy();
  // The bucket of the component's registry, with the images in it, stays.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

/** What the advice of a refused preview says to add. */
const adviceIn = (output: string): string => /(aliases: \[(?:"urn:[^"]+"|\{ type: "[^"]+" \})\])/.exec(output)?.[1] ?? "";

test("whoever changes a name or the package of classes without an alias is told the alias, and that one works", async () => {
  const program = (classes: string, name = "net", options = "") => `
import { Vpc } from "${classes}";
new Vpc("${name}", { cidrBlock: "10.0.0.0/16" }, { ${options} });
`;
  const network = (classes: string) => `
import { Network } from "${classes}";
new Network("whole", { cidrBlock: "10.1.0.0/16", zones: 1 });
`;
  const withoutAliases = (options = "") => `
import * as pulumi from "@pulumi/pulumi";
class Vpc extends pulumi.CustomResource {}
new Vpc("container-platform:index:Vpc", "net", { cidrBlock: "10.0.0.0/16" }, { ${options} });
${network(native)}`;
  await using stack = await pluginStack(program(dynamic) + network(native));
  await stack.up();
  const before = stack.calls().length;
  const refused = async (text: string) => {
    stack.write(text);
    return (await stack.fails("preview")).output;
  };

  const toThePlugin = adviceIn(await refused(withoutAliases()));
  expect(toThePlugin).toBe('aliases: [{ type: "pulumi-nodejs:dynamic/container-platform:Vpc" }]');
  stack.write(withoutAliases(toThePlugin));
  expect(changedIn(await stack.up())).toEqual([]);

  const renamed = adviceIn(await refused(program(native, "new") + network(native)));
  expect(renamed).toMatch(/::container-platform:index:Vpc::net"\]$/);
  stack.write(program(native, "new", renamed) + network(native));
  await stack.preview(unchanged);

  const output = await refused(program(dynamic) + network(native));
  expect(output).toContain(
    'It is the same resource, but the state records it as container-platform:index:Vpc. To keep it, add aliases: [{ type: "container-platform:index:Vpc" }] to its options',
  );
  expect(output).not.toContain("deleteBeforeReplace");
  expect(await refused(program(native) + network(dynamic))).toContain(
    'use the option transforms of its parent to add aliases: [{ type: "container-platform:index:Vpc" }] to its options',
  );

  const both = adviceIn(await refused(program(dynamic, "other") + network(native)));
  expect(both).toMatch(/::container-platform:index:Vpc::net"\]$/);
  stack.write(program(dynamic, "other", both) + network(native));
  expect(changedIn(await stack.up())).toEqual([]);
  expect(stack.writesSince(before)).toEqual([]);
});

test("what the program makes a secret later is one in the state from then on, with what is made of it, and nothing is written", async () => {
  const program = (name: string) => `
import * as pulumi from "@pulumi/pulumi";
import { Namespace, RegistryInstance } from "${native}";
const images = new RegistryInstance("images", { registryName: ${name}, deleteBucket: true, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] } });
const team = new Namespace("team", { registryId: images.registryId, namespaceName: "team", isPublic: false });
export const { publicDomain } = images;
export const { imagePrefix } = team;
export const server = images.pullServer("public");
`;
  const named = "covert-images";
  await using stack = await pluginStack(program(`"${named}"`));
  await stack.up();
  const before = stack.calls().length;
  stack.write(program(`pulumi.secret("${named}")`));
  expect(changedIn(await stack.up())).toEqual([expect.stringMatching(/^update .*::images$/), expect.stringMatching(/^update .*::team$/)]);
  expect(stack.writesSince(before)).toEqual([]);
  for (const look of [() => stack.refresh("--diff", unchanged), () => stack.preview(unchanged)]) {
    expect((await look()).output).not.toContain(named);
    expect(readFileSync(stack.stateFile, "utf8")).not.toContain(named);
  }
  expect((await stack.ok("stack", "output", "--json")).output).not.toContain(named);
  expect((await stack.ok("stack", "output", "imagePrefix", "--show-secrets")).output).toContain(named);
});

/** Pulumi's own check of the plugin's schema, as its registry and `pulumi package add` make it. */
test("Pulumi takes the schema that the plugin tells without a warning, and refuses settings that are wrong by name", async () => {
  await using stack = await pluginStack(`import { Vpc } from "${native}";\nnew Vpc("net", { cidrBlock: "10.0.0.0/16" });\n`);
  const plugin = join(root, "plugin", "pulumi-resource-container-platform");
  const { status, stdout, stderr } = spawnSync("pulumi", ["package", "get-schema", plugin], { env: stack.environment, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const schema: unknown = JSON.parse(stdout);
  for (const kind of kinds) expect(schema).toHaveProperty(["resources", nativeToken(kind)]);
  for (const component of ["Network", "Platform"])
    expect(schema).toHaveProperty(["resources", nativeToken(component), "isComponent"], true);

  stack.configure({ "container-platform:regoin": "eu-frankfurt" });
  expect((await stack.fails("preview")).output).toContain("regoin: there is no such setting; there are endpoint, region");
  stack.configure({ "container-platform:callsPerSecond": "many" });
  expect((await stack.fails("preview")).output).toContain("container-platform:callsPerSecond is many; it takes a number from 1 on");
  expect(stack.calls()).toEqual([]);
});
