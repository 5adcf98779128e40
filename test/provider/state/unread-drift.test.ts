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
