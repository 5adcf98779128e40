import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import * as tag from "@container-platform/sdk/tag";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test } from "vitest";
import { retagged, tagRecord } from "./tags.ts";

/** A VPC, its tags, and the bodies of the calls that change them. */
async function start() {
  const world = World.open(":memory:", { timeScale: "instant", seed: "tags" });
  onTestFinished(() => {
    world.close();
  });
  const platform = new LocalPlatform(world);
  const bodies: Parameters<typeof platform.send>[0]["body"][] = [];
  const heard: typeof platform.send = (request, signal) => {
    if (request.action === tag.modifyResourceTags.action) bodies.push(request.body);
    return platform.send(request, signal);
  };
  const transport = { send: heard, whoAmI: () => platform.whoAmI(), close: () => Promise.resolve() };
  const cloud = new Cloud({ transport, region: "eu-frankfurt" });
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" })).vpc;
  const live = async () => tagRecord((await cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.tagSet);
  const retag = async (desired: Record<string, string>) => {
    bodies.length = 0;
    await retagged(cloud, "vpc", vpcId, desired, await live());
    return bodies.map((body) => Object.keys(body).slice(1));
  };
  return { bodies, live, retag };
}

const many = (count: number, prefix = "k") => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, "v"]));

test("a call names only what it changes, and no list is empty", async () => {
  const { live, retag } = await start();
  expect(await retag({ a: "1", b: "2" })).toEqual([["ReplaceTags"]]);
  expect(await retag({ a: "1" })).toEqual([["DeleteTags"]]);
  expect(await retag({ a: "2", c: "3" })).toEqual([["ReplaceTags"]]);
  expect(await retag({ c: "4" })).toEqual([["DeleteTags", "ReplaceTags"]]);
  expect(await retag({ c: "4" })).toEqual([]);
  expect(await live()).toEqual({ c: "4" });
});

test("there are ten tags in a call at most; old ones go first, so that there are never too many", async () => {
  const { live, retag } = await start();
  expect(await retag(many(50))).toHaveLength(5);
  expect(await retag(many(50, "n"))).toEqual([
    ...Array.from({ length: 5 }, () => ["DeleteTags"]),
    ...Array.from({ length: 5 }, () => ["ReplaceTags"]),
  ]);
  expect(await live()).toEqual(many(50, "n"));
});

test("a tag is removed and set, whatever its key means in JavaScript", async () => {
  const { live, retag } = await start();
  const odd = { constructor: "a", toString: "b", ["__proto__"]: "c" };
  expect(await retag(odd)).toEqual([["ReplaceTags"]]);
  expect(await live()).toEqual(odd);
  expect(await retag(odd)).toEqual([]);
  expect(await retag({ hasOwnProperty: "d" })).toEqual([["DeleteTags", "ReplaceTags"]]);
  expect(await retag({})).toEqual([["DeleteTags"]]);
  expect(await live()).toBeUndefined();
});
