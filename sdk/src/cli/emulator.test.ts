import { readFileSync, statSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { served } from "../server/stage.fixture.ts";
import { listening } from "../transport/listening.fixture.ts";
import { expectTold, keyIn, type Told, User } from "./user.fixture.ts";

const moment = Date.UTC(2026, 0, 31, 12);

/** A user with a world, reached in one of two ways, and a region of it. */
async function stage(way: string) {
  const user = new User();
  const file = user.at("world.db");
  const world = World.open(file, { timeScale: "fast", seed: "cli" });
  const { url, key } = way === "over HTTP" ? await served(world) : { url: `local:${file}`, key: undefined };
  if (!key) onTestFinished(() => world.close());
  Object.assign(user.env, { CONTAINER_PLATFORM_ENDPOINT: url, ...(key && keyIn(key)) });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt", retries: { attempts: 1, pause: 0, longest: 0 } });
  const cpcli = (...args: string[]) => user.run("emulator", ...args);
  return { user, world, file, cloud, cpcli, key, name: key ? url : file };
}

function dataOf({ code, stdout, stderr }: { code: unknown; stdout: string; stderr: string }): unknown {
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

describe.each(["in process", "over HTTP"])("%s", (way) => {
  test("the clock is set, moved, stopped and let run on", async () => {
    const { world, cpcli, name } = await stage(way);
    const told = await cpcli("clock", "--set", "2026-01-31T12:00:00Z", "--advance", "1h30m", "--freeze");
    expect(dataOf(told)).toEqual({ emulator: name, time: "2026-01-31T13:30:00.000Z", frozen: true, timeScale: "fast", seed: "cli" });
    expect(world.now()).toBe(moment + 90 * 60_000);
    expect(dataOf(await cpcli("show"))).toEqual(dataOf(told));
    expect((await cpcli("show", "--filter", "time", "--output", "text")).stdout).toBe("2026-01-31T13:30:00.000Z\n");
    expect(dataOf(await cpcli("clock", "--unfreeze"))).toMatchObject({ frozen: false });
  });

  test("the time scale is set", async () => {
    const { world, cpcli } = await stage(way);
    expect(dataOf(await cpcli("time-scale", "instant"))).toMatchObject({ timeScale: "instant" });
    expect(world.timeScale).toBe("instant");
  });

  test("faults are asked for, listed, and taken away", async () => {
    const { cpcli, cloud } = await stage(way);
    const second = ["--product", "vpc", "--action", "CreateVpc", "--nth", "2", "--when", "before", "--code", "LimitExceeded"];
    expect(await cpcli("faults", "add", ...second)).toMatchObject({ code: 0, stdout: "1\n" });
    expect((await cpcli("faults", "add", "--resource-type", "cluster", "--end-state", "Abnormal", "--reason", "no capacity")).stdout).toBe(
      "2\n",
    );
    await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
    expect(dataOf(await cpcli("faults", "list"))).toEqual([
      { id: 1, operation: { product: "vpc", action: "CreateVpc" }, nth: 2, when: "before", code: "LimitExceeded", met: 1, hit: 0 },
      { id: 2, resourceType: "cluster", endState: "Abnormal", reason: "no capacity", met: 0, hit: 0 },
    ]);
    await expect(cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.1.0.0/16" })).rejects.toMatchObject({ code: "LimitExceeded" });
    expect(await cpcli("faults", "remove", "2")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await cpcli("faults", "remove", "2")).toMatchObject({ code: 252, stderr: "cpcli: there is no fault 2\n" });
    await cpcli("faults", "add", "--delay", "10", "--probability", "0.5");
    expect(await cpcli("faults", "clear")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(dataOf(await cpcli("faults", "list"))).toEqual([]);
  });

  test("a snapshot is kept, and put back", async () => {
    const { user, world, cpcli, cloud, key, name } = await stage(way);
    world.freeze(moment);
    const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
    const kept = await cpcli("snapshot", "kept.json", "--audit");
    expect(kept).toEqual({ code: 0, stdout: "", stderr: `cpcli: the snapshot is written to ${user.at("kept.json")}\n` });
    expect(statSync(user.at("kept.json")).mode & 0o777).toBe(0o600);
    const { audit, ...silent } = JSON.parse(readFileSync(user.at("kept.json"), "utf8")) as Record<string, unknown>;
    expect(dataOf(await cpcli("snapshot"))).toEqual(silent);
    expect(audit).toHaveLength(1);

    const emptied = await cpcli("reset", "--time-scale", "instant");
    expect([emptied.code, emptied.stderr]).toEqual([
      0,
      expect.stringContaining(`cpcli: the database ${key ? "of " : ""}${name} is empty now\n`),
    ]);
    expect(world.timeScale).toBe("instant");
    expect((await cloud.call(describeVpcs, {})).vpcSet).toEqual([]);
    const restored = await cpcli("restore", "kept.json");
    expect([restored.code, restored.stderr]).toEqual([
      0,
      expect.stringContaining(`the database ${key ? "of " : ""}${name} is replaced by the snapshot\n`),
    ]);
    expect((await cloud.call(describeVpcs, {})).vpcSet).toMatchObject([{ vpcId }]);
    expect(restored.stdout === "" ? undefined : JSON.parse(restored.stdout)).toEqual(key);
  });

  test("what is no snapshot is refused, and changes nothing", async () => {
    const { user, cpcli, cloud } = await stage(way);
    await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
    const refused = async (content: string, sentence: string) => {
      const { code, stderr } = await user.runWith(content, "emulator", "restore", "-");
      expect([code, stderr.startsWith(`cpcli: ${sentence}`), stderr.includes("hush")]).toEqual([252, true, false]);
    };
    await refused('{ "secret": "hush"', "- is not a snapshot: its content is not JSON\n");
    await refused("{}", "this is not a snapshot of the emulator: the version is missing\n");
    await refused('{ "version": 99 }', "the snapshot is of a newer version of this library");
    expect((await cpcli("restore", "missing.json")).stderr).toMatch(/^cpcli: missing\.json cannot be read: ENOENT/);
    expect((await cloud.call(describeVpcs, {})).vpcSet).toHaveLength(1);
  });
});

test("a database that does not exist is created by commands that change it, and not by commands that read it", async () => {
  const user = new User({ CONTAINER_PLATFORM_ENDPOINT: "local:new.db" });
  const missing = { code: 253, stdout: "", stderr: `cpcli: the database ${user.at("new.db")} does not exist\n` };
  for (const looking of [["show"], ["snapshot"], ["faults", "list"], ["faults", "clear"]])
    expect(await user.run("emulator", ...looking)).toEqual(missing);
  expect((await user.run("emulator", "time-scale", "realistic")).code).toBe(0);
  expect(dataOf(await user.run("emulator", "show"))).toMatchObject({ emulator: user.at("new.db"), timeScale: "realistic" });
});

test("an endpoint that is not an emulator is refused", async () => {
  const url = await listening((_, response) => void response.end("<html>"));
  const user = new User(keyIn({ secretId: "AKID1", secretKey: "hush" }));
  const told = (endpoint: string) => user.run("emulator", "show", "--endpoint", endpoint);
  const stderr = `cpcli: cannot control ${url}: its responses are not those of the emulator\n`;
  expect(await told(url)).toEqual({ code: 255, stdout: "", stderr });
  const unreached = "code:NotConnected message:there is no connection to 127.0.0.1:";
  expect(await told("http://127.0.0.1:2")).toMatchObject({ code: 255, stderr: expect.stringContaining(unreached) });
  expect(await told("cli:cpcli")).toMatchObject({ code: 253, stderr: expect.stringContaining("is a client as this one is") });
  expect(await told("nowhere")).toMatchObject({
    code: 253,
    stderr: expect.stringContaining("cpcli: the endpoint nowhere is not an emulator. Use local, "),
  });
  expect(await told((await served()).url)).toMatchObject({ code: 252, stderr: expect.stringContaining("AKID1") });
});

test.each<Told>([
  ["", 0, /^Usage: cpcli emulator <command> \[options\]\n\n {2}show /],
  ["clocks", 252, /^cpcli: cpcli emulator does not take clocks\nMaybe you meant clock\.\n$/],
  [
    "clock",
    252,
    /^cpcli: cpcli emulator clock takes --set, --advance, --freeze or --unfreeze\n`cpcli emulator show` prints the clock\.\n$/,
  ],
  ["clock --freeze --unfreeze", 252, /^cpcli: --freeze and --unfreeze are both given/],
  ["clock --set tomorrow", 252, /^cpcli: --set is tomorrow; it takes a time of ISO 8601/],
  ["clock --advance 5", 252, /^cpcli: --advance is 5; it takes a duration such as 90s, 31m, 1h30m or 2d\n$/],
  ["time-scale", 252, /^cpcli: cpcli emulator time-scale takes <time-scale>\n/],
  ["time-scale slow", 252, /^cpcli: the time scale is slow; it takes one of realistic, fast, instant\n$/],
  ["time-scale --help", 0, /Applies to changes that begin later\. A change in progress keeps its duration/],
  ["faults", 0, /^Usage: cpcli emulator faults <command>/],
  ["faults add", 252, /^cpcli: a fault: neither when nor delay is given/],
  ["faults add --when before --nth many", 252, /^cpcli: a fault: nth is "many"; it takes a whole number from 1 on\n$/],
  [
    "faults add --resource-type cluster --end-state Broken --reason a",
    252,
    /^cpcli: a fault: endState is "Broken"; of cluster it takes Creating,/,
  ],
  ["faults add --action CreateVpcs --when before", 252, /^cpcli: there is no operation with action CreateVpcs\n$/],
  ["faults remove one", 252, /^cpcli: one is no id of a fault: it is a number\n/],
])("cpcli emulator %s", (line, code, says) =>
  expectTold(new User({ CONTAINER_PLATFORM_ENDPOINT: "local:world.db" }), `emulator ${line}`, code, says),
);
