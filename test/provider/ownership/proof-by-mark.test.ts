import {
  createInstance,
  createNamespace,
  createRepository,
  describeInstanceToken,
  modifyInstanceToken,
  modifyServiceAccount,
} from "@container-platform/sdk/registry";
import { expect, onTestFinished, test } from "vitest";
import type { SavedResource } from "../../../provider/src/ownership/state.ts";
import { markOfProvider, ownerOf } from "../../../provider/src/ownership/tags.ts";
import { typeToken } from "../../../provider/src/dynamic/stub.ts";
import { stateIn } from "../../../provider/src/runtime/stack-export.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { dynamicTest, testedShell } from "../../support/shell.ts";
import { providerId } from "../../support/simulated-state.ts";
import { retag } from "../stage/outside.ts";
import { urnOf } from "../stage/runs.ts";
import { Stage } from "../stage/stage.ts";

/** A pending resource of a name is this stack's only if it has a mark of this state: another backend may have a stack of the same name. */

const args = { groupDescription: "left" };
const mark = markOfProvider(providerId);
const foreign = "00000000";

function open(reach?: Parameters<typeof Stage.here>[0]) {
  const stage = Stage.here(reach);
  onTestFinished(() => stage[Symbol.asyncDispose]());
  return stage;
}

type HereStage = ReturnType<typeof open>;

const group = (stage: HereStage) => stage.deployment("SecurityGroup", "left");

/** A security group that an interrupted update created. */
async function orphanedGroup(stage: HereStage): Promise<string> {
  const made = group(stage);
  await made.up(args);
  await stage.host.restart("SIGKILL");
  return made.id;
}

const notRecorded = "this stack's state does not record its creation";
const unreadable = "this stack's state could not be read (`pulumi stack export` failed)";

test.each([
  ["the mark of another state", `laws/test.${foreign}`],
  ["no mark", "laws/test"],
  ["the tag of version 0.1.0", "5d41402abc4b"],
])("an orphan with %s is neither recovered nor created again: the error has both ways out", async (_, stack) => {
  const stage = open();
  const id = await orphanedGroup(stage);
  await retag(stage, "securityGroup", id, { "container-platform/stack": stack });
  await expect(group(stage).up(args)).rejects.toThrow(
    `${id} has this resource's ownership tags, but ${notRecorded}. It may belong to a stack of the same name in another backend, so it was not recovered. [Provider.Orphan]
  - If it belongs to this stack, add { import: "${id}" } to the resource's options.
  - If it is not needed, delete it on the platform.`,
  );
  expect(await stage.rows("securityGroups")).toBe(1);
});

test("an orphan is not recovered while the state cannot be read", async () => {
  const stage = open();
  const id = await orphanedGroup(stage);
  stage.host.saved.setReadable(false);
  await expect(group(stage).up(args)).rejects.toThrow(`${id} has this resource's ownership tags, but ${unreadable}`);
  expect(await stage.rows("securityGroups")).toBe(1);
});

dynamicTest("a resource that was created while the state could not be read has no mark, and is not recovered", async () => {
  const stage = open();
  stage.host.saved.setReadable(false);
  const id = await orphanedGroup(stage);
  stage.host.saved.setReadable(true);
  await expect(group(stage).up(args)).rejects.toThrow(`${id} has this resource's ownership tags, but ${notRecorded}`);
});

test("a resource that the other provider package has saved under the same name is no orphan: another one is created", async () => {
  const others: SavedResource[] = [];
  const stage: HereStage = open({
    readState: () => Promise.resolve({ ...stateIn(stage.host.saved.exported), resources: others }),
  });
  const id = await orphanedGroup(stage);
  const [urn, token] = [urnOf("SecurityGroup", "left"), (testedShell === "native" ? typeToken : nativeToken)("SecurityGroup")];
  const names = { urn, savedAs: `other-${urn}`, outputUrn: urn };
  others.push({ ...names, token, type: "SecurityGroup", id, home: undefined, provider: undefined, isRetained: false });
  const again = group(stage);
  await again.up(args);
  expect(again.id).not.toBe(id);
  expect(await stage.rows("securityGroups")).toBe(2);
});

test("a pending create proves a resource whose ID consists of inputs only under this ID", async () => {
  const stage = open();
  const registryId = await registryOf(stage);
  const repository = (repositoryName: string) => ({ registryId, namespaceName: "team", repositoryName });
  await stage.deployment("Repository", "left").up(repository("web"));
  await stage.host.restart("SIGKILL");
  await stage.cloud.call(createRepository, { ...repository("theirs"), briefDescription: "theirs" });
  const failing = expect(stage.deployment("Repository", "left").up(repository("theirs"))).rejects;
  await failing.toThrow("already exists, and this stack does not manage it");
});

