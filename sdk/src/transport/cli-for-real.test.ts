import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rotateClusterToken } from "../catalogue/cluster.ts";
import { createSubnet, createVpc, deleteVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { serve } from "../server/server.ts";
import { connect, type ConnectOptions } from "./connect.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cpcli-"));
  vi.stubEnv("HOME", folder);
  for (const name of Object.keys(process.env)) if (name.startsWith("CONTAINER_PLATFORM_")) vi.stubEnv(name, undefined);
  const program = join(import.meta.dirname, "..", "cli", "main.ts");
  writeFileSync(join(folder, "cpcli"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
});

/** Lets cpcli have an endpoint in its profile. */
function configured(endpoint: string, profile = "default"): void {
  mkdirSync(join(folder, ".container-platform"));
  writeFileSync(join(folder, ".container-platform", "credentials.yaml"), JSON.stringify({ [profile]: { endpoint } }));
}

async function cloudThrough(options: ConnectOptions = {}): Promise<Cloud> {
  const transport = await connect(`cli:${join(folder, "cpcli")}`, options);
  return new Cloud({ transport, region: "eu-frankfurt", retries: { attempts: 1, pause: 1, longest: 1 } });
}

function worldIn(file: string): World {
  const world = World.open(file, { pace: "instant", seed: "client" });
  onTestFinished(() => world.close());
  return world;
}

test("cpcli is such a client: calls, refusals, the account, and what it does not offer", async () => {
  const file = join(folder, "world.db");
  const world = worldIn(file);
  configured(`local:${file}`);
  const cloud = await cloudThrough();
  expect(await cloud.account()).toBe(world.account);
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "ä 'b'", cidrBlock: "10.0.0.0/16", tags: [{ key: "k", value: "v" }] })).vpc;
  await cloud.call(createSubnet, { vpcId, subnetName: "a", cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" });
  expect((await cloud.call(describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]).toMatchObject({
    vpcName: "ä 'b'",
    tagSet: [{ key: "k", value: "v" }],
  });
  await expect(cloud.call(deleteVpc, { vpcId })).rejects.toMatchObject({
    code: "ResourceInUse",
    kind: "inUse",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  await expect(cloud.call(rotateClusterToken, { clusterId: "cls-1" })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: expect.stringMatching(/ClusterId was given, but cpcli does not expose it for RotateClusterToken, and dropped it$/),
  });
});

test("cpcli signs with the credentials that it is told, and what never got there is known to have had no effect", async () => {
  const world = worldIn(":memory:");
  const server = await serve(world);
  configured(server.url, "work");
  const cloud = await cloudThrough({ profile: "work", credentials: accessKeyOf(world) });
  expect((await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc.vpcName).toBe("a");
  const stranger = await cloudThrough({ profile: "work", credentials: { secretId: "AKID1", secretKey: "hush" } });
  await expect(stranger.call(describeVpcs, {})).rejects.toMatchObject({ code: "AuthFailure.SecretIdNotFound", kind: "unauthorized" });
  await server.close();
  await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ code: "NotConnected", kind: "unsent", requestId: "" });
});

test("cpcli without an endpoint says so, and does not call itself", async () => {
  const unconfigured = (await cloudThrough()).call(describeVpcs, {});
  await expect(unconfigured).rejects.toMatchObject({
    code: "ClientNotConfigured",
    reason: expect.stringContaining("no endpoint is configured"),
  });
  configured(`cli:${join(folder, "cpcli")}`);
  const itself = (await cloudThrough()).account();
  await expect(itself).rejects.toMatchObject({
    code: "ClientNotConfigured",
    reason: expect.stringContaining("is a client as this one is"),
  });
});
