import { expect, onTestFinished, test } from "vitest";
import { createClusterEndpoint, deleteCluster } from "../catalogue/cluster.ts";
import { createInstance, deleteInstance, manageExternalEndpoint } from "../catalogue/registry.ts";
import { stage } from "../local/cluster/stage.fixture.ts";
import type { Fault } from "../local/faults/faults.ts";
import { type WaitedFor, waitFor, type WaitOptions } from "./waiters.ts";

/** A stage, and waits on it during which the clock moves forward after each poll. */
async function waiting(...faults: Fault[]) {
  const on = await stage();
  onTestFinished(() => on.world.close());
  for (const fault of faults) on.platform.faults.add(fault);
  const shown: string[] = [];
  const wait = (what: WaitedFor, id: string, options: WaitOptions = {}) =>
    waitFor(on.cloud, what, id, {
      within: 60,
      interval: 0.001,
      show: (state) => {
        if (shown.at(-1) !== state) shown.push(state);
        on.world.advance(500);
      },
      ...options,
    });
  return { ...on, shown, wait };
}

test("a cluster is waited for until it runs, and until it is gone", async () => {
  const { cloud, create, wait, shown } = await waiting();
  const clusterId = await create();
  expect(await wait("cluster", clusterId)).toBe("Running");
  expect(await wait("cluster", clusterId)).toBe("Running");
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  expect(await wait("cluster", clusterId, { until: "gone" })).toBe("gone");
  expect(await wait("cluster", clusterId, { until: "gone" })).toBe("gone");
  expect(shown).toEqual(["Creating", "Deleting"]);
});

test("what fails is told with the platform's reason and the id of the call", async () => {
  const { create, wait } = await waiting({ resourceType: "cluster", endState: "Abnormal", reason: "no capacity" });
  const clusterId = await create();
  await expect(wait("cluster", clusterId)).rejects.toThrow(
    new RegExp(`^cluster ${clusterId} is Abnormal: no capacity \\(request [0-9a-f-]{36}\\)$`),
  );
});

test("a node pool is waited for until it has its nodes, or one of them fails: that does not come any more", async () => {
  const { running, pool, wait, shown, nodesOf } = await waiting({
    resourceType: "node",
    nth: 3,
    endState: "failed",
    reason: "out of stock",
  });
  const clusterId = await running();
  expect(await wait("node-pool", `${clusterId}/${await pool(clusterId, 2)}`)).toBe("Running");
  expect(shown).toEqual(["Creating", "Running: 0 of 2 nodes running"]);
  const nodePoolId = await pool(clusterId, 1);
  await expect(wait("node-pool", `${clusterId}/${nodePoolId}`)).rejects.toThrow(/: node \S+ failed: out of stock \(request/);
  const id = `${clusterId}/${(await nodesOf(clusterId)).at(-1)?.instanceId}`;
  // A failed node of another pool does not matter.
  expect(await wait("node-pool", `${clusterId}/${await pool(clusterId, 1)}`)).toBe("Running");
  await expect(wait("node", id)).rejects.toThrow(`node ${id} is failed: out of stock`);
});

test("access to a cluster is waited for", async () => {
  const { cloud, withNodes, subnetId, wait } = await waiting();
  const { clusterId } = await withNodes();
  await expect(wait("cluster-endpoint", `${clusterId}/internal`)).rejects.toThrow(`cluster-endpoint ${clusterId}/internal is NotFound`);
  await cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
  expect(await wait("cluster-endpoint", `${clusterId}/internal`)).toBe("Created");
});

test("a registry and its access from the internet are waited for", async () => {
  const { cloud, wait, world } = await waiting();
  const { registryId } = await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  expect(await wait("registry", registryId)).toBe("Running");
  await cloud.call(manageExternalEndpoint, { registryId, operation: "Create" });
  expect(await wait("registry-endpoint", registryId)).toBe("Opened");
  await cloud.call(manageExternalEndpoint, { registryId, operation: "Delete" });
  expect(await wait("registry-endpoint", registryId, { until: "gone" })).toBe("Closed");
  await expect(wait("registry-endpoint", registryId)).rejects.toThrow(`registry-endpoint ${registryId} is Closed`);
  await cloud.call(deleteInstance, { registryId, deleteBucket: true });
  world.advance(60_000);
  expect(await wait("registry", registryId, { until: "gone" })).toBe("gone");
});

test.each(["DeleteFailed", "DeleteBucketFailed"])("a registry that cannot be deleted is told: %s", async (endState) => {
  const { cloud, wait } = await waiting({ resourceType: "registryDeletion", endState, reason: "it is in use" });
  const { registryId } = await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  await wait("registry", registryId);
  await cloud.call(deleteInstance, { registryId, deleteBucket: true });
  const told = `registry ${registryId} could not be deleted: it is ${endState}`;
  await expect(wait("registry", registryId, { until: "gone" })).rejects.toThrow(told);
});

test("a cluster that is being created for over 30 minutes is abnormal, unless a time was given", async () => {
  const { create, wait, world } = await waiting({ resourceType: "cluster", endState: "Creating", reason: "stuck" });
  const clusterId = await create();
  world.advance(30 * 60_000 - 2000);
  const still = { show: () => undefined };
  await expect(wait("cluster", clusterId, { ...still, within: 0.01 })).rejects.toThrow(`cluster ${clusterId} is Creating`);
  const stalled = `cluster ${clusterId} is Creating for over 30 minutes, which is abnormal: look at the cluster in the console`;
  await expect(wait("cluster", clusterId, { within: undefined })).rejects.toThrow(stalled);
  world.advance(60_000);
  const shown: string[] = [];
  await expect(wait("cluster", clusterId, { within: 0.01, show: (state) => shown.push(state) })).rejects.toThrow(
    `gave up after 0.0 s: ${stalled}`,
  );
  expect(shown[0]).toMatch(/^Creating for over 30 minutes/);
});

test("a wait ends when its time is up, when it is given up, and when what it waits for vanishes", async () => {
  const { cloud, create, wait, world } = await waiting();
  const clusterId = await create();
  const still = { show: () => undefined };
  const told = `gave up after 0.0 s: cluster ${clusterId} is Creating`;
  await expect(wait("cluster", clusterId, { ...still, within: 0.01 })).rejects.toThrow(told);
  const reason = new Error("enough");
  await expect(wait("cluster", clusterId, { ...still, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  world.advance(60_000);
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await expect(wait("cluster", clusterId)).rejects.toThrow(`cluster ${clusterId} is gone`);
});

test.each<[what: WaitedFor, id: string, looks: string]>([
  ["cluster", "", "cls-3f8a0c1e"],
  ["cluster", "cls-1/np-1", "cls-3f8a0c1e"],
  ["node-pool", "np-1", "cls-3f8a0c1e/np-3f8a0c1e"],
  ["node-pool", "cls-1/", "cls-3f8a0c1e/np-3f8a0c1e"],
  ["cluster-endpoint", "cls-1/private", "cls-3f8a0c1e/public or cls-3f8a0c1e/internal"],
])("%s %s is no id", async (what, id, looks) => {
  const { wait } = await waiting();
  await expect(wait(what, id)).rejects.toThrow(`${id} is no id of a ${what}: it looks like ${looks}`);
});
