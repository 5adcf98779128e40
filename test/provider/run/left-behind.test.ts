import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { makeGrCluster, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/**
 * The nodes of a pool that goes to another subnet stay where they are, and keep their security groups. A pool keeps the groups that are taken
 * out of its program: they are no longer managed, and still in use.
 */

const stage = await sharedStage();
const { saidAtEnd, nextRun } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/20");
const clusterId = await makeGrCluster(stage, vpcId, own);
const args = { vpcId, cidrBlock: "10.0.16.0/24", zone: "eu-frankfurt-1" };
const native = (...subnetIds: readonly unknown[]) => ({ clusterId, native: { ...oneNode(own), subnetIds } });

const withGroups = (...securityGroupIds: readonly string[]) => ({ clusterId, native: { ...oneNode(own), replicas: 0, securityGroupIds } });
const empty = { clusterId, native: { ...oneNode(own), replicas: 0 } };
const remedy =
  'NodePool "workers" still uses it: native.securityGroupIds is not set in the program, so the platform keeps its value.\n  - Keep SecurityGroup "group" in the program.\n  - Or set native.securityGroupIds of NodePool "workers" without it ([] for none).';
const keptBySilence =
  /^SecurityGroup "group" \(sg-\w+\) was removed from the program, but native\.securityGroupIds: NodePool "workers" uses sg-\w+, which cannot be deleted while the resource uses it: /;

/** Why a new subnet does not replace the old one. */
const says =
  /^native\.subnetIds: ins-\w+ stays in subnet-\w+, which cannot be deleted while these nodes exist, and which is being replaced\. A node stays in its subnet when its pool changes subnets\. Keep Subnet "old" unchanged until these nodes are deleted/;

test("a subnet is not replaced under nodes that stay in it, and where it may be gone, the preview warns", async () => {
  await using old = await stage.deployed("Subnet", args, "old");
  await using pool = stage.deployment("NodePool", "workers", { __of: { "native.subnetIds.0": urnOf("Subnet", "old") } });
  await pool.up(native(old.id));
  await nextRun();

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

  // The program does not declare it.
  for (const [isReadable, called] of [
    [false, ""],
    [true, `Subnet "old" .${old.id}. was removed from the program, but `],
  ] as const) {
    stage.host.saved.setReadable(isReadable);
    await nextRun();
    expect(await pool.preview(native(own))).toBe("update");
    expect(await saidAtEnd()).toEqual([
      expect.stringMatching(new RegExp(`^${called}native\\.subnetIds: ins-\\w+ stays in subnet-\\w+, which cannot be deleted .+ A node`)),
    ]);
  }
  expect(await pool.preview(native(old.id, own))).toBe("update");
});

dynamicTest(
  "a subnet that a pool has left in an earlier run is not replaced under its nodes either, whichever of the two comes first",
  async () => {
    await using old = await stage.deployed("Subnet", args, "old");
    await using pool = await stage.deployed("NodePool", native(old.id), "workers");
    await pool.up(native(own));
    const elsewhere = { ...args, cidrBlock: "10.0.17.0/24" };

    await nextRun();
    expect(await pool.preview(native(own))).toBe("nothing");
    await expect(old.preview(elsewhere)).rejects.toThrow(says);
    await nextRun();
    expect(await old.preview(elsewhere)).toBe("replace");
    await expect(pool.preview(native(own))).rejects.toThrow(says);

    // By force, the engine asks for no plan of the replacement: it checks a new one.
    const forced = stage.deployment("Subnet", "old", { __first: true });
    await nextRun();
    expect(await pool.preview(native(own))).toBe("nothing");
    expect(await old.preview(args)).toBe("nothing");
    await expect(forced.preview(args)).rejects.toThrow(says);
    await nextRun();
    expect(await old.preview(args)).toBe("nothing");
    expect(await forced.preview(args)).toBe("create");
    await expect(pool.preview(native(own))).rejects.toThrow(says);

    // What is retained is not deleted.
    await nextRun();
    expect(await pool.preview(native(own))).toBe("nothing");
    expect(await old.preview({ ...elsewhere, __kept: true })).toBe("replace");
    await nextRun();
  },
);

test("a pool leaves a subnet along with its last node", async () => {
  await using old = await stage.deployed("Subnet", args, "old");
  await using pool = await stage.deployed("NodePool", native(old.id), "workers");
  await nextRun();
  expect(await pool.preview(empty)).toBe("update");
  expect(await saidAtEnd()).toEqual([]);

  const elsewhere = { ...args, cidrBlock: "10.0.17.0/24" };
  await nextRun();
  expect(await old.preview(elsewhere)).toBe("replace");
  expect(await pool.preview(empty)).toBe("update");
  await nextRun();
  expect(await pool.up(empty)).toBe("update");
  expect(await old.up(elsewhere)).toBe("replace");
});

test("a security group that leaves the pool is kept by its nodes: the preview says so, and the refused deletion names them", async () => {
  await using other = await stage.deployed("SecurityGroup", { groupName: "other" }, "other");
  await using old = await stage.deployed("SecurityGroup", { groupName: "old" }, "old", { __timeouts: { delete: "2s" } });
  const withGroup = (id: string) => ({ clusterId, native: { ...oneNode(own), securityGroupIds: [id] } });
  await using pool = await stage.deployed("NodePool", withGroup(old.id), "workers");
  await nextRun();
  expect(await other.preview({ groupName: "other" })).toBe("nothing");
  expect(await pool.preview(withGroup(other.id))).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(
      /^SecurityGroup "old" \(sg-\w+\) was removed from the program, but native\.securityGroupIds: ins-\w+ uses sg-\w+, which cannot be deleted while these nodes exist\. A node keeps its security groups/,
    ),
  ]);
  await pool.up(withGroup(other.id));
  await expect(old.destroy()).rejects.toThrow(
    /ins-\w+ of NodePool "workers" still uses it\. A node keeps its security groups when its pool changes them\. Keep SecurityGroup "old" unchanged/,
  );
});

