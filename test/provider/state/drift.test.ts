import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import type { Deployment } from "../../support/deployment.ts";
import { severities } from "../../support/host.ts";
import { engineUrn, testedShell } from "../../support/shell.ts";
import { inClear, type Props } from "../../support/structs.ts";
import { alter, makeCluster, makeNetwork, makeRegistry, makeSubnet, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What was changed outside of Pulumi, and cannot be changed back in place, never makes a new one of what holds workloads. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);
const [first, second, third] = subnetIds;
const fourth = await makeSubnet(stage, vpcId, "10.0.4.0/24");

const clusterId = await makeCluster(stage, vpcId, [first]);
const registryId = await makeRegistry(stage, "acme-images");
const { cloud } = stage;
const pods = { vpcId, subnetId: first, clusterName: "one", eniSubnetIds: [first, second] };
const adds = (clusterId: string) => cloud.call(cluster.addVpcCniSubnets, { clusterId, vpcId, subnetIds: [third] });
const raises = (clusterId: string) => cloud.call(cluster.updateClusterVersion, { clusterId, dstVersion: "1.32.2" });

async function subnetsOf(clusterId: string): Promise<string[]> {
  const { clusters } = await cloud.call(cluster.describeClusters, { clusterIds: [clusterId] });
  return (clusters[0]?.clusterNetworkSettings.subnets ?? []).toSorted();
}

/** A cluster that somebody has changed, as a run finds it that has not read it yet. */
async function changedByHand(args: Props, byHand: (id: string) => Promise<unknown>): Promise<Deployment> {
  const one = await stage.deployed("Cluster", args);
  await byHand(one.id);
  await stage.host.restart("SIGINT");
  return one;
}

/** The same, as a run finds it after a refresh. */
async function read(args: Props, byHand: (id: string) => Promise<unknown>): Promise<Deployment> {
  const one = await changedByHand(args, byHand);
  await one.refresh();
  return one;
}

test("a refresh, in which no program speaks, shows a change, plans no replacement, and does not fail for what is protected", async () => {
  await using one = await read({ ...pods, deletionProtection: true }, adds);
  const { inputs = {}, outputs = {} } = one.state ?? {};
  const { id } = one;
  expect(inputs["eniSubnetIds"]).toEqual([first, second, third]);
  expect(outputs["__said"]).toEqual({ eniSubnetIds: [first, second] });
  const before = { ...inputs, eniSubnetIds: [first, second] };
  // The dynamic shell has the engine compare the inputs.
  const some = testedShell === "dynamic" ? "unknown" : "some";
  expect(await stage.host.diff(id, outputs, before)).toMatchObject({ changes: some, replaces: [] });
  expect(await stage.host.diff(id, outputs, inputs)).toMatchObject({ changes: "none", replaces: [] });
  await one.up({ ...pods, deletionProtection: false });
});

test("a note says what is there, what the program says, and the two ways to go on; once", async () => {
  await using one = await read(pods, adds);
  const seen = stage.host.lines.length;
  const notes = () =>
    stage.host.lines.slice(seen).flatMap(({ severity, message }) => (severity === severities.info && message !== "" ? [message] : []));
  expect(await one.preview(pods)).toBe("nothing");
  expect(await one.up({ ...pods, clusterName: "two" })).toBe("update");
  await expect
    .poll(notes)
    .toEqual([
      [
        `${one.id} was changed outside of Pulumi. Reverting the change would replace the Cluster, so it is kept:`,
        `  eniSubnetIds: ${JSON.stringify([first, second, third])} (program: ${JSON.stringify([first, second])})`,
        `To keep it, update the program. To replace the Cluster, run \`pulumi up --target-replace '${engineUrn("urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:Cluster::example")}' --target-dependents\``,
      ].join("\n"),
    ]);
});

