import * as registry from "@container-platform/sdk/registry";
import { loginComplaintOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import type { Deployment } from "../../../support/deployment.ts";
import { dynamicTest } from "../../../support/shell.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** Who can log in with a service account: what the laws cannot say of passwords, of ends, and of accounts that nobody knows. */

const stage = await sharedStage();

const registryId = await makeRegistry(stage, "laws-first");
await makeNamespace(stage, registryId, "team");
await stage.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
await stage.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "" });
const { registries } = await stage.cloud.call(registry.describeInstances, { registryIds: [registryId] });
const server = registries[0]?.publicDomain ?? "";

const day = 86_400_000;
const permissions = [{ resource: "team", actions: ["reg:PullRepository"] }];
const args = { registryId, name: "ci", permissions };
const byHand = { registryId, name: "ci", permissions: [{ resource: "team/", actions: ["reg:PullRepository"] }] };

/** What a container client is told that logs in with the account as it is in the state. */
function complaint({ state }: Pick<Deployment, "state">): string | undefined {
  const { username, password } = state?.outputs ?? {};
  if (typeof username !== "string" || typeof password !== "string" || password === "") throw new Error("the state has no password");
  return loginComplaintOf(stage.world, { server, username, password, from: { clientIp: "203.0.113.7" } });
}

async function accounts(of = registryId): Promise<readonly string[]> {
  const { serviceAccounts } = await stage.cloud.call(registry.describeServiceAccounts, { registryId: of, all: true });
  return serviceAccounts.map(({ name }) => name);
}

test("another password is drawn: the earlier one stops working, and nothing else changes", async () => {
  await using one = await stage.deployed("ServiceAccount", args);
  const before = one.state;
  expect(before?.outputs).toMatchObject({ username: "reg$ci" });
  expect(complaint(one)).toBeUndefined();
  await one.up({ ...args, passwordVersion: "2" });
  expect([complaint({ state: before }), complaint(one)]).toEqual(["unauthorized", undefined]);
  const { password, ...others } = one.state?.outputs ?? {};
  expect(others).toEqual({ ...before?.outputs, password: undefined, passwordVersion: "2", __left: undefined });
  expect(password).not.toBe(before?.outputs["password"]);
  expect(await one.refresh()).toBe(true);
  expect(complaint(one)).toBeUndefined();
});

test.each(["the response is lost", "Pulumi is killed"])("%s during a rotation: the next up rotates again", async (how) => {
  await using one = await stage.deployed("ServiceAccount", args);
  await stage.host.restart("SIGINT");
  const rotated = { ...args, passwordVersion: "2" };
  if (how === "Pulumi is killed") stage.host.dieAt({ nth: 1, action: "ModifyServiceAccountPassword" });
  else stage.faults.add({ operation: registry.modifyServiceAccountPassword, when: "after", code: "FailedOperation" });
  await expect(one.up(rotated)).rejects.toThrow(/FailedOperation|the provider has died/);
  expect(complaint(one)).toBe("unauthorized");
  await stage.host.restart("SIGKILL");
  expect(await stage.writes(() => one.up(rotated))).toEqual(["ModifyServiceAccountPassword"]);
  expect(complaint(one)).toBeUndefined();
});

test("a password that was drawn is kept, also if something fails after it", async () => {
  await using one = await stage.deployed("ServiceAccount", args);
  stage.faults.add({ operation: registry.describeServiceAccounts, when: "before", code: "InvalidParameter", nth: 2 });
  await expect(one.up({ ...args, passwordVersion: "2" })).rejects.toThrow("InvalidParameter");
  expect(complaint(one)).toBeUndefined();
  expect(await stage.writes(() => one.up({ ...args, passwordVersion: "2" }))).toEqual([]);
  expect(complaint(one)).toBeUndefined();
});

