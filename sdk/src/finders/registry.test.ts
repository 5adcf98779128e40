import { expect, test } from "vitest";
import {
  createNamespace,
  createRepository,
  createServiceAccount,
  deleteInstance,
  manageReplication,
  modifyRepository,
} from "../catalogue/registry.ts";
import { Cloud } from "../client/client.ts";
import { stage } from "../local/registry/stage.fixture.ts";
import type { Transport } from "../transport/transport.ts";
import { registryAnywhereFinder, replicationRulesOf, repositoriesOf, serviceAccountsOf } from "./registry.ts";

/** A registry with a namespace `team`, what was asked of its platform, and a way to ask a question many times at once. */
async function start() {
  const at = stage();
  const registryId = await at.withNamespace();
  const asked: string[] = [];
  const transport: Transport = {
    send: (request, signal) => {
      asked.push(request.action);
      return at.platform.send(request, signal);
    },
    whoAmI: () => at.platform.whoAmI(),
    close: () => at.platform.close(),
  };
  const cloud = new Cloud({ transport, region: at.region, tolerance: 60_000 });
  const together = async <Found>(find: () => Promise<Found>) => {
    asked.length = 0;
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, find));
    for (const other of others) expect(other).toEqual(first);
    return first;
  };
  return { ...at, registryId, asked, cloud, together };
}

test("repositories of a namespace are listed once for all who ask, with the names that operations take", async () => {
  const { registryId, cloud, asked, together } = await start();
  const named = { registryId, namespaceName: "team" };
  for (const repositoryName of ["web", "team/web"]) await cloud.call(createRepository, { ...named, repositoryName, description: "d" });
  await cloud.call(createNamespace, { registryId, namespaceName: "shop", isPublic: false });
  await cloud.call(createRepository, { registryId, namespaceName: "shop", repositoryName: "web" });
  const found = await together(() => repositoriesOf(cloud, registryId, "team"));
  expect(found?.map(({ repositoryName }) => repositoryName)).toEqual(["web", "team/web"]);
  expect(asked).toEqual(["DescribeRepositories"]);
  const everywhere = await repositoriesOf(cloud, registryId);
  expect(everywhere.map(({ namespace, repositoryName }) => [namespace, repositoryName])).toContainEqual(["shop", "web"]);
  await cloud.call(modifyRepository, { ...named, repositoryName: "web", briefDescription: "b", description: "" });
  expect((await repositoriesOf(cloud, registryId, "team"))[0]).toMatchObject({ briefDescription: "b" });
});

test("long lists are read page by page", async () => {
  const { registryId, cloud, asked, together } = await start();
  for (let index = 0; index < 101; index++)
    await cloud.call(createRepository, { registryId, namespaceName: "team", repositoryName: `web-${index}` });
  const found = await together(() => repositoriesOf(cloud, registryId, "team"));
  expect(new Set(found?.map(({ repositoryName }) => repositoryName)).size).toBe(101);
  expect(asked).toEqual(["DescribeRepositories", "DescribeRepositories"]);
});

test("service accounts are listed once, with their permissions and the names that were given", async () => {
  const { registryId, cloud, asked, together } = await start();
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  for (const name of ["ci", "reg$deploy"]) await cloud.call(createServiceAccount, { registryId, name, permissions });
  const found = await together(() => serviceAccountsOf(cloud, registryId));
  expect(found).toMatchObject([
    { accountName: "ci", name: "reg$ci", permissions },
    { accountName: "deploy", permissions },
  ]);
  expect(asked).toEqual(["DescribeServiceAccounts"]);
});

test("replication rules are listed once, and tell where they copy to, here or elsewhere", async () => {
  const { registryId, cloud, cloudIn, running, asked, together } = await start();
  const away = cloudIn("ap-singapore");
  const source = await running("source-images", cloud, "premium");
  const far = await running("far-images", away);
  await away.call(createNamespace, { registryId: far, namespaceName: "copies", isPublic: false });
  const anywhere = await together(() => registryAnywhereFinder.find(cloud, far));
  expect([asked, anywhere]).toMatchObject([["DescribeInstances"], { registryId: far, regionName: "ap-singapore", regionId: 2 }]);
  const rule = { override: false, filters: [{ type: "name" as const, value: "**" }] };
  const manage = (name: string, destNamespace: string, given: { destinationRegistryId: string; destinationRegionId?: number }) =>
    cloud.call(manageReplication, { sourceRegistryId: source, rule: { ...rule, name, destNamespace }, ...given });
  await manage("near", "team", { destinationRegistryId: registryId });
  await manage("far", "copies", { destinationRegistryId: far, destinationRegionId: anywhere?.regionId ?? 0 });
  expect(await together(() => replicationRulesOf(cloud, source))).toMatchObject([
    { name: "near", destination: { registryId, namespace: "team", region: "eu-frankfurt" } },
    { name: "far", destination: { registryId: far, namespace: "copies", region: "ap-singapore" } },
  ]);
  expect(asked).toEqual(["DescribeReplicationPolicies"]);
});

test("where the registry is gone there is nothing", async () => {
  const { registryId, cloud, world } = await start();
  await cloud.call(deleteInstance, { registryId });
  world.advance(1000);
  expect(await repositoriesOf(cloud, registryId, "team")).toEqual([]);
  expect(await serviceAccountsOf(cloud, registryId)).toEqual([]);
  expect(await replicationRulesOf(cloud, registryId)).toEqual([]);
  expect(await registryAnywhereFinder.find(cloud, registryId)).toBeUndefined();
});
