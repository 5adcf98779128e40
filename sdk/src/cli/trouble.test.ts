import { execFile } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../local/store/sqlite.ts";
import { World } from "../local/store/world.ts";
import { listening } from "../transport/listening.fixture.ts";
import { endOf, type Ended, keyIn, ownWorld, programFile, User } from "./user.fixture.ts";

/** Failures around a call: each is reported in a sentence, with its own exit code, and never with a stack trace. */

const creation = ["vpc", "CreateVpc", "--VpcName", "a", "--CidrBlock", "10.0.0.0/16"];

/** Presses Control-C after `--debug` has printed that the call was sent. */
async function interrupted(user: User, args: readonly string[]): Promise<Ended> {
  const child = user.start(...args, "--debug");
  const ended = endOf(child);
  child.stderr.on("data", (text: Buffer) => {
    if (text.includes("debug: >")) child.kill("SIGINT");
  });
  const { stderr, ...others } = await ended;
  return { ...others, stderr: stderr.replace(/^cpcli: debug: .*\n/gm, "") };
}

test.each([
  [["vpc", "DescribeVpcs"], "cpcli: interrupted: DescribeVpcs changes nothing\n"],
  [creation, "cpcli: interrupted: CreateVpc was asked for, and whether it took effect is not known; look before you try again\n"],
])("Control-C while an answer is waited for: %j", async (args, said) => {
  const endpoint = await listening(() => undefined);
  const ran = await interrupted(new User({ ...ownWorld, ...keyIn(), CONTAINER_PLATFORM_ENDPOINT: endpoint }), args);
  expect(ran).toEqual({ code: 130, stdout: "", stderr: said });
});

function locked(): { user: User; release: () => void } {
  const user = new User(ownWorld);
  World.open(user.at("world.db")).close();
  const other = openDatabase(user.at("world.db"));
  other.exec("BEGIN IMMEDIATE");
  onTestFinished(() => other.close());
  return { user, release: () => other.exec("ROLLBACK") };
}

test("Control-C while another process keeps the world locked", async () => {
  const { code, stderr } = await interrupted(locked().user, creation);
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^cpcli: interrupted: CreateVpc was asked for/)]);
});

test("a world that another process keeps locked, for longer than is waited, and for less", async () => {
  const { user, release } = locked();
  const { code, stdout, stderr } = await user.run(...creation, "--timeout", "0.3");
  expect([code, stdout]).toEqual([255, ""]);
  expect(stderr).toMatch(/^cpcli: another process has locked the local world \S+world\.db, [^\n]*nothing was changed\. Wait [^\n]*\n$/);
  const waiting = user.run(...creation);
  setTimeout(release, 500);
  expect((await waiting).code).toBe(0);
});

