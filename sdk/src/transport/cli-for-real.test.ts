import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rotateClusterToken } from "../catalogue/cluster.ts";
import { createSubnet, createVpc, deleteVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { programFile } from "../cli/user.fixture.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { serve } from "../server/server.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { homeWith } from "./public/vendor.fixture.ts";

let folder = "";

beforeEach(() => {
  folder = homeWith();
  vi.stubEnv("HOME", folder);
  for (const name of Object.keys(process.env)) if (name.startsWith("CONTAINER_PLATFORM_")) vi.stubEnv(name, undefined);
  writeFileSync(join(folder, "cpcli"), `#!/bin/sh\nexec "${process.execPath}" "${programFile}" "$@"\n`, { mode: 0o755 });
  onTestFinished(() => void vi.unstubAllEnvs());
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
  const world = World.open(file, { timeScale: "instant", seed: "client" });
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
  const refused = { code: "ResourceInUse", kind: "inUse", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  await expect(cloud.call(deleteVpc, { vpcId })).rejects.toMatchObject(refused);
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
  const saying = (reason: string) => ({ code: "ClientNotConfigured", reason: expect.stringContaining(reason) });
  await expect((await cloudThrough()).call(describeVpcs, {})).rejects.toMatchObject(saying("no endpoint is configured"));
  configured(`cli:${join(folder, "cpcli")}`);
  await expect((await cloudThrough()).account()).rejects.toMatchObject(saying("is a client as this one is"));
});
