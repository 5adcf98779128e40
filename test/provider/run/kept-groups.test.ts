import { expect, test } from "vitest";
import { makeGrCluster, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A pool keeps the security groups that are taken out of its program: they are no longer managed, and still in use. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/20");
const clusterId = await makeGrCluster(stage, vpcId, own);
const { saidAtEnd, nextRun } = runsOf(stage);
const withGroups = (...securityGroupIds: readonly string[]) => ({
  clusterId,
  native: { ...oneNode(own), replicas: 0, securityGroupIds },
});
const without = { clusterId, native: { ...oneNode(own), replicas: 0 } };

const remedy =
  'NodePool "workers" keeps it, because native.securityGroupIds is not in its program: what is left out stays as it is on the platform';

test("a group that is taken out along with the property is kept: the preview says so, and the refused deletion names the pool", async () => {
  await using group = stage.deployment("SecurityGroup", "group", { __timeouts: { delete: "40s" } });
  await group.up({ groupName: "group" });
  await using pool = stage.deployment("NodePool", "workers");
  await pool.up(withGroups(group.id));
  await nextRun();
  expect(await pool.preview(without)).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(/^native\.securityGroupIds: NodePool "workers" keeps sg-\w+, which cannot be deleted while it does\. /),
  ]);
  await nextRun();
  // As long as the program has it, nothing is lost.
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await pool.preview(without)).toBe("update");
  expect(await saidAtEnd()).toEqual([]);
  await pool.up(without);
  await expect(group.destroy()).rejects.toThrow(remedy);

  // Also in a later run; and what the message says helps.
  await nextRun();
  expect(await pool.preview(without)).toBe("nothing");
  await expect(group.destroy()).rejects.toThrow(remedy);
  expect(await pool.up(withGroups())).toBe("update");
  await group.destroy();
});

test("a group is not made anew under a pool that keeps it, whichever of the two comes first", async () => {
  await using group = stage.deployment("SecurityGroup", "group");
  await group.up({ groupName: "group" });
  await using pool = stage.deployment("NodePool", "workers");
  await pool.up(withGroups(group.id));
  const says = /NodePool "workers" keeps sg-\w+, which cannot be deleted while it does, and in whose place a new one is made\. /;
  const anew = stage.deployment("SecurityGroup", "group", { __first: true });
  await nextRun();
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await anew.preview({ groupName: "group" })).toBe("create");
  await expect(pool.preview(without)).rejects.toThrow(says);
  await nextRun();
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await pool.preview(without)).toBe("update");
  await expect(anew.preview({ groupName: "group" })).rejects.toThrow(says);
  await nextRun();
});

test("nodes keep it, too: both are named", async () => {
  await using group = stage.deployment("SecurityGroup", "group", { __timeouts: { delete: "40s" } });
  await group.up({ groupName: "group" });
  await using pool = stage.deployment("NodePool", "workers");
  const one = { clusterId, native: oneNode(own) };
  await pool.up({ clusterId, native: { ...oneNode(own), securityGroupIds: [group.id] } });
  await nextRun();
  expect(await pool.preview(one)).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(/^native\.securityGroupIds: ins-\w+ keeps sg-\w+/),
    expect.stringMatching(/^native\.securityGroupIds: NodePool "workers" keeps sg-\w+/),
  ]);
  await pool.up(one);
  await expect(group.destroy()).rejects.toThrow(/NodePool "workers" keeps it[^]*ins-\w+ of NodePool "workers" is in the way/);
});
