import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { severities } from "../../support/host.ts";
import { unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The nodes of a pool that goes to another subnet stay where they are, and keep their security groups. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/20");
const asked = { vpcId, subnetId: own, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } };
const clusterId = await stage.before(
  async () => (await stage.cloud.call(cluster.createCluster, asked)).clusterId,
  (made) => stage.cloud.call(cluster.deleteCluster, { clusterId: made, instanceDeleteMode: "terminate" }),
);
const urn = "urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:Subnet::old";
const args = { vpcId, cidrBlock: "10.0.16.0/24", zone: "eu-frankfurt-1" };
const native = (...subnetIds: readonly unknown[]) => ({ clusterId, native: { ...oneNode(own), subnetIds } });
const warnings = () => stage.host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message);

/** What has been said when the run has ended, from its beginning. */
async function saidAtEnd(): Promise<readonly string[]> {
  await stage.host.restart("SIGINT");
  return warnings();
}

async function nextRun(): Promise<void> {
  await stage.host.restart("SIGINT");
  stage.host.lines.splice(0);
}

test("a subnet is not replaced under nodes that stay in it, and where it may be gone, the preview warns", async () => {
  await using old = stage.deployment("Subnet", "old");
  await old.up(args);
  await using pool = stage.deployment("NodePool", "workers", { __of: { "native.subnetIds.0": urn } });
  await pool.up(native(old.id));
  await nextRun();
  const says =
    /^native\.subnetIds: ins-\w+ stays in subnet-\w+, which cannot be deleted while it has nodes, and in whose place a new one is made\. A node stays in the subnet that it was made in, also if its pool goes to others\. Keep Subnet "old" in the program/;

  // Another range, in the same program: the pool is told of the new one once it is made.
  expect(await old.preview({ ...args, cidrBlock: "10.0.17.0/24" })).toBe("replace");
  await expect(pool.preview(native(unknown))).rejects.toThrow(says);

  // By its id, either may come first.
  await nextRun();
  expect(await pool.preview(native(own))).toBe("update");
  await expect(old.preview({ ...args, cidrBlock: "10.0.17.0/24" })).rejects.toThrow(says);
  expect(await saidAtEnd()).toEqual([]);

  // It is in the program, and stays.
  await nextRun();
  expect(await old.preview(args)).toBe("nothing");
  expect(await stage.calls(() => pool.preview(native(old.id)))).toEqual([]);
  expect(await pool.preview(native(own))).toBe("update");
  expect(await saidAtEnd()).toEqual([]);
  expect(await pool.preview(native(own))).toBe("update");
  expect(await old.preview(args)).toBe("nothing");
  expect(await saidAtEnd()).toEqual([]);

  // The program does not have it.
  expect(await pool.preview(native(own))).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(/^native\.subnetIds: ins-\w+ stays in subnet-\w+, which cannot be deleted while it has nodes\. A node/),
  ]);
  expect(await pool.preview(native(old.id, own))).toBe("update");
});

test("a security group that leaves the pool is kept by its nodes: the preview says so, and the refused deletion names them", async () => {
  await using other = stage.deployment("SecurityGroup", "other");
  await other.up({ groupName: "other" });
  await using old = stage.deployment("SecurityGroup", "old", { __timeouts: { delete: "40s" } });
  await old.up({ groupName: "old" });
  await using pool = stage.deployment("NodePool", "workers");
  const withGroup = (id: string) => ({ clusterId, native: { ...oneNode(own), securityGroupIds: [id] } });
  await pool.up(withGroup(old.id));
  await nextRun();
  expect(await pool.preview(withGroup(other.id))).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(
      /^native\.securityGroupIds: ins-\w+ keeps sg-\w+, which cannot be deleted while it has nodes\. A node keeps the security groups/,
    ),
  ]);
  await pool.up(withGroup(other.id));
  await expect(old.destroy()).rejects.toThrow(
    /ins-\w+ of NodePool "workers" is in the way, and stays\. A node keeps the security groups that it was made with, also if its pool gets others\. Keep SecurityGroup "old"/,
  );
});
