/** Only the real engine shows that it asks for no deletion in a preview, and what --target leaves out: what leaves is named all the same. */
import { expect, test } from "vitest";
import { warningsIn } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const net = 'const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });';
const part = (name: string, vpcId: string, third = 1) =>
  `new Subnet("${name}", { vpcId: ${vpcId}, zone: "eu-frankfurt-1", cidrBlock: "10.0.${third}.0/24" });`;
const program = (...lines: readonly string[]) => ['import { Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

test("the preview names what leaves with what still names it", async () => {
  await using stack = await Stack.create({ program: program(net, part("part", "vpcId")) });
  await stack.up();
  const { id } = await stack.resource("Vpc net");
  stack.write(program(part("part", `"${id}"`)));
  expect(warningsIn(await stack.preview())).toEqual([
    expect.stringMatching(/^Vpc "net" \(\S+\) was removed from the program, but "part" \(vpcId\) still uses its ID\./),
  ]);
  // What is new takes an output of what --target leaves out: that is in the program.
  stack.write(program(net, part("part", "vpcId"), part("more", "vpcId", 2)));
  const target = (await stack.resource("Subnet part")).urn.replace(/part$/, "more");
  expect(warningsIn(await stack.preview("--target", target))).toEqual([]);
});
