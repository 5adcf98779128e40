import { expect, test } from "vitest";
import type { z } from "zod";
import * as registry from "../../../catalogue/registry.ts";
import { setImmutableTags } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

type Rule = z.input<typeof registry.manageReplication.input>["rule"];
type Change = z.input<typeof registry.modifyReplication.input>["rule"];
const everything: Rule = { name: "all", destNamespace: "team", override: false, filters: [{ type: "name", value: "**" }] };

async function start({ there = "eu-frankfurt" } = {}) {
  const at = stage();
  const away = at.cloudIn(there);
  const source = await at.running("source-images", at.cloud, "premium");
  const destination = await at.running("target-images", away);
  for (const [cloud, registryId] of [[at.cloud, source] as const, [away, destination] as const])
    await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const manage = (rule: Partial<Rule> = {}, given = {}) =>
    at.cloud.call(registry.manageReplication, {
      sourceRegistryId: source,
      destinationRegistryId: destination,
      rule: { ...everything, ...rule },
      ...given,
    });
  const modify = (rule: Change, given = {}) =>
    at.cloud.call(registry.modifyReplication, { sourceRegistryId: source, ruleName: "all", rule, ...given });
  const rules = async () => (await at.cloud.call(registry.describeReplicationPolicies, { registryId: source })).replicationPolicyInfoList;
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

test("an image is copied if all filters of the rule match", async () => {
  const { manage, push, source, copies } = await start();
  await manage({
    filters: [
      { type: "name", value: "team/web" },
      { type: "tag", value: "v*" },
    ],
  });
  for (const [version, repository] of [
    ["v1", "web"],
    ["1", "web"],
    ["v2", "api"],
  ] as const)
    await push(source, version, { repository });
  expect(await copies()).toEqual(["v1"]);
});

test("the images of a deleted repository are deleted at the destination, if the rule has Deletion, and no others", async () => {
  const { manage, push, source, destination, copies, cloud } = await start();
  await manage({ deletion: true });
  await push(destination, "1");
  for (const version of ["2", "3"]) await push(source, version);
  await cloud.call(registry.deleteRepository, { registryId: source, namespaceName: "team", repositoryName: "web" });
  expect(await copies()).toEqual(["1"]);
});

test("a copy replaces another image of its version if the rule has Override, but never an immutable one", async () => {
  const { manage, push, source, destination, world, region, cloud } = await start();
  await manage({ override: true });
  const digestThere = async () => {
    const asked = { registryId: destination, namespaceName: "team", repositoryName: "web", imageVersion: "1" };
    return (await cloud.call(registry.describeImages, asked)).imageInfoList[0]?.digest;
  };
  const digests = ["a", "b", "c"].map((digit) => `sha256:${digit.repeat(64)}`);
  const [first, second, third] = digests;
  for (const digest of [first, second]) if (digest) await push(source, "1", { digest });
  expect(await digestThere()).toBe(second);
  await setImmutableTags(world, { region, registryId: destination, namespace: "team", tags: ["*"] });
  if (third) await push(source, "1", { digest: third });
  expect(await digestThere()).toBe(second);
});

test("rules that copy in a circle do not copy for ever", async () => {
  const { manage, push, source, destination, cloud, copies, versionsOf } = await start();
  await manage({ override: true, deletion: true });
  const back = { ...everything, override: true, deletion: true };
  await cloud.call(registry.manageReplication, { sourceRegistryId: destination, destinationRegistryId: source, rule: back });
  await push(source, "1");
  await push(destination, "2");
  expect([await copies(), await versionsOf(source)]).toEqual([
    ["2", "1"],
    ["2", "1"],
  ]);
  await cloud.call(registry.deleteImage, { registryId: source, namespaceName: "team", repositoryName: "web", imageVersion: "1" });
  expect([await copies(), await versionsOf(source)]).toEqual([["2"], ["2"]]);
});

test("a copy to another region needs a premium registry and the region's number", async () => {
  const { manage, push, source, destination, copies, running, cloud } = await start({ there: "na-ashburn" });
  await refused(manage(), "ResourceNotFound");
  await manage({}, { destinationRegionId: 3 });
  await push(source, "1");
  expect(await copies()).toEqual(["1"]);
  const basic = await running("basic-images");
  const asked = { sourceRegistryId: basic, destinationRegistryId: destination, destinationRegionId: 3, rule: everything };
  await refused(cloud.call(registry.manageReplication, asked), "UnsupportedOperation");
  await refused(manage({}, { destinationRegionId: 9 }), "InvalidParameter.ErrorTcrInvalidParameter");
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
  await refused(manage({ destNamespace: "absent" }), "ResourceNotFound.TcrResourceNotFound");
  const rule = { sourceRegistryId: source, ruleName: "all" };
  await cloud.call(registry.deleteReplicationRule, rule);
  await refused(cloud.call(registry.deleteReplicationRule, rule), "ResourceNotFound.TcrResourceNotFound");
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
  await cloud.call(registry.createNamespace, { registryId: destination, namespaceName: "other", isPublic: false });
  await modify({ enabled: true, destNamespace: "other" });
  await push(source, "3");
  expect([await copies(), await versionsOf(destination, { namespaceName: "other", at: away })]).toEqual([["1"], ["3"]]);
  await modify({ deletion: true });
  await cloud.call(registry.deleteImage, { registryId: source, namespaceName: "team", repositoryName: "web", imageVersion: "3" });
  expect(await versionsOf(destination, { namespaceName: "other", at: away })).toEqual([]);
});

test("only a rule that there is can be changed, to filters and a namespace that there are", async () => {
  const { manage, modify, cloud, destination } = await start();
  const absent = { code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" };
  await expect(modify({})).rejects.toMatchObject(absent);
  await manage();
  await expect(modify({ destNamespace: "absent" })).rejects.toMatchObject(absent);
  await refused(modify({ filters: [] }), "InvalidParameter.ErrorTcrInvalidParameter");
  await expect(modify({}, { sourceRegistryId: destination })).rejects.toMatchObject(absent);
  await refused(modify({}, { sourceRegistryId: "tcr-00000000" }), "ResourceNotFound");
  const early = (await cloud.call(registry.createInstance, { registryName: "early-images", registryType: "premium" })).registryId;
  await refused(modify({}, { sourceRegistryId: early }), "ResourceInsufficient.ErrorInstanceNotRunning");
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
  expect((await away.call(registry.describeReplicationPolicies, { registryId: destination })).totalCount).toBe(0);
  const missing = { code: "ResourceNotFound" };
  await expect(away.call(registry.describeReplicationPolicies, { registryId: source })).rejects.toMatchObject(missing);
  await expect(away.call(registry.modifyReplication, { sourceRegistryId: source, ruleName: "all", rule: {} })).rejects.toMatchObject(
    missing,
  );
  const page = (number: number) => cloud.call(registry.describeReplicationPolicies, { registryId: source, page: number, pageSize: 1 });
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
  await away.call(registry.deleteInstance, { registryId: destination });
  await refused(manage({ name: "again" }, { destinationRegionId: 2 }), "ResourceInsufficient.ErrorInstanceNotRunning");
  world.advance(1000);
  await push(source, "1");
  expect(await rules()).toEqual([made]);
  await modify({ override: true });
  await refused(modify({ destNamespace: "other" }), "ResourceNotFound.TcrResourceNotFound");
  await cloud.call(registry.deleteInstance, { registryId: source });
  world.advance(1000);
  await refused(rules(), "ResourceNotFound");
  expect(world.prepare("SELECT 1 FROM replicationRules").get()).toBeUndefined();
});
