import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { type EndFault } from "@container-platform/sdk/local";
import { afterEach, describe, expect, test } from "vitest";
import { type Deployment, stub } from "../../support/deployment.ts";
import { InitFailed } from "../../support/asking.ts";
import { severities } from "../../support/host.ts";
import type { Props } from "../../support/structs.ts";
import { makeBlock, makeCluster, makeGroup, makeNetwork, makePool, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Whatever goes wrong, what exists is in the state, the error has the platform's words, and the next `up` continues. */

const stage = await sharedStage({ provider: "process" });
afterEach(() => stage.world.setPace("instant"));

const {
  vpcId,
  subnetIds: [subnetId, second],
} = await makeNetwork(stage);
const groupId = await makeGroup(stage);
const clusterId = await makeCluster(stage, vpcId, [subnetId]);
await makePool(stage, clusterId, subnetId);

const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };
const pool = {
  clusterId,
  native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 },
};

test("the advice on an id that is none is true of one that the program has made up, too", async () => {
  await using one = stage.deployment("Subnet");
  await expect(one.up({ vpcId: "vpc-00000000", cidrBlock: "10.99.0.0/24", zone: "eu-frankfurt-1" })).rejects.toThrow(
    /vpc-00000000.*\. If the program gives this id as text, check it\. If Pulumi had made the resource, `pulumi up --refresh` makes it again$/,
  );
});

async function failureOf(work: Promise<unknown>): Promise<InitFailed> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof InitFailed) return error;
  throw error;
}

