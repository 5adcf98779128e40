/** Only the real engine shows that it asks for no deletion in a preview, and what --target leaves out: what leaves is named all the same. */

import { expect, test } from "vitest";
import type { Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const vpc = (name: string, second: number, options = "") =>
  `const ${name} = new Vpc("${name}", { cidrBlock: "10.${second}.0.0/16" }, { customTimeouts: { delete: "6s" }, ${options} });`;
const part = (name: string, of: string, second: number, third = 1) =>
  `new Subnet("${name}", { vpcId: ${of}, zone: "eu-frankfurt-1", cidrBlock: "10.${second}.${third}.0/24" });`;

function program(...lines: readonly string[]): string {
  return ['import { RegistryInstance, SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");
}

function warningsIn({ events }: Outcome): string[] {
  return events.flatMap(({ diagnosticEvent: line }) =>
    line?.severity === "warning" ? [line.message.replace(/<\{%.*?%\}>/g, "").trim()] : [],
  );
}

test("the preview names what leaves with what still names it, and what deletedWith only forgets; `up` fails so, and names what blocks it", async () => {
  const [net, kept] = [vpc("net", 0), vpc("kept", 1, "retainOnDelete: true")];
  await using stack = await Stack.create({ program: program(net, kept, part("part", "net.vpcId", 0), part("other", "kept.vpcId", 1)) });
  await stack.up();
  const [{ id: vpcId }, { id: keptId }] = await Promise.all([stack.resource("Vpc net"), stack.resource("Vpc kept")]);
  const literal = [part("part", `"${vpcId}"`, 0), part("other", `"${keptId}"`, 1)];
  stack.write(
    program(
      ...literal,
      'const r = new RegistryInstance("r", { registryName: "r-images" });',
      'new SecurityGroup("g", {}, { deletedWith: r });',
    ),
  );
  expect(warningsIn(await stack.preview()).toSorted()).toEqual([
    expect.stringMatching(/^Vpc "net" \(\S+\) was removed from the program, but "part" \(vpcId\) still uses its ID\./),
    expect.stringMatching(/^deletedWith: deleting RegistryInstance "r" does not delete this resource on the platform/),
  ]);
  stack.write(program(...literal));
  const { output } = await stack.failingUp();
  expect(output).toContain(`Subnet "part" still uses it (vpcId: ${vpcId}).\n      - Keep Vpc "net" in the program.`);

  // What is new takes an output of what --target leaves out: that is in the program.
  stack.write(program(net, part("part", "net.vpcId", 0), part("more", "net.vpcId", 0, 2)));
  const target = (await stack.resource("Subnet part")).urn.replace(/part$/, "more");
  expect(warningsIn(await stack.preview("--target", target))).toEqual([]);
});
