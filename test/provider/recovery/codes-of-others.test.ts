import { createServer, type IncomingMessage, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Cloud, PlatformError } from "@container-platform/sdk";
import { accessKeyOf, Faults, LocalPlatform, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { assignIpv6CidrBlock, createVpc, describeVpcs } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test } from "vitest";
import { Vpc } from "../../../provider/src/resources/network/vpc.ts";
import { Deployment } from "../../support/deployment.ts";
import { Host } from "../../support/host.ts";
import { makeVpc } from "../stage/outside.ts";
import { region, Stage } from "../stage/stage.ts";
import { ToldOtherwise } from "../stage/told-otherwise.ts";

/** Codes that the public API has, and the specification has not: what exists is neither forgotten nor taken for somebody else's. */

test.each([
  "ResourceNotFound.RoleNotFound",
  "ResourceNotFound.TcrResourceNotFound",
  "ResourceNotFound.ErrNoUser",
  "InternalError.DbRecordNotFound",
  "FailedOperation.TaskNotFound",
  "InvalidRegion.NotFound",
])("%s of a look at a VPC is a failure, and the VPC is not gone", async (code) => {
  await using stage = Stage.here();
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const refuse = () => {
    throw new PlatformError(code, "something else is missing", { product: "vpc", action: describeVpcs.action, requestId: "r-1" });
  };
  await expect(Vpc.kind.read(ToldOtherwise.by(stage.world, { DescribeVpcs: refuse }), { vpcId })).rejects.toMatchObject({ code });
  await stage.undoAll();
});

/** A server that answers what another one does, but what has failed there, with a code of its own. Returns its address. */
async function failingWith(code: string, platform: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const pass = async () => {
      const { hostname, port } = new URL(platform);
      const { method, headers, url } = incoming;
      const onward = forward({ hostname, port, method, path: url, headers, agent: false });
      const answer = new Promise<IncomingMessage>((resolve, reject) => {
        onward.once("response", resolve).once("error", reject);
      });
      onward.end(await text(incoming));
      outgoing.end((await text(await answer)).replaceAll('"FailedOperation"', JSON.stringify(code)));
    };
    pass().catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test.each([
  ["InternalServerError", "goes on"],
  ["ServiceUnavailable", "goes on"],
  ["ResponseSizeLimitExceeded", "fails"],
  ["NobodyKnowsThis", "fails"],
] as const)("a creation that took effect is answered with %s: the run %s, and what is there is this stack's", async (code, outcome) => {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-codes-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const world = World.open(join(folder, "world.db"), { pace: "instant", seed: "codes" });
  const server = await serve(world);
  onTestFinished(() => server.close());
  const { secretId, secretKey } = accessKeyOf(world);
  await using host = await Host.start({
    config: {
      "container-platform:endpoint": `public:${await failingWith(code, server.url)}`,
      "container-platform:region": region,
      "container-platform:secretId": secretId,
      "container-platform:secretKey": secretKey,
    },
    environment: { XDG_STATE_HOME: join(folder, "state") },
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const { vpc } = await cloud.call(createVpc, { vpcName: "codes", cidrBlock: "10.0.0.0/16" });
  new Faults(world).add({ operation: assignIpv6CidrBlock, when: "after", code: "FailedOperation" });
  const block = new Deployment(host, "Ipv6Block", "example");
  const first = block.up({ vpcId: vpc.vpcId });
  if (outcome === "fails") await expect(first).rejects.toThrow(code);
  else await first;
  await block.up({ vpcId: vpc.vpcId });
  expect(block.state?.outputs).toMatchObject({ vpcId: vpc.vpcId });
  const { vpcSet } = await cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] });
  expect(block.state?.outputs["ipv6CidrBlock"]).toBe(vpcSet[0]?.ipv6CidrBlock);
  await block.destroy();
});
