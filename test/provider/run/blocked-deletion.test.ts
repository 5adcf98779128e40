import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import type { Deployment } from "../../support/deployment.ts";
import { severities } from "../../support/host.ts";
import { makeInstance, makeSubnet, makeVpc, oneNode, retag } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A deletion that something in the way keeps from succeeding, which nobody in the run has made or deletes. */

const stage = await sharedStage();

/** A resource whose deletion may take eight seconds. */
const brief = (type: string, name: string): Deployment => stage.deployment(type, name, { __timeouts: { delete: "8s" } });

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  return error instanceof Error ? error.message : "";
}

function warningsSince(seen: number): string[] {
  const lines = stage.host.lines.slice(seen);
  return lines.flatMap(({ severity, message }) => (severity === severities.warning ? [message] : []));
}

test("a subnet made by hand in a VPC is named, with the time that is left and what to do, and the failure says the same", async () => {
  const one = brief("Vpc", "example");
  await one.up({ cidrBlock: "10.9.0.0/16" });
  const subnetId = await makeSubnet(stage, one.id, "10.9.1.0/24");
  await stage.host.restart("SIGINT");
  const seen = stage.host.lines.length;
  const remedy = `Subnet ${subnetId} "before" is in the way, and this stack does not manage it: delete it on the platform, or take it into the program: a Subnet with { import: "${subnetId}" }`;
  const failure = await failureOf(one.destroy());
  expect(failure).toMatch(/VPC .+ cannot be deleted while it has subnets .+ \(ResourceInUse, request .+\)\. Subnet/);
  expect(failure).toContain(`${remedy}. Then run it again`);
  expect(failure).not.toContain("goes on waiting");
  expect(warningsSince(seen)).toEqual([expect.stringMatching(/It is waited for, for another [1-7] s$/)]);
  expect(warningsSince(seen)[0]).toContain(remedy);
  const shown = stage.host.lines.slice(seen).filter(({ ephemeral }) => ephemeral);
  expect(shown.some(({ message }) => message.includes(remedy) && /\. Gives up in [1-7] s/.test(message))).toBe(true);
  await stage.undoLast(1);
  await one.destroy();
});

test("what a stack has marked that cannot be found is told with the tag, and both ways out", async () => {
  const one = brief("Vpc", "example");
  await one.up({ cidrBlock: "10.9.0.0/16" });
  const subnetId = await makeSubnet(stage, one.id, "10.9.1.0/24");
  await retag(stage, "subnet", subnetId, { "container-platform/stack": "0123456789ab" });
  await stage.host.restart("SIGINT");
  expect(await failureOf(one.destroy())).toContain(
    `Subnet ${subnetId} "before" is in the way, and of a stack that is not in the list of stacks here (its tag container-platform/stack is 0123456789ab): run \`pulumi destroy\` of that stack first, or take it out of its program. If no stack has it any more, delete it on the platform, or take it into the program: a Subnet with { import: "${subnetId}" }`,
  );
  await stage.undoLast(1);
  await one.destroy();
});

test("once it is removed, the deletion goes on", async () => {
  const one = stage.deployment("Vpc", "example", { __timeouts: { delete: "20s" } });
  await one.up({ cidrBlock: "10.9.0.0/16" });
  const subnetId = await makeSubnet(stage, one.id, "10.9.1.0/24");
  await stage.host.restart("SIGINT");
  const seen = stage.host.lines.length;
  const deletion = one.destroy();
  await expect.poll(() => warningsSince(seen)).toEqual([expect.stringContaining(subnetId)]);
  await stage.undoLast(1);
  await deletion;
});

test("what has addresses of a subnet, such as a registry, is named, too", async () => {
  const vpcId = await makeVpc(stage, "10.9.0.0/16");
  const one = brief("Subnet", "example");
  await one.up({ vpcId, cidrBlock: "10.9.2.0/24", zone: "eu-frankfurt-1" });
  const other = stage.deployment("RegistryInstance", "other");
  await other.up({ registryName: "in-the-way", deleteBucket: true });
  const link = { registryId: other.id, vpcId, subnetId: one.id };
  await stage.cloud.call(registry.manageInternalEndpoint, { ...link, operation: "Create" });
  await stage.host.restart("SIGINT");
  expect(await failureOf(one.destroy())).toContain(`RegistryInstance ${other.id} "in-the-way" is in the way`);
  await stage.cloud.call(registry.manageInternalEndpoint, { ...link, operation: "Delete" });
  await one.destroy();
  await other.destroy();
  await stage.undoLast(1);
});

