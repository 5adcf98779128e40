import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import empties from "google-protobuf/google/protobuf/empty_pb.js";
import type plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { packPluginInto } from "../../scripts/packed.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { ask } from "../support/asking.ts";
import { root } from "../support/compiler.ts";

/** The plugin as it is published: alone in a folder, without a package besides. */

const place = scratchOfFile();
let child: ChildProcess;
let client: services.ResourceProviderClient;
beforeAll(async () => {
  execFileSync("tar", ["-xzf", packPluginInto(place), "-C", place, "--strip-components=1"]);
  const started = spawn(process.execPath, [join(place, "pulumi-resource-container-platform")], {
    cwd: place,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = started;
  const [port] = z.tuple([z.string()]).parse(await once(createInterface({ input: started.stdout }), "line"));
  client = new services.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  child.kill();
  await once(child, "exit");
});

test("it tells its version and its schema", async () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, "plugin/package.json"), "utf8")));
  const info = await ask<plugins.PluginInfo>((done) => client.getPluginInfo(new empties.Empty(), done));
  const schema = await ask<messages.GetSchemaResponse>((done) => client.getSchema(new messages.GetSchemaRequest(), done));
  expect(info.getVersion()).toBe(version);
  expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "container-platform", version });
});

const tooOld =
  "the plugin container-platform needs Pulumi 3.229 or newer, and this engine is older: install a newer one (https://www.pulumi.com/docs/install/)";

test("an engine that tells plugins too little is refused, whether it shakes hands or not", async () => {
  const handshake = new messages.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1");
  await expect(ask((done) => client.handshake(handshake, done))).rejects.toThrow(tooOld);
  await expect(ask((done) => client.configure(new messages.ConfigureRequest(), done))).rejects.toThrow(tooOld);
  const newer = await ask<messages.ProviderHandshakeResponse>((done) => client.handshake(handshake.setConfigureWithUrn(true), done));
  expect(newer.getAcceptSecrets()).toBe(true);
});

test("a kind and a function that a newer version has are refused by name, with those that there are", async () => {
  const check = new messages.CheckRequest().setUrn("urn:pulumi:dev::shop::container-platform:index:Gateway::front");
  await expect(ask((done) => client.check(check, done))).rejects.toThrow(
    /^this version of the plugin has no container-platform:index:Gateway; it has Vpc, .*ServiceAccount: install the version that made the stack \[Provider\.WrongVersion\]$/,
  );
  const invoke = new messages.InvokeRequest().setTok("container-platform:index:getGateways");
  await expect(ask((done) => client.invoke(invoke, done))).rejects.toThrow(
    /^this version of the plugin has no function container-platform:index:getGateways; it has lookUpEvents, .*pullSecret.*: install the version that the program was written for \[Provider\.WrongVersion\]$/,
  );
});
