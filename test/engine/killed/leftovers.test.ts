import { expect, test } from "vitest";
import type { Outcome } from "../../support/pulumi.ts";
import * as vpc from "@container-platform/sdk/vpc";
import { z } from "zod";
import { Stack } from "../../support/stack.ts";
import { cluster, ended, network, registry, upKilledIn } from "../killed-runs.ts";

/** What a killed run has created and not saved: the first deletion of a later run removes it, and nothing that was saved. */

test("the first deletion removes what a killed run has not saved, in order, and leaves what it has saved", async () => {
  await using stack = await Stack.create({
    program: network.replace("{ ", "{ Cluster, ") + registry(", { dependsOn }") + cluster,
    programs: "language-host",
  });
  await upKilledIn(stack, "CreateInstance", "CreateCluster");
  const saved = await stack.resources();
  expect(saved).toHaveLength(3);
  const { urn } = await stack.resource("Subnet zone-2");
  const { output } = await stack.destroy("--target", urn);
  expect(output).toMatch(new RegExp(`removed cls-[0-9a-f]{8} \\(Cluster\\), ${ended}`));
  expect(output).toMatch(new RegExp(`removed tcr-[0-9a-f]{8} \\(RegistryInstance\\), ${ended}`));
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 1 });
  expect([stack.count("clusters"), stack.count("registries")]).toEqual([0, 0]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("runs that delete nothing name what is left, unless the program still has it, with no call for what stays as it is", async () => {
  const another = (index: number) => `new Vpc("another-${index}", { cidrBlock: "10.${index}.0.0/16" });\n`;
  await using stack = await Stack.create({ program: network + registry(", { dependsOn }"), programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  const { id } = z.object({ id: z.string() }).parse(stack.world.prepare("SELECT id FROM registries").get());
  const named = [
    `${id} (RegistryInstance "images"): ${ended.replace("which was ", "")}. \`pulumi up\` goes on with what the program still has. The rest is removed by the next run that deletes something, or by \`npx container-platform-import --leftovers --delete\``,
  ];
  const calls = (from: number) => stack.calls().slice(from);
  const listings = (from: number) => calls(from).filter(({ action }) => action === "GetResources");

  let before = stack.calls().length;
  expect(warningsIn(await stack.preview())).toEqual([]);
  expect(listings(before)).toHaveLength(1);

  stack.write(network + another(1));
  before = stack.calls().length;
  expect(warningsIn(await stack.preview())).toEqual(named);
  expect(listings(before)).toHaveLength(1);
  expect(stack.writesSince(before)).toEqual([]);

  stack.write(network);
  before = stack.calls().length;
  expect(warningsIn(await stack.preview())).toEqual([]);
  expect(calls(before)).toEqual([]);

  stack.write(network + another(1));
  before = stack.calls().length;
  expect(warningsIn(await stack.up())).toEqual([expect.stringContaining("pending operations"), ...named]);
  expect(listings(before)).toHaveLength(1);
  expect(stack.count("registries")).toBe(1);
});

test("what is saved, and what other stacks are creating, is no leftover", async () => {
  const vpcs = (count: number) =>
    `import { Vpc } from "@container-platform/pulumi";
for (let index = 0; index < ${count}; index++) new Vpc(\`net-\${index}\`, { cidrBlock: \`10.\${index}.0.0/16\` });\n`;
  await using stack = await Stack.create({ program: vpcs(1) });
  await stack.up();
  const tags = Object.entries({ owner: "0123456789ab", state: "pending", stack: "ba9876543210" });
  await stack.cloud().call(vpc.createVpc, {
    vpcName: "foreign",
    cidrBlock: "10.99.0.0/16",
    tags: tags.map(([key, value]) => ({ key: `container-platform/${key}`, value })),
  });
  stack.write(vpcs(2));
  expect(warningsIn(await stack.preview())).toEqual([]);
  expect(warningsIn(await stack.up())).toEqual([]);
});

function warningsIn({ events }: Outcome): string[] {
  return events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "warning" ? [line.message.trim()] : []));
}
