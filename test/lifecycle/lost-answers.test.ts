import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../sdk/src/operation/codec.ts";
import type { Sent } from "../support/meddler.ts";
import { network } from "./networks.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** In the form of the public API, one answer is not what the platform has told: the next run ends well. */

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
