import * as registry from "@container-platform/sdk/registry";
import { loginComplaintOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import type { Deployment } from "../../../support/deployment.ts";
import { dynamicTest } from "../../../support/shell.ts";
import { linesShown } from "../../recovery/killed.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** Who can log in with a service account: what the laws cannot say of passwords, of ends, and of accounts that nobody knows. */

const stage = await sharedStage();

const registryId = await makeRegistry(stage, "laws-first");
const other = await makeRegistry(stage, "laws-second");
for (const id of [registryId, other]) await makeNamespace(stage, id, "team");
await stage.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
await stage.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "" });
const { registries } = await stage.cloud.call(registry.describeInstances, { registryIds: [registryId] });
const server = registries[0]?.publicDomain ?? "";

const day = 86_400_000;
const permissions = [{ resource: "team", actions: ["reg:PullRepository"] }];
const args = { registryId, name: "ci", permissions };
const byHand = { registryId, name: "ci", permissions: [{ resource: "team/", actions: ["reg:PullRepository"] }] };
const creates = ["CreateServiceAccount", "ModifyServiceAccount"];

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

test.each(["2", undefined])(
  "the answer with the password was lost: an up with passwordVersion %s draws another",
  async (passwordVersion) => {
    await using one = await stage.deployed("ServiceAccount", args);
    stage.faults.add({ operation: registry.modifyServiceAccountPassword, when: "after", code: "FailedOperation" });
    await expect(one.up({ ...args, passwordVersion: "2" })).rejects.toThrow("FailedOperation");
    expect(complaint(one)).toBe("unauthorized");
    expect(await stage.writes(() => one.up({ ...args, passwordVersion }))).toEqual(["ModifyServiceAccountPassword"]);
    expect(complaint(one)).toBeUndefined();
  },
);

test("a run is killed while another password is drawn, and the program is put back: the next up draws one that works", async () => {
  await using one = await stage.deployed("ServiceAccount", args);
  const draws = ["ModifyServiceAccountPassword"];
  stage.host.dieAt({ nth: 1, action: "ModifyServiceAccountPassword" });
  await expect(one.up({ ...args, passwordVersion: "2" })).rejects.toThrow("the provider has died");
  expect(complaint(one)).toBe("unauthorized");
  await stage.host.restart("SIGKILL");

  const shown = await linesShown(stage, "info", async () => {
    expect(await one.preview(args)).toBe("update");
  });
  expect(shown).toEqual([
    "the password in the state may not be the one that works: a run was ended while another was drawn. `up` draws another",
  ]);
  expect(await stage.writes(() => one.up(args))).toEqual(draws);
  expect(complaint(one)).toBeUndefined();
  // Not saved, and so not known.
  const saved = one.state;
  expect(await stage.writes(() => one.up({ ...args, passwordVersion: "2" }))).toEqual(draws);
  await stage.host.restart("SIGKILL");
  one.state = saved;
  expect(await stage.writes(() => one.up(args))).toEqual(draws);
  await stage.host.restart("SIGINT");
  expect(complaint(one)).toBeUndefined();
  expect(await one.preview(args)).toBe("nothing");

  // Refused, so that nothing is drawn.
  const refused = { when: "before", code: "InvalidParameter", reason: "not this one" } as const;
  stage.faults.add({ operation: registry.modifyServiceAccountPassword, ...refused });
  await stage.host.restart("SIGINT");
  await expect(one.up({ ...args, passwordVersion: "2" })).rejects.toThrow("not this one");
  expect(await stage.writes(() => one.up(args))).toEqual([]);
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

test("what somebody else has made under the name stays, and the error says how to take it over", async () => {
  await stage.cloud.call(registry.createServiceAccount, byHand);
  const one = stage.deployment("ServiceAccount");
  await expect(one.up(args)).rejects.toThrow(`add { import: "${registryId}/ci" } to the options`);
  expect(one.state).toBeUndefined();
  expect(await accounts()).toEqual(["reg$ci"]);
  await stage.cloud.call(registry.deleteServiceAccount, { registryId, name: "ci" });
});

test("orphans: an account whose maker did not hear of it is removed at once, or by the next up, which makes another", async () => {
  await using one = stage.deployment("ServiceAccount");
  stage.faults.add({ operation: registry.createServiceAccount, when: "after" });
  await expect(one.up(args)).rejects.toThrow("the connection was lost before the answer came (CreateServiceAccount: ConnectionLost)");
  expect(await accounts()).toEqual([]);

  stage.faults.add({ operation: registry.createServiceAccount, when: "after" });
  stage.faults.add({ operation: registry.deleteServiceAccount, when: "before", code: "FailedOperation" });
  await expect(one.up(args)).rejects.toThrow("ConnectionLost");
  expect(one.state).toBeUndefined();
  const { serviceAccounts } = await stage.cloud.call(registry.describeServiceAccounts, { registryId, all: true });
  // Nobody has its password, and nobody could log in with it.
  expect(serviceAccounts).toMatchObject([{ name: "reg$ci", disable: true }]);
  expect(await stage.writes(() => one.up(args))).toEqual(["DeleteServiceAccount", ...creates]);
  expect(await accounts()).toEqual(["reg$ci"]);
  expect(complaint(one)).toBeUndefined();
});

test("orphans: an account whose maker was killed before it was saved is removed by the next up, wherever that makes another", async () => {
  for (const next of [args, { ...args, registryId: other }, { ...args, name: "build" }]) {
    const killed = await stage.deployed("ServiceAccount", args);
    expect(complaint(killed)).toBeUndefined();
    await stage.host.restart();
    // The same resource, of which the state knows nothing.
    await using one = stage.deployment("ServiceAccount");
    expect(await stage.writes(() => one.up(next))).toEqual(["DeleteServiceAccount", ...creates]);
    expect(complaint(killed)).toBe("unauthorized");
    expect([...(await accounts()), ...(await accounts(other))]).toEqual([`reg$${next.name}`]);
  }
});

test("an account that is not finished stays the one that the state knows, and the next up finishes it", async () => {
  await using one = stage.deployment("ServiceAccount");
  stage.faults.add({ operation: registry.modifyServiceAccount, when: "before", code: "InvalidParameter", reason: "not this one" });
  await expect(one.up(args)).rejects.toThrow("not this one");
  expect(complaint(one)).toBe("unauthorized");
  expect(await stage.writes(() => one.up(args))).toEqual(["ModifyServiceAccount"]);
  expect(complaint(one)).toBeUndefined();
});
