import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readRecord } from "@container-platform/sdk";
import { createVpc, describeSecurityGroups } from "@container-platform/sdk/vpc";
import { afterAll, expect, test } from "vitest";
import { scratchOfFile } from "../../../sdk/src/scratch.fixture.ts";
import { makeCluster, makeNetwork, oneNode } from "../stage/outside.ts";
import { Stage } from "../stage/stage.ts";

/** A provider in a process of its own: its record, and when it ends: with its engine, and its calls with Control-C. */

const folder = scratchOfFile();
const file = join(folder, "calls.jsonl");
const stage = await Stage.open({ config: { "container-platform:record": file, "container-platform:callsPerSecond": "50" } });
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test("the record of a run has each call that the platform has had from it, and none of their secrets", async () => {
  const { vpcId, subnetId } = await makeNetwork(stage);
  const clusterId = await makeCluster(stage, vpcId, [subnetId]);
  const password = "Planted-marker-1";
  const native = { ...oneNode(subnetId), password };
  let kubeconfig: unknown;
  const calls = await stage.calls(async () => {
    await using pool = await stage.deployed("NodePool", { clusterId, native }, "pool");
    stage.faults.add({ operation: { product: "cluster" }, when: "before", code: "RequestLimitExceeded" });
    await using endpoint = await stage.deployed("ClusterEndpoint", { clusterId, subnetId, isExtranet: false }, "endpoint");
    kubeconfig = endpoint.state?.outputs["kubeconfig"];
    await pool.refresh();
  });

  const text = readFileSync(file, "utf8");
  const lines = readRecord(file);
  const attempts = lines.flatMap(({ retries, ...last }) => [...retries.map((one) => ({ ...last, ...one })), last]);
  const summaries = (all: readonly { requestId: string; action: string; code: string }[]) =>
    all.map(({ requestId, action, code }) => `${requestId} ${action} ${code}`).sort();
  expect(summaries(attempts)).toEqual(summaries(calls));
  expect(lines.flatMap(({ retries }) => retries.map(({ code }) => code))).toEqual(["RequestLimitExceeded"]);

  expect(calls.some(({ action }) => action === "DescribeClusterKubeconfig")).toBe(true);
  const key = /client-key-data: "?([\w+/=]{60,})/.exec(String(kubeconfig))?.[1];
  for (const secret of [password, key]) expect(text).not.toContain(secret ?? "");
  expect(text).not.toContain("BEGIN");
  expect(text).toContain('"Password":"[secret]"');
});

test("an engine that is gone: its provider ends within seconds, also in the middle of a call that takes minutes", async () => {
  await using own = await Stage.open();
  own.faults.add({ operation: createVpc, delay: 120_000 });
  const begun = own
    .deployment("Vpc")
    .up({ cidrBlock: "10.0.0.0/16" })
    .catch((error: unknown) => error);
  await expect.poll(async () => (await own.contents())["vpcs"]).toBe(1);
  const ended = own.host.ended();
  own.host.killEngine();
  // Whoever takes its address next is not mistaken for it.
  await sleep(1000);
  await own.host.takeAddress();
  expect(await Promise.race([ended.then(() => "ended"), sleep(10_000, "still there")])).toBe("ended");
  expect(await begun).toBeInstanceOf(Error);
});

test("Control-C ends reads that the platform does not answer", async () => {
  await using own = await Stage.open();
  const one = await own.deployed("SecurityGroup", {});
  await own.host.restart();
  const asked = () => own.world.prepare("SELECT 1 FROM audit").all().length;
  const before = asked();
  own.faults.add({ operation: describeSecurityGroups, delay: 300_000 });
  const ended = expect(one.refresh()).rejects.toThrow(
    /reading SecurityGroup sg-[0-9a-f]{8}: interrupted: the platform has not answered yet$/,
  );
  await expect.poll(asked).toBeGreaterThan(before);
  await own.host.cancel();
  await ended;
  await own.host.restart();
  expect(await one.refresh()).toBe(true);
});