test("a group that is taken out along with the property is kept: the preview says so, and the refused deletion names the pool", async () => {
  await using group = await stage.deployed("SecurityGroup", { groupName: "group" }, "group", { __timeouts: { delete: "2s" } });
  await using pool = await stage.deployed("NodePool", withGroups(group.id), "workers");
  await nextRun();
  expect(await pool.preview(empty)).toBe("update");
  expect(await saidAtEnd()).toEqual([expect.stringMatching(keptBySilence)]);
  await nextRun();
  // As long as the program has it, nothing is lost.
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await pool.preview(empty)).toBe("update");
  expect(await saidAtEnd()).toEqual([]);
  await pool.up(empty);
  await expect(group.destroy()).rejects.toThrow(remedy);

  // Also in a later run; and what the message says helps.
  await nextRun();
  expect(await pool.preview(empty)).toBe("nothing");
  await expect(group.destroy()).rejects.toThrow(remedy);
  expect(await pool.up(withGroups())).toBe("update");
  await group.destroy();
});

test("a group is not made anew under a pool that keeps it, whichever of the two comes first", async () => {
  await using group = await stage.deployed("SecurityGroup", { groupName: "group" }, "group");
  await using pool = await stage.deployed("NodePool", withGroups(group.id), "workers");
  const says =
    /NodePool "workers" uses sg-\w+, which cannot be deleted while the resource uses it, and which is being replaced: .+\n {2}- Keep SecurityGroup "group" unchanged\./;
  const anew = stage.deployment("SecurityGroup", "group", { __first: true });
  await nextRun();
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await anew.preview({ groupName: "group" })).toBe("create");
  await expect(pool.preview(empty)).rejects.toThrow(says);
  await nextRun();
  expect(await group.preview({ groupName: "group" })).toBe("nothing");
  expect(await pool.preview(empty)).toBe("update");
  await expect(anew.preview({ groupName: "group" })).rejects.toThrow(says);
  await nextRun();
});

test("nodes keep it, too: both are named", async () => {
  await using group = await stage.deployed("SecurityGroup", { groupName: "group" }, "group", { __timeouts: { delete: "2s" } });
  const one = { clusterId, native: oneNode(own) };
  await using pool = await stage.deployed("NodePool", { clusterId, native: { ...oneNode(own), securityGroupIds: [group.id] } }, "workers");
  await nextRun();
  expect(await pool.preview(one)).toBe("update");
  expect(await saidAtEnd()).toEqual([
    expect.stringMatching(
      /^SecurityGroup "group" \(sg-\w+\) was removed from the program, but native\.securityGroupIds: ins-\w+ uses sg-\w+/,
    ),
    expect.stringMatching(keptBySilence),
  ]);
  await pool.up(one);
  await expect(group.destroy()).rejects.toThrow(/NodePool "workers" still uses it[^]*ins-\w+ of NodePool "workers" still uses it/);
});
