import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import type { Deployment } from "../../support/deployment.ts";
import { makeCluster, makeNetwork, makeRegistry, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/**
 * What was changed outside of Pulumi, and no refresh has shown yet: an update of something else leaves it as it is, as its preview has said
 * nothing of it. The next refresh shows it, and `up` changes it back.
 */

const stage = await sharedStage();
const { vpcId, subnetId } = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);
const registryId = await makeRegistry(stage, "acme-images");
const { cloud } = stage;

test("a token that was disabled by hand stays so when its description changes: a note tells, and a refresh shows it", async () => {
  await using token = await stage.deployed("Token", { registryId, desc: "one" });
  const [, tokenId = ""] = token.id.split("/");
  const isEnabled = async () =>
    (await cloud.call(registry.describeInstanceToken, { registryId })).tokens.find(({ id }) => id === tokenId)?.enabled;
  await cloud.call(registry.modifyInstanceToken, { registryId, tokenId, modifyFlag: 2, enable: false });
  await stage.host.restart("SIGINT");
  const seen = stage.host.lines.length;
  expect(await token.up({ registryId, desc: "two" })).toBe("update");
  expect(await isEnabled()).toBe(false);
  await expect
    .poll(() => stage.host.lines.slice(seen).map(({ message }) => message))
    .toContainEqual(
      [
        `${token.id} was changed outside of Pulumi, and this update does not touch these properties:`,
        "  enabled: false (program: true)",
        "To revert them, run `pulumi up --refresh`. To keep them, update the program",
      ].join("\n"),
    );
  await token.refresh();
  expect(await token.up({ registryId, desc: "two" })).toBe("update");
  expect(await isEnabled()).toBe(true);
});

test("a pool that was scaled by hand keeps its nodes when its labels change, and when another part of `native` does", async () => {
  const native = oneNode(subnetId);
  await using pool = await stage.deployed("NodePool", { clusterId, native });
  await scaledByHand(pool, 3);
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => pool.up({ clusterId, native, labels: { team: "a" } }))).toEqual(["ModifyNodePool"]);
  const changed = { clusterId, native: { ...native, autoRepair: true }, labels: { team: "a" } };
  expect(await stage.writes(() => pool.up(changed))).not.toContain("ScaleNodePool");
  expect(await live(pool)).toMatchObject({ native: { replicas: 3 } });
  await pool.refresh();
  await pool.up(changed);
  expect(await live(pool)).toMatchObject({ native: { replicas: 1 } });
});

test("protection that was switched on by hand stays on when a tag changes", async () => {
  const args = { vpcId, subnetId, clusterCidr: "172.17.0.0/16" };
  await using one = await stage.deployed("Cluster", args);
  await cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["ModifyClusterTags"]);
  await one.refresh();
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["DisableClusterDeletionProtection"]);
});

test("after an update that the platform refuses, the next one still changes only what the program has changed", async () => {
  const native = oneNode(subnetId);
  await using pool = await stage.deployed("NodePool", { clusterId, native, labels: { team: "a" } });
  await scaledByHand(pool, 4);
  await modifyPool(pool, { deletionProtection: true });
  await stage.host.restart("SIGINT");
  stage.faults.add({ operation: cluster.modifyNodePool, when: "before", code: "InvalidParameter", reason: "not now" });
  const changed = { clusterId, native: { ...native, autoRepair: true }, labels: { team: "b" } };
  await expect(pool.up(changed)).rejects.toThrow("not now");
  expect(await live(pool)).toMatchObject({ deletionProtection: true, native: { replicas: 4 } });
  await stage.host.restart("SIGINT");
  expect(await pool.up(changed)).toBe("update");
  expect(await live(pool)).toMatchObject({
    deletionProtection: true,
    labels: [{ name: "team", value: "b" }],
    native: { replicas: 4, autoRepair: true, scaling: { minReplicas: 1, maxReplicas: 5 } },
  });
  expect(await pool.up(changed)).toBe("nothing");
  await pool.refresh();
  await pool.up(changed);
  expect(await live(pool)).toMatchObject({ deletionProtection: false, native: { replicas: 1 } });
});

test("an update whose answer is lost is not made again, and leaves the rest as it was found", async () => {
  const args = { registryId, namespaceName: "team", isPublic: true, autoScan: false };
  await using namespace = await stage.deployed("Namespace", args);
  await cloud.call(registry.modifyNamespace, { registryId, namespaceName: "team", isPublic: false });
  await stage.host.restart("SIGINT");
  stage.faults.add({ operation: registry.modifyNamespace, when: "after", code: "FailedOperation", reason: "perhaps" });
  await expect(namespace.up({ ...args, autoScan: true })).rejects.toThrow("perhaps");
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => namespace.up({ ...args, autoScan: true }))).toEqual([]);
  const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, namespaceName: "team" });
  expect(namespaceList).toMatchObject([{ public: false, autoScan: true }]);
});

