import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { makeNetwork, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What is inside of a protected resource and goes along with another one, before the program has spoken of the protected one. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId, other] = subnetIds;

test("it goes once the program is seen to keep the protected resource, and not before", async () => {
  const args = { vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection: true };
  const platform = await stage.deployed("Cluster", args, "platform");
  const pool = await stage.deployed("NodePool", { clusterId: platform.id, native: oneNode(other) }, "workers");
  const { id, state: { inputs = {}, outputs = {} } = {} } = pool;
  // The engine asks what goes along with the pool's subnet, and deletes it at once.
  const nextRun = async () => {
    await stage.host.restart("SIGINT");
    expect((await stage.host.diff(id, outputs, { ...inputs, native: unknown })).replaces).toEqual(["native"]);
  };

  await nextRun();
  const refused = expect(stage.host.delete(id, outputs)).rejects.toThrow(
    `it is inside Cluster ${platform.id}, whose deletionProtection is on`,
  );
  await sleep(300);
  expect(await stage.rows("nodePools")).toBe(1);
  await stage.host.cancel();
  await refused;

  await nextRun();
  const [, outcome] = await Promise.all([stage.host.delete(id, outputs), sleep(300).then(() => platform.preview(args))]);
  expect(outcome).toBe("nothing");
  expect(await stage.rows("nodePools")).toBe(0);

  await platform.up({ ...args, deletionProtection: false });
  await platform.destroy();
});
