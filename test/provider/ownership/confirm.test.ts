import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance, createNamespace, describeInstanceToken, describeServiceAccounts } from "@container-platform/sdk/registry";
import { getResources } from "@container-platform/sdk/tag";
import { expect, onTestFinished, test } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { region } from "../stage/stage.ts";

/** The end of an update: what Pulumi has saved is confirmed, and nothing else. */

function start() {
  const world = World.open(":memory:", { timeScale: "instant" });
  const host = new ProviderHere(world, region);
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const key = "container-platform/state";
  const states = async () =>
    (await cloud.all(getResources, { tagFilters: [{ tagKey: key }] })).map(
      ({ tags }) => tags.find(({ tagKey }) => tagKey === key)?.tagValue,
    );
  return { host, cloud, states };
}

const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];

test.each([
  ["Token", {}, { desc: "old" }, { desc: "new", enabled: false }],
  ["ServiceAccount", { name: "ci", permissions }, { description: "old" }, { description: "new", disable: true }],
])("a confirmation of a %s does not take back what the program changed after a refresh", async (type, args, before, after) => {
  const { host, cloud } = start();
  const { registryId } = await cloud.call(createInstance, { registryName: "images", registryType: "basic" });
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const one = new Deployment(host, type, "ci");
  await one.up({ registryId, ...args, ...before });
  await host.restart("SIGKILL");
  await one.refresh();
  await one.up({ registryId, ...args, ...after });
  await host.restart("SIGINT");
  const [token] = (await cloud.call(describeInstanceToken, { registryId })).tokens;
  const [account] = (await cloud.call(describeServiceAccounts, { registryId })).serviceAccounts;
  expect(token ?? account).toMatchObject(after);
});

test("a deleted resource does not keep the others of its batch from being confirmed", async () => {
  const { host, states } = start();
  const old = new Deployment(host, "SecurityGroup", "old");
  await old.up({ groupDescription: "old" });
  await host.restart("SIGKILL");
  const made = new Deployment(host, "SecurityGroup", "made");
  await made.up({ groupDescription: "made" });
  await old.destroy();
  await host.restart("SIGINT");
  expect(await states()).toEqual(["confirmed"]);
});

test("what Pulumi has not saved stays pending, although Pulumi has ended the provider", async () => {
  const { host, states } = start();
  host.saved.setReadable(false);
  await new Deployment(host, "SecurityGroup", "made").up({ groupDescription: "made" });
  await host.restart("SIGINT");
  expect(await states()).toEqual(["pending"]);
});