test.each([
  ["read", read],
  ["not read yet", changedByHand],
])(
  "what others have added, %s, stays beside a change of another input; a change of the same one is refused with both values",
  async (_, found) => {
    await using one = await found(pods, adds);
    const { id } = one;
    const wider = { ...pods, clusterName: "three", eniSubnetIds: [first, second, fourth] };
    const refused = `eniSubnetIds: was changed outside Pulumi to ${JSON.stringify([first, second, third])}, and cannot become ${JSON.stringify([first, second, fourth])} in place`;
    expect(await stage.writes(() => expect(one.up(wider)).rejects.toThrow(refused))).toEqual([]);
    expect(await stage.writes(() => one.up({ ...pods, clusterName: "two" }))).toEqual(["ModifyClusterAttribute"]);
    await expect(one.preview(wider)).rejects.toThrow(refused);
    // The remedy.
    await one.up({ ...pods, eniSubnetIds: [first, second, third] });
    await one.up({ ...pods, eniSubnetIds: [first, second, third, fourth] });
    expect(await subnetsOf(id)).toEqual([first, second, third, fourth].toSorted());
  },
);

test("what the program takes out is a replacement, and what it takes over is one update without a call", async () => {
  await using one = await read(pods, adds);
  const taken = { ...pods, eniSubnetIds: [first, second, third] };
  expect(await one.preview({ ...pods, eniSubnetIds: [first] })).toBe("replace");
  expect(await one.preview(taken)).toBe("update");
  expect(await stage.writes(() => one.up(taken))).toEqual([]);
  expect(one.state?.outputs).not.toHaveProperty("__said");
  expect(await one.preview(taken)).toBe("nothing");
  expect(await one.preview(pods)).toBe("replace");
});

test("what is changed back by hand is as it was", async () => {
  const made = { ...pods, clusterOs: "tlinux3.1x86_64" };
  await using one = await read(made, (id) => alter(stage, "clusters", id, { os: "tlinux2.4x86_64" }));
  expect(await one.up(made)).toBe("nothing");
  await alter(stage, "clusters", one.id, { os: "tlinux3.1x86_64" });
  await stage.host.restart("SIGINT");
  await one.refresh();
  expect(one.state?.outputs).not.toHaveProperty("__said");
  expect(await one.preview(made)).toBe("nothing");
});

test.each([
  ["read", read],
  ["not read yet", changedByHand],
])("a version that was raised by hand, %s, stays; the program can raise it further, and not lower it", async (_, found) => {
  const old = { ...pods, clusterVersion: "1.30.0" };
  await using one = await found(old, raises);
  expect(await one.preview(old)).toBe("nothing");
  expect(await stage.writes(() => one.up({ ...old, clusterName: "two" }))).toEqual(["ModifyClusterAttribute"]);
  expect(one.state?.outputs).toMatchObject({ clusterVersion: "1.32.2", __said: { clusterVersion: "1.30.0" } });
  await expect(one.preview({ ...old, clusterVersion: "1.28.3" })).rejects.toThrow(
    "clusterVersion: a cluster is never downgraded: it is 1.32.2, which is newer than 1.28.3",
  );
  expect(await stage.writes(() => one.up({ ...pods, clusterVersion: "1.34.1" }))).toEqual([
    "UpdateClusterVersion",
    "ModifyClusterAttribute",
  ]);
  expect(one.state?.outputs).not.toHaveProperty("__said");
});

test("a part of an object that cannot be changed back stays, and the other parts follow the program", async () => {
  const native = {
    ...{ subnetIds: [second], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 } },
    ...{ machineType: "Native", replicas: 0 },
  };
  await using one = await stage.deployed("NodePool", { clusterId, native });
  await alter(stage, "nodePools", one.id.split("/")[1] ?? "", { "settings.machineType": "NativeCVM" });
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => one.up({ clusterId, native: { ...native, autoRepair: true } }))).toEqual(["ModifyNodePool"]);
  expect(one.state?.outputs["__said"]).toMatchObject({ native: { machineType: "Native" } });
  await one.refresh();
  // The bounds are widened for it, and then narrowed.
  expect(await stage.writes(() => one.up({ clusterId, native: { ...native, replicas: 1 } }))).toEqual([
    "ModifyNodePool",
    "ScaleNodePool",
    "ModifyNodePool",
  ]);
  expect(await one.preview({ clusterId, native: { ...native, replicas: 1 } })).toBe("nothing");
  const elsewhere = one.up({ clusterId, native: { ...native, replicas: 2, runtimeRootDir: "/elsewhere" } });
  const refused = expect(elsewhere).rejects.toThrow('native.runtimeRootDir: is "/var/lib/containerd" and cannot become "/elsewhere"');
  expect(await stage.writes(() => refused)).toEqual([]);
  await one.destroy();
});

