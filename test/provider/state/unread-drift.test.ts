import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { makeCluster, makeNetwork, makeRegistry, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/**
 * What was changed outside of Pulumi, and no refresh has shown yet: an update of something else leaves it as it is, as its preview has said
 * nothing of it. The next refresh shows it, and `up` changes it back.
 */

const stage = await sharedStage();
const {
  vpcId,
  subnetIds: [subnetId],
} = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);
const registryId = await makeRegistry(stage, "acme-images");
const { cloud } = stage;

test("a token that was disabled by hand stays so when its description changes: a note tells, and a refresh shows it", async () => {
  await using token = stage.deployment("Token");
  await token.up({ registryId, desc: "one" });
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
        `${token.id} was changed outside of Pulumi, and what this update does not change stays as it is`,
        "  enabled: false, and the program says true",
        "`pulumi up --refresh` changes it back. To keep it, write it into the program",
      ].join("\n"),
    );
  await token.refresh();
  expect(await token.up({ registryId, desc: "two" })).toBe("update");
  expect(await isEnabled()).toBe(true);
});

test("a pool that was scaled by hand keeps its nodes when its labels change, and when another part of `native` does", async () => {
  await using pool = stage.deployment("NodePool");
  const native = oneNode(subnetId);
  await pool.up({ clusterId, native });
  const [, nodePoolId = ""] = pool.id.split("/");
  const scaling = { minReplicas: 1, maxReplicas: 5 };
  await cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, native: { scaling } });
  await cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId, replicas: 3 });
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => pool.up({ clusterId, native, labels: { team: "a" } }))).toEqual(["ModifyNodePool"]);
  const changed = { clusterId, native: { ...native, autoRepair: true }, labels: { team: "a" } };
  expect(await stage.writes(() => pool.up(changed))).not.toContain("ScaleNodePool");
  const replicas = async () => {
    const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId });
    return nodePools.find((one) => one.nodePoolId === nodePoolId)?.native?.replicas;
  };
  expect(await replicas()).toBe(3);
  await pool.refresh();
  await pool.up(changed);
  expect(await replicas()).toBe(1);
});

test("protection that was switched on by hand stays on when a tag changes", async () => {
  await using one = stage.deployment("Cluster");
  const args = { vpcId, subnetId, clusterCidr: "172.17.0.0/16" };
  await one.up(args);
  await cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["ModifyClusterTags"]);
  await one.refresh();
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["DisableClusterDeletionProtection"]);
});

test("after an update that the platform refuses, the next one still changes only what the program has changed", async () => {
  await using pool = stage.deployment("NodePool");
  const native = oneNode(subnetId);
  await pool.up({ clusterId, native, labels: { team: "a" } });
  const poolOf = livePool(pool.id);
  await scaledByHand(pool.id, 4);
  await cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId: pool.id.slice(clusterId.length + 1), deletionProtection: true });
  await stage.host.restart("SIGINT");
  stage.faults.add({ operation: cluster.modifyNodePool, when: "before", code: "InvalidParameter", reason: "not now" });
  const changed = { clusterId, native: { ...native, autoRepair: true }, labels: { team: "b" } };
  await expect(pool.up(changed)).rejects.toThrow("not now");
  expect(await poolOf()).toMatchObject({ deletionProtection: true, native: { replicas: 4 } });
  await stage.host.restart("SIGINT");
  expect(await pool.up(changed)).toBe("update");
  expect(await poolOf()).toMatchObject({
    deletionProtection: true,
    labels: [{ name: "team", value: "b" }],
    native: { replicas: 4, autoRepair: true, scaling: { minReplicas: 1, maxReplicas: 5 } },
  });
  expect(await pool.up(changed)).toBe("nothing");
  await pool.refresh();
  await pool.up(changed);
  expect(await poolOf()).toMatchObject({ deletionProtection: false, native: { replicas: 1 } });
});

