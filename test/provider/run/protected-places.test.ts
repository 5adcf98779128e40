import { disableClusterDeletionProtection, enableClusterDeletionProtection, modifyNodePool } from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { makeNetwork, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A resource in a protected parent that is deleted in an update which has not seen yet that the parent is kept. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId, other] = subnetIds;

test("it is deleted once the program is seen to keep the parent, or at once if it is recreated because another is replaced", async () => {
  const args = { vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection: true };
  const platform = await stage.deployed("Cluster", args, "platform");
  const pool = stage.deployment("NodePool", "workers");
  const makeForNextRun = async () => {
    await pool.up({ clusterId: platform.id, native: oneNode(other) });
    await stage.host.restart("SIGINT");
  };

  await makeForNextRun();
  await expect(pool.destroy()).rejects.toThrow(
    `not deleted: it belongs to Cluster ${platform.id}, which has deletionProtection on. [Provider.Protected]\n  - To delete only this NodePool, remove it from the program and run \`pulumi up\` without --target.\n  - To delete the Cluster, set deletionProtection to false and run \`pulumi up\` first (with --refresh if it was turned on outside Pulumi).`,
  );
  expect(await stage.rows("nodePools")).toBe(1);
  expect(await platform.preview(args)).toBe("nothing");
  await pool.destroy();
  expect(await stage.rows("nodePools")).toBe(0);

  await makeForNextRun();
  const { id, state: { inputs = {}, outputs = {} } = {} } = pool;
  expect((await stage.host.diff(id, outputs, { ...inputs, native: unknown })).replaces).toEqual(["native"]);
  await pool.destroy();
  expect(await stage.rows("nodePools")).toBe(0);

  // Together with its parent, it is kept.
  await makeForNextRun();
  const { id: poolId, state: again = { inputs: {}, outputs: {} } } = pool;
  const recreated = () => stage.host.diff(poolId, again.outputs, { ...again.inputs, clusterId: unknown });
  expect((await recreated()).replaces).toEqual(["clusterId"]);
  await expect(pool.destroy()).rejects.toThrow(`not deleted: it belongs to Cluster ${platform.id}, which has deletionProtection on`);
  const protectPool = (deletionProtection: boolean) => {
    const [clusterId = "", nodePoolId = ""] = poolId.split("/");
    return stage.cloud.call(modifyNodePool, { clusterId, nodePoolId, deletionProtection });
  };
  await protectPool(true);
  await stage.host.restart("SIGINT");
  await expect(recreated()).rejects.toThrow(`cannot replace NodePool ${poolId}: its deletionProtection is on. Set it to false`);
  await protectPool(false);

  // What the console has protected is not replaced by force.
  await platform.up({ ...args, deletionProtection: false });
  await stage.cloud.call(enableClusterDeletionProtection, { clusterId: platform.id });
  await stage.host.restart("SIGINT");
  expect(await platform.preview({ ...args, deletionProtection: false })).toBe("nothing");
  const { failures } = await stage.host.check({}, platform.state?.inputs ?? {});
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`cannot replace Cluster ${platform.id}: its deletionProtection is on. Set it to false`),
  ]);
  await stage.host.restart("SIGINT");
  await stage.cloud.call(disableClusterDeletionProtection, { clusterId: platform.id });
  await pool.destroy();
  await platform.destroy();
});
