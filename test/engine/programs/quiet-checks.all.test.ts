/** Only the real engine plans and begins others, in a run without preview, before a resource is refused. */
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

test("of ten resources of which one is refused, none is made, and each says which one it is", async () => {
  await using stack = await Stack.create({
    program: `
import { Vpc } from "@container-platform/pulumi";
for (let index = 0; index < 10; index++) new Vpc(\`net-\${index}\`, { cidrBlock: \`10.\${index}.0.0/\${index === 9 ? 99 : 16}\` });
`,
  });
  const { output, events } = await stack.failingUp();
  expect(stack.writesSince(0)).toEqual([]);
  expect(await stack.resources()).toEqual([]);
  const errors = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "error" ? [line.message.trim()] : []));
  const [, why = ""] =
    /^pulumi-nodejs:dynamic\/container-platform:Vpc resource 'net-9' has a problem: (cidrBlock: .+)$/.exec(errors[0] ?? "") ?? [];
  expect(why, output).not.toBe("");
  // The engine checks in no fixed order, and begins nothing after the refusal: so it is not known how many there are.
  for (const other of errors.slice(1)) expect(other).toBe(`not created, because Vpc "net-9" is refused: ${why}`);
});

test("what is refused once another resource is made keeps those from beginning that come after it, and what is made stays", async () => {
  await using stack = await Stack.create({
    program: `
import { Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Subnet("zone-1", { vpcId, zone: vpcId.apply(() => "eu-frankfurt-9"), cidrBlock: "10.0.1.0/24" });
`,
  });
  const { output } = await stack.failingUp();
  expect(output).toContain("eu-frankfurt-9");
  expect(stack.writesSince(0).filter((action) => action.startsWith("Create"))).toEqual(["CreateVpc"]);
  expect(await stack.resources()).toHaveLength(1);
});