async function registryOf({ cloud }: HereStage): Promise<string> {
  const { registryId } = await cloud.call(createInstance, { registryName: "images", registryType: "basic" });
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  return registryId;
}

/** A token that an interrupted update created, and its note. */
async function orphanedToken(stage: HereStage) {
  const { cloud, host } = stage;
  const registryId = await registryOf(stage);
  const token = () => stage.deployment("Token", "left");
  const made = token();
  await made.up({ registryId, desc: "ci" });
  await host.restart("SIGKILL");
  const [, tokenId = ""] = made.id.split("/");
  const describe = (desc: string) => cloud.call(modifyInstanceToken, { registryId, tokenId, modifyFlag: 1, desc });
  const described = async () => (await cloud.call(describeInstanceToken, { registryId })).tokens.map(({ desc }) => desc);
  return { id: made.id, token, registryId, describe, described };
}

/** Why an orphan is not proven to be this stack's. */
interface Unproven {
  readonly before?: (stage: HereStage) => void;
  readonly why?: string;
}

const tokenOwner = ownerOf(urnOf("Token", "left"));
const ownNote = `ci (Pulumi ${tokenOwner}.${mark})`;

test.each([
  ["the mark of another state", `ci (Pulumi ${tokenOwner}.${foreign})`],
  ["no mark", `ci (Pulumi ${tokenOwner}.)`],
  ["the note of version 0.1.0", `being made by Pulumi (${tokenOwner.slice(0, 8)})`],
  ["no pending create", ownNote, { before: ({ host }: HereStage) => host.saved.clearPendingCreates() }],
  ["the option retainOnDelete", ownNote, { before: ({ host }: HereStage) => void (host.saved.isRetaining = true) }],
  ["a state that cannot be read", ownNote, { before: ({ host }: HereStage) => host.saved.setReadable(false), why: unreadable }],
])("an orphaned token with %s stays, and a warning names it", async (what, desc, { before, why = notRecorded }: Unproven = {}) => {
  const stage = open();
  const { id, token, registryId, describe, described } = await orphanedToken(stage);
  await describe(desc);
  before?.(stage);
  await token().up({ registryId });
  expect(stage.host.lines.map(({ message }) => message)).toContain(
    // The importer lists neither.
    /another state|cannot be read/.test(what)
      ? `${id} has the note of this resource, but ${why}. If it is not needed, delete it on the platform [Provider.Orphan]`
      : `${id} has the note of this resource, but ${why}. If it is not needed, delete it with \`npx container-platform-import --orphans --delete --id ${id}\` [Provider.Orphan]`,
  );
  expect(await described()).toEqual([desc, expect.any(String)]);
});

test("a token that was confirmed, and left the state with retainOnDelete, is not deleted if it is declared again", async () => {
  const stage = open();
  const { token, registryId, described } = await orphanedToken(stage);
  const retained = token();
  await retained.up({ registryId, desc: "retained" });
  await stage.host.restart("SIGINT");
  stage.host.saved.deleted(retained.id, {});
  await token().up({ registryId, desc: "new" });
  await stage.host.restart("SIGINT");
  expect((await described()).toSorted()).toEqual(["new", "retained"]);
});

test.each([
  ["the mark of another state stays, and keeps its name", foreign, "has a service account reg$ci already", [notRecorded]],
  ["a mark of this state is deleted and created again", mark, "create", []],
])("an orphaned account with %s", async (_, of, outcome, why) => {
  const stage = open();
  const registryId = await registryOf(stage);
  const account = { registryId, name: "ci", permissions: [{ resource: "team/", actions: ["reg:PullRepository"] }] };
  await stage.deployment("ServiceAccount", "left").up(account);
  await stage.host.restart("SIGKILL");
  const description = `(Pulumi ${ownerOf(urnOf("ServiceAccount", "left"))}.${of})`;
  await stage.cloud.call(modifyServiceAccount, { ...account, description });
  const again = stage.deployment("ServiceAccount", "left").up(account);
  expect(await again.catch(String)).toContain(outcome);
  expect(stage.host.lines.map(({ message }) => message)).toEqual(why.map((one): unknown => expect.stringContaining(one)));
});
