import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { type EndFault } from "@container-platform/sdk/local";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Deployment, stub } from "../../support/deployment.ts";
import type { InitFailed } from "../../support/asking.ts";
import type { Props } from "../../support/structs.ts";
import { makeBlock, makeCluster, makeGroup, makeNetwork, makePool, makeVpc, oneNode } from "../stage/outside.ts";
import { faster, initFailureOf, runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Whatever goes wrong, what exists is in the state, the error has the platform's words, and the next `up` continues. */

const stage = await sharedStage();
const { warnings } = runsOf(stage);
beforeEach(() => stage.host.lines.splice(0));
afterEach(() => stage.world.setTimeScale("instant"));

const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId, second] = subnetIds;
const bare = await makeVpc(stage, "10.8.0.0/16");
const block = await makeBlock(stage, bare);
const groupId = await makeGroup(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);
await makePool(stage, clusterId, subnetId);

const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };
const pool = { clusterId, native: oneNode(subnetId) };

/** Whether the last thing that is shown is that something is still being made. */
const isCreating = () => stage.host.lines.at(-1)?.message.startsWith("Creating") ?? false;

/** The failure of work that is under way while something else is done. Neither is left alone when the other one fails. */
async function failureDuring(work: Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<InitFailed> {
  const [failure] = await Promise.all([initFailureOf(work), meanwhile()]);
  return failure;
}

const [abnormal, reason] = ["Abnormal", "no host was free"] as const;
const terminal: readonly (readonly [type: string, args: Props, fault: EndFault])[] = [
  ["Cluster", gr, { resourceType: "cluster", endState: abnormal, reason }],
  ["NodePool", pool, { resourceType: "nodePool", endState: abnormal, reason }],
  [
    "ClusterEndpoint",
    { clusterId, isExtranet: true, securityGroup: groupId },
    { resourceType: "clusterEndpoint", endState: "CreateFailed", reason: "no balancer was free" },
  ],
];

test.each(terminal)(
  "a %s that ends in a failed state keeps its id in the state, and the next up replaces it",
  async (type, args, fault) => {
    await using one = stage.deployment(type);
    stage.faults.add(fault);
    let failure: InitFailed | undefined;
    const calls = await stage.calls(async () => {
      failure = await initFailureOf(one.up(args));
    });
    expect(calls.filter(({ effect }) => effect === "write").map(({ action }) => action)).toEqual([`Create${type}`]);
    const { id, reasons, properties } = failure ?? {};
    expect(id).toBe(one.id);
    expect(properties).toMatchObject({ __provider: stub(type), __v: 1 });
    const [, before, requestId, after] = /^(.+) \(request ([0-9a-f-]+)\)(.+)$/.exec(reasons?.join() ?? "") ?? [];
    expect(before).toBe(`creating ${type} ${id}: it is ${fault.endState}: ${fault.reason}`);
    expect(calls.map((call) => call.requestId)).toContain(requestId);
    expect(after).toBe(". The next `pulumi up` replaces it [Provider.Failed]");

    expect(await one.preview(args)).toBe("delete-replace");
    expect(await stage.writes(() => one.up(args))).toEqual([`Delete${type}`, `Create${type}`]);
    expect(await one.preview(args)).toBe("nothing");
  },
);

test("a protected cluster that ends in a failed state is replaced once the program removes its protection", async () => {
  await using one = stage.deployment("Cluster");
  stage.faults.add({ resourceType: "cluster", endState: "Abnormal", reason: "no host was free" });
  await initFailureOf(one.up({ ...gr, deletionProtection: true }));
  await expect(one.preview({ ...gr, deletionProtection: true })).rejects.toThrow("Set deletionProtection to false");
  // The run ends, and marks what it has made.
  await stage.host.restart("SIGINT");
  expect(await one.preview(gr)).toBe("delete-replace");
  expect(await stage.writes(() => one.up(gr))).toEqual(["DisableClusterDeletionProtection", "DeleteCluster", "CreateCluster"]);
});

test("options that fail are reported in the platform's words, and set by the next up", async () => {
  const issued = (issuer: string): Props => ({ ...gr, serviceAccounts: { useServiceDefault: false, issuer, jwksUri: `${issuer}/jwks` } });
  await using one = await stage.deployed("Cluster", gr);
  const { id } = one;
  stage.faults.add({ resourceType: "authentication", endState: "Failed", reason: "the issuer is silent" });
  const { reasons } = await initFailureOf(one.up(issued("https://issuer.example")));
  expect(reasons).toEqual([expect.stringMatching(/the authentication options ended Failed: the issuer is silent \(request [0-9a-f-]+\)/)]);
  expect(one.id).toBe(id);
  expect(await stage.writes(() => one.up(issued("https://issuer.example")))).toEqual(["ModifyClusterAuthenticationOptions"]);
  expect(one.id).toBe(id);
});

const lost = ["before", "after"] as const;
const { action } = vpc.assignIpv6SubnetCidrBlock;
const narrow = { vpcId: bare, cidrBlock: "10.8.1.0/24", zone: "eu-frankfurt-1" };
/** A subnet with an IPv6 range: that takes a second step, which the client does not repeat by itself. */
const dual = { ...narrow, ipv6SubnetCidrBlock: block.replace("::/56", "::/64") };

test.each(lost)("after a connection that is lost %s a step of a creation takes effect, the next up continues", async (when) => {
  await using one = stage.deployment("Subnet");
  stage.faults.add({ operation: { action }, when });
  const { id, reasons, properties } = await initFailureOf(one.up(dual));
  expect(reasons).toEqual([expect.stringContaining(`the connection was lost before the answer came (${action}: ConnectionLost)`)]);
  expect(properties).toMatchObject({ __provider: stub("Subnet"), subnetId: id, cidrBlock: "10.8.1.0/24" });
  expect(await one.preview(dual)).toBe("update");
  expect(await stage.writes(() => one.up(dual))).toEqual(when === "before" ? [action] : []);
  expect(one.id).toBe(id);
});

test("a creation that fails for a passing reason, and has created the resource all the same, goes on in the same run", async () => {
  await using one = stage.deployment("Vpc");
  stage.faults.add({ operation: vpc.createVpc, when: "after", code: "ResourceUnavailable" });
  expect(await stage.writes(() => one.up({ cidrBlock: "10.9.0.0/16" }))).toEqual(["CreateVpc"]);
  expect(await one.preview({ cidrBlock: "10.9.0.0/16" })).toBe("nothing");
});

test.each(lost)("a step that fails for a passing reason %s it takes effect is made once", async (when) => {
  await using one = await stage.deployed("Subnet", narrow);
  stage.faults.add({ operation: { action }, when, code: "ResourceUnavailable" });
  const writes = await faster(10, () => stage.writes(() => one.up(dual)));
  expect(writes).toEqual(when === "before" ? [`${action}: ResourceUnavailable`, action] : [action]);
  expect(await one.preview(dual)).toBe("nothing");
});

test("a step that fails five times for a passing reason is reported in the platform's words, and the next run goes on", async () => {
  await using one = await stage.deployed("Subnet", narrow);
  stage.faults.add({ operation: { action }, when: "before", code: "ResourceUnavailable", reason: "not today", times: 5 });
  const { reasons } = await faster(10, () => initFailureOf(one.up(dual)));
  expect(reasons).toEqual([expect.stringContaining(`not today (${action}: ResourceUnavailable, request`)]);
  expect(await stage.writes(() => one.up(dual))).toEqual([action]);
});

test("a token whose creation fails for a passing reason is deleted, and another one is created in the same run", async () => {
  await using images = await stage.deployed("RegistryInstance", { registryName: "unsteady", deleteBucket: true });
  await using one = stage.deployment("Token");
  stage.faults.add({ operation: registry.createInstanceToken, when: "after", code: "ResourceUnavailable", times: 2 });
  const again = ["CreateInstanceToken", "DeleteInstanceToken"];
  const writes = await stage.writes(() => one.up({ registryId: images.id }));
  expect(writes.slice(0, 5)).toEqual([...again, ...again, "CreateInstanceToken"]);
  const { tokens } = await stage.cloud.call(registry.describeInstanceToken, { registryId: images.id });
  expect(tokens).toHaveLength(1);
});

test("a creation that times out keeps its id in the state, and the next up continues to wait", async () => {
  stage.world.setTimeScale("realistic");
  const one: Deployment = stage.deployment("Cluster", "example", { __timeouts: { create: "500ms" } });
  const { reasons } = await initFailureOf(one.up(gr));
  expect(reasons).toEqual([
    expect.stringMatching(
      /: gave up after 0.5 s: Creating\. The next `pulumi up` continues to wait; `customTimeouts` sets a longer limit \[Provider\.TimedOut\]$/,
    ),
  ]);
  stage.world.advance(5 * 60_000);
  expect(await one.preview(gr)).toBe("update");
  expect(await stage.writes(() => one.up(gr))).toEqual([]);
  expect(await one.preview(gr)).toBe("nothing");
  stage.world.setTimeScale("instant");
  await one.destroy();
});

test("Control-C ends a wait, keeps the id in the state, and the next up continues", async () => {
  stage.world.setTimeScale("realistic");
  const one = stage.deployment("Cluster");
  const { reasons } = await failureDuring(one.up(gr), async () => {
    await expect.poll(isCreating).toBe(true);
    await stage.host.cancel();
  });
  expect(reasons).toEqual([
    expect.stringMatching(/: interrupted: Creating\. The next `pulumi up` continues from here \[Provider\.Interrupted\]$/),
  ]);
  await stage.host.restart();
  stage.world.advance(5 * 60_000);
  expect(await stage.writes(() => one.up(gr))).toEqual([]);
  stage.world.setTimeScale("instant");
  await one.destroy();
});

test("a cluster that is Creating for over 30 minutes is reported as abnormal, once", async () => {
  stage.faults.add({ resourceType: "cluster", endState: "Creating", reason: "" });
  const one = stage.deployment("Cluster");
  await failureDuring(one.up(gr), async () => {
    await expect.poll(isCreating).toBe(true);
    stage.world.advance(31 * 60_000);
    await expect.poll(warnings).toEqual(["Creating for over 30 minutes, which is abnormal: look at the cluster in the console"]);
    await stage.host.cancel();
  });
  await stage.host.restart();
  await one.destroy();
});

test("an upgrade of a cluster upgrades its nodes too, if the program says so", async () => {
  await using one = await stage.deployed("Cluster", { ...gr, clusterVersion: "1.30.0", upgradeNodes: true });
  await stage.cloud.call(cluster.createNodePool, {
    clusterId: one.id,
    name: "workers",
    type: "Native",
    native: { ...pool.native, subnetIds: [second], instanceChargeType: "POSTPAID_BY_HOUR", scaling: { minReplicas: 1, maxReplicas: 1 } },
  });
  await stage.host.restart();
  expect(await stage.writes(() => one.up({ ...gr, clusterVersion: "1.32.2", upgradeNodes: true }))).toEqual([
    "UpdateClusterVersion",
    "UpgradeClusterInstances",
  ]);
});
