import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../support/stack.ts";

const pack = join(dirname(dirname(import.meta.dirname)), "provider", "policy-pack", "start");

const program = (port: string) => `
import { SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/28" });
const admins = { protocol: "TCP", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
new SecurityGroup("bastion", { groupDescription: "their way in", ingress: [{ ...admins, port: ${port} }] });
`;

test("the rules work as a policy pack: one that blocks stops a preview, and one that cannot be decided yet is shown", async () => {
  await using stack = await Stack.create({ program: program('"22"') });
  const settings = (text: string) => writeFileSync(join(stack.folder, "container-platform.policy.yaml"), text);

  settings("rules: { CP-NET-011: off, CP-NET-023: require-approval }\n");
  const refused = await stack.fails("preview", "--policy-pack", pack);
  expect(refused.output).toContain("[mandatory] [severity: high]  CP-NET-002");
  expect(refused.output).toContain("ingress[0] lets everyone reach SSH, port 22.");
  expect(refused.output).toContain("[advisory] [severity: medium]  CP-NET-023");
  expect(refused.output).not.toContain("CP-NET-011");

  stack.write(program('vpc.vpcId.apply(() => "443")'));
  const open = await stack.preview("--policy-pack", pack);
  expect(open.output).toMatch(/\[advisory\] \[severity: high\] {2}CP-NET-002 .*\n\s+can't run policy .*\.ingress\.0\.port can't be known/);

  settings("rules:\n  CP-NET-2: block\n");
  const broken = await stack.fails("preview", "--policy-pack", pack);
  expect(broken.output).toContain(
    "container-platform.policy.yaml:2: rules.CP-NET-2: there is no rule CP-NET-2; maybe you meant CP-NET-002",
  );
});