test("disabled, and past its end, nobody can log in; enabled again or with a later end, the same password does", async () => {
  await using one = await stage.deployed("ServiceAccount", args);
  const changed = async (change: object): Promise<string | undefined> => {
    await one.up({ ...args, ...change });
    return complaint(one);
  };
  expect([await changed({ disable: true }), await changed({})]).toEqual(["unauthorized", undefined]);
  const soon = { expiresAt: new Date(stage.world.now() + day).toISOString() };
  expect(await changed(soon)).toBeUndefined();
  stage.world.advance(2 * day);
  expect(complaint(one)).toBe("unauthorized");
  await stage.host.restart();
  expect(await one.preview({ ...args, ...soon })).toBe("nothing");
  // A moment that has passed is not set again.
  expect(await changed({ ...soon, description: "ended" })).toBe("unauthorized");
  expect(await changed({ expiresAt: new Date(stage.world.now() + day).toISOString() })).toBeUndefined();
  await expect(changed({ expiresAt: new Date(stage.world.now() - day).toISOString() })).rejects.toThrow(
    "expiresAt: takes a moment in the future, not",
  );
  expect(await changed({})).toBeUndefined();
});

test("a namespace that has gone: its permission stays until it is taken out, and all else can be changed", async () => {
  const gone = { registryId, namespaceName: "gone" };
  await stage.cloud.call(registry.createNamespace, { ...gone, isPublic: false });
  const wide = { ...args, permissions: [...permissions, { resource: "gone", actions: ["reg:PullRepository"] }] };
  await using one = await stage.deployed("ServiceAccount", wide);
  await stage.cloud.call(registry.deleteNamespace, gone);
  await stage.host.restart();
  await one.refresh();
  expect(await one.preview(wide)).toBe("nothing");
  expect(await stage.writes(() => one.up({ ...wide, description: "changed" }))).toEqual(["ModifyServiceAccount"]);
  expect(await stage.writes(() => one.up(args))).toEqual(["ModifyServiceAccount"]);
});

dynamicTest("imported, its password is not known, until another is drawn", async () => {
  const { password } = await stage.cloud.call(registry.createServiceAccount, byHand);
  await using one = stage.deployment("ServiceAccount", "thing", { __adopt: `${registryId}/ci` });
  expect(await stage.writes(() => one.up({ ...args, passwordVersion: "2" }))).toEqual([]);
  expect(one.state?.outputs).not.toHaveProperty("password");
  const theirs = { state: one.state && { ...one.state, outputs: { ...one.state.outputs, password } } };
  expect(complaint(theirs)).toBeUndefined();
  expect(await stage.writes(() => one.up({ ...args, passwordVersion: "3" }))).toEqual(["ModifyServiceAccountPassword"]);
  expect([complaint(theirs), complaint(one)]).toEqual(["unauthorized", undefined]);
  // What a run takes over it does not delete.
  await stage.host.restart();
});

test("an unmanaged account of the name stays, and the error says how to import it", async () => {
  await stage.host.restart();
  await stage.cloud.call(registry.createServiceAccount, byHand);
  const one = stage.deployment("ServiceAccount");
  await expect(one.up(args)).rejects.toThrow(`add { import: "${registryId}/ci" } to the options`);
  expect(one.state).toBeUndefined();
  expect(await accounts()).toEqual(["reg$ci"]);
  await stage.cloud.call(registry.deleteServiceAccount, { registryId, name: "ci" });
});

test("an account whose response was lost is deleted at once", async () => {
  await using one = stage.deployment("ServiceAccount");
  stage.faults.add({ operation: registry.createServiceAccount, when: "after" });
  await expect(one.up(args)).rejects.toThrow("the connection was lost before the answer came (CreateServiceAccount: ConnectionLost)");
  expect(await accounts()).toEqual([]);
  await one.up(args);
  expect(complaint(one)).toBeUndefined();
});

test("an orphaned account is deleted also if the next up creates one of another name", async () => {
  const orphan = await stage.deployed("ServiceAccount", args);
  expect(complaint(orphan)).toBeUndefined();
  await stage.host.restart("SIGKILL");
  await using one = stage.deployment("ServiceAccount");
  expect(await stage.writes(() => one.up({ ...args, name: "build" }))).toEqual(["DeleteServiceAccount", "CreateServiceAccount"]);
  expect(complaint(orphan)).toBe("unauthorized");
  expect(await accounts()).toEqual(["reg$build"]);
});
