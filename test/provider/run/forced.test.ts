import { expect, test } from "vitest";
import { makeNetwork, oneNode } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Deletions and replacements that the user forces for one resource alone, of which the engine tells the others nothing. */

const stage = await sharedStage();
const { nextRun, warnings } = runsOf(stage);

test("the resources in a cluster that is deleted alone are named; in a run that deletes them first, none is", async () => {
  const { vpcId, subnetId } = await makeNetwork(stage);
  const args = { vpcId, subnetId, eniSubnetIds: [subnetId] };
  const one = stage.deployment("Cluster");
  const inside = [stage.deployment("NodePool", "workers"), stage.deployment("ClusterEndpoint", "internal")] as const;
  const makeAll = async (): Promise<void> => {
    await one.up(args);
    await inside[0].up({ clusterId: one.id, native: oneNode(subnetId) });
    await inside[1].up({ clusterId: one.id, isExtranet: false, subnetId });
    await nextRun();
  };
  await makeAll();
  const { id } = one;
  expect(await inside[0].preview({ clusterId: id, native: oneNode(subnetId) })).toBe("nothing");
  await expect(one.destroy()).rejects.toThrow('not deleted: the program keeps NodePool "workers", which would be deleted with Cluster');
  await nextRun();
  await one.destroy();
  await expect
    .poll(warnings)
    .toEqual([
      `deleting ${id} also deletes NodePool ${inside[0].id} and ClusterEndpoint ${inside[1].id}. If this update shows one of them as unchanged, \`pulumi up --refresh\` creates it again`,
    ]);
  for (const each of inside) await each.destroy();

  await makeAll();
  for (const each of [...inside, one]) await each.destroy();
  expect(warnings()).toEqual([]);
  await stage.undoAll();
});

test("a creation that is told of something that this run has deleted says so, and what to do", async () => {
  const network = await stage.deployed("Vpc", { cidrBlock: "10.9.0.0/16" });
  const { id } = network;
  await network.destroy();
  const subnet = stage.deployment("Subnet");
  await expect(subnet.up({ vpcId: id, cidrBlock: "10.9.1.0/24", zone: "eu-frankfurt-1" })).rejects.toThrow(
    `This update has deleted ${id}, and Pulumi has not passed the ID of its replacement. Run \`pulumi up\` (or add --target-dependents)`,
  );
});
