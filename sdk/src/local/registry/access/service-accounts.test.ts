import { expect, test } from "vitest";
import type { z } from "zod";
import * as registry from "../../../catalogue/registry.ts";
import { loginComplaintOf } from "./container-client.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

const day = 24 * 60 * 60 * 1000;
const clientIp = "203.0.113.7";
const pull = { resource: "team/", actions: ["reg:PullRepository"] };

/** A registry that is open to every address, with a service account `ci`. */
async function start(given: Partial<z.input<typeof registry.createServiceAccount.input>> = {}) {
  const at = stage();
  const registryId = await at.withNamespace();
  await at.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  await at.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: `${clientIp}/32`, description: "" });
  const made = await at.cloud.call(registry.createServiceAccount, { registryId, name: "ci", permissions: [pull], ...given });
  const server = "acme-images.registry.container-platform.internal";
  const login = (password: string) => loginComplaintOf(at.world, { server, from: { clientIp }, username: made.name, password });
  const account = async () =>
    (await at.cloud.call(registry.describeServiceAccounts, { registryId, all: true, embedPermission: true })).serviceAccounts[0];
  const named = { registryId, name: "ci" };
  const modify = (change: Omit<z.input<typeof registry.modifyServiceAccount.input>, "registryId" | "name">) =>
    at.cloud.call(registry.modifyServiceAccount, { ...named, ...change });
  const renew = (change: { random: boolean; password?: string }) =>
    at.cloud.call(registry.modifyServiceAccountPassword, { ...named, ...change });
  return { ...at, registryId, made, login, account, named, modify, renew };
}

test("another password takes the place of the earlier one, drawn or given", async () => {
  const { made, login, account, renew, world } = await start({ description: "d", expiresAt: -1 });
  const before = await account();
  world.advance(1000);
  const { password: drawn } = await renew({ random: true });
  expect([login(made.password), login(drawn)]).toEqual(["unauthorized", undefined]);
  expect(await account()).toEqual({ ...before, updateTime: "2026-01-31T12:00:03Z" });
  expect(await renew({ random: false, password: "Pa55word" })).toMatchObject({ password: "Pa55word" });
  expect([login(drawn), login("Pa55word")]).toEqual(["unauthorized", undefined]);
});

test("a password that is given has 8 to 20 characters: upper case, lower case and digits", async () => {
  const { cloud, renew, login, made, registryId } = await start();
  const invalid = { code: "InvalidParameter", kind: "invalid" };
  for (const password of ["Pa55wor", `Pa5${"w".repeat(18)}`, "pa55word", "PA55WORD", "Password", ""])
    await expect(renew({ random: false, password })).rejects.toMatchObject(invalid);
  await expect(renew({ random: true, password: "Pa55word" })).rejects.toMatchObject(invalid);
  await refused(renew({ random: false }), "MissingParameter");
  expect(login(made.password)).toBeUndefined();
  for (const password of ["Pa55word", `Pa5${"w".repeat(17)}`]) await renew({ random: false, password });
  await refused(
    cloud.call(registry.modifyServiceAccountPassword, { registryId, name: "other", random: true }),
    "ResourceNotFound.TcrResourceNotFound",
  );
  await refused(
    cloud.call(registry.modifyServiceAccountPassword, { registryId: "tcr-00000000", name: "ci", random: true }),
    "ResourceNotFound",
  );
});

test("passwords are told when they are made, and nowhere else", async () => {
  const { cloud, world, made, registryId, renew } = await start();
  const passwords = [
    made.password,
    (await renew({ random: true })).password,
    (await renew({ random: false, password: "Pa55word" })).password,
  ];
  const { body } = await cloud.exchange(registry.describeServiceAccounts, { RegistryId: registryId, EmbedPermission: true });
  const kept = ["serviceAccounts", "audit"].flatMap((name) => world.prepare(`SELECT data FROM "${name}"`).all());
  for (const password of passwords) expect(JSON.stringify([body, kept])).not.toContain(password);
});

