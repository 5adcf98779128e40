import { expect, test } from "vitest";
import type { z } from "zod";
import {
  createInstance,
  createNamespace,
  deleteImage,
  deleteInstance,
  deleteRepository,
  deleteReplicationRule,
  describeReplicationPolicies,
  manageReplication,
  modifyReplication,
} from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";

type Rule = z.input<typeof manageReplication.input>["rule"];
type Change = z.input<typeof modifyReplication.input>["rule"];
const everything: Rule = { name: "all", destNamespace: "team", override: false, filters: [{ type: "name", value: "**" }] };

async function start({ there = "eu-frankfurt" } = {}) {
  const at = stage();
  const away = at.cloudIn(there);
  const source = await at.running("source-images", at.cloud, "premium");
  const destination = await at.running("target-images", away);
  for (const [cloud, registryId] of [[at.cloud, source] as const, [away, destination] as const])
    await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const manage = (rule: Partial<Rule> = {}, given = {}) =>
    at.cloud.call(manageReplication, {
      sourceRegistryId: source,
      destinationRegistryId: destination,
      rule: { ...everything, ...rule },
      ...given,
    });
  const modify = (rule: Change, given = {}) =>
    at.cloud.call(modifyReplication, { sourceRegistryId: source, ruleName: "all", rule, ...given });
  const rules = async () => (await at.cloud.call(describeReplicationPolicies, { registryId: source })).replicationPolicyInfoList;
  const copies = () => at.versionsOf(destination, { at: away });
  return { ...at, away, source, destination, manage, modify, rules, copies };
}

test("images pushed after a rule was made are copied to a repository of the same name", async () => {
  const { manage, push, source, destination, copies, away, versionsOf } = await start();
  await push(source, "before");
  await manage();
  await push(source, "1");
  await push(source, "2", { repository: "api" });
  expect(await copies()).toEqual(["1"]);
  expect(await versionsOf(destination, { repositoryName: "api", at: away })).toEqual(["2"]);
});

test("an image of the same version at the destination is kept, unless the rule has Override", async () => {
  const { manage, push, source, destination, world } = await start();
  const digests = () => JSON.stringify(world.prepare("SELECT data FROM images").all());
  await manage();
  await push(destination, "1", { digest: "sha256:own" });
  await push(source, "1", { digest: "sha256:other" });
  expect(digests()).toContain("sha256:own");
  await manage({ override: true });
  await push(source, "1", { digest: "sha256:third" });
  expect(digests()).not.toContain("sha256:own");
});

test("a deleted image is deleted at the destination only if the rule has Deletion", async () => {
  const { manage, push, source, copies, cloud } = await start();
  await manage();
  for (const version of ["1", "2", "3"]) await push(source, version);
  const named = { registryId: source, namespaceName: "team", repositoryName: "web" };
  await cloud.call(deleteImage, { ...named, imageVersion: "1" });
  expect(await copies()).toEqual(["3", "2", "1"]);
  await manage({ deletion: true });
  await cloud.call(deleteImage, { ...named, imageVersion: "2" });
  expect(await copies()).toEqual(["3", "1"]);
  await cloud.call(deleteRepository, named);
  expect(await copies()).toEqual(["1"]);
});

test("all filters of a rule must match", async () => {
  const { manage, push, source, destination, away, versionsOf } = await start();
  const filters = [
    { type: "name" as const, value: "team/w*" },
    { type: "tag" as const, value: "v1.*" },
    { type: "resource" as const, value: "image" },
  ];
  await manage({ filters });
  for (const version of ["v1.0", "v2.0", "v1x0"]) await push(source, version);
  await push(source, "v1.0", { repository: "api" });
  expect(await versionsOf(destination, { at: away })).toEqual(["v1.0"]);
  await expect(versionsOf(destination, { repositoryName: "api", at: away })).rejects.toMatchObject({
    code: "ResourceNotFound.TcrResourceNotFound",
  });
});