/** The failure of work that is under way while something else is done. Neither is left alone when the other one fails. */
async function failureDuring(work: Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<InitFailed> {
  const [failure] = await Promise.all([failureOf(work), meanwhile()]);
  return failure;
}

const terminal: readonly (readonly [of: string, type: string, args: Props, fault: EndFault, deletes: string, creates: string])[] = [
  ["a cluster", "Cluster", gr, { thing: "cluster", end: "Abnormal", reason: "no host was free" }, "DeleteCluster", "CreateCluster"],
  ["a node pool", "NodePool", pool, { thing: "nodePool", end: "Abnormal", reason: "no host was free" }, "DeleteNodePool", "CreateNodePool"],
  [
    "an endpoint",
    "ClusterEndpoint",
    { clusterId, isExtranet: true, securityGroup: groupId },
    { thing: "clusterEndpoint", end: "CreateFailed", reason: "no balancer was free" },
    "DeleteClusterEndpoint",
    "CreateClusterEndpoint",
  ],
];

test.each(terminal)(
  "%s that ends in a failed state keeps its id in the state, and the next up replaces it",
  async (_, type, args, fault, deletes, creates) => {
    await using one = stage.deployment(type);
    stage.faults.add(fault);
    let failure: InitFailed | undefined;
    const calls = await stage.calls(async () => {
      failure = await failureOf(one.up(args));
    });
    expect(calls.filter(({ effect }) => effect === "write").map(({ action }) => action)).toEqual([creates]);
    const { id, reasons, properties } = failure ?? {};
    expect(id).toBe(one.id);
    expect(properties).toMatchObject({
      __provider: stub(type),
      __v: 1,
    });
    expect(reasons).toEqual([
      expect.stringMatching(
        new RegExp(
          `^creating ${type} ${id}: it is ${fault.end}: ${fault.reason} \\(request ([0-9a-f-]+)\\)\\. The next \`pulumi up\` deletes it and makes a new one$`,
        ),
      ),
    ]);
    const requestId = /request ([0-9a-f-]+)/.exec(reasons?.[0] ?? "")?.[1];
    expect(calls.map((call) => call.requestId)).toContain(requestId);

    expect(await one.preview(args)).toBe("delete-replace");
    expect(await stage.writes(() => one.up(args))).toEqual([deletes, creates]);
    expect(await one.preview(args)).toBe("nothing");
  },
);

test("a protected cluster that ends in a failed state is replaced once the program removes its protection", async () => {
  await using one = stage.deployment("Cluster");
  stage.faults.add({ thing: "cluster", end: "Abnormal", reason: "no host was free" });
  await failureOf(one.up({ ...gr, deletionProtection: true }));
  await expect(one.preview({ ...gr, deletionProtection: true })).rejects.toThrow("set deletionProtection to false");
  // The run ends, and marks what it has made.
  await stage.host.restart("SIGINT");
  expect(await one.preview(gr)).toBe("delete-replace");
  expect(await stage.writes(() => one.up(gr))).toEqual(["DisableClusterDeletionProtection", "DeleteCluster", "CreateCluster"]);
});

test("options that fail are reported in the platform's words, and set by the next up", async () => {
  const issued = (issuer: string): Props => ({ ...gr, serviceAccounts: { useServiceDefault: false, issuer, jwksUri: `${issuer}/jwks` } });
  await using one = stage.deployment("Cluster");
  await one.up(gr);
  const { id } = one;
  stage.faults.add({ thing: "authentication", end: "Failed", reason: "the issuer is silent" });
  const { reasons } = await failureOf(one.up(issued("https://issuer.example")));
  expect(reasons).toEqual([expect.stringMatching(/the authentication options ended Failed: the issuer is silent \(request [0-9a-f-]+\)/)]);
  expect(one.id).toBe(id);
  expect(await stage.writes(() => one.up(issued("https://issuer.example")))).toEqual(["ModifyClusterAuthenticationOptions"]);
  expect(one.id).toBe(id);
});

const lost = ["before", "after"] as const;

test.each(lost)("after a connection that is lost %s a step of a creation takes effect, the next up continues", async (when) => {
  const vpcs = await makeVpc(stage, "10.8.0.0/16");
  const block = await makeBlock(stage, vpcs);
  const args = { vpcId: vpcs, cidrBlock: "10.8.1.0/24", zone: "eu-frankfurt-1", ipv6SubnetCidrBlock: block.replace("::/56", "::/64") };
  await using one = stage.deployment("Subnet");
  stage.faults.add({ operation: vpc.assignIpv6SubnetCidrBlock, when });
  const { id, reasons, properties } = await failureOf(one.up(args));
  expect(reasons).toEqual([
    expect.stringContaining("the connection was lost before the answer came (AssignIpv6SubnetCidrBlock: ConnectionLost)"),
  ]);
  expect(properties).toMatchObject({ __provider: stub("Subnet"), subnetId: id, cidrBlock: "10.8.1.0/24" });
  expect(await one.preview(args)).toBe("update");
  expect(await stage.writes(() => one.up(args))).toEqual(when === "before" ? ["AssignIpv6SubnetCidrBlock"] : []);
  expect(one.id).toBe(id);
  await one.destroy();
  await stage.undoLast(2);
});

test("a creation that fails for a passing reason, and has created the resource all the same, goes on in the same run", async () => {
  await using one = stage.deployment("Vpc");
  stage.faults.add({ operation: vpc.createVpc, when: "after", code: "ResourceUnavailable" });
  expect(await stage.writes(() => one.up({ cidrBlock: "10.8.0.0/16" }))).toEqual(["CreateVpc"]);
  expect(await one.preview({ cidrBlock: "10.8.0.0/16" })).toBe("nothing");
});

describe("a step that fails for a passing reason", () => {
  /** A subnet that is to have an IPv6 range: a step that the client does not repeat by itself. */
  async function within(work: (one: Deployment, args: Props) => Promise<void>): Promise<void> {
    const vpcs = await makeVpc(stage, "10.8.0.0/16");
    const block = await makeBlock(stage, vpcs);
    await using one = stage.deployment("Subnet");
    const args = { vpcId: vpcs, cidrBlock: "10.8.1.0/24", zone: "eu-frankfurt-1" };
    await one.up(args);
    await work(one, { ...args, ipv6SubnetCidrBlock: block.replace("::/56", "::/64") });
    await one.destroy();
    await stage.undoLast(2);
  }
  const operation = vpc.assignIpv6SubnetCidrBlock;
  const refused = "AssignIpv6SubnetCidrBlock: ResourceUnavailable";

  test.each(lost)("%s it takes effect, is made once", async (when) => {
    await within(async (one, args) => {
      stage.faults.add({ operation, when, code: "ResourceUnavailable" });
      const made = ["AssignIpv6SubnetCidrBlock"];
      expect(await stage.writes(() => one.up(args))).toEqual(when === "before" ? [refused, ...made] : made);
      expect(await one.preview(args)).toBe("nothing");
    });
  });

  test("five times is reported in the platform's words, and the next run goes on", async () => {
    await within(async (one, args) => {
      stage.faults.add({ operation, when: "before", code: "ResourceUnavailable", reason: "not today", times: 5 });
      const { reasons } = await failureOf(one.up(args));
      expect(reasons).toEqual([expect.stringContaining("not today (AssignIpv6SubnetCidrBlock: ResourceUnavailable, request")]);
      expect(await stage.writes(() => one.up(args))).toEqual(["AssignIpv6SubnetCidrBlock"]);
    });
  });
});

test("a token whose creation fails for a passing reason is deleted, and another one is created in the same run", async () => {
  await using images = stage.deployment("RegistryInstance");
  await images.up({ registryName: "unsteady", deleteBucket: true });
  await using one = stage.deployment("Token");
  stage.faults.add({ operation: registry.createInstanceToken, when: "after", code: "ResourceUnavailable", times: 2 });
  const again = ["CreateInstanceToken", "DeleteInstanceToken"];
  const writes = await stage.writes(() => one.up({ registryId: images.id }));
  expect(writes.slice(0, 5)).toEqual([...again, ...again, "CreateInstanceToken"]);
  const { tokens } = await stage.cloud.call(registry.describeInstanceToken, { registryId: images.id });
  expect(tokens).toHaveLength(1);
});

test("a creation that times out keeps its id in the state, and the next up continues to wait", async () => {
  stage.world.setPace("realistic");
  const one: Deployment = stage.deployment("Cluster", "example", { __timeouts: { create: "500ms" } });
  const { reasons } = await failureOf(one.up(gr));
  expect(reasons).toEqual([
    expect.stringMatching(/: gave up after 0.5 s: Creating\. The next `pulumi up` goes on waiting; `customTimeouts` gives it longer$/),
  ]);
  stage.world.advance(5 * 60_000);
  expect(await one.preview(gr)).toBe("update");
  expect(await stage.writes(() => one.up(gr))).toEqual([]);
  expect(await one.preview(gr)).toBe("nothing");
  stage.world.setPace("instant");
  await one.destroy();
});

test("Control-C ends a wait, keeps the id in the state, and the next up continues", async () => {
  stage.world.setPace("realistic");
  const one = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const { reasons } = await failureDuring(one.up(gr), async () => {
    await expect
      .poll(() => stage.host.lines.slice(seen).some(({ ephemeral, message }) => ephemeral && message.startsWith("Creating")))
      .toBe(true);
    await stage.host.cancel();
  });
  expect(reasons).toEqual([expect.stringMatching(/: interrupted: Creating\. The next `pulumi up` goes on from here$/)]);
  await stage.host.restart();
  stage.world.advance(5 * 60_000);
  expect(await stage.writes(() => one.up(gr))).toEqual([]);
  stage.world.setPace("instant");
  await one.destroy();
});

test("Control-C ends reads that the platform does not answer, within seconds", async () => {
  await using one = stage.deployment("SecurityGroup");
  await one.up({});
  await stage.host.restart();
  const asked = () => stage.world.prepare("SELECT 1 FROM audit").all().length;
  const before = asked();
  stage.faults.add({ operation: vpc.describeSecurityGroups, delay: 300_000 });
  const refresh = one.refresh();
  const ended = expect(refresh).rejects.toThrow(/reading SecurityGroup sg-[0-9a-f]{8}: interrupted: the platform has not answered yet$/);
  await expect.poll(asked).toBeGreaterThan(before);
  const pressed = performance.now();
  await stage.host.cancel();
  await ended;
  expect(performance.now() - pressed).toBeLessThan(10_000);
  await stage.host.restart();
  expect(await one.refresh()).toBe(true);
});

test("a cluster that is Creating for over 30 minutes is reported as abnormal, once", async () => {
  stage.faults.add({ thing: "cluster", end: "Creating", reason: "" });
  const one = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const lines = () => stage.host.lines.slice(seen);
  const warnings = () => lines().filter(({ severity }) => severity === severities.warning);
  await failureDuring(one.up(gr), async () => {
    await expect.poll(() => lines().some(({ ephemeral }) => ephemeral)).toBe(true);
    stage.world.advance(31 * 60_000);
    await expect
      .poll(() => warnings().map(({ message }) => message))
      .toEqual(["Creating for over 30 minutes, which is abnormal: look at the cluster in the console"]);
    await stage.host.cancel();
  });
  await stage.host.restart();
  await one.destroy();
});

test("an upgrade of a cluster upgrades its nodes too, if the program says so", async () => {
  await using one = stage.deployment("Cluster");
  await one.up({ ...gr, clusterVersion: "1.30.0", upgradeNodes: true });
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
