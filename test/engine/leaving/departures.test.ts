import { afterAll, beforeAll, expect, test } from "vitest";
import type { Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** What leaves the program, although something that stays still names it: the preview warns, for the engine asks nobody. */

let stack: Stack;
let vpcId = "";
beforeAll(async () => {
  stack = await Stack.create({ program: program(net, part("vpcId")) });
  await stack.up();
  vpcId = (await stack.resource("Vpc net")).id ?? "";
});
afterAll(() => stack[Symbol.asyncDispose]());

const net =
  'const { vpcId } = new Vpc("net", { vpcName: "net", cidrBlock: "10.0.0.0/16" }, { retainOnDelete: false, customTimeouts: { delete: "25s" } });';

function program(...lines: readonly string[]): string {
  return ['import { Provider, Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");
}

function part(of: string): string {
  return `new Subnet("part", { vpcId: ${of}, zone: "eu-frankfurt-1", cidrBlock: "10.0.1.0/24" });`;
}

function warningsIn({ events }: Outcome): string[] {
  return events.flatMap(({ diagnosticEvent: line }) =>
    line?.severity === "warning" ? [line.message.replace(/<\{%.*?%\}>/g, "").trim()] : [],
  );
}

async function warnings(...lines: readonly string[]): Promise<readonly string[]> {
  stack.write(program(...lines));
  return warningsIn(await stack.preview());
}

test("what leaves is named with what still names it, and `up` fails so", async () => {
  const literal = part(`"${vpcId}"`);
  expect(await warnings(net, literal)).toEqual([]);
  expect(await warnings(net, part("vpcId"))).toEqual([]);
  stack.write(program(net, literal));
  await stack.up();
  expect(await warnings(literal)).toEqual([
    `Vpc "net" (${vpcId}) is in the stack, and not in the program as far as this run has seen it, but "part" (vpcId) of the program names ${vpcId}. \`pulumi up\` deletes it last, unless --target leaves it out: the platform refuses that, or they lose it. Put Vpc "net" back into the program; or let what names it name another one, or take that out, too`,
  ]);
  expect((await stack.failingUp()).output).toContain('Subnet "part" of this program is in the way, and stays: its vpcId is');
});

test("what is retained, renamed by an import, or in the program is not named", async () => {
  const literal = part(`"${vpcId}"`);
  expect(await warnings(literal, `new Vpc("other", { vpcName: "net", cidrBlock: "10.0.0.0/16" }, { import: "${vpcId}" });`)).toEqual([]);
  stack.write(program(net.replace("false", "true"), literal));
  await stack.up();
  expect(await warnings(literal)).toEqual([]);
  stack.write(program(net, literal));
  await stack.up();
});

test("what --target leaves out is in the program, if what is new takes an output of it", async () => {
  const another = 'new Subnet("more", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.2.0/24" });';
  stack.write(program(net, part("vpcId"), another));
  const target = (await stack.resource("Subnet part")).urn.replace(/part$/, "more");
  expect(warningsIn(await stack.preview("--target", target))).toEqual([]);
});

test("what --target leaves out, and is in the way, is named in time", async () => {
  stack.write(program(net, part(`"${vpcId}"`)));
  await stack.up();
  const { urn } = await stack.resource("Vpc net");
  // The engine tells of no --target, so it may be in the program.
  expect(warningsIn(await stack.preview("--target", (await stack.resource("Subnet part")).urn))).toEqual([
    expect.stringContaining("`pulumi up` deletes it last, unless --target leaves it out: the platform refuses that, or they lose it"),
  ]);
  stack.write(program());
  const { output } = await stack.failingUp("--target", urn);
  expect(output).toMatch(
    /Subnet "part" \(subnet-\w+\) of this stack is in the way, and this run has not come to it so far\. What --target leaves out stays, and so may what has another Provider: take it out of the program first, or run this without --target\. It is waited for, for another \d+ s/,
  );
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("what `deletedWith` has taken out of the state alone is not waited for to the end, since nobody deletes it", async () => {
  stack.write(
    program(
      'const all = new Vpc("all", { cidrBlock: "10.1.0.0/16" }, { customTimeouts: { delete: "30s" } });',
      'new Subnet("inside", { vpcId: all.vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.1.1.0/24" }, { deletedWith: all });',
    ),
  );
  await stack.up();
  const { id = "" } = await stack.resource("Subnet inside");
  const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
  expect(output).toMatch(
    new RegExp(
      `cannot be deleted while it has subnets ${id} \\(ResourceInUse, request .+\\)\\. Subnet ${id} "\\S+" is in the way, and this stack does`,
    ),
  );
  expect(output).toContain(`or take it into the program: a Subnet with { import: "${id}" }. Then run it again`);
  expect(output).not.toContain("gave up after");
  stack.write(
    program(
      'const all = new Vpc("all", { cidrBlock: "10.1.0.0/16" });',
      `new Subnet("inside", { vpcId: all.vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.1.1.0/24" }, { import: "${id}" });`,
    ),
  );
  await stack.up();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
