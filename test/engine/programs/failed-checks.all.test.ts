/** Only the real engine plans and begins others, in a run without preview, before a resource fails validation. */
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

test("once one of ten resources has failed validation, each other says which one it is, and what is made is in the state", async () => {
  await using stack = await Stack.create({
    program: `
import { Vpc } from "@container-platform/pulumi";
for (let index = 0; index < 10; index++) new Vpc(\`net-\${index}\`, { cidrBlock: \`10.\${index}.0.0/\${index === 9 ? 99 : 16}\` });
`,
  });
  const { output, events } = await stack.failingUp();
  const errors = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "error" ? [line.message.trim()] : []));
  const form = /^pulumi-nodejs:dynamic\/container-platform:Vpc resource 'net-9' has a problem: (cidrBlock: .+)$/;
  const [why = ""] = errors.flatMap((error) => form.exec(error)?.[1] ?? []);
  expect(why, output).not.toBe("");
  // The engine checks in no fixed order: so it is not known how many there are.
  const others = errors.filter((error) => !form.test(error));
  expect(others).toEqual(others.map(() => `not created, because Vpc "net-9" failed validation: ${why}`));
  expect(stack.writesSince(0).filter((action) => action === "CreateVpc")).toHaveLength((await stack.resources()).length);
});

test("what fails validation once another resource is made keeps those from beginning that come after it, and what is made stays", async () => {
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
