import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rotateClusterToken } from "../catalogue/cluster.ts";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { CliTransport, type CliOptions } from "./cli.ts";
import { connect } from "./connect.ts";
import { homeWith } from "./public/vendor.fixture.ts";

const region = "eu-frankfurt";
const asked = { vpcName: "a", cidrBlock: "10.0.0.0/16" };
let folder = "";

beforeEach(() => {
  folder = homeWith();
  mkdirSync(join(folder, "tmp"));
  vi.stubEnv("TMPDIR", join(folder, "tmp"));
  vi.stubEnv("HOME", folder);
  for (const name of Object.keys(process.env)) if (name.startsWith("CONTAINER_PLATFORM_")) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

/** A client made from JavaScript. The text can use `parameters`, and `log`, a file to write to. */
function client(text: string, name = "client"): string {
  const file = join(folder, name);
  const given = `const { readFileSync, appendFileSync, statSync } = require("node:fs");
const path = process.argv.at(-1).replace("file://", "");
const parameters = JSON.parse(readFileSync(path, "utf8"));
const log = (text) => appendFileSync(${JSON.stringify(join(folder, "log"))}, text + "\\n");
const answer = (body) => console.log(JSON.stringify({ ...body, RequestId: "r-1" }, null, 4));
`;
  writeFileSync(file, `#!${process.execPath}\n${given}${text}`);
  chmodSync(file, 0o755);
  return file;
}

function logged(): string[] {
  const file = join(folder, "log");
  // A line that is being written has no end yet.
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

function cloudOf(text: string, options: CliOptions = {}, attempts = 1): Cloud {
  const transport = new CliTransport(client(text), { folder, ...options });
  return new Cloud({ transport, region, retries: { attempts, pause: 1, longest: 1 } });
}

/** A client that answers with what was read, as the reference client prints it. */
const noVpcs = "answer({ TotalCount: 0, VpcSet: [] });";
const refusing = (line: string) => `console.error(${JSON.stringify(usage + line)}); process.exit(255);`;
const usage = `usage: tccli [options] <command> <subcommand> [<subcommand> ...] [parameters]
To see help text, you can run:

  tccli help
  tccli <command> help
  tccli <command> <subcommand> help

`;

test("a call is a process: parameters in a file of this user alone, credentials in the environment", async () => {
  const cloud = cloudOf(
    `answer({ Vpc: { VpcId: "vpc-1", VpcName: null, CidrBlock: JSON.stringify({
      args: process.argv.slice(2), parameters, mode: (statSync(path).mode & 0o777).toString(8), folder: process.cwd(),
      keys: [process.env.CONTAINER_PLATFORM_SECRET_ID, process.env.CONTAINER_PLATFORM_SECRET_KEY, process.env.CONTAINER_PLATFORM_TOKEN],
    }) } });`,
    { credentials: () => Promise.resolve({ secretId: "AKID1", secretKey: "hush", token: undefined }) },
  );
  vi.stubEnv("CONTAINER_PLATFORM_TOKEN", "another key's");
  const { body, requestId } = await cloud.transport.send({
    product: "vpc",
    action: "CreateVpc",
    version: "2017-03-12",
    region,
    body: { VpcName: "ä" },
  });
  const told: unknown = JSON.parse(String(Reflect.get(Object(body["Vpc"]), "CidrBlock")));
  const file = expect.stringMatching(/^file:\/\/\/.*parameters\.json$/);
  expect(requestId).toBe("r-1");
  expect(told).toEqual({
    args: ["vpc", "CreateVpc", "--version", "2017-03-12", "--region", region, "--output", "json", "--cli-input-json", file],
    parameters: { VpcName: "ä" },
    mode: "600",
    folder,
    keys: ["AKID1", "hush", null],
  });
});

test("what a client prints as null is not there", async () => {
  const cloud = cloudOf("answer({ OIDCConfig: { AutoCreateClientId: null, Other: [{ A: null, B: 0 }] }, ServiceAccounts: null });");
  const asked = { product: "cluster", action: "DescribeClusterAuthenticationOptions", version: "2018-05-25", region, body: {} } as const;
  expect((await cloud.transport.send(asked)).body).toEqual({ OIDCConfig: { Other: [{ B: 0 }] } });
});

const sdk = (line: string) => refusing(`[TencentCloudSDKException] ${line}`);
const disconnected = "('Connection aborted.', RemoteDisconnected('Remote end closed'))";
const unconnected =
  "HTTPSConnectionPool(host='x', port=443): Max retries exceeded with url: / (Caused by NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] Connection refused'))";
const noCommand = "tccli: error: argument command: Invalid choice, valid choices are:";
const noRegion = "cpcli: no region is configured";
const failing = expect.stringContaining("client ended with code 1: ");

test.each<[text: string, code: string, kind: string, reason?: unknown, requestId?: string]>([
  [sdk("code:ResourceInUse message:it has subnets: a, b requestId:rid-1\n"), "ResourceInUse", "inUse", "it has subnets: a, b", "rid-1"],
  [sdk("code:ServerNetworkError message:b'boom' requestId:None"), "ServerNetworkError", "unreachable", "boom", ""],
  [sdk(`code:ClientNetworkError message:${disconnected} requestId:None`), "ClientNetworkError", "unreachable"],
  [sdk(`code:ClientNetworkError message:${unconnected} requestId:None`), "ClientNetworkError", "unsent"],
  [refusing("[PlatformError] code:HttpStatus.503 message:it answered\nwith HTML requestId:"), "HttpStatus.503", "unreachable"],
  [refusing("[PlatformError] code:NotConnected message:no connection requestId:"), "NotConnected", "unsent"],
  [refusing("Unknown options: --output"), "ClientRefused", "unsupported", "client does not take the call: Unknown options: --output"],
  [
    `console.error(${JSON.stringify(`${usage}${noCommand}\n\nvpc`)}); process.exit(252);`,
    "ClientRefused",
    "unsupported",
    `client does not take the call: ${noCommand}`,
  ],
  [
    `console.error('${noRegion}\\n\\nUsage: cpcli'); process.exit(253);`,
    "ClientNotConfigured",
    "failed",
    `client is not configured: ${noRegion}`,
  ],
  ["throw new Error('broken')", "ProgramFailed", "unreachable", failing],
  ["process.exit(3)", "ProgramFailed", "unreachable", "client ended with code 3: it does not say why"],
  [
    "process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 10000)",
    "ProgramKilled",
    "unreachable",
    "client was ended by SIGKILL before it answered",
  ],
  ["console.log('<html>')", "UnreadableAnswer", "failed", "client printed no answer of a platform"],
  ["", "UnreadableAnswer", "failed"],
  ["console.log('[]')", "UnreadableAnswer", "failed"],
  ["console.error('[X] code:LimitExceeded message:too many requestId:r')", "LimitExceeded", "limit"],
])("a client that does this: %s", async (text, code, kind, reason = expect.any(String), requestId = expect.any(String)) => {
  const error = { code, kind, reason, requestId, origin: { product: "vpc", action: "CreateVpc" } };
  await expect(cloudOf(text).call(createVpc, asked)).rejects.toMatchObject(error);
});

test("a parameter that a client drops is told", async () => {
  const cloud = cloudOf(refusing("[TencentCloudSDKException] code:MissingParameter message:ClusterId is required requestId:r"));
  await expect(cloud.call(rotateClusterToken, { clusterId: "cls-1" })).rejects.toMatchObject({
    code: "MissingParameter",
    reason: "ClusterId is required. ClusterId was given, but client does not expose it for RotateClusterToken, and dropped it",
  });
});

test("what had no effect is repeated, and what only read; a write whose client died is not", async () => {
  const dying = "log(process.argv[3]); process.exit(1);";
  await expect(cloudOf(dying, {}, 3).call(createVpc, asked)).rejects.toMatchObject({ kind: "unreachable" });
  await expect(cloudOf(dying, {}, 3).call(describeVpcs, {})).rejects.toMatchObject({ kind: "unreachable" });
  const throttled = `log(process.argv[3]); ${refusing("[X] code:RequestLimitExceeded message:slow requestId:r")}`;
  await expect(cloudOf(throttled, {}, 2).call(createVpc, asked)).rejects.toMatchObject({ kind: "throttled" });
  expect(logged()).toEqual(["CreateVpc", "DescribeVpcs", "DescribeVpcs", "DescribeVpcs", "CreateVpc", "CreateVpc"]);
});

test("a client that hangs is ended, however deaf it is", async () => {
  const deaf = "process.on('SIGTERM', () => log('asked')); log(String(process.pid)); setInterval(() => {}, 1000);";
  const call = cloudOf(deaf, { timeout: 1000 }).call(describeVpcs, {});
  const reason = "client did not answer in time, and was ended";
  await expect(call).rejects.toMatchObject({ code: "NoAnswer", kind: "unreachable", reason });
  await vanished(Number(logged()[0]));
  expect(logged()[1]).toBe("asked");
});

test("a client that prints without end is ended", async () => {
  const endless = "log(String(process.pid)); const more = () => process.stdout.write('x'.repeat(1 << 20), more); more();";
  await expect(cloudOf(endless).call(describeVpcs, {})).rejects.toMatchObject({ code: "UnreadableAnswer", kind: "failed" });
  await vanished(Number(logged()[0]));
});

test("a program that goes on behind a client does not hold up its answer", async () => {
  const leaving = `const left = require("node:child_process").spawn("sleep", ["60"], { stdio: "inherit" });
    left.unref(); log(String(left.pid)); ${noVpcs}`;
  expect(await cloudOf(leaving).call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
  process.kill(Number(logged()[0]));
});

test("a call that is given up ends its client, with the reason, and those that wait do not begin", async () => {
  const cloud = cloudOf("log(String(process.pid)); setInterval(() => {}, 1000);", { most: 1 });
  const stop = new AbortController();
  const calls = Promise.allSettled([cloud.call(describeVpcs, {}, stop), cloud.call(createVpc, asked, stop)]);
  while (logged().length === 0) await sleep(20);
  const reason = new Error("enough");
  stop.abort(reason);
  const refused = { status: "rejected", reason };
  expect(await calls).toEqual([refused, refused]);
  await vanished(Number(logged()[0]));
  await expect(cloud.call(describeVpcs, {}, stop)).rejects.toThrow("enough");
  expect(logged()).toHaveLength(1);
});

test("so many clients run at the same time, and no more; closing waits for them", async () => {
  // On a busy machine, one ends before the next has begun: each goes on for 100 ms once another one runs beside it, or all have begun.
  const counted = `const signs = () => readFileSync(${JSON.stringify(join(folder, "log"))}, "utf8").trim().split("\\n");
    const begun = () => signs().filter((sign) => sign === "+").length;
    const waiting = setInterval(() => { if (2 * begun() - signs().length > 1 || begun() === 5) end(); }, 20);
    const end = () => { clearInterval(waiting); setTimeout(() => { log("-"); ${noVpcs} }, 100); };`;
  const cloud = cloudOf(`log("+"); ${counted}`, { most: 2 });
  const calls = Array.from({ length: 5 }, () =>
    cloud.transport.send({ product: "vpc", action: "DescribeVpcs", version: "", region, body: {} }),
  );
  await cloud.transport.close();
  let [now, most] = [0, 0];
  for (const sign of logged()) [now, most] = [now + (sign === "+" ? 1 : -1), Math.max(most, now + (sign === "+" ? 1 : -1))];
  expect([now, most, logged().length]).toEqual([0, 2, 10]);
  expect(await Promise.all(calls)).toHaveLength(5);
});

test("a process that ends takes its clients and its files along, and what a killed one left goes with the next call", async () => {
  const slow = client("log(String(process.pid)); setInterval(() => {}, 1000);");
  const left = join(folder, "tmp", "container-platform-call-old");
  mkdirSync(left);
  utimesSync(left, 0, 0);
  const program = `import { CliTransport } from ${JSON.stringify(join(import.meta.dirname, "cli.ts"))};
    const call = new CliTransport(${JSON.stringify(slow)}).send({ product: "vpc", action: "DescribeVpcs", version: "", region: "", body: {} });
    process.once("SIGINT", () => process.exit());`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  while (logged().length === 0) await sleep(20);
  child.kill("SIGINT");
  await exited;
  await vanished(Number(logged()[0]));
  expect(existsSync(left)).toBe(false);
});

test("the account is the one that a client tells, or not known", async () => {
  expect(await cloudOf('answer({ AccountId: "100", echo: process.argv.includes("--region") })').account()).toBe("100");
  expect(await cloudOf("console.error('client: error: argument command: Invalid choice'); process.exit(252)").account()).toBe("");
  await expect(cloudOf(refusing("[X] code:AuthFailure.SecretIdNotFound message:no key requestId:r")).account()).rejects.toMatchObject({
    kind: "unauthorized",
  });
});

const telling = `answer({ TotalCount: 0, VpcSet: [], AccountId: JSON.stringify([
  "ENDPOINT", "PROFILE", "SECRET_ID", "CREDENTIAL_PROCESS"].map((name) => process.env["CONTAINER_PLATFORM_" + name] ?? ""))})`;

test("an endpoint names a command of the PATH, or a path relative to the project", async () => {
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "Pulumi.yaml"), "");
  client(telling, "bin/one");
  vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`);
  for (const endpoint of ["cli:one", "cli:./bin/one", "cli:bin/one", `cli:${join(folder, "bin", "one")}`])
    expect((await (await connect(endpoint, { from: join(folder, "deep") })).whoAmI()).account).toBe('["","","",""]');
  writeFileSync(join(folder, "bin", "two"), "");
  const refused = async (endpoint: string, sentence: string) => {
    await expect(connect(endpoint, { from: folder })).rejects.toThrow(sentence);
  };
  await refused(
    "cli:two",
    "cli:two is no program: there is no command two on the PATH; put it there, or give its path, such as cli:./node_modules/.bin/two",
  );
  await refused("cli:bin/two", `cli:bin/two is no program: ${join(folder, "bin", "two")} cannot be executed`);
  await refused("cli:./bin", "cannot be executed");
  await refused("cli:./bin/three", "does not exist");
  await refused("cli:one; true", "there is no command one; true on the PATH");
  await refused("cli:", "cli: is no endpoint that this version reaches");
});

test("a client is told the credentials and the profile, but not that it is the endpoint itself", async () => {
  client(telling, "one");
  const told = async (options = {}) =>
    JSON.parse((await (await connect(`cli:${join(folder, "one")}`, options)).whoAmI()).account) as unknown;
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "cli:./one");
  expect(await told()).toEqual(["", "", "", ""]);
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "local");
  expect(await told({ credentials: { secretId: "AKID1", secretKey: "hush" } })).toEqual(["local", "", "AKID1", ""]);
  const program = `"${process.execPath}" -p 'JSON.stringify({ secretId: "AKID2", secretKey: "hush" })'`;
  mkdirSync(join(folder, ".container-platform"));
  writeFileSync(join(folder, ".container-platform", "credentials.yaml"), JSON.stringify({ work: { credentialProcess: program } }));
  expect(await told({ profile: "work" })).toEqual(["local", "work", "AKID2", ""]);
});

/** A program that ends, sooner or later. */
async function vanished(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}