test("rules that copy in a circle do not copy for ever", async () => {
  const { manage, push, source, destination, cloud, copies, versionsOf } = await start();
  await manage({ override: true, deletion: true });
  const back = { ...everything, override: true, deletion: true };
  await cloud.call(manageReplication, { sourceRegistryId: destination, destinationRegistryId: source, rule: back });
  await push(source, "1");
  await push(destination, "2");
  expect([await copies(), await versionsOf(source)]).toEqual([
    ["2", "1"],
    ["2", "1"],
  ]);
  await cloud.call(deleteImage, { registryId: source, namespaceName: "team", repositoryName: "web", imageVersion: "1" });
  expect([await copies(), await versionsOf(source)]).toEqual([["2"], ["2"]]);
});

test("a copy to another region needs a premium registry and the region's number", async () => {
  const { manage, push, source, destination, copies, running, cloud } = await start({ there: "na-ashburn" });
  await expect(manage()).rejects.toMatchObject({ code: "ResourceNotFound" });
  await manage({}, { destinationRegionId: 3 });
  await push(source, "1");
  expect(await copies()).toEqual(["1"]);
  const basic = await running("basic-images");
  const asked = { sourceRegistryId: basic, destinationRegistryId: destination, destinationRegionId: 3, rule: everything };
  await expect(cloud.call(manageReplication, asked)).rejects.toMatchObject({ code: "UnsupportedOperation" });
  const nowhere = manage({}, { destinationRegionId: 9 });
  await expect(nowhere).rejects.toMatchObject({ code: "InvalidParameter.ErrorTcrInvalidParameter" });
});

test("rules are listed, changed by their name, and deleted; copies stay", async () => {
  const { manage, push, source, destination, cloud, copies, rules } = await start();
  await manage({}, { description: "d" });
  await manage({ override: true });
  await push(source, "1");
  expect(await rules()).toMatchObject([
    { name: "all", description: "d", override: true, enabled: true, srcResource: source, destResource: `${destination}/team eu-frankfurt` },
  ]);
  const invalid = { code: "InvalidParameter.ErrorTcrInvalidParameter" };
  await expect(manage({ filters: [] })).rejects.toMatchObject(invalid);
  await expect(manage({ name: "" })).rejects.toMatchObject(invalid);
  await expect(manage({}, { destinationRegistryId: source })).rejects.toMatchObject(invalid);
  await expect(manage({ destNamespace: "absent" })).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound" });
  const rule = { sourceRegistryId: source, ruleName: "all" };
  await cloud.call(deleteReplicationRule, rule);
  await expect(cloud.call(deleteReplicationRule, rule)).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound" });
  await push(source, "2");
  expect([await rules(), await copies()]).toEqual([[], ["1"]]);
});

test("each setting of a rule is changed alone, and the others stay", async () => {
  const { manage, modify, rules, world } = await start();
  await manage({}, { description: "d" });
  const [made] = await rules();
  world.advance(1000);
  let expected = { ...made, updateTime: "2026-01-31T12:00:05Z" };
  const changed = async (rule: Change, shows: Partial<typeof expected>, given = {}) => {
    await modify(rule, given);
    expected = { ...expected, ...shows };
    expect(await rules()).toEqual([expected]);
  };
  await changed({ override: true }, { override: true });
  const filters = [{ type: "tag" as const, value: "1.*" }];
  await changed({ filters }, { filters });
  await changed({ enabled: false }, { enabled: false });
  await changed({}, { description: "" }, { description: "" });
  await changed({ enabled: true, override: false }, { enabled: true, override: false });
});

