import { disableClusterDeletionProtection, enableClusterDeletionProtection, modifyNodePool } from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { unknown } from "../../support/structs.ts";
import { makeInstance, makeNetwork, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Deletions and replacements of one resource, of which the engine tells the others nothing: those in it, above it, and linked to it. */

const stage = await sharedStage();
const { nextRun, warnings } = runsOf(stage);
const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId, other] = subnetIds;
const zone = "eu-frankfurt-1";

test("the resources in a cluster that is deleted alone are named; in a run that deletes them first, none is", async () => {
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
  // The platform lists permissions by user, so that those of a cluster are known by the state.
  const granted = { targetUin: "100000000002", clusterId: id, roleName: "svc:ro", roleType: "cluster" };
  const permission = await stage.deployed("UserPermission", granted, "reader");
  await nextRun();
  expect(await inside[0].preview({ clusterId: id, native: oneNode(subnetId) })).toBe("nothing");
  await expect(one.destroy()).rejects.toThrow('not deleted: the program keeps NodePool "workers", which would be deleted with Cluster');
  await nextRun();
  await one.destroy();
  await expect
    .poll(warnings)
    .toEqual([
      `deleting ${id} also deletes NodePool ${inside[0].id}, ClusterEndpoint ${inside[1].id} and UserPermission ${permission.id}. If this update shows one of them as unchanged, \`pulumi up --refresh\` creates it again`,
    ]);
  for (const each of [...inside, permission]) await each.destroy();

  await makeAll();
  for (const each of [...inside, one]) await each.destroy();
  expect(warnings()).toEqual([]);
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

test("a resource in a protected parent is deleted once the program is seen to keep the parent, or at once if it is recreated because another is replaced", async () => {
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

test("if the deletion fails, the state stays true: what was detached is attached again", async () => {
  const subnet = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.11.0/24", zone }, "links", { __timeouts: { delete: "1s" } });
  const images = stage.deployment("RegistryInstance", "images");
  const args = (subnetId: unknown) => ({ registryName: "acme-images", deleteBucket: true, internalAccess: [{ vpcId, subnetId }] });
  await images.up(args(subnet.id));
  const instanceId = await makeInstance(stage, vpcId, subnet.id);
  await stage.host.restart("SIGINT");
  // As the engine asks when the subnet goes before its replacement is made.
  expect(await images.preview(args(unknown))).toBe("update");
  const writes = await stage.writes(async () => {
    await expect(subnet.destroy()).rejects.toThrow(instanceId);
  });
  expect(writes.filter((action) => action.startsWith("ManageInternalEndpoint"))).toHaveLength(2);
  const { accessVpcSet } = await stage.cloud.call(registry.describeInternalEndpoints, { registryId: images.id });
  expect(accessVpcSet).toMatchObject([{ vpcId, subnetId: subnet.id }]);
  await stage.host.restart("SIGINT");
  await images.refresh();
  expect(await images.preview(args(subnet.id))).toBe("nothing");
  await images.destroy();
  await stage.undoLast(1);
  await subnet.destroy();
});

test("what had not to let go is left as it is, however somebody else has changed it", async () => {
  const links = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.11.0/24", zone }, "links");
  const second = await stage.deployed("Subnet", { vpcId, cidrBlock: "10.0.12.0/24", zone }, "second", { __timeouts: { delete: "1s" } });
  const args = (subnetId: unknown) => ({ registryName: "acme-kept", deleteBucket: true, internalAccess: [{ vpcId, subnetId }] });
  const images = await stage.deployed("RegistryInstance", args(links.id), "images");
  const farVpc = await makeVpc(stage, "10.1.0.0/16");
  const farSubnet = await makeSubnet(stage, farVpc, "10.1.0.0/24");
  const access = { registryId: images.id, operation: "Create", vpcId: farVpc, subnetId: farSubnet } as const;
  await stage.cloud.call(registry.manageInternalEndpoint, access);
  await makeInstance(stage, vpcId, second.id);
  await stage.host.restart("SIGINT");
  expect(await images.preview(args(unknown))).toBe("update");
  const writes = await stage.writes(async () => {
    await expect(second.destroy()).rejects.toThrow(second.id);
  });
  expect(writes.filter((action) => !action.startsWith("DeleteSubnet"))).toEqual([]);
  await stage.host.restart("SIGINT");
  await images.destroy();
  await stage.undoLast(3);
  await second.destroy();
  await links.destroy();
});

test("a resource that was deleted for its replacement is created again, although another one has failed validation since", async () => {
  const one = await stage.deployed("Vpc", { cidrBlock: "10.3.0.0/16" }, "one");
  await nextRun();
  await stage.host.running(async () => {
    await one.destroy();
    await expect(stage.deployment("Vpc", "wrong").up({ cidrBlock: "10.4.0.7/16" })).rejects.toThrow("is not in its one spelling");
    const skipped = stage.deployment("Vpc", "new").up({ cidrBlock: "10.5.0.0/16" });
    await expect(skipped).rejects.toThrow('not created, because Vpc "wrong" failed validation');
    expect(await one.up({ cidrBlock: "10.4.0.0/16" })).toBe("create");
  });
  await nextRun();
  await one.destroy();
});
