import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import empties from "google-protobuf/google/protobuf/empty_pb.js";
import type plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { packPluginInto } from "../../scripts/packed.ts";
import { ask } from "../support/asking.ts";
import { root } from "../support/compiler.ts";

const place = mkdtempSync(join(tmpdir(), "container-platform-plugin-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
});

const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, "plugin/package.json"), "utf8")));

test("the packed plugin needs nothing besides: alone in a folder, it tells its version and its schema", async () => {
  execFileSync("tar", ["-xzf", packPluginInto(place), "-C", place, "--strip-components=1"]);
  const child = spawn(process.execPath, [join(place, "pulumi-resource-container-platform")], {
    cwd: place,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  try {
    const [port] = z.tuple([z.string()]).parse(await once(createInterface({ input: child.stdout }), "line"));
    const client = new services.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const info = await ask<plugins.PluginInfo>((done) => client.getPluginInfo(new empties.Empty(), done));
    const schema = await ask<messages.GetSchemaResponse>((done) => client.getSchema(new messages.GetSchemaRequest(), done));
    client.close();
    expect(info.getVersion()).toBe(version);
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "container-platform", version });
  } finally {
    child.kill();
    await ended;
  }
});