test("the size of a pool that is left to the platform stays, however it was changed by hand, until what it follows from changes", async () => {
  const { replicas: _, ...unsized } = oneNode(subnetId);
  const scaling = { minReplicas: 1, maxReplicas: 5 };
  const native = { ...unsized, scaling, enableAutoscaling: false };
  await using pool = await stage.deployed("NodePool", { clusterId, native });
  await scaledByHand(pool, 4);
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => pool.up({ clusterId, native: { ...native, autoRepair: true } }))).toEqual(["ModifyNodePool"]);
  expect(await live(pool)).toMatchObject({ native: { replicas: 4, autoRepair: true } });
  await pool.up({ clusterId, native: { ...native, replicas: 4, autoRepair: true } });
  await pool.up({ clusterId, native: { ...native, autoRepair: false } });
  expect(await live(pool)).toMatchObject({ native: { replicas: 4, autoRepair: false } });
  await pool.up({ clusterId, native: { ...native, scaling: { minReplicas: 1, maxReplicas: 3 }, autoRepair: true } });
  expect(await live(pool)).toMatchObject({ native: { replicas: 3, scaling: { minReplicas: 1, maxReplicas: 3 } } });
  await pool.up({ clusterId, native: { ...unsized, autoRepair: true, scaling: { minReplicas: 2, maxReplicas: 2 } } });
  expect(await live(pool)).toMatchObject({ native: { replicas: 2 } });
});

test("automatic scaling that somebody has switched on or off stays so, and so do its bounds, until the number in the program changes", async () => {
  const native = oneNode(subnetId);
  await using pool = await stage.deployed("NodePool", { clusterId, native });
  const scaling = { minReplicas: 1, maxReplicas: 5 };
  await modifyPool(pool, { native: { scaling, enableAutoscaling: true } });
  await stage.host.restart("SIGINT");
  await pool.up({ clusterId, native: { ...native, autoRepair: true } });
  expect(await live(pool)).toMatchObject({ native: { enableAutoscaling: true, autoRepair: true, scaling } });
  await pool.up({ clusterId, native: { ...native, autoRepair: true, replicas: 2 } });
  expect(await live(pool)).toMatchObject({
    native: { enableAutoscaling: false, replicas: 2, scaling: { minReplicas: 2, maxReplicas: 2 } },
  });
});

test("parts of an object that the program leaves to the platform, or that somebody has taken away, stay so when another part changes", async () => {
  const args = { vpcId, subnetId, clusterCidr: "172.17.0.0/16" };
  const extraArgs = { kubeApiServer: ["v=2"], kubeScheduler: ["v=2"] };
  await using one = await stage.deployed("Cluster", { ...args, extraArgs });
  await cloud.call(cluster.modifyClusterExtraArgs, { clusterId: one.id, clusterExtraArgs: { kubeScheduler: ["v=2"], kubeApiServer: [] } });
  await stage.host.restart("SIGINT");
  await one.up({ ...args, extraArgs: { ...extraArgs, kubeScheduler: ["v=4"] } });
  const { clusterExtraArgs } = await cloud.call(cluster.describeClusterExtraArgs, { clusterId: one.id });
  expect(clusterExtraArgs).toMatchObject({ kubeScheduler: ["v=4"] });
  expect(clusterExtraArgs.kubeApiServer ?? []).toEqual([]);

  const native = { ...oneNode(subnetId), management: { hosts: ["10.0.0.1 a"] } };
  await using pool = await stage.deployed("NodePool", { clusterId, native });
  const management = { hosts: ["10.0.0.1 a"], kernelArgs: ["vm.swappiness=1"] };
  await modifyPool(pool, { native: { management } });
  await stage.host.restart("SIGINT");
  await pool.up({ clusterId, native: { ...native, management: { hosts: ["10.0.0.1 b"] } } });
  expect(await live(pool)).toMatchObject({ native: { management: { hosts: ["10.0.0.1 b"], kernelArgs: ["vm.swappiness=1"] } } });
});

const poolOf = ({ id }: Deployment): string => id.slice(clusterId.length + 1);

function modifyPool(pool: Deployment, change: object): Promise<unknown> {
  return cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId: poolOf(pool), ...change });
}

/** Sets a pool's bounds to 1 and 5, and its number of nodes. */
async function scaledByHand(pool: Deployment, replicas: number): Promise<void> {
  await modifyPool(pool, { native: { scaling: { minReplicas: 1, maxReplicas: 5 } } });
  await cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId: poolOf(pool), replicas });
}

/** Looks at a pool on the platform. */
async function live(pool: Deployment) {
  const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId });
  return nodePools.find(({ nodePoolId }) => nodePoolId === poolOf(pool));
}
