import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecord } from "@container-platform/sdk";
import { afterAll, expect, test } from "vitest";
import { makeCluster, makeNetwork, oneNode } from "../stage/outside.ts";
import { Stage } from "../stage/stage.ts";

const folder = mkdtempSync(join(tmpdir(), "container-platform-record-"));
const file = join(folder, "calls.jsonl");
const stage = await Stage.open({ config: { "container-platform:record": file, "container-platform:callsPerSecond": "50" } });
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
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
  const inWords = (all: readonly { requestId: string; action: string; code: string }[]) =>
    all.map(({ requestId, action, code }) => `${requestId} ${action} ${code}`).sort();
  expect(inWords(attempts)).toEqual(inWords(calls));
  expect(lines.flatMap(({ retries }) => retries.map(({ code }) => code))).toEqual(["RequestLimitExceeded"]);

  expect(calls.some(({ action }) => action === "DescribeClusterKubeconfig")).toBe(true);
  const key = /client-key-data: "?([\w+/=]{60,})/.exec(String(kubeconfig))?.[1];
  for (const secret of [password, key]) expect(text).not.toContain(secret ?? "");
  expect(text).not.toContain("BEGIN");
  expect(text).toContain('"Password":"[secret]"');
});