/** What a line of bash prints, and its exit code. In it, `cpcli` is the program. */
function bash(line: string, { home: cwd, env } = new User(ownWorld)): Promise<Ended> {
  const script = `set -o pipefail; cpcli() { "${process.execPath}" "${programFile}" "$@"; }; ${line}`;
  return new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd, env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

test("whoever reads may stop: the rest is silence", async () => {
  const { code, stdout, stderr } = await bash("cpcli list --output json | head -1");
  expect([code, stdout, stderr]).toEqual([0, "[\n", ""]);
  expect(await bash("cpcli vpc DescribeVpcs | true")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a disk that is full: for what is printed, and for the world", async () => {
  const user = new User(ownWorld);
  const printed = await bash("ulimit -f 8; cpcli list --output json > list.json", user);
  expect(printed).toEqual({ code: 255, stdout: "", stderr: expect.stringMatching(/^cpcli: the output cannot be written: EFBIG[^\n]*\n$/) });
  expect(statSync(user.at("list.json")).size).toBeGreaterThan(0);
  const kept = await bash(`ulimit -f 64; cpcli ${creation.join(" ")}`);
  expect(kept).toEqual({
    code: 255,
    stdout: "",
    stderr: expect.stringMatching(/^cpcli: the local world \S+world\.db cannot be written \([^\n]*\); nothing was changed\. [^\n]*\n$/),
  });
});

test.each<[what: string, make: (file: string) => unknown, says: RegExp]>([
  ["a folder", (file) => mkdirSync(file), /credentials\.yaml cannot be read: EISDIR/],
  ["no YAML", (file) => writeFileSync(file, "default:\n  secretKey: [hush\n"), /credentials\.yaml is not YAML: look at line 3/],
  ["no profiles", (file) => writeFileSync(file, "- hush\n"), /credentials\.yaml is not a list of profiles by name/],
  ["another form", (file) => writeFileSync(file, "default: { password: hush }\n"), /the profile default in \S+ takes endpoint, region/],
])("a file of profiles that is %s", async (_, make, says) => {
  const user = new User(ownWorld);
  mkdirSync(user.at(".container-platform"));
  make(user.at(".container-platform", "credentials.yaml"));
  const { code, stdout, stderr } = await user.run("vpc", "DescribeVpcs");
  expect([code, stdout]).toEqual([253, ""]);
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain("hush");
  expect(stderr.split("\n")).toHaveLength(2);
});

test.each<[environment: Record<string, string>, args: string[], code: number, says: RegExp]>([
  [
    { CONTAINER_PLATFORM_ENDPOINT: "" },
    [],
    253,
    /^cpcli: no endpoint is configured: give --endpoint, or set .*The configuration of a Pulumi stack is not read/s,
  ],
  [{ CONTAINER_PLATFORM_REGION: "" }, [], 253, /^cpcli: no region is configured: give --region, or set /],
  [{}, ["--endpoint", "http://127.0.0.1:1"], 253, /^cpcli: no credentials are configured for http:\/\/127\.0\.0\.1:1: set /],
  [{}, ["--endpoint", "ftp://a"], 253, /^cpcli: ftp:\/\/a is no endpoint that this version reaches: use local /],
  [
    {},
    ["--endpoint", "locl"],
    253,
    /^cpcli: locl is no endpoint that this version reaches: use local \((?!.*cli:).*, or public \(the public API\)\n$/,
  ],
  [
    { CONTAINER_PLATFORM_TIME_SCALE: "quick" },
    [],
    252,
    /^cpcli: CONTAINER_PLATFORM_TIME_SCALE is quick; it takes one of realistic, fast, instant\n$/,
  ],
  [{}, ["--profile", "none"], 253, /^cpcli: there is no profile none in /],
  [{}, ["--secretId", "a"], 0, /^cpcli: warning: the credentials of --secretId and --secretKey are not used: /],
  [{}, ["--secretId", "a", "--endpoint", "http://127.0.0.1:1"], 253, /^cpcli: the command line \(.*\) has a secretId, but no secretKey/],
  [{}, ["--token", "hush"], 252, /^cpcli: --token belongs to a --secretId and a --secretKey\n$/],
  [{}, ["--timeout", "soon"], 252, /^cpcli: --timeout is soon; it takes seconds/],
  [{}, ["--retries", "-1"], 252, /^cpcli: --retries is -1; it takes a whole number/],
  [{ CONTAINER_PLATFORM_RETRIES: "1000" }, [], 252, /^cpcli: CONTAINER_PLATFORM_RETRIES is 1000; it takes a whole number, 0 to 999\n$/],
  [{ CONTAINER_PLATFORM_RETRIES: "" }, [], 252, /^cpcli: CONTAINER_PLATFORM_RETRIES is empty; it takes a whole number/],
  [{}, ["--output", "xml"], 252, /^cpcli: --output is xml; it takes json, text, table\n$/],
  [
    {},
    ["--region", "moon"],
    254,
    /^cpcli: \[PlatformError\] code:UnsupportedOperation\.InvalidRegion message:there is no region moon.*\nCheck --region, CONTAINER_PLATFORM_REGION, or the profile's region\.\n$/,
  ],
])("settings that are missing or wrong: %j %j", async (given, args, code, says) => {
  const ran = await new User({ ...ownWorld, ...given }).run("vpc", "DescribeVpcs", ...args);
  expect(ran.code).toBe(code);
  expect(ran.stderr).toMatch(says);
});

test("a password that a refusal repeats is shown neither as its reason nor by --debug", async () => {
  const endpoint = await listening((request, response) => {
    void text(request).then((Message) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ Response: { Error: { Code: "InvalidParameter", Message }, RequestId: "r-1" } }));
    });
  });
  const input = JSON.stringify({ RegistryId: "tcr-1", Name: "reg$ci", Random: false, Password: "Hush12345" });
  const user = new User({ ...ownWorld, ...keyIn(), CONTAINER_PLATFORM_ENDPOINT: endpoint });
  const asked = ["registry", "ModifyServiceAccountPassword", "--debug", "--cli-input-json", "file://-"];
  const { code, stdout, stderr } = await user.runWith(input, ...asked);
  expect([code, stdout], stderr).toEqual([254, ""]);
  expect(stderr).toContain('code:InvalidParameter message:{"RegistryId":"tcr-1","Name":"reg$ci","Random":false,"Password":"[secret]"}');
  expect(stderr).not.toContain("Hush");
});