test("a changed rule copies, and passes deletions on, as it says from then on", async () => {
  const { manage, modify, push, source, destination, copies, cloud, away, versionsOf } = await start();
  await manage();
  await push(source, "1");
  await modify({ enabled: false });
  await push(source, "2");
  expect(await copies()).toEqual(["1"]);
  await cloud.call(createNamespace, { registryId: destination, namespaceName: "other", isPublic: false });
  await modify({ enabled: true, destNamespace: "other" });
  await push(source, "3");
  expect([await copies(), await versionsOf(destination, { namespaceName: "other", at: away })]).toEqual([["1"], ["3"]]);
  await modify({ deletion: true });
  await cloud.call(deleteImage, { registryId: source, namespaceName: "team", repositoryName: "web", imageVersion: "3" });
  expect(await versionsOf(destination, { namespaceName: "other", at: away })).toEqual([]);
});

test("only a rule that there is can be changed, to filters and a namespace that there are", async () => {
  const { manage, modify, cloud, destination } = await start();
  const absent = { code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" };
  await expect(modify({})).rejects.toMatchObject(absent);
  await manage();
  await expect(modify({ destNamespace: "absent" })).rejects.toMatchObject(absent);
  await expect(modify({ filters: [] })).rejects.toMatchObject({ code: "InvalidParameter.ErrorTcrInvalidParameter" });
  await expect(modify({}, { sourceRegistryId: destination })).rejects.toMatchObject(absent);
  await expect(modify({}, { sourceRegistryId: "tcr-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  const early = (await cloud.call(createInstance, { registryName: "early-images", registryType: "premium" })).registryId;
  await expect(modify({}, { sourceRegistryId: early })).rejects.toMatchObject({ code: "ResourceInsufficient.ErrorInstanceNotRunning" });
});

test("a rule has a number of its own, and is told of in its source's region, with the region of its destination", async () => {
  const { manage, modify, rules, cloud, away, source, destination } = await start({ there: "ap-singapore" });
  const given = { destinationRegionId: 2 };
  await manage({}, given);
  await manage({ name: "second" }, given);
  const made = await rules();
  expect(made).toMatchObject([
    { name: "all", srcResource: source, destResource: `${destination}/team ap-singapore` },
    { name: "second", destResource: `${destination}/team ap-singapore` },
  ]);
  await modify({ override: true });
  expect((await rules()).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  expect((await away.call(describeReplicationPolicies, { registryId: destination })).totalCount).toBe(0);
  const missing = { code: "ResourceNotFound" };
  await expect(away.call(describeReplicationPolicies, { registryId: source })).rejects.toMatchObject(missing);
  await expect(away.call(modifyReplication, { sourceRegistryId: source, ruleName: "all", rule: {} })).rejects.toMatchObject(missing);
  const page = (number: number) => cloud.call(describeReplicationPolicies, { registryId: source, page: number, pageSize: 1 });
  expect([await page(1), await page(2), await page(3)]).toMatchObject([
    { replicationPolicyInfoList: [{ name: "all" }], totalCount: 2 },
    { replicationPolicyInfoList: [{ name: "second" }], totalCount: 2 },
    { replicationPolicyInfoList: [], totalCount: 2 },
  ]);
});

test("a rule goes with its source, and stays without effect when its destination goes", async () => {
  const { manage, modify, rules, push, source, destination, cloud, away, world } = await start({ there: "ap-singapore" });
  await manage({}, { destinationRegionId: 2 });
  const [made] = await rules();
  await away.call(deleteInstance, { registryId: destination });
  const again = manage({ name: "again" }, { destinationRegionId: 2 });
  await expect(again).rejects.toMatchObject({ code: "ResourceInsufficient.ErrorInstanceNotRunning" });
  world.advance(1000);
  await push(source, "1");
  expect(await rules()).toEqual([made]);
  await modify({ override: true });
  await expect(modify({ destNamespace: "other" })).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound" });
  await cloud.call(deleteInstance, { registryId: source });
  world.advance(1000);
  await expect(rules()).rejects.toMatchObject({ code: "ResourceNotFound" });
  expect(world.prepare("SELECT 1 FROM replicationRules").get()).toBeUndefined();
});
