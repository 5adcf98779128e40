/** Only the real engine shows what --target leaves out, and what goes with a resource by the option deletedWith. */
import { expect, test } from "vitest";
import { warningsIn } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const net = 'const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });';
const part = (name: string, vpcId: string, third = 1, second = 0) =>
  `new Subnet("${name}", { vpcId: ${vpcId}, zone: "eu-frankfurt-1", cidrBlock: "10.${second}.${third}.0/24" });`;
const program = (...lines: readonly string[]) => ['import { Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

test("what --target leaves out is in the program", async () => {
  await using stack = await Stack.create({ program: program(net, part("part", "vpcId")) });
  await stack.up();
  // What is new takes an output of what --target leaves out: that is in the program.
  stack.write(program(net, part("part", "vpcId"), part("more", "vpcId", 2)));
  const target = (await stack.resource("Subnet part")).urn.replace(/part$/, "more");
  expect(warningsIn(await stack.preview("--target", target))).toEqual([]);

  const late = 'const late = new Vpc("late", { cidrBlock: "10.2.0.0/16" });';
  stack.write(program(net, part("part", "vpcId"), late, part("inside", "late.vpcId", 1, 2)));
  const { output: without } = await stack.failingUp("--target", target.replace(/more$/, "inside"));
  expect(without).toContain('vpcId: Vpc "late" does not exist yet. Name it with --target as well, or run without --target and --exclude');
});

test.each(["", "deleteBeforeReplace: true"])("what is deletedWith a replaced cluster is not said to be lost (%s)", async (options) => {
  const replaced = (clusterCidr: string) =>
    [
      'import { Cluster, NodePool, Subnet, UserPermission, Vpc } from "@container-platform/pulumi";',
      net,
      `const nodes = ${part("nodes", "vpcId")}`,
      `const c = new Cluster("c", { vpcId, subnetId: nodes.subnetId, clusterCidr: "${clusterCidr}" }, { ${options} });`,
      "const { clusterId } = c;",
      'const native = { subnetIds: [nodes.subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 };',
      'new NodePool("p", { clusterId, native }, { deletedWith: c });',
      'new UserPermission("u", { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" }, { deletedWith: c });',
    ].join("\n");
  await using stack = await Stack.create({ program: replaced("172.16.0.0/16") });
  await stack.up();
  stack.write(replaced("172.17.0.0/16"));
  expect(warningsIn(await stack.up())).toEqual([]);
});