test("a machine may be a node of this very stack: nobody is told to delete it", async () => {
  const vpcId = await makeVpc(stage, "10.9.0.0/16");
  const one = brief("Subnet", "example");
  await one.up({ vpcId, cidrBlock: "10.9.2.0/24", zone: "eu-frankfurt-1" });
  const instanceId = await makeInstance(stage, vpcId, one.id);
  await stage.host.restart("SIGINT");
  const failure = await failureOf(one.destroy());
  expect(failure).toContain(`${instanceId} is in the way, and may be a part of another resource`);
  expect(failure).toContain("take it out of the pool, or have a new pool made");
  expect(failure).not.toContain("does not manage");
  await stage.undoLast(1);
  await one.destroy();
  await stage.undoLast(1);
});

test("what this run knows, and has not seen to stay, is waited for without a warning", async () => {
  const one = brief("Vpc", "example");
  await one.up({ cidrBlock: "10.9.0.0/16" });
  const inside = stage.deployment("Subnet", "inside");
  await inside.up({ vpcId: one.id, cidrBlock: "10.9.1.0/24", zone: "eu-frankfurt-1" });
  await stage.host.restart("SIGINT");
  await inside.refresh();
  const seen = stage.host.lines.length;
  expect(await failureOf(one.destroy())).toMatch(
    /The next `pulumi destroy`, or `up` without it, goes on waiting; `customTimeouts` gives it longer$/,
  );
  expect(warningsSince(seen)).toEqual([]);
  await inside.destroy();
  await one.destroy();
  expect((await stage.cloud.call(vpc.describeVpcs, {})).vpcSet).toEqual([]);
});

test("what the program has, and keeps, is named at once: it names what is deleted by its id", async () => {
  const one = stage.deployment("Vpc", "net");
  await one.up({ cidrBlock: "10.9.0.0/16" });
  const inside = stage.deployment("Subnet", "inside");
  const args = { vpcId: one.id, cidrBlock: "10.9.1.0/24", zone: "eu-frankfurt-1" };
  await inside.up(args);
  await stage.host.restart("SIGINT");
  expect(await inside.preview(args)).toBe("nothing");
  const begun = performance.now();
  const failure = await failureOf(one.destroy());
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(failure).toMatch(new RegExp(`VPC ${one.id} cannot be deleted while it has subnets .+ \\(ResourceInUse, request .+\\)`));
  expect(failure).toContain(
    `Subnet "inside" of this program is in the way, and stays: its vpcId is ${one.id}. Put Vpc "net" back into the program; or give it another vpcId, or take it out of the program, too`,
  );
  await inside.destroy();
  await one.destroy();
});

test("nodes that stay in a subnet which their pool has left are named with the pool, once nothing else is under way", async () => {
  const vpcId = await makeVpc(stage, "10.9.0.0/16");
  const first = await makeSubnet(stage, vpcId, "10.9.0.0/20");
  const asked = { vpcId, subnetId: first, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } };
  const clusterId = await stage.before(
    async () => (await stage.cloud.call(cluster.createCluster, asked)).clusterId,
    (made) => stage.cloud.call(cluster.deleteCluster, { clusterId: made, instanceDeleteMode: "terminate" }),
  );
  const zone = "eu-frankfurt-1";
  const old = stage.deployment("Subnet", "old");
  await old.up({ vpcId, cidrBlock: "10.9.16.0/24", zone });
  const pool = stage.deployment("NodePool", "workers");
  await pool.up({ clusterId, native: oneNode(old.id) });
  await stage.host.restart("SIGINT");
  await pool.up({ clusterId, native: oneNode(first) });
  const begun = performance.now();
  const seen = stage.host.lines.length;
  stage.faults.add({ operation: vpc.createVpc, delay: 13_000, times: 1 });
  const other = stage.deployment("Vpc", "other");
  const [failure] = await Promise.all([failureOf(old.destroy()), other.up({ cidrBlock: "10.10.0.0/16" })]);
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(warningsSince(seen)).toEqual([]);
  expect(failure).toMatch(/ins-\w+ of NodePool "workers" is in the way, and stays\. A node stays in the subnet that it was made in/);
  expect(failure).toContain('Keep Subnet "old" in the program as it is until they are gone');
  await pool.destroy();
  await old.destroy();
  await other.destroy();
  await stage.undoLast(3);
});
