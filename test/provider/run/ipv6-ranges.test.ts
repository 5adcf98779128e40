import { cidrSubnet } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import type { Props } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { makeBlock, makeInstance, makeNetwork, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The IPv6 ranges of subnets lie in the block of their VPC, and do not overlap: or the preview refuses them. */

const stage = await sharedStage();
const { nextRun, said } = runsOf(stage);
const { vpcId, subnetId: first } = await makeNetwork(stage);
const bare = await makeVpc(stage, "10.1.0.0/16");
const own = await makeVpc(stage, "10.2.0.0/16");
const block = await makeBlock(stage, own);
const zone = "eu-frankfurt-1";

const subnet = (name: string, options: Props = {}) => stage.deployment("Subnet", name, options);
/** A subnet with a part of the block. */
const part = (index: number, range: number) => ({
  vpcId: own,
  zone,
  cidrBlock: `10.2.${index}.0/24`,
  ipv6SubnetCidrBlock: cidrSubnet(block, 64, range),
});

test("on the platform: a range of another subnet, outside of the block, and of a VPC without one", async () => {
  const { ipv6SubnetCidrBlock: taken } = (await stage.cloud.call(vpc.describeSubnets, { subnetIds: [first] })).subnetSet[0] ?? {};
  const args = { vpcId, zone, cidrBlock: "10.0.9.0/24" };
  expect(await said("Subnet", { ...args, ipv6SubnetCidrBlock: taken })).toContain(
    `ipv6SubnetCidrBlock: ${taken} overlaps ipv6SubnetCidrBlock ${taken} of ${first}, which this stack does not manage. Use a different ipv6SubnetCidrBlock`,
  );
  const ipv6SubnetCidrBlock = cidrSubnet(block, 64, 0);
  expect(await said("Subnet", { ...args, ipv6SubnetCidrBlock })).toMatch(
    /^ipv6SubnetCidrBlock: \S+ is not inside \S+\/56, the IPv6 block of vpc-\w+$/,
  );
  expect(await said("Subnet", { vpcId: bare, zone, cidrBlock: "10.1.0.0/24", ipv6SubnetCidrBlock })).toContain(
    `${bare} has no IPv6 block: make an Ipv6Block, and take its subnetCidrBlock(0)`,
  );
  await nextRun();
});

dynamicTest("in one program; and a range that is given up in place is for what comes after it", async () => {
  expect(await subnet("one").preview(part(1, 1))).toBe("create");
  await expect(subnet("two").preview(part(2, 1))).rejects.toThrow(/"two" overlaps ipv6SubnetCidrBlock \S+ of "one" with the same vpcId/);
  await nextRun();

  await using one = subnet("one");
  await using two = subnet("two");
  await one.up(part(1, 1));
  await two.up(part(2, 2));
  await nextRun();
  // As long as the other one keeps it, and where it is changed at the same time.
  await expect(one.preview(part(1, 2))).rejects.toThrow('which "two" in this stack manages');
  await nextRun();
  await two.preview(part(2, 3));
  await expect(one.preview(part(1, 2))).rejects.toThrow('Or make this resource depend on "two" (dependsOn)');
  await nextRun();
  const later = subnet("one", { __after: [urnOf("Subnet", "two")] });
  later.state = one.state;
  expect(await two.up(part(2, 3))).toBe("update");
  expect(await later.up(part(1, 2))).toBe("update");
  one.state = later.state;
  // A new one cannot stand beside the old one with the same range.
  expect(await one.preview({ ...part(1, 2), zone: "eu-frankfurt-2", cidrBlock: "10.2.7.0/24" })).toBe("delete-replace");
  await nextRun();
});

test("a range that a dual-stack cluster has addresses of is not given up, whether the program has that cluster or not", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await using cluster = stage.deployment("Cluster", "pods");
  await cluster.up({ vpcId: own, subnetId: nodes.id, eniSubnetIds: [nodes.id], isDualStack: true });
  const { ipv6SubnetCidrBlock: range, ...bare } = part(4, 4);
  const says = (called: string) =>
    `ipv6SubnetCidrBlock: cannot remove ${range} from ${nodes.id}: it is still used by ${called}. Put the CIDR block back. To remove it, delete those resources in one update and change this input in the next, because an update applies changes before deletions`;
  for (const other of [part(4, 5), bare]) {
    // The program does not declare it, or not yet.
    for (const [isReadable, called] of [
      [false, cluster.id],
      [true, `"pods" (${cluster.id})`],
    ] as const) {
      stage.host.saved.setReadable(isReadable);
      await nextRun();
      await expect(nodes.preview(other)).rejects.toThrow(says(`dual-stack Cluster ${called}`));
    }
    await nextRun();
    expect(await cluster.preview({ vpcId: own, subnetId: nodes.id, eniSubnetIds: [nodes.id], isDualStack: true })).toBe("nothing");
    await expect(nodes.preview(other)).rejects.toThrow(says(`dual-stack Cluster "pods" (${cluster.id})`));
  }
  // A new subnet takes nothing away; and what else is changed is no matter.
  await nextRun();
  expect(await stage.calls(() => nodes.preview({ ...part(4, 4), subnetName: "other" }))).toEqual([]);
  await cluster.destroy();
  await nextRun();
  expect(await nodes.up(part(4, 5))).toBe("update");
});

test("addresses of nodes, and of the access from the VPC, keep a range, too", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await using access = subnet("access");
  await access.up(part(5, 5));
  await using pods = subnet("pods");
  await pods.up(part(6, 6));
  await using cluster = stage.deployment("Cluster", "pods");
  await cluster.up({ vpcId: own, subnetId: pods.id, eniSubnetIds: [pods.id], isDualStack: true });
  await using pool = stage.deployment("NodePool", "workers");
  await pool.up({ clusterId: cluster.id, native: oneNode(nodes.id) });
  await using endpoint = stage.deployment("ClusterEndpoint", "internal");
  await endpoint.up({ clusterId: cluster.id, isExtranet: false, subnetId: access.id });
  await nextRun();
  await expect(nodes.preview(part(4, 7))).rejects.toThrow(/from subnet-\w+: it is still used by 1 node of dual-stack Cluster "pods" /);
  await expect(access.preview(part(5, 8))).rejects.toThrow(
    /from subnet-\w+: it is still used by the private endpoint of dual-stack Cluster "pods" /,
  );
});

test("what only the platform knows of keeps it in `up`, and the message says what to do", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await makeInstance(stage, own, nodes.id);
  await expect(nodes.up(part(4, 5))).rejects.toThrow(
    /cannot be unassigned while ins-\w+ has addresses of it \(UnassignIpv6SubnetCidrBlock: ResourceInUse, request \S+\)\. Put the CIDR block back\. To remove it, delete those resources in one update/,
  );
  await stage.undoLast(1);
  expect(await nodes.up(part(4, 5))).toBe("update");
});
