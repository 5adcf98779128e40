import * as registry from "@container-platform/sdk/registry";
import { loginComplaintOf } from "@container-platform/sdk/local";
import { afterEach, expect, test } from "vitest";
import type { Deployment } from "../../../support/deployment.ts";
import { severities } from "../../../support/host.ts";
import { dynamicTest } from "../../../support/shell.ts";
import { unknown } from "../../../support/structs.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** Who can log in to a registry: what the laws cannot say of tokens for an hour, of passwords, of ends, and of logins that nobody knows. */

const stage = await sharedStage();

const registryId = await makeRegistry(stage, "laws-first");
await makeNamespace(stage, registryId, "team");
await stage.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
await stage.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "" });
const { registries } = await stage.cloud.call(registry.describeInstances, { registryIds: [registryId] });
const server = registries[0]?.publicDomain ?? "";

const minute = 60_000;
const temp = { registryId, tokenType: "temp" };
const longterm = { registryId, tokenType: "longterm" };
const day = 86_400_000;
const permissions = [{ resource: "team", actions: ["reg:PullRepository"] }];
const args = { registryId, name: "ci", permissions };
const byHand = { registryId, name: "ci", permissions: [{ resource: "team/", actions: ["reg:PullRepository"] }] };

/** Why a container client cannot log in with the token or the account that is in the state; `undefined` if it can. */
function complaint({ state }: Pick<Deployment, "state">): string | undefined {
  const { username, token, password = token } = state?.outputs ?? {};
  if (typeof username !== "string" || typeof password !== "string" || password === "") throw new Error("the state has no password");
  return loginComplaintOf(stage.world, { server, username, password, from: { clientIp: "203.0.113.7" } });
}

const tokens = () => stage.rows("registryTokens");

/** Lets time pass on the platform, and then begins another run of the engine. */
async function later(minutes: number): Promise<void> {
  stage.world.advance(minutes * minute);
  await stage.host.restart();
}

/** What a comparison with the unchanged program results in, and the lines that it shows. */
async function planOf({ id, state }: Deployment): Promise<readonly [replaces: readonly string[], notes: readonly string[]]> {
  const seen = stage.host.lines.length;
  const { replaces, deleteBeforeReplace } = await stage.host.diff(id, state?.outputs ?? {}, state?.inputs ?? {});
  expect(deleteBeforeReplace).toBe(false);
  const notes = () =>
    stage.host.lines
      .slice(seen)
      .flatMap(({ severity, ephemeral, message }) => (severity === severities.info && !ephemeral ? [message] : []));
  if (replaces.length > 0) await expect.poll(notes).toHaveLength(1);
  return [replaces, notes()];
}

/** The platform deletes no temp token before its end. */
afterEach(() => {
  stage.world.advance(61 * minute);
});

test("a token is read as the program wrote it, logs in, and nothing is left to change", async () => {
  const one = stage.deployment("Token");
  expect(await stage.writes(() => one.up(temp))).toEqual(["CreateInstanceToken"]);
  expect(await stage.writes(() => stage.host.restart("SIGINT"))).toEqual([]);
  const made = one.state;
  expect(one.id).toBe(`${registryId}/${String(made?.outputs["tokenId"])}`);
  expect(complaint(one)).toBeUndefined();
  expect(await one.preview(temp)).toBe("nothing");
  expect(await stage.writes(() => one.refresh())).toEqual([]);
  expect(one.state).toEqual(made);
  expect(await one.preview(temp)).toBe("nothing");
  expect(await stage.calls(() => one.up(temp))).toEqual([]);
  expect(complaint(one)).toBeUndefined();
});

test("deleting one makes no call, because it expires by itself", async () => {
  const [one, earlier] = [stage.deployment("Token"), stage.deployment("Token", "earlier")];
  await one.up(temp);
  await earlier.up(temp);
  // The first deletion of an update without a program searches for orphans.
  await earlier.destroy();
  expect(await stage.calls(() => one.destroy())).toEqual([]);
  await later(61);
  expect(await tokens()).toBe(0);
});

test("after it has expired, the preview says why there will be a new one, and up makes it", async () => {
  const one = await stage.deployed("Token", temp);
  const { id, state } = one;
  const end = String(state?.outputs["expTime"]);
  await later(61);
  expect(await one.refresh()).toBe(true);
  expect(one.state).toEqual(state);
  expect(complaint(one)).toBe("unauthorized");
  expect(await planOf(one)).toEqual([["expTime"], [`the token ended at ${end}, and \`up\` makes a new one`]]);
  expect(await one.preview(temp)).toBe("replace");
  expect(await stage.writes(() => one.up(temp))).toEqual(["CreateInstanceToken"]);
  expect(one.id).not.toBe(id);
  expect(complaint(one)).toBeUndefined();
  expect(await one.preview(temp)).toBe("nothing");
  expect(await tokens()).toBe(1);
});

