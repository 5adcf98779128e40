import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { severalOfEach } from "../../provider/kinds/one-of-each.ts";
import type { Outcome } from "../../support/pulumi.ts";
import { classesOfReturn, nativeClasses } from "../../support/native-classes.ts";
import { Stack } from "../../support/stack.ts";

/** The native plugin, with the real engine. Its classes are those that a generated SDK has. In the short run, programs in YAML show the rest. */

const here = "@container-platform/pulumi";
const native = "./native.ts";
const back = "./back.ts";

async function stackOf(program: string): Promise<Stack> {
  const stack = await Stack.create({ program, plugin: true });
  writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
  writeFileSync(join(stack.folder, "back.ts"), classesOfReturn);
  return stack;
}

const unchanged = "--expect-no-changes";

/** What is only read is read by the other package, and its old state is dropped. */
const harmless = ["same", "read", "discard"];

/** What a run does to resources. A `Provider` is one of the other package by then, and no resource. */
function changedIn({ events }: Outcome): string[] {
  const steps = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  return steps.filter(({ op, urn }) => !harmless.includes(op) && !urn.includes("::pulumi:providers:")).map(({ op, urn }) => `${op} ${urn}`);
}

test("a stack with all kinds of dynamic resources becomes one of native ones, and goes back: nothing is written", async () => {
  const program = (classes: string) => `${severalOfEach("moved").replace(here, classes)}
import { Provider } from "${classes}";
const far = new Provider("far", { endpoint: "local", region: "ap-singapore" });
new Vpc("far", { cidrBlock: "10.9.0.0/16" }, { provider: far });
Vpc.get("same", vpcId);
`;
  await using stack = await stackOf(program(here));
  await stack.up();
  const before = stack.calls().length;
  const made = (await stack.resources()).length;

  stack.write(program(native));
  expect(changedIn(await stack.preview())).toEqual([]);
  expect(changedIn(await stack.up())).toEqual([]);
  await stack.refresh(unchanged);
  await stack.preview(unchanged);
  const moved = await stack.resources();
  expect(moved.filter(({ urn }) => urn.includes("pulumi-nodejs:dynamic"))).toEqual([]);
  expect(moved.length).toBe(made);

  stack.write(program(back));
  expect(changedIn(await stack.up())).toEqual([]);
  await stack.refresh(unchanged);
  expect((await stack.resources()).filter(({ urn }) => urn.includes("container-platform:index:"))).toEqual([]);
  expect(stack.writesSince(before)).toEqual([]);

  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

const network = (more = "", cidr = "10.0.0.0/20") => `
import { Subnet, Vpc } from "${native}";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16", tags: { team: "a"${more} } });
export const { subnetId } = new Subnet("nodes", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "${cidr}" });
`;

if (isLong)
  test("a stack of native resources is made, found unchanged, changed, refreshed and destroyed", async () => {
    await using stack = await stackOf(network());
    await stack.up();
    await stack.preview(unchanged);

    stack.write(network(', "cost centre": "7"', "10.0.16.0/20"));
    const { stdout } = await stack.preview("--diff");
    expect(stdout).toContain('+ cost centre: "7"');
    expect(stdout).toMatch(/cidrBlock: "10\.0\.0\.0\/20" => "10\.0\.16\.0\/20"/);
    expect(stdout).toMatch(/1 to update\n\s+\+-1 to replace/);
    await stack.up();
    await stack.preview(unchanged);

    const { id: vpcId = "" } = await stack.resource("Vpc net");
    await stack.cloud().call(vpc.modifyVpcAttribute, { vpcId, vpcName: "by-hand" });
    expect((await stack.preview("--refresh", "--diff")).stdout).toContain('"by-hand" => "net-');
    await stack.refresh();
    await stack.up();
    await stack.preview(unchanged);
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

if (isLong)
  test("what is there is imported by its id, and the program that has it so changes nothing but its owner tag", async () => {
    await using stack = await stackOf("");
    const { vpcId } = (await stack.cloud().call(vpc.createVpc, { vpcName: "old", cidrBlock: "10.4.0.0/16" })).vpc;
    const before = stack.calls().length;
    stack.write(`
import { Vpc } from "${native}";
new Vpc("old", { vpcName: "old", cidrBlock: "10.4.0.0/16" }, { import: "${vpcId}" });
`);
    await stack.up();
    expect(stack.writesSince(before)).toEqual([]);
    await stack.preview(unchanged);
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

test("a setting that there is not, and a value that is none, are refused by name before anything is made", async () => {
  await using stack = await stackOf(network());
  stack.configure({ "container-platform:regoin": "eu-frankfurt" });
  expect((await stack.fails("preview")).output).toContain("regoin: there is no such setting; there are endpoint, region");
  stack.configure({ "container-platform:callsPerSecond": "many" });
  expect((await stack.fails("preview")).output).toContain("container-platform:callsPerSecond is many; it takes a number from 1 on");
  expect(stack.calls()).toEqual([]);
});

test("the alias that is told for another name of a resource is the one that the state has, and works", async () => {
  const program = (name: string, options = "{}") => `
import { Vpc } from "${native}";
new Vpc("${name}", { cidrBlock: "10.0.0.0/16" }, ${options});
`;
  await using stack = await stackOf(program("old"));
  await stack.up();
  stack.write(program("new"));
  const { output } = await stack.fails("preview");
  const [, alias = ""] = /write (aliases: \["urn:[^"]+"\])/.exec(output) ?? [];
  expect(alias).toMatch(/::container-platform:index:Vpc::old"\]$/);
  stack.write(program("new", `{ ${alias} }`));
  await stack.preview(unchanged);
});

/** What the advice of a refused preview says to add. */
const adviceIn = (output: string): string => /(aliases: \[(?:"urn:[^"]+"|\{ type: "[^"]+" \})\])/.exec(output)?.[1] ?? "";

test("the way back to dynamic resources without aliases names the one that each needs, also of another name", async () => {
  const program = (classes: string, name: string, options = "{}") => `
import { Vpc } from "${classes}";
new Vpc("${name}", { cidrBlock: "10.0.0.0/16" }, ${options});
`;
  await using stack = await stackOf(program(native, "net"));
  await stack.up();
  const before = stack.calls().length;

  stack.write(program(here, "net"));
  const { output } = await stack.fails("preview");
  expect(output).toContain(
    'That is this very resource, which the state has as container-platform:index:Vpc. To go on with it, write aliases: [{ type: "container-platform:index:Vpc" }] into its options',
  );
  expect(output).not.toContain("deleteBeforeReplace");
  stack.write(program(here, "net", `{ ${adviceIn(output)} }`));
  await stack.preview(unchanged);

  stack.write(program(here, "other"));
  const { output: renamed } = await stack.fails("preview");
  expect(adviceIn(renamed)).toMatch(/::container-platform:index:Vpc::net"\]$/);
  stack.write(program(here, "other", `{ ${adviceIn(renamed)} }`));
  expect(changedIn(await stack.up())).toEqual([]);
  expect(stack.writesSince(before)).toEqual([]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("the way back names the alias of a component's children, too, and where it goes", async () => {
  const program = (classes: string) => `
import { Network } from "${classes}";
new Network("net", { zones: 1 });
`;
  await using stack = await stackOf(program(native));
  await stack.up();
  stack.write(program(here));
  expect((await stack.fails("preview")).output).toContain(
    'have the option transforms of what it is a child of add aliases: [{ type: "container-platform:index:Vpc" }] to its options',
  );
});

test("a dynamic resource that becomes one of the plugin without an alias is told which it needs", async () => {
  const yaml = (options = "") => `
import * as pulumi from "@pulumi/pulumi";
class Vpc extends pulumi.CustomResource {}
new Vpc("container-platform:index:Vpc", "net", { cidrBlock: "10.0.0.0/16" }, { ${options} });
`;
  await using stack = await stackOf(`
import { Vpc } from "${here}";
new Vpc("net", { cidrBlock: "10.0.0.0/16" });
`);
  await stack.up();
  stack.write(yaml());
  const { output } = await stack.fails("preview");
  expect(adviceIn(output)).toBe('aliases: [{ type: "pulumi-nodejs:dynamic/container-platform:Vpc" }]');
  stack.write(yaml(adviceIn(output)));
  await stack.preview(unchanged);
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
  await using stack = await stackOf(program(`"${named}"`));
  await stack.up();
  const before = stack.calls().length;
  stack.write(program(`pulumi.secret("${named}")`));
  expect(changedIn(await stack.preview())).toEqual([
    expect.stringMatching(/^update .*::images$/),
    expect.stringMatching(/^update .*::team$/),
  ]);
  await stack.up();
  expect(stack.writesSince(before)).toEqual([]);
  for (const look of [() => stack.refresh(unchanged), () => stack.preview(unchanged), () => stack.refresh("--diff")]) {
    expect((await look()).output).not.toContain(named);
    expect((await stack.ok("stack", "output", "--json")).output).not.toContain(named);
    expect(await stack.exported()).not.toContain(named);
  }
  expect((await stack.ok("stack", "output", "imagePrefix", "--show-secrets")).output).toContain(named);
});
