import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance } from "@container-platform/sdk/registry";
import { deleteSecurityGroup } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test, vi } from "vitest";
import { typeToken } from "../../../provider/src/pulumi/stub.ts";
import type { SavedStack } from "../../../provider/src/recovery/saved-resources.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { testedShell } from "../../support/shell.ts";
import { region } from "../stage/stage.ts";

/** What bears the tags of a resource and is pending is taken over only if the state, or this user's intent log, knows it as begun. */

const args = { groupDescription: "left" };
const urn = "urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:SecurityGroup::left";
const [token, otherToken] = testedShell === "native" ? [nativeToken, typeToken] : [typeToken, nativeToken];
const begun = { urn, token: token("SecurityGroup"), inputs: {}, isRetained: false };

function start() {
  const folders = [newFolder(), newFolder()];
  vi.stubEnv("XDG_STATE_HOME", folders[0]);
  const world = World.open(":memory:", { timeScale: "instant" });
  let saved: SavedStack | undefined;
  const rewrite = (change: (text: string) => string) => {
    for (const file of readdirSync(folders[0] ?? "", { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile()) writeFileSync(path, change(readFileSync(path, "utf8")));
    }
  };
  const host = new ProviderHere(world, region, { readSaved: () => Promise.resolve(saved) });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
    vi.unstubAllEnvs();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  return {
    host,
    cloud: new Cloud({ transport: new LocalPlatform(world), region }),
    save: (found: Partial<SavedStack>) => {
      saved = { urn, resources: [], begun: [begun], providers: 1, ...found };
    },
    /** What another user has in the intent log does not count. */
    asOtherUser: () => vi.stubEnv("XDG_STATE_HOME", folders[1]),
    asFirstUser: () => vi.stubEnv("XDG_STATE_HOME", folders[0]),
    /** As if a process that is at work had written all of the intent log. */
    asOfRunBeside: () => rewrite((text) => text.replace(/"\d+ \d* /, `"${process.ppid} ${startOf(process.ppid)} `)),
    /** As if a process in another container had written all of the intent log. */
    asOfElsewhere: () => rewrite((text) => text.replace(/"\d+ \d* (\S*) [^"]+/, '"999999999 1 $1 another-host%20pid%3A%5B4026531836%5D')),
    /** As if an early version had written all of the intent log. */
    asOfEarlyVersion: () => rewrite((text) => text.replace(/^.*"\d+ \d* (\S*) .*/, "999999999 1 $1")),
    count: () => world.prepare("SELECT 1 FROM securityGroups").all().length,
    tokens: () => world.prepare("SELECT 1 FROM registryTokens").all().length,
  };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "proof-of-creation-"));
}

function startOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
}

/** A run makes it, and is killed before it is saved. */
async function killedUp(host: ProviderHere): Promise<string> {
  const made = new Deployment(host, "SecurityGroup", "left");
  await made.up(args);
  await host.restart("SIGKILL");
  return made.id;
}

const refusal = (id: string, why: string) =>
  new RegExp(`${id} bears the tags of this resource, and is not taken over: ${why}.+ add \\{ import: "${id}" \\}`);

test("what neither the state nor this user has begun is not taken over: another backend may be creating it", async () => {
  const { host, save, asOtherUser, count } = start();
  const id = await killedUp(host);
  save({});
  asOtherUser();
  await expect(new Deployment(host, "SecurityGroup", "left").up(args)).rejects.toThrow(
    refusal(id, "the state of this stack does not know"),
  );
  expect(count()).toBe(1);
});

test("what the state has begun is taken over, also by another user", async () => {
  const { host, save, asOtherUser, count } = start();
  const id = await killedUp(host);
  save({ begun: [begun, begun] });
  asOtherUser();
  const again = new Deployment(host, "SecurityGroup", "left");
  await again.up(args);
  expect([again.id, count()]).toEqual([id, 1]);
});

test("without the state, this user's intent log tells; otherwise it is not taken over", async () => {
  const { host, asOtherUser, count } = start();
  const id = await killedUp(host);
  const again = new Deployment(host, "SecurityGroup", "left");
  await again.up(args);
  expect(again.id).toBe(id);
  await host.restart("SIGKILL");
  asOtherUser();
  await expect(new Deployment(host, "SecurityGroup", "left").up(args)).rejects.toThrow(refusal(id, "`pulumi stack export`"));
  expect(count()).toBe(1);
});

test("what another process of this user creates at this moment is not taken over", async () => {
  const { host, save, asOfRunBeside, count } = start();
  const id = await killedUp(host);
  save({});
  asOfRunBeside();
  await expect(new Deployment(host, "SecurityGroup", "left").up(args)).rejects.toThrow(
    refusal(id, "the state of this stack does not know"),
  );
  expect(count()).toBe(1);
});

test.each(["asOfElsewhere", "asOfEarlyVersion"] as const)(
  "what a process creates that cannot be seen from here is not taken over: %s",
  async (written) => {
    const { host, save, count, ...rewriting } = start();
    const id = await killedUp(host);
    save({});
    rewriting[written]();
    await expect(new Deployment(host, "SecurityGroup", "left").up(args)).rejects.toThrow(
      refusal(id, "the state of this stack does not know"),
    );
    expect(count()).toBe(1);
  },
);

test("what the other kind of provider has made and saved under the same name is not taken over: another one is made", async () => {
  const { host, save, count } = start();
  const id = await killedUp(host);
  const other = otherToken("SecurityGroup");
  const resource = { urn, savedAs: `other-${urn}`, token: other, type: "SecurityGroup", id, home: undefined, provider: undefined };
  save({ resources: [{ ...resource, isRetained: false, isToBeRemade: false }] });
  const again = new Deployment(host, "SecurityGroup", "left");
  await again.up(args);
  expect(again.id).not.toBe(id);
  expect(count()).toBe(2);
});

test("what another process of this user is creating, and takes no tags, is neither removed nor made a second time", async () => {
  const { host, cloud, save, asOfRunBeside, tokens } = start();
  const { registryId } = await cloud.call(createInstance, { registryName: "theirs", registryType: "basic" });
  await new Deployment(host, "Token", "left").up({ registryId });
  await host.restart("SIGKILL");
  save({});
  asOfRunBeside();
  await expect(new Deployment(host, "Token", "left").up({ registryId })).rejects.toThrow("another run of this user is creating a Token");
  expect(tokens()).toBe(1);
});

test.each(["is taken over", "was never made"])(
  "what the state has begun proves nothing more once a later run has made it: what was begun %s",
  async (end) => {
    const { host, cloud, save, asOtherUser, asFirstUser, count } = start();
    const left = await killedUp(host);
    if (end === "was never made") await cloud.call(deleteSecurityGroup, { securityGroupId: left });
    save({ begun: [begun, begun] });
    const made = new Deployment(host, "SecurityGroup", "left");
    await made.up(args);
    await host.restart("SIGINT");
    await made.destroy();
    await host.restart("SIGINT");

    asOtherUser();
    const theirs = await killedUp(host);
    asFirstUser();
    await expect(new Deployment(host, "SecurityGroup", "left").up(args)).rejects.toThrow(
      refusal(theirs, "the state of this stack does not know"),
    );
    await host.restart("SIGINT");
    save({ begun: [begun] });
    const other = new Deployment(host, "SecurityGroup", "other");
    await other.up({ groupDescription: "other" });
    await expect(other.destroy()).rejects.toThrow(`${theirs} (SecurityGroup) bears the tags of this stack, and its state does not know it`);
    await expect(other.destroy()).rejects.toThrow(
      "it is not deleted before what a killed run has left behind, which another message names",
    );
    expect(count()).toBe(2);

    await host.restart("SIGKILL");
    save({ begun: [begun, begun, begun] });
    const again = new Deployment(host, "SecurityGroup", "left");
    await again.up(args);
    expect(again.id).toBe(theirs);
  },
);
