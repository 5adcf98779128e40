import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type { CallFault, EndFault } from "@container-platform/sdk/local";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cidrSubnet } from "@container-platform/sdk";
import { type Deployment, stub } from "../../support/deployment.ts";
import type { InitFailed } from "../../support/asking.ts";
import type { Props } from "../../support/structs.ts";
import { makeBlock, makeCluster, makeGroup, makeNetwork, makePool, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { failureOf, faster, initFailureOf, runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Whatever goes wrong, what exists is in the state, the error has the platform's words and what to do, and the next `up` continues. */

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

const reason = "no host was free";
const endpoint = { clusterId, isExtranet: true, securityGroup: groupId };
const images = { registryName: "laws-images", deleteBucket: true };
const open = { ...images, publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/32" }] } };
const failed: readonly registry.RegistryStatus[] = [
  "FailedCreated",
  "FailedUpdated",
  "Unhealthy",
  "Bucket-Error",
  "Isolate",
  "DeleteFailed",
];
const accessed = ["ManageExternalEndpoint", "CreateSecurityPolicy"];
/** `called`: as the operations call it. `later`: the calls after its creation. */
interface Terminal {
  readonly type: string;
  readonly fault: EndFault;
  readonly args: Props;
  readonly called?: string;
  readonly later?: readonly string[];
}
const terminal: readonly Terminal[] = [
  { type: "Cluster", fault: { resourceType: "cluster", endState: "Abnormal", reason }, args: gr },
  { type: "NodePool", fault: { resourceType: "nodePool", endState: "Abnormal", reason }, args: pool },
  { type: "ClusterEndpoint", fault: { resourceType: "clusterEndpoint", endState: "CreateFailed", reason }, args: endpoint },
  ...failed.map((endState): Terminal => {
    const fault: EndFault = { resourceType: "registry", endState, reason };
    return { type: "RegistryInstance", fault, args: open, called: "Instance", later: accessed };
  }),
];

test.each(terminal)(
  "a $type that ends $fault.endState keeps its id in the state, with what was reached, and the next up replaces it",
  async ({ type, fault, args, called = type, later = [] }) => {
    await using one = stage.deployment(type);
    stage.faults.add(fault);
    let failure: InitFailed | undefined;
    const calls = await stage.calls(async () => {
      failure = await initFailureOf(one.up(args));
    });
    expect(calls.filter(({ effect }) => effect === "write").map(({ action }) => action)).toEqual([`Create${called}`]);
    const { id, reasons, properties } = failure ?? {};
    expect(id).toBe(one.id);
    expect(properties).toMatchObject({ __provider: stub(type), __v: 1 });
    expect(properties).not.toHaveProperty("publicAccess");
    const [, before, requestId, after] = /^(.+) \(request ([0-9a-f-]+)\)(.+)$/.exec(reasons?.join() ?? "") ?? [];
    expect(before).toBe(`creating ${type} ${id}: it is ${fault.endState}: ${fault.reason}`);
    expect(calls.map((call) => call.requestId)).toContain(requestId);
    expect(after).toBe(". The next `pulumi up` replaces it [Provider.Failed]");

    await stage.host.restart();
    expect(await one.preview(args)).toBe("delete-replace");
    expect(await stage.writes(() => one.up(args))).toEqual([`Delete${called}`, `Create${called}`, ...later]);
    expect(one.id === id).toBe(type === "ClusterEndpoint");
    expect(await one.preview(args)).toBe("nothing");
  },
);

test.each([
  ["Cluster", gr, terminal[0]?.fault, ["DisableClusterDeletionProtection", "DeleteCluster", "CreateCluster"]],
  ["RegistryInstance", images, terminal[3]?.fault, ["ModifyInstance", "DeleteInstance", "CreateInstance"]],
] as const)(
  "a protected %s that could not be made is replaced only once the program removes its protection",
  async (type, args, fault, writes) => {
    await using one = stage.deployment(type);
    if (fault) stage.faults.add(fault);
    await initFailureOf(one.up({ ...args, deletionProtection: true }));
    await expect(one.preview({ ...args, deletionProtection: true })).rejects.toThrow(
      `the creation of ${type} ${one.id} failed, and it must be replaced, but deletionProtection is on. Set deletionProtection to false and run \`pulumi up\` first`,
    );
    // The run ends, and marks what it has made.
    await stage.host.restart("SIGINT");
    expect(await one.preview(args)).toBe("delete-replace");
    expect(await stage.writes(() => one.up(args))).toEqual(writes);
  },
);

test("a refresh keeps why a creation failed: the next up replaces the resource all the same", async () => {
  await using one = stage.deployment("Cluster");
  stage.faults.add({ resourceType: "cluster", endState: "Abnormal", reason });
  await initFailureOf(one.up(gr));
  await stage.host.restart("SIGINT");
  await one.refresh();
  expect(await one.preview(gr)).toBe("delete-replace");
});

const issuer = "https://issuer.example";
const issued = { ...gr, serviceAccounts: { useServiceDefault: false, issuer, jwksUri: `${issuer}/jwks` } };

test.each([
  {
    of: "options of a cluster",
    type: "Cluster",
    base: gr,
    args: issued,
    fault: { resourceType: "authentication", endState: "Failed", reason },
    says: "the authentication options ended Failed",
    sets: ["ModifyClusterAuthenticationOptions"],
  },
  {
    of: "a public endpoint",
    type: "RegistryInstance",
    base: images,
    args: open,
    fault: { resourceType: "registryEndpoint", endState: "Closed", reason },
    says: "the public endpoint could not be opened",
    sets: accessed,
  },
] as const)(
  "$of that cannot be set is reported in the platform's words, and set by the next up",
  async ({ type, base, args, fault, says, sets }) => {
    await using one = await stage.deployed(type, base);
    const { id } = one;
    stage.faults.add(fault);
    const failures: InitFailed[] = [];
    const calls = await stage.calls(async () => failures.push(await initFailureOf(one.up(args))));
    const [, requestId] = new RegExp(`${says}: ${reason} \\(request ([0-9a-f-]+)\\)`).exec(failures[0]?.reasons.join() ?? "") ?? [];
    expect(calls.find((call) => call.requestId === requestId)?.action).toMatch(/^Describe/);
    expect(await one.preview(args)).toBe("update");
    expect(await stage.writes(() => one.up(args))).toEqual(sets);
    expect(one.id).toBe(id);
    expect(await one.preview(args)).toBe("nothing");
  },
);

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

test("after a read that fails between the two calls of one change, the next up makes the second call", async () => {
  await using one = await stage.deployed("Subnet", dual);
  const other = { ...narrow, ipv6SubnetCidrBlock: cidrSubnet(block, 64, 1) };
  stage.faults.add({ operation: vpc.describeSubnets, when: "before", code: "FailedOperation", nth: 2 });
  expect(await stage.writes(() => initFailureOf(one.up(other)))).toEqual(["UnassignIpv6SubnetCidrBlock"]);
  stage.faults.clear();
  expect(await one.preview(other)).toBe("update");
  expect(await stage.writes(() => one.up(other))).toEqual([action]);
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

test("a step after a creation that does not find the resource yet is taken again, and so is a deletion that fails for a passing reason", async () => {
  await using group = stage.deployment("SecurityGroup");
  stage.faults.add({ operation: vpc.createSecurityGroupPolicies, when: "before", code: "ResourceNotFound" });
  const rules = { ingress: [{ protocol: "ALL", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }] };
  const step = "CreateSecurityGroupPolicies";
  expect(await stage.writes(() => group.up(rules))).toEqual(["CreateSecurityGroup", `${step}: ResourceNotFound`, step]);
  stage.faults.add({ operation: vpc.deleteSecurityGroup, when: "before", code: "ResourceUnavailable" });
  const deletion = "DeleteSecurityGroup";
  expect(await stage.writes(() => group.destroy())).toEqual([`${deletion}: ResourceUnavailable`, deletion]);
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

const bareSubnet = await makeSubnet(stage, bare, "10.8.2.0/24");

test("a dual-stack cluster in a subnet without a /64 is refused with the platform's sentence on one line, and nothing is left", async () => {
  const resource = stage.deployment("Cluster");
  const before = await stage.contents();
  let message = "";
  const calls = await stage.calls(async () => {
    message = await failureOf(resource.up({ vpcId: bare, subnetId: bareSubnet, isDualStack: true, eniSubnetIds: [bareSubnet] }));
  });
  const { requestId = "none" } = calls.findLast(({ code }) => code === "InvalidParameter") ?? {};
  expect(message).toContain(`InvalidParameter, request ${requestId})`);
  expect(message).toContain(bareSubnet);
  expect(message).not.toContain("\n");
  expect(resource.state).toBeUndefined();
  expect(await stage.contents()).toEqual(before);
});

test("a subnet whose /64 somebody else takes meanwhile is kept in the state, and corrected by the next up", async () => {
  const block = (await stage.cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.ipv6CidrBlock ?? "";
  await using resource = stage.deployment("Subnet");
  const code = "InvalidParameter.SubnetConflict";
  stage.faults.add({ operation: vpc.assignIpv6SubnetCidrBlock, when: "before", code, reason: "another has it" });
  const args = (part: number) => ({
    vpcId,
    cidrBlock: "10.0.20.0/24",
    zone: "eu-frankfurt-1",
    ipv6SubnetCidrBlock: cidrSubnet(block, 64, part),
  });
  await expect(resource.up(args(8))).rejects.toThrow(`${code}, request `);
  const { id } = resource;
  expect(await stage.writes(() => resource.up(args(9)))).toEqual(["AssignIpv6SubnetCidrBlock"]);
  expect(resource.id).toBe(id);
});

test("an endpoint without a node, and with none to come for some time, is refused without a writing call", async () => {
  const clusterId = await makeCluster(stage, vpcId, [subnetId]);
  const securityGroup = await makeGroup(stage);
  const resource = stage.deployment("ClusterEndpoint");
  const lacks = `${clusterId} has no running node and none is coming; an endpoint needs one: give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first`;
  const writes = await stage.writes(async () => {
    const failure = await faster(40, () => failureOf(resource.up({ clusterId, isExtranet: true, securityGroup })));
    expect(failure).toBe(`creating ClusterEndpoint: ${lacks} [Provider.UnmetRequirement]`);
  });
  expect(stage.host.lines.some(({ ephemeral, message }) => ephemeral && message.startsWith(lacks))).toBe(true);
  expect(writes).toEqual([]);
  await stage.undoLast(2);
});

test("deletion protection is never removed silently", async () => {
  const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };
  await using resource = await stage.deployed("Cluster", { ...gr, deletionProtection: true });
  const writes = await stage.writes(async () => {
    await expect(resource.destroy()).rejects.toThrow(
      /OperationDenied.ClusterInDeletionProtection, request .*Set deletionProtection to false and run `pulumi up` first/,
    );
  });
  expect(writes).toEqual(["DeleteCluster: OperationDenied.ClusterInDeletionProtection"]);
  await resource.up(gr);
});

const answered: readonly (readonly [code: NonNullable<CallFault["code"]>, todo: string])[] = [
  ["UnauthorizedOperation.AccessMgmtNoAuth", "The account lacks permission for this operation"],
  ["AuthFailure.UnauthorizedOperation", "The account lacks permission for this operation"],
  ["ResourceNotFound", "Check the ID. If it was a resource of this stack"],
  ["LimitExceeded", "A quota is exhausted. Delete unused resources or request a higher quota"],
];

test.each(answered)("%s is reported with what to do", async (code, todo) => {
  stage.faults.add({ operation: vpc.createVpc, when: "before", code, reason: "not you" });
  await expect(stage.deployment("Vpc").up({ cidrBlock: "10.5.0.0/16" })).rejects.toThrow(
    new RegExp(`creating Vpc: not you .*${code}, request .*${todo}`),
  );
});