test.each([
  ["10 minutes before its end, unless the program says otherwise", {}, 49, 51],
  ["as long before its end as renewBefore says", { renewBefore: "20m" }, 39, 41],
])("it is replaced %s", async (_, margin, tooEarly, due) => {
  const args = { ...temp, ...margin };
  const one = await stage.deployed("Token", args);
  const end = String(one.state?.outputs["expTime"]);
  await later(tooEarly);
  expect(await one.preview(args)).toBe("nothing");
  await later(due - tooEarly);
  expect(await planOf(one)).toEqual([["expTime"], [`the token ends at ${end}, and \`up\` makes a new one`]]);
  expect(await one.preview(args)).toBe("replace");
  const before = one.state;
  expect(await stage.writes(() => one.up(args))).toEqual(["CreateInstanceToken"]);
  expect(complaint(one)).toBeUndefined();
  expect(one.state?.outputs["token"]).not.toBe(before?.outputs["token"]);
});

test("another renewBefore makes no new token", async () => {
  const one = await stage.deployed("Token", temp);
  const { id } = one;
  expect(await one.preview({ ...temp, renewBefore: "5m" })).toBe("update");
  expect(await stage.writes(() => one.up({ ...temp, renewBefore: "5m" }))).toEqual([]);
  expect(one.id).toBe(id);
});

test("with another type, the old token is deleted once the new one exists", async () => {
  const one = await stage.deployed("Token", longterm);
  expect(await one.preview(temp)).toBe("replace");
  expect(await stage.writes(() => one.up(temp))).toEqual(["CreateInstanceToken", "DeleteInstanceToken"]);
  expect(complaint(one)).toBeUndefined();
  expect(await one.preview(longterm)).toBe("replace");
  expect(await stage.writes(() => one.up(longterm))).toEqual(["CreateInstanceToken"]);
  expect(complaint(one)).toBeUndefined();
  await one.destroy();
});

test("a refresh notices that its registry is gone", async () => {
  const gone = await makeRegistry(stage, "laws-gone");
  const one = await stage.deployed("Token", { ...temp, registryId: gone });
  await stage.undoLast(1);
  await stage.host.restart();
  expect(await one.refresh()).toBe(false);
});

test("a replacement that was interrupted is deleted, and the token in the state stays until there is another", async () => {
  const one = await stage.deployed("Token", longterm);
  const known = one.state;
  expect(await one.preview({ ...longterm, tokenType: unknown })).toBe("replace");
  await stage.host.restart("SIGINT");
  // Pulumi has asked for a replacement, and was killed before it saved the ID.
  const lost = await stage.deployed("Token", longterm);
  expect([complaint(one), complaint(lost)]).toEqual([undefined, undefined]);
  await stage.host.restart("SIGKILL");
  expect(await one.preview(longterm)).toBe("nothing");
  const another = await stage.deployed("Token", longterm);
  expect([complaint(one), complaint(lost), complaint(another)]).toEqual([undefined, "unauthorized", undefined]);
  expect(one.state).toEqual(known);
  await one.destroy();
  expect([complaint({ state: known }), complaint(another)]).toEqual(["unauthorized", undefined]);
  await another.destroy();
  expect(await tokens()).toBe(0);
});

test("temp tokens that expire at the same moment have ids of their own", async () => {
  stage.world.freeze();
  try {
    await using one = await stage.deployed("Token", temp, "one");
    await using two = await stage.deployed("Token", temp, "two");
    expect(one.state?.outputs["expTime"]).toBe(two.state?.outputs["expTime"]);
    expect(one.id).not.toBe(two.id);
    await stage.host.restart("SIGINT");
    expect([await one.preview(temp), await two.preview(temp)]).toEqual(["nothing", "nothing"]);
    expect(complaint(two)).toBeUndefined();
  } finally {
    stage.world.unfreeze();
  }
  await later(61);
});

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

test.each([
  { type: "Token", args: longterm, next: temp, table: "registryTokens", writes: ["DeleteInstanceToken", "CreateInstanceToken"] },
  {
    type: "ServiceAccount",
    args,
    next: { ...args, name: "build" },
    table: "serviceAccounts",
    writes: ["DeleteServiceAccount", "CreateServiceAccount"],
  },
])("an orphaned $type is deleted also if the next up creates a different one", async ({ type, args, next, table, writes }) => {
  const orphan = await stage.deployed(type, args);
  expect(complaint(orphan)).toBeUndefined();
  await stage.host.restart("SIGKILL");
  await using one = stage.deployment(type);
  expect(await stage.writes(() => one.up(next))).toEqual(writes);
  expect(complaint(orphan)).toBe("unauthorized");
  expect(await stage.rows(table)).toBe(1);
});
