import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect as dial } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createInstance } from "../catalogue/registry.ts";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { connect } from "../transport/connect.ts";
import { type Child, programFile, expectTold, type Told, User } from "./user.fixture.ts";

/** A user, who may serve the world in a file. */
function stage() {
  const user = new User();
  const file = user.at("world.db");
  const serving = (...args: readonly string[]) => user.start("serve", "--db", file, ...args);
  return { user, file, serving };
}

/** Reads the address that a server prints, and connects to it. */
async function served(child: Child, file: string) {
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const world = World.open(file);
  const transport = await connect(line.toString().trim(), { credentials: accessKeyOf(world) });
  onTestFinished(async () => {
    await transport.close();
    world.close();
  });
  return { line: line.toString(), world, cloud: new Cloud({ transport, region: "eu-frankfurt" }) };
}

test.each(["SIGINT", "SIGTERM"] as const)("serve prints its address, serves the file's world, and stops on %s", async (signal) => {
  const { file, serving } = stage();
  const child = serving("--port", "0", "--time-scale", "instant", "--seed", "one");
  const { line, world, cloud } = await served(child, file);
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(world.timeScale).toBe("instant");
  await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  // A client that is connected and sends nothing does not delay the end.
  const silent = dial(Number(new URL(line).port), "127.0.0.1").on("error", () => undefined);
  await once(silent, "connect");
  const exited = once(child, "exit");
  const begun = performance.now();
  child.kill(signal);
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(world.prepare("SELECT count(*) AS count FROM vpcs").get()).toEqual({ count: 1 });
  await expect(cloud.transport.whoAmI()).rejects.toMatchObject({ kind: "unsent" });
});

test("serve tells on stderr where its dashboard is, and that there is none where other machines reach it", async () => {
  const { user } = stage();
  const line = async (...args: string[]) => {
    const [text] = (await once(user.start("serve", "--db", ":memory:", ...args).stderr, "data")) as [Buffer];
    return text.toString();
  };
  expect(await line()).toMatch(/^dashboard: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\n$/);
  expect(await line("--host", "localhost")).toMatch(/^dashboard: http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/#token=/);
  expect(await line("--host", "0.0.0.0")).toBe("dashboard: none, as other machines reach this server\n");
});

test("two processes serve one database, whose time scale can be changed", async () => {
  const { file, serving } = stage();
  const [one, other] = [await served(serving(), file), await served(serving("--time-scale", "instant"), file)];
  expect(one.world.timeScale).toBe("instant");
  const { vpc } = await one.cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  expect((await other.cloud.call(describeVpcs, {})).vpcSet.map(({ vpcId }) => vpcId)).toEqual([vpc.vpcId]);
});

test("a second server of a world's registries is refused with who has them, as long as that one runs", async () => {
  const { user, file, serving } = stage();
  const first = serving("--registry");
  const { line, cloud } = await served(first, file);
  await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  const ports = user.at("world.db-images", "ports.json");
  await expect.poll(() => existsSync(ports)).toBe(true);
  const before = readFileSync(ports, "utf8");

  expect(await user.runAlone(["serve", "--registry", "--db", file])).toEqual({
    code: 253,
    stdout: "",
    stderr:
      `cpcli: the registries of this world are served already, by process ${String(first.pid)} at ${line.trim()}, from ${file}-images: ` +
      "use that server, or end it, or serve another world\n",
  });
  expect(readFileSync(ports, "utf8")).toBe(before);
  await served(serving(), file);

  const exited = once(first, "exit");
  first.kill("SIGKILL");
  await exited;
  await served(serving("--registry"), file);
  expect(readFileSync(ports, "utf8")).toBe(before);
});

test("credentials prints a key that a credentialProcess can give", async () => {
  const { user, file, serving } = stage();
  const { line, world } = await served(serving(), file);
  const printed = await user.run("credentials", "--db", file);
  expect(JSON.parse(printed.stdout)).toEqual({ ...accessKeyOf(world), token: undefined });
  const command = `"${process.execPath}" "${programFile}" credentials --db "${file}"`;
  const transport = await connect(line.trim(), { credentials: { credentialProcess: command } });
  expect(await transport.whoAmI()).toMatchObject({ account: world.account });
  await transport.close();
  expect(await user.run("credentials", "--db", `${file}.missing`)).toEqual({
    code: 253,
    stdout: "",
    stderr: `cpcli: the database ${file}.missing does not exist\n`,
  });
});

test.each<Told>([
  ["serve --help", 0, /^Usage: cpcli serve \[options\]\n\n {2}--port PORT /],
  ["serve help", 0, /^Usage: cpcli serve/],
  ["serve --prot 1", 252, /^cpcli: Unknown options: --prot\nMaybe you meant --port\. `cpcli serve --help` tells its options\.\n$/],
  ["serve --sed red", 252, /^cpcli: Unknown options: --sed\nMaybe you meant --seed\. `cpcli serve/],
  ["serve here", 252, /^cpcli: cpcli serve does not take here\n/],
  ["serve --seed", 252, /^cpcli: --seed takes a value: --seed TEXT\n/],
  ["serve --port 65536", 252, /^cpcli: --port is 65536; it takes 0 to 65535\n$/],
  ["serve --time-scale slow", 252, /^cpcli: --time-scale is slow; it takes one of realistic, fast, instant\n$/],
])("cpcli %s", (line, code, says) => expectTold(new User(), line, code, says));

test("what is no world is told in a sentence", async () => {
  const { user, file } = stage();
  writeFileSync(file, "this is not a world, and long enough that nobody could take it for one".repeat(100));
  const { code, stderr } = await user.run("serve", "--db", file);
  expect([code, stderr]).toEqual([253, expect.stringMatching(/^cpcli: the local world \S+ cannot be read/)]);
  expect(readFileSync(file, "utf8")).toContain("this is not a world");
});
