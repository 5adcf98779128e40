import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

/** What leaves a program, and what the rest of it still uses: `up` says so within half a minute, and goes on once it is mended. */

const program = (vpcId: string, leaving: string, subnet: string) => `
import { Cluster, NodePool, Subnet, Vpc } from "@container-platform/pulumi";
const zone = "eu-frankfurt-1";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const { subnetId: first } = new Subnet("first", { vpcId, cidrBlock: "10.0.0.0/20", zone });
${leaving}
new Subnet("inside", { vpcId: ${vpcId}, cidrBlock: "10.1.0.0/20", zone });
const { clusterId } = new Cluster("platform", { vpcId, subnetId: first, clusterCidr: "172.16.0.0/16" });
const nodes = { instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 };
new NodePool("workers", { clusterId, native: { ...nodes, subnetIds: [${subnet}] } });
`;
const leaving = `
const other = new Vpc("other", { cidrBlock: "10.1.0.0/16" });
const { subnetId: old } = new Subnet("old", { vpcId, cidrBlock: "10.0.16.0/20", zone });`;

test("a VPC that a subnet names by its id, and a subnet that nodes stay in", async () => {
  await using stack = await Stack.create({ program: program("other.vpcId", leaving, "old") });
  await stack.up();
  const { id: vpcId } = await stack.resource("Vpc other");
  stack.write(program(`"${vpcId}"`, "", "first"));
  const begun = performance.now();
  const { output } = await stack.failingUp();
  expect(performance.now() - begun).toBeLessThan(45_000);
  expect(output).toContain(`Subnet "inside" of this program is in the way, and stays: its vpcId is ${vpcId}. Put Vpc "other" back`);
  expect(output).toMatch(/ins-\w+ of NodePool "workers" is in the way, and stays/);
  stack.write(program(`"${vpcId}"`, leaving, "first"));
  await stack.up();
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
