import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@container-platform/sdk";
import { putAccessKey, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../sdk/src/operation/codec.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { region } from "../provider/stage/stage.ts";
import { Deployment } from "../support/deployment.ts";
import type { Sent } from "../support/meddler.ts";
import { ProviderHere } from "../support/provider-here.ts";
import { network } from "./networks.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** In the form of the public API, one answer is not what the platform has told, or the keys end: the next run ends well. */

const page = { headers: { "content-type": "text/html" }, text: "<html>please wait</html>" };
const withoutSubnets = (told: JsonObject): Sent => ({ text: JSON.stringify({ Response: { ...told, SubnetSet: [] } }) });

test.each<[what: string, action: string, nth: number, instead: (told: JsonObject) => Sent, says: RegExp | undefined]>([
  ["5xx after a write took effect", "CreateVpc", 1, () => ({ ...page, status: 502 }), /HTTP status 502[^]*pulumi up --refresh/],
  ["5xx after the second write of two", "CreateSubnet", 2, () => ({ ...page, status: 503 }), /HTTP status 503[^]*pulumi up --refresh/],
  ["a list that is cut short", "DescribeSubnets", 1, withoutSubnets, undefined],
])("%s: nothing is made twice or lost", async (_, action, nth, instead, says) => {
  const { stack, meddler } = await SimulatedStack.meddled();
  onTestFinished(() => stack[Symbol.asyncDispose]());
  meddler.meddling = { action, nth, instead };
  expect((await stack.up(network)).failure).toEqual(says && expect.stringMatching(says));
  expect(meddler.hasMeddled).toBe(true);
  await stack.restartProvider();
  expect(await stack.up(network, { refresh: true })).toMatchObject({ failure: undefined });
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 2 });
  await stack.restartProvider();
  expect(await stack.up(network, { refresh: true })).toMatchObject({ failure: undefined, operations: [] });
  await stack.destroy();
  expect(await stack.contents()).toEqual({});
});

test("keys of a credentialProcess that end in mid-run are asked for anew, and if nothing renews them, told with their source", async () => {
  const folder = scratch();
  const file = join(folder, "keys.json");
  const world = World.open(":memory:", { timeScale: "instant" });
  const renew = async (): Promise<string> => {
    const key = await putAccessKey(world, { temporary: true });
    writeFileSync(file, JSON.stringify(key));
    return key.secretId;
  };
  const first = await renew();
  const server = await serve(world);
  const credentialProcess = `"${process.execPath}" -p "fs.readFileSync('${file}', 'utf8')"`;
  const transport = await connect(`public:${server.url}`, { credentials: { credentialProcess } });
  const host = new ProviderHere(world, region, { transport });
  onTestFinished(async () => {
    await transport.close();
    await server.close();
    world.close();
  });
  const group = (name: string) => new Deployment(host, "SecurityGroup", name).up({ groupName: name });
  const expire = (id: string) => world.prepare("UPDATE accessKeys SET expires = ? WHERE id = ?").run(world.now() - 1, id);
  await group("one");
  expire(first);
  const second = await renew();
  await group("two");
  expire(second);
  await expect(group("three")).rejects.toThrow(
    /has expired; it was signed with the keys of the configuration \(\w+: AuthFailure\.TokenFailure, request /,
  );
});
