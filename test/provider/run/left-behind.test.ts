import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { severities } from "../../support/host.ts";
import { unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The nodes of a pool that goes to another subnet stay where they are. */

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

test("a subnet is not replaced under nodes that stay in it, and where it may be gone, the preview warns", async () => {
  await using old = stage.deployment("Subnet", "old");
  await old.up(args);
  await using pool = stage.deployment("NodePool", "workers", { __of: { "native.subnetIds.0": urn } });
  await pool.up(native(old.id));
  await stage.host.restart("SIGINT");
  stage.host.lines.splice(0);

  // Another range, in the same program: the pool is told of the new one once it is made.
  expect(await old.preview({ ...args, cidrBlock: "10.0.17.0/24" })).toBe("replace");
  await expect(pool.preview(native(unknown))).rejects.toThrow(
    /^native\.subnetIds: ins-\w+ stays in subnet-\w+, which cannot be deleted while it has nodes, and in whose place a new one is made\. A node stays in the subnet that it was made in, also if its pool goes to others\. Keep Subnet "old" in the program/,
  );

  // It is in the program, and stays.
  await stage.host.restart("SIGINT");
  expect(await old.preview(args)).toBe("nothing");
  expect(await stage.calls(() => pool.preview(native(old.id)))).toEqual([]);
  expect(await pool.preview(native(own))).toBe("update");
  expect(warnings()).toEqual([]);

  // The program does not have it, or not yet.
  await stage.host.restart("SIGINT");
  expect(await pool.preview(native(own))).toBe("update");
  await expect
    .poll(warnings)
    .toEqual([expect.stringMatching(/^native\.subnetIds: ins-\w+ stays in subnet-\w+, which cannot be deleted while/)]);
  expect(await pool.preview(native(old.id, own))).toBe("update");
});