test("each setting is changed alone, and the others stay", async () => {
  const { account, modify, cloud, registryId, world } = await start({ description: "d" });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "shop", isPublic: false });
  const at = world.now();
  let expected = { name: "reg$ci", description: "d", disable: false, expiresAt: -1, permissions: [pull] };
  const changed = async (change: Parameters<typeof modify>[0], shows: Partial<typeof expected> = {}) => {
    await modify(change);
    expected = { ...expected, ...shows };
    expect(await account()).toMatchObject(expected);
  };
  await changed({ description: "" }, { description: "" });
  await changed({ disable: true }, { disable: true });
  await changed({ expiresAt: at + 5 }, { expiresAt: at + 5 });
  await changed({ duration: 3 }, { expiresAt: at + 3 * day });
  await changed({ duration: 1, expiresAt: at + 5 }, { expiresAt: at + day });
  const both = [pull, { resource: "shop/", actions: ["reg:PushRepository", "reg:CreateRepository"] }];
  await changed({ permissions: both }, { permissions: both });
  await changed({ expiresAt: -1, disable: false }, { expiresAt: -1, disable: false });
  await changed({});
});

test("accounts are listed page by page, and by their name with or without its prefix", async () => {
  const { cloud, registryId } = await start();
  for (const name of ["ci-two", "other"])
    await cloud.call(registry.createServiceAccount, { registryId, name: `reg$${name}`, permissions: [pull] });
  const list = async (input: object) => cloud.call(registry.describeServiceAccounts, { registryId, ...input });
  const names = async (input: object) => (await list(input)).serviceAccounts.map(({ name }) => name);
  expect(await names({ offset: 1, limit: 1 })).toEqual(["reg$ci-two"]);
  expect((await list({ limit: 1 })).totalCount).toBe(3);
  for (const value of ["ci", "reg$ci"])
    for (const all of [true, false])
      expect(await names({ all, filters: [{ name: "ServiceAccountName", values: [value] }] })).toEqual(["reg$ci"]);
  await refused(list({ filters: [{ name: "Name", values: ["ci"] }] }), "InvalidParameter");
  expect(await names({ all: true, offset: 2, limit: 1 })).toEqual(["reg$ci", "reg$ci-two", "reg$other"]);
  await refused(cloud.call(registry.describeServiceAccounts, { registryId: "tcr-00000000" }), "ResourceNotFound");
});

test("an account outlives its end, and the namespace on which it has permissions", async () => {
  const { account, modify, cloud, registryId, world } = await start({ duration: 1 });
  world.advance(2 * day);
  await cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team" });
  expect(await account()).toMatchObject({ name: "reg$ci", disable: false, permissions: [pull] });
  await modify({ description: "still there" });
  await refused(modify({ permissions: [pull] }), "InvalidParameter");
  expect(await account()).toMatchObject({ description: "still there" });
});

test("an account logs in with its own name until it is disabled or expires, and is there until it is deleted", async () => {
  const { cloud, made, login, modify, named, registryId, world } = await start({ duration: 2 });
  expect(made).toMatchObject({ name: "reg$ci", expiresAt: world.now() + 2 * day });
  const met = () => login(made.password);
  expect(met()).toBeUndefined();
  expect((await cloud.call(registry.describeServiceAccounts, { registryId, limit: 1000 })).serviceAccounts).toMatchObject([
    { name: "reg$ci", permissions: [] },
  ]);
  await cloud.call(registry.modifyServiceAccount, { registryId, name: "reg$ci", disable: true });
  expect(met()).toBe("unauthorized");
  await modify({ disable: false });
  world.advance(2 * day);
  expect(met()).toBe("unauthorized");
  await modify({ expiresAt: -1 });
  expect(met()).toBeUndefined();
  await refused(cloud.call(registry.createServiceAccount, { ...named, permissions: [pull] }), "FailedOperation");
  await cloud.call(registry.deleteServiceAccount, named);
  await refused(cloud.call(registry.deleteServiceAccount, named), "ResourceNotFound.TcrResourceNotFound");
});

test.each([
  { permissions: [] },
  { permissions: [{ ...pull, resource: "other/" }] },
  { permissions: [{ ...pull, actions: [] }] },
  { duration: 0 },
  { expiresAt: 5 },
  { name: "C I" },
])("a service account is not made with %j", async (wrong) => {
  const { cloud, registryId } = await start();
  const given = { registryId, name: "other", permissions: [pull], ...wrong };
  await refused(cloud.call(registry.createServiceAccount, given), "InvalidParameter");
});
