import { expect, test } from "vitest";
import type { z } from "zod";
import * as registry from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

const day = 24 * 60 * 60 * 1000;
type New = Omit<z.input<typeof registry.createTagRetentionRule.input>, "registryId" | "namespaceId">;
type Change = Partial<Omit<z.input<typeof registry.modifyTagRetentionRule.input>, "registryId">>;

/** The world's clock is stopped at noon of Saturday, 31 January 2026. */
async function start() {
  const at = stage();
  const registryId = await at.withNamespace();
  const numberOf = async (namespaceName = "team") =>
    (await at.cloud.call(registry.describeNamespaces, { registryId, namespaceName })).namespaceList[0]?.namespaceId ?? 0;
  const namespaceId = await numberOf();
  const create = (input: New, namespace = namespaceId) =>
    at.cloud.call(registry.createTagRetentionRule, { registryId, namespaceId: namespace, ...input });
  const rules = async (input = {}) =>
    (await at.cloud.call(registry.describeTagRetentionRules, { registryId, ...input })).retentionPolicyList;
  const modify = async (input: Change) => {
    const [rule] = await rules();
    const usual = { registryId, namespaceId, retentionId: rule?.retentionId ?? 0, cronSetting: "daily" as const };
    return at.cloud.call(registry.modifyTagRetentionRule, { ...usual, ...input });
  };
  return { ...at, registryId, namespaceId, numberOf, create, rules, modify };
}

const newest = (value: number) => ({ key: "latestPushedK" as const, value });

test("a run at midnight keeps the newest images up to then; images pushed later do not count", async () => {
  const { create, push, registryId, versionsOf, world } = await start();
  await create({ cronSetting: "daily", retentionRule: newest(2) });
  for (const version of ["1", "2", "3"]) await push(registryId, version);
  await push(registryId, "api", { repository: "api" });
  expect(await versionsOf(registryId)).toEqual(["3", "2", "1"]);
  world.advance(day / 2);
  for (const version of ["4", "5"]) await push(registryId, version);
  expect(await versionsOf(registryId)).toEqual(["5", "4", "3", "2"]);
  expect(await versionsOf(registryId, { repositoryName: "api" })).toEqual(["api"]);
  world.advance(day);
  expect(await versionsOf(registryId)).toEqual(["5", "4"]);
});

test("images of the last days before the run are kept", async () => {
  const { create, push, registryId, versionsOf, world } = await start();
  await create({ cronSetting: "weekly", retentionRule: { key: "nDaysSinceLastPush", value: 3 } });
  await push(registryId, "old", { pushedAt: world.now() - 2 * day });
  await push(registryId, "new");
  world.advance(day);
  expect(await versionsOf(registryId)).toEqual(["new", "old"]);
  // Monday, 2 February, 12:00: as of midnight, "old" is 3 days and 12 hours old.
  world.advance(day);
  expect(await versionsOf(registryId)).toEqual(["new"]);
});

test("a rule has the time of its next run; a manual or disabled one does not run by itself", async () => {
  const { create, push, registryId, versionsOf, world, rules, modify, cloud } = await start();
  await create({ cronSetting: "monthly", retentionRule: newest(1) });
  const next = async () => (await rules({ namespaceName: "team" }))[0]?.nextExecutionTime;
  expect(await next()).toBe("2026-02-01T00:00:00Z");
  await modify({ cronSetting: "weekly" });
  expect(await next()).toBe("2026-02-02T00:00:00Z");
  await modify({ cronSetting: "daily", disabled: true });
  expect(await next()).toBe("");
  await push(registryId, "1");
  await push(registryId, "2");
  world.advance(3 * day);
  expect(await versionsOf(registryId)).toEqual(["2", "1"]);
  await modify({ cronSetting: "manual", disabled: false });
  world.advance(3 * day);
  expect(await next()).toBe("");
  const retentionId = (await rules())[0]?.retentionId ?? 0;
  await cloud.call(registry.createTagRetentionExecution, { registryId, retentionId, dryRun: true });
  expect(await versionsOf(registryId)).toEqual(["2", "1"]);
  await cloud.call(registry.createTagRetentionExecution, { registryId, retentionId });
  expect(await versionsOf(registryId)).toEqual(["2"]);
});

test("a change of a rule only affects later runs", async () => {
  const { create, push, registryId, versionsOf, world, modify } = await start();
  await create({ cronSetting: "daily", retentionRule: newest(2) });
  for (const version of ["1", "2", "3"]) await push(registryId, version);
  world.advance(day);
  await modify({ retentionRule: newest(1) });
  expect(await versionsOf(registryId)).toEqual(["3", "2"]);
  world.advance(day);
  expect(await versionsOf(registryId)).toEqual(["3"]);
});

test("a namespace has one rule, which is deleted with it", async () => {
  const { create, rules, modify, cloud, registryId, numberOf } = await start();
  const rule = { cronSetting: "daily" as const, retentionRule: newest(2) };
  await refused(create({ ...rule, retentionRule: newest(0) }), "InvalidParameter.ErrorTcrInvalidParameter");
  await refused(create(rule, 1), "ResourceNotFound.TcrResourceNotFound");
  await create(rule);
  await refused(create(rule), "InternalError.ErrConflict", { kind: "conflict" });
  await refused(modify({ retentionId: 1 }), "ResourceNotFound.TcrResourceNotFound");
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "other", isPublic: false });
  await refused(modify({ namespaceId: await numberOf("other") }), "InvalidParameter.ErrorTcrInvalidParameter");
  await cloud.call(registry.deleteTagRetentionRule, { registryId, retentionId: (await rules())[0]?.retentionId ?? 0 });
  await create(rule);
  await cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team" });
  expect(await rules()).toEqual([]);
});

test("a repository from which retention has removed every image can be deleted without force", async () => {
  const { create, push, registryId, world, cloud } = await start();
  await create({ cronSetting: "daily", retentionRule: { key: "nDaysSinceLastPush", value: 1 } });
  await push(registryId, "1");
  const named = { registryId, namespaceName: "team", repositoryName: "web" };
  const remove = () => cloud.call(registry.deleteRepository, { ...named, forceDelete: false });
  await refused(remove(), "FailedOperation.PreconditionFailed");
  world.advance(3 * day);
  await remove();
  expect((await cloud.call(registry.describeRepositories, { registryId, namespaceName: "team" })).repositoryList).toEqual([]);
});