test("an update whose answer is lost is not made again, and leaves the rest as it was found", async () => {
  await using namespace = stage.deployment("Namespace");
  const args = { registryId, namespaceName: "team", isPublic: true, autoScan: false };
  await namespace.up(args);
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
  await using pool = stage.deployment("NodePool");
  const { replicas: _, ...unsized } = oneNode(subnetId);
  const scaling = { minReplicas: 1, maxReplicas: 5 };
  const native = { ...unsized, scaling, enableAutoscaling: false };
  await pool.up({ clusterId, native });
  const poolOf = livePool(pool.id);
  await scaledByHand(pool.id, 4);
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => pool.up({ clusterId, native: { ...native, autoRepair: true } }))).toEqual(["ModifyNodePool"]);
  expect(await poolOf()).toMatchObject({ native: { replicas: 4, autoRepair: true } });
  await pool.up({ clusterId, native: { ...native, scaling: { minReplicas: 1, maxReplicas: 3 }, autoRepair: true } });
  expect(await poolOf()).toMatchObject({ native: { replicas: 3, scaling: { minReplicas: 1, maxReplicas: 3 } } });
  await pool.up({ clusterId, native: { ...unsized, autoRepair: true, scaling: { minReplicas: 2, maxReplicas: 2 } } });
  expect(await poolOf()).toMatchObject({ native: { replicas: 2 } });
});

test("automatic scaling that somebody has switched on or off stays so, and so do its bounds, until the number in the program changes", async () => {
  await using pool = stage.deployment("NodePool");
  const native = oneNode(subnetId);
  await pool.up({ clusterId, native });
  const poolOf = livePool(pool.id);
  const nodePoolId = pool.id.slice(clusterId.length + 1);
  const scaling = { minReplicas: 1, maxReplicas: 5 };
  await cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, native: { scaling, enableAutoscaling: true } });
  await stage.host.restart("SIGINT");
  await pool.up({ clusterId, native: { ...native, autoRepair: true } });
  expect(await poolOf()).toMatchObject({ native: { enableAutoscaling: true, autoRepair: true, scaling } });
  await pool.up({ clusterId, native: { ...native, autoRepair: true, replicas: 2 } });
  expect(await poolOf()).toMatchObject({ native: { enableAutoscaling: false, replicas: 2, scaling: { minReplicas: 2, maxReplicas: 2 } } });
});

test("parts of an object that the program leaves to the platform, or that somebody has taken away, stay so when another part changes", async () => {
  await using one = stage.deployment("Cluster");
  const args = { vpcId, subnetId, clusterCidr: "172.17.0.0/16" };
  const extraArgs = { kubeApiServer: ["v=2"], kubeScheduler: ["v=2"] };
  await one.up({ ...args, extraArgs });
  await cloud.call(cluster.modifyClusterExtraArgs, { clusterId: one.id, clusterExtraArgs: { kubeScheduler: ["v=2"], kubeApiServer: [] } });
  await stage.host.restart("SIGINT");
  await one.up({ ...args, extraArgs: { ...extraArgs, kubeScheduler: ["v=4"] } });
  const { clusterExtraArgs } = await cloud.call(cluster.describeClusterExtraArgs, { clusterId: one.id });
  expect(clusterExtraArgs).toMatchObject({ kubeScheduler: ["v=4"] });
  expect(clusterExtraArgs.kubeApiServer ?? []).toEqual([]);

  await using pool = stage.deployment("NodePool");
  const native = { ...oneNode(subnetId), management: { hosts: ["10.0.0.1 a"] } };
  await pool.up({ clusterId, native });
  const management = { hosts: ["10.0.0.1 a"], kernelArgs: ["vm.swappiness=1"] };
  await cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId: pool.id.slice(clusterId.length + 1), native: { management } });
  await stage.host.restart("SIGINT");
  await pool.up({ clusterId, native: { ...native, management: { hosts: ["10.0.0.1 b"] } } });
  expect(await livePool(pool.id)()).toMatchObject({ native: { management: { hosts: ["10.0.0.1 b"], kernelArgs: ["vm.swappiness=1"] } } });
});

/** Sets a pool's bounds to 1 and 5, and its number of nodes. */
async function scaledByHand(id: string, replicas: number): Promise<void> {
  const nodePoolId = id.slice(clusterId.length + 1);
  await cloud.call(cluster.modifyNodePool, { clusterId, nodePoolId, native: { scaling: { minReplicas: 1, maxReplicas: 5 } } });
  await cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId, replicas });
}

/** Looks at a pool on the platform. */
function livePool(id: string) {
  return async () => {
    const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId });
    return nodePools.find(({ nodePoolId }) => id.endsWith(nodePoolId));
  };
}
