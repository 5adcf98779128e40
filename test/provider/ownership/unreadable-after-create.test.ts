import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { describeInstanceToken } from "@container-platform/sdk/registry";
import { describeVpcs } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { region } from "../stage/stage.ts";
import { type Answers, ToldOtherwise } from "../stage/told-otherwise.ts";

/** A created resource that cannot be read: it is saved, and the next update continues with it. */

function start() {
  const world = World.open(":memory:", { timeScale: "instant" });
  const answers: Answers = {};
  const host = new ProviderHere(world, region, { transport: ToldOtherwise.reached(world, answers) });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
  });
  return { host, answers, cloud: new Cloud({ transport: new LocalPlatform(world), region }) };
}

test("what was made, and could not be looked at, is gone on with", async () => {
  const { host, answers, cloud } = start();
  answers["CreateVpc"] = (body) => {
    answers["DescribeVpcs"] = () => ({});
    return body;
  };
  const vpc = new Deployment(host, "Vpc", "net");
  await expect(vpc.up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow("the answer is not what DescribeVpcs answers");
  delete answers["DescribeVpcs"];
  await host.restart("SIGINT");
  await vpc.up({ cidrBlock: "10.0.0.0/16" });
  await host.restart("SIGINT");
  await vpc.destroy();
  expect((await cloud.call(describeVpcs, {})).totalCount).toBe(0);
});

/** A registry, whose tokens cannot be listed once one has been made. */
async function registryWithoutLooks() {
  const { host, answers, cloud } = start();
  const registry = new Deployment(host, "RegistryInstance", "images");
  await registry.up({ registryName: "acme-images" });
  answers["CreateInstanceToken"] = (body) => {
    answers["DescribeInstanceToken"] = () => ({});
    return body;
  };
  const descriptions = async () =>
    (await cloud.call(describeInstanceToken, { registryId: registry.id })).tokens.map(({ id, desc }) => [id, desc]);
  return { host, answers, registryId: registry.id, token: new Deployment(host, "Token", "ci"), descriptions };
}

const unlisted = "the answer is not what DescribeInstanceToken answers";

test("a token that was made, and could not be looked at, is gone on with: none is made in its place", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks();
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  const [, tokenId] = token.id.split("/");
  expect(await descriptions()).toEqual([[tokenId, expect.stringMatching(/^ci \(Pulumi /)]]);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.up({ registryId, desc: "ci" });
  expect(await descriptions()).toEqual([[tokenId, "ci"]]);
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});

test("a token that was made, and could not be looked at, is deleted with its stack", async () => {
  const { host, answers, registryId, token, descriptions } = await registryWithoutLooks();
  await expect(token.up({ registryId, desc: "ci" })).rejects.toThrow(unlisted);
  delete answers["DescribeInstanceToken"];
  await host.restart("SIGINT");
  await token.destroy();
  expect(await descriptions()).toEqual([]);
});
