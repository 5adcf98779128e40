import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createInstance } from "@container-platform/sdk/registry";
import { assignIpv6CidrBlock, createVpc, describeVpcs, unassignIpv6CidrBlock } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test, vi } from "vitest";
import { typeToken } from "../../../provider/src/pulumi/stub.ts";
import type { BegunCreation, SavedResource, SavedStack } from "../../../provider/src/recovery/saved-resources.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { testedShell } from "../../support/shell.ts";
import { region } from "../stage/stage.ts";

/** What a killed run has made, and another stack of the backend has by now: it is no leftover, and it is not taken over. */

const tokenOf = testedShell === "native" ? nativeToken : typeToken;
const others = "stack prod of project laws";

function start() {
  const folder = mkdtempSync(join(tmpdir(), "others-have-it-"));
  vi.stubEnv("XDG_STATE_HOME", folder);
  const world = World.open(":memory:", { timeScale: "instant" });
  const begun: BegunCreation[] = [];
  const moved: SavedResource[] = [];
  const saved: SavedStack = { urn: urnOf("SecurityGroup", "other"), resources: [], begun, providers: 1 };
  const host = new ProviderHere(world, region, {
    readSaved: () => Promise.resolve(saved),
    listStacks: () =>
      Promise.resolve([{ project: "laws", stack: "prod", read: () => Promise.resolve({ ...saved, resources: moved, begun: [] }) }]),
  });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  /** A resource that a run made, and was killed before it was saved. */
  const killed = async (type: string, args: object): Promise<string> => {
    const made = new Deployment(host, type, "left");
    await made.up({ ...args });
    begun.push({ urn: urnOf(type, "left"), token: tokenOf(type), inputs: {}, isRetained: false });
    await host.restart("SIGKILL");
    return made.id;
  };
  /** Another stack has it by now. */
  const isMoved = (type: string, id: string): void => {
    const urn = urnOf(type, "left");
    moved.push({ urn, savedAs: urn, token: "", type, id, home: undefined, provider: undefined, isRetained: false, isToBeRemade: false });
  };
  /** Another resource is made and deleted. */
  const deletion = async (): Promise<void> => {
    const other = new Deployment(host, "SecurityGroup", "other");
    await other.up({ groupDescription: "other" });
    await host.restart("SIGINT");
    await other.destroy();
    await host.restart("SIGINT");
  };
  const said = () => host.lines.map(({ message }) => message).join("\n");
  const count = (table: string) => world.prepare(`SELECT 1 FROM ${table}`).all().length;
  /** How many entries tell what was made, besides the notes of who made it. */
  const logged = () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    return texts.filter((text) => text.startsWith("{") && !text.includes('"isNote":true')).length;
  };
  return { cloud, host, killed, isMoved, deletion, said, count, logged };
}

function urnOf(type: string, name: string): string {
  return `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
}

async function startWithVpc() {
  const started = start();
  const { cloud } = started;
  const { vpc } = await cloud.call(createVpc, { vpcName: "theirs", cidrBlock: "10.0.0.0/16" });
  const range = async () => (await cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] })).vpcSet[0]?.ipv6CidrBlock;
  return { ...started, vpcId: vpc.vpcId, range };
}

test("what takes tags, and another stack has, is no leftover", async () => {
  const { killed, isMoved, deletion, said, count } = start();
  const id = await killed("Vpc", { cidrBlock: "10.0.0.0/16" });
  isMoved("Vpc", id);
  await deletion();
  expect(said()).not.toContain(id);
  expect(count("vpcs")).toBe(1);
});

test("what takes no tags, and another stack has, is no leftover, and is forgotten", async () => {
  const { killed, isMoved, deletion, said, logged, vpcId, range } = await startWithVpc();
  const id = await killed("Ipv6Block", { vpcId });
  expect(logged()).toBe(1);
  isMoved("Ipv6Block", id);
  await deletion();
  expect(said()).not.toContain(id);
  expect([await range(), logged()]).toEqual([expect.stringContaining("::"), 0]);
});

test("what was removed is forgotten: what somebody makes later under its id stays", async () => {
  const { cloud, killed, deletion, said, logged, vpcId, range } = await startWithVpc();
  await killed("Ipv6Block", { vpcId });
  await deletion();
  expect(said()).toContain(`removed ${vpcId} (Ipv6Block)`);
  expect([await range(), logged()]).toEqual([undefined, 0]);
  await cloud.call(assignIpv6CidrBlock, { vpcId });
  await deletion();
  expect(await range()).toContain("::");
});

test("what was deleted by hand is forgotten, too", async () => {
  const { cloud, killed, deletion, logged, vpcId, range } = await startWithVpc();
  await killed("Ipv6Block", { vpcId });
  await cloud.call(unassignIpv6CidrBlock, { vpcId, ipv6CidrBlock: (await range()) ?? "" });
  await deletion();
  expect(logged()).toBe(0);
});

test("what takes tags, and another stack has, is not taken over: another one is made", async () => {
  const { host, killed, isMoved, said, count } = start();
  const args = { groupDescription: "left" };
  const id = await killed("SecurityGroup", args);
  isMoved("SecurityGroup", id);
  const again = new Deployment(host, "SecurityGroup", "left");
  await again.up(args);
  expect(again.id).not.toBe(id);
  expect(said()).toContain(`${id} was made by an earlier run of a stack of this name, and ${others} has it now: it is not taken over`);
  expect(count("securityGroups")).toBe(2);
});

test("what takes no tags, and another stack has, is not taken over: that is refused", async () => {
  const { host, killed, isMoved, vpcId } = await startWithVpc();
  isMoved("Ipv6Block", await killed("Ipv6Block", { vpcId }));
  await expect(new Deployment(host, "Ipv6Block", "left").up({ vpcId })).rejects.toThrow(`${vpcId} is there already, and ${others} has it`);
});

test("a token that another stack has is not removed for a new one", async () => {
  const { cloud, host, killed, isMoved, count } = start();
  const { registryId } = await cloud.call(createInstance, { registryName: "theirs", registryType: "basic" });
  const id = await killed("Token", { registryId });
  isMoved("Token", id);
  const again = new Deployment(host, "Token", "left");
  await again.up({ registryId });
  expect(again.id).not.toBe(id);
  expect(count("registryTokens")).toBe(2);
});