test("an update that fails on the way forgets nothing of it", async () => {
  await using one = await changedByHand(pods, adds);
  stage.faults.add({ operation: cluster.modifyClusterAttribute, when: "before", code: "FailedOperation" });
  await expect(one.up({ ...pods, clusterName: "two" })).rejects.toThrow("FailedOperation");
  expect(one.state?.outputs["__said"]).toEqual({ eniSubnetIds: [first, second] });
  expect(await stage.writes(() => one.up({ ...pods, clusterName: "two" }))).toEqual(["ModifyClusterAttribute"]);
});

test("what the program gives as a secret is remembered as one", async () => {
  const one = await stage.deployed("Cluster", { ...pods, clusterOs: "tlinux3.1x86_64" }, "example", { __veiled: ["clusterOs"] });
  await alter(stage, "clusters", one.id, { os: "tlinux2.4x86_64" });
  await stage.host.restart("SIGINT");
  const { outputs } = await stage.host.read(one.id, one.state?.outputs ?? {});
  expect(outputs["__said"]).not.toHaveProperty("clusterOs");
  expect(inClear(outputs)["__said"]).toEqual({ clusterOs: "tlinux3.1x86_64" });
  await one.destroy();
});

// What no refresh has shown yet: an update of something else leaves it as it is, as its preview has said nothing of it. The next refresh shows
// it, and `up` changes it back.

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
  const native = oneNode(first);
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
  const args = { vpcId, subnetId: first, clusterCidr: "172.17.0.0/16" };
  await using one = await stage.deployed("Cluster", args);
  await cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await stage.host.restart("SIGINT");
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["ModifyClusterTags"]);
  await one.refresh();
  expect(await stage.writes(() => one.up({ ...args, tags: { team: "a" } }))).toEqual(["DisableClusterDeletionProtection"]);
});

test("after an update that the platform refuses, the next one still changes only what the program has changed", async () => {
  const native = oneNode(first);
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
  const { replicas: _, ...unsized } = oneNode(first);
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
  const native = oneNode(first);
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
  const args = { vpcId, subnetId: first, clusterCidr: "172.17.0.0/16" };
  const extraArgs = { kubeApiServer: ["v=2"], kubeScheduler: ["v=2"] };
  await using one = await stage.deployed("Cluster", { ...args, extraArgs });
  await cloud.call(cluster.modifyClusterExtraArgs, { clusterId: one.id, clusterExtraArgs: { kubeScheduler: ["v=2"], kubeApiServer: [] } });
  await stage.host.restart("SIGINT");
  await one.up({ ...args, extraArgs: { ...extraArgs, kubeScheduler: ["v=4"] } });
  const { clusterExtraArgs } = await cloud.call(cluster.describeClusterExtraArgs, { clusterId: one.id });
  expect(clusterExtraArgs).toMatchObject({ kubeScheduler: ["v=4"] });
  expect(clusterExtraArgs.kubeApiServer ?? []).toEqual([]);

  const native = { ...oneNode(first), management: { hosts: ["10.0.0.1 a"] } };
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

async function scaledByHand(pool: Deployment, replicas: number): Promise<void> {
  await modifyPool(pool, { native: { scaling: { minReplicas: 1, maxReplicas: 5 } } });
  await cloud.call(cluster.scaleNodePool, { clusterId, nodePoolId: poolOf(pool), replicas });
}

async function live(pool: Deployment) {
  const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId });
  return nodePools.find(({ nodePoolId }) => nodePoolId === poolOf(pool));
}
