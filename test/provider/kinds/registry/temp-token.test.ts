import * as registry from "@container-platform/sdk/registry";
import { loginComplaintOf } from "@container-platform/sdk/local";
import { afterEach, expect, test } from "vitest";
import type { Deployment } from "../../../support/deployment.ts";
import { severities } from "../../../support/host.ts";
import { unknown } from "../../../support/structs.ts";
import { makeRegistry } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** Tokens for an hour, which the tests of all resources cannot cover, and orphaned tokens. */

const stage = await sharedStage();

const registryId = await makeRegistry(stage, "laws-first");
await stage.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
await stage.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "" });
const { registries } = await stage.cloud.call(registry.describeInstances, { registryIds: [registryId] });
const server = registries[0]?.publicDomain ?? "";

const minute = 60_000;
const temp = { registryId, tokenType: "temp" };
const longterm = { registryId, tokenType: "longterm" };

/** Why a container client cannot log in with the token that is in the state; `undefined` if it can. */
function complaint({ state }: Pick<Deployment, "state">): string | undefined {
  const { username, token } = state?.outputs ?? {};
  if (typeof username !== "string" || typeof token !== "string" || token === "") throw new Error("the state has no password");
  return loginComplaintOf(stage.world, { server, username, password: token, from: { clientIp: "203.0.113.7" } });
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

test("with an unknown registry or type the preview replaces it, and with an unknown renewBefore it does not", async () => {
  const one = await stage.deployed("Token", temp);
  expect(await one.preview({ ...temp, registryId: unknown })).toBe("replace");
  expect(await one.preview({ ...temp, tokenType: unknown })).toBe("replace");
  expect(await one.preview({ ...temp, renewBefore: unknown })).toBe("update");
  for (const args of [{ tokenType: unknown }, { registryId: unknown }, { renewBefore: unknown }])
    expect(await stage.deployment("Token").preview({ ...temp, ...args })).toBe("create");
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

test("a token whose response was lost is deleted at once", async () => {
  await later(61);
  await using one = stage.deployment("Token");
  stage.faults.add({ operation: registry.createInstanceToken, when: "after" });
  await expect(one.up(longterm)).rejects.toThrow("the connection was lost before the answer came (CreateInstanceToken: ConnectionLost)");
  expect(await tokens()).toBe(0);
  await one.up(longterm);
  expect(complaint(one)).toBeUndefined();
});

test("an orphaned token is deleted also if the next up creates a temp one", async () => {
  const orphan = await stage.deployed("Token", longterm);
  expect(complaint(orphan)).toBeUndefined();
  await stage.host.restart("SIGKILL");
  await using one = stage.deployment("Token");
  expect(await stage.writes(() => one.up(temp))).toEqual(["DeleteInstanceToken", "CreateInstanceToken"]);
  expect(complaint(orphan)).toBe("unauthorized");
  expect(await tokens()).toBe(1);
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

test("an unfinished token stays in the state, and the next up finishes it", async () => {
  await using one = stage.deployment("Token");
  stage.faults.add({ operation: registry.modifyInstanceToken, when: "before", code: "InvalidParameter", reason: "not this one" });
  await expect(one.up({ ...longterm, enabled: false })).rejects.toThrow("not this one");
  const { id } = one;
  expect(complaint(one)).toBeUndefined();
  expect(await stage.writes(() => one.up({ ...longterm, enabled: false }))).toEqual(["ModifyInstanceToken"]);
  expect(one.id).toBe(id);
  expect(await tokens()).toBe(1);
  expect(complaint(one)).toBe("unauthorized");
});

test("tokens of others stay, whatever their description", async () => {
  const named = (desc: string) => stage.cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc });
  const theirs = [await named("for nodes (Pulumi 0123456789ab.01234567)"), await named("")];
  await stage.host.restart();
  await using one = stage.deployment("Token");
  stage.faults.add({ operation: registry.createInstanceToken, when: "after" });
  await expect(one.up(longterm)).rejects.toThrow("ConnectionLost");
  await one.up(longterm);
  expect(await tokens()).toBe(3);
  for (const { tokenId } of theirs) await stage.cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
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
