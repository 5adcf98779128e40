import { mkdirSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { catalogue } from "../catalogue/every-operation.ts";
import { createInstance, createNamespace } from "../catalogue/registry.ts";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { accessKeyOf, putAccessKey, putSubAccount } from "../local/accounts/accounts.ts";
import { Faults } from "../local/faults/faults.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { serve } from "../server/server.ts";
import { type Ended, keyIn, ownWorld, User } from "./user.fixture.ts";

const region = "eu-frankfurt";

function stage() {
  const user = new User(ownWorld);
  const world = World.open(user.at("world.db"), { timeScale: "instant", seed: "options" });
  onTestFinished(() => world.close());
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const run = (...args: readonly string[]) => user.run(...args);
  const read = (input: string, ...args: readonly string[]) => user.runWith(input, ...args);
  return { user, world, cloud, run, read, faults: new Faults(world) };
}

async function served(world: World): Promise<string> {
  const server = await serve(world);
  onTestFinished(() => server.close());
  return server.url;
}

const done = (stdout: string): Ended => ({ code: 0, stdout, stderr: "" });

test("--version alone is the client's, with a date that of the action", async () => {
  const { user, run } = stage();
  expect(await user.runAlone(["--version"])).toEqual(done("0.1.0\n"));
  for (const words of [["cluster"], ["cluster", "DescribeClusters"], ["nothing"]])
    expect(await run(...words, "--version")).toEqual(done("0.1.0\n"));
  const nodes = ["cluster", "DescribeClusterInstances", "--ClusterId", "cls-1"];
  // The older version is the usual one; only the newer one takes SortBy.
  expect((await run(...nodes, "--SortBy", '{"FieldName":"CreatedTime","OrderType":"asc"}')).stderr).toContain("Unknown options: --SortBy");
  const newer = await run(...nodes, "--version", "2022-05-01", "--SortBy", '{"FieldName":"CreatedTime","OrderType":"asc"}');
  expect([newer.code, newer.stderr]).toEqual([254, expect.stringContaining("code:ResourceNotFound")]);
  expect(await run(...nodes, "--version", "2020-01-01")).toMatchObject({
    code: 252,
    stderr: "cpcli: DescribeClusterInstances has no version 2020-01-01; there is 2018-05-25, 2022-05-01\n",
  });
});

test("--region is that of the call, and a skeleton makes none", async () => {
  const { cloud, run } = stage();
  await cloud.call(createVpc, { vpcName: "net", cidrBlock: "10.0.0.0/16" });
  const names = (...args: readonly string[]) => run(...args, "vpc", "DescribeVpcs", "--filter", "VpcSet[].{Name: VpcName}");
  expect(JSON.parse((await names()).stdout)).toEqual([{ Name: "net" }]);
  expect(JSON.parse((await names("--region", "ap-singapore")).stdout)).toEqual([]);
  const skeleton = async (...call: readonly string[]): Promise<unknown> =>
    JSON.parse((await run(...call, "--generate-cli-skeleton")).stdout);
  const [text, Tags] = ["String", [{ Key: "String", Value: "String" }]];
  expect(await skeleton("vpc", "CreateVpc")).toMatchObject({ VpcName: text, CidrBlock: text, Tags });
  expect(await skeleton("cluster", "RotateClusterToken")).toEqual({});
  expect((await cloud.call(describeVpcs, {})).totalCount).toBe(1);
});

test("--all asks for all pages, however a list is paged", async () => {
  const { cloud, run } = stage();
  for (const second of [0, 1, 2]) await cloud.call(createVpc, { vpcName: `net-${second}`, cidrBlock: `10.${second}.0.0/16` });
  const { registryId } = await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  for (const namespaceName of ["one", "two", "three"]) await cloud.call(createNamespace, { registryId, namespaceName, isPublic: false });
  const text = ["--all", "--output", "text", "--filter"];
  const names = await run("vpc", "DescribeVpcs", "--Limit", "2", ...text, "[TotalCount, length(VpcSet[].VpcName), NextToken]");
  expect(names).toEqual(done("3\t3\tNone\n"));
  const later = await run("vpc", "DescribeVpcs", "--Offset", "1", "--Limit", "1", ...text, "length(VpcSet)");
  expect(later).toEqual(done("2\n"));
  const spaces = await run("registry", "DescribeNamespaces", "--RegistryId", registryId, "--Limit", "2", ...text, "length(NamespaceList)");
  expect(spaces).toEqual(done("3\n"));
  const window = ["--StartTime", "0", "--EndTime", "4000000000", "--MaxResults", "2"];
  const events = await run("audit", "LookUpEvents", ...window, ...text, "[length(Events[?EventName=='CreateVpc']), NextToken]");
  expect(events).toEqual(done("3\tNone\n"));
  expect(await run("compute", "DescribeZones", "--all")).toMatchObject({
    code: 252,
    stderr: "cpcli: DescribeZones does not answer page by page: leave --all out\n",
  });
});

test("options count more than the environment, and that more than the profile", async () => {
  const { user, world, run } = stage();
  const url = await served(world);
  const keyOf = async (name: string) => putAccessKey(world, { uin: await putSubAccount(world, { name, allow: ["*"] }) });
  const [inProfile, inOther] = [await keyOf("one"), await keyOf("two")];
  const [inEnvironment, inOptions] = [await keyOf("three"), await keyOf("four")];
  mkdirSync(user.at(".container-platform"));
  const profile = ({ secretId, secretKey }: typeof inOptions) => ({ endpoint: url, region, secretId, secretKey });
  const profiles = { default: profile(inProfile), other: profile(inOther) };
  writeFileSync(user.at(".container-platform", "credentials.yaml"), JSON.stringify(profiles));
  const uinOf = async (environment: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const asked = ["identity", "GetCallerIdentity", "--filter", "UserId", "--output", "text", ...args];
    Object.assign(user.env, { CONTAINER_PLATFORM_ENDPOINT: "", CONTAINER_PLATFORM_REGION: "", ...environment });
    const { stdout } = await run(...asked);
    for (const name of Object.keys(environment)) Reflect.deleteProperty(user.env, name);
    return stdout.trim();
  };
  const environment = keyIn(inEnvironment);
  const called = async (stdout: Promise<string>) => world.prepare("SELECT name FROM accounts WHERE uin = ?").get(await stdout)?.["name"];
  expect(await called(uinOf({}))).toBe("one");
  expect(await called(uinOf({ CONTAINER_PLATFORM_PROFILE: "other" }))).toBe("two");
  expect(await called(uinOf(environment))).toBe("three");
  expect(await called(uinOf(environment, "--profile", "other"))).toBe("two");
  expect(await called(uinOf(environment, "--secretId", inOptions.secretId, "--secretKey", inOptions.secretKey))).toBe("four");
  expect(await uinOf(environment, "--endpoint", `local:${user.at("world.db")}`)).toBe(world.account);
});

test("a secret on the command line works and is warned of once; neither the trace nor an error shows it", async () => {
  const { user, world, run } = stage();
  const { secretId, secretKey } = accessKeyOf(world);
  const keys = ["--endpoint", await served(world), "--secretId", secretId, "--secretKey", secretKey];
  const login = JSON.stringify({ Password: "hush-1" });
  const nodes = ["cluster", "AddExistedInstances", "--ClusterId", "cls-1", "--InstanceIds", '["ins-1"]', "--LoginSettings", login];
  const { code, stderr } = await run(...nodes, ...keys, "--debug");
  expect(code).toBe(254);
  expect(stderr.match(/warning: a secret on the command line/g)).toHaveLength(1);
  expect(stderr).toContain('"LoginSettings":{"Password":"[secret]"}');
  expect(stderr).toMatch(/debug: > cluster AddExistedInstances 2018-05-25 in eu-frankfurt: \{"ClusterId":"cls-1"/);
  expect(stderr).toMatch(/debug: < [0-9a-f-]{36} after \d+ ms: ResourceNotFound: /);
  for (const secret of ["hush-1", secretKey]) expect(stderr).not.toContain(secret);
  const input = { ClusterId: "cls-1", InstanceIds: ["ins-1"], LoginSettings: { Password: "hush-2" } };
  writeFileSync(user.at("input.json"), JSON.stringify(input));
  const quiet = await run("cluster", "AddExistedInstances", "--cli-input-json", "file://input.json");
  expect(quiet.stderr).not.toMatch(/warning|hush-2/);
});

test("a filter shows what was asked for, a secret too, as it is", async () => {
  const { cloud, run } = stage();
  const { registryId } = await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  const asked = ["registry", "CreateInstanceToken", "--RegistryId", registryId, "--filter", "Token", "--output", "text", "--debug"];
  const { stdout, code } = await run(...asked);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[^\s"]{20,}\n$/)]);
});

test("--timeout ends the wait for an answer, and --retries says how often a call is made again", async () => {
  const { user, world, faults, run } = stage();
  const overHttp = { CONTAINER_PLATFORM_ENDPOINT: await served(world), ...keyIn(accessKeyOf(world)) };
  faults.add({ operation: describeVpcs, times: 2, delay: 20_000 });
  for (const environment of [{}, overHttp]) {
    Object.assign(user.env, environment);
    const { code, stderr } = await run("vpc", "DescribeVpcs", "--timeout", "0.5", "--retries", "0");
    expect([code, stderr]).toEqual([
      255,
      expect.stringMatching(/^cpcli: \[PlatformError\] code:NoAnswer message:there was no answer within 0\.5 s requestId:none\n/),
    ]);
  }
  faults.add({ operation: describeVpcs, times: 2, when: "before", code: "RequestLimitExceeded" });
  const refused = await run("vpc", "DescribeVpcs", "--retries", "0");
  expect([refused.code, refused.stderr]).toEqual([254, expect.stringContaining("code:RequestLimitExceeded")]);
  expect((await run("vpc", "DescribeVpcs", "--retries", "1")).code).toBe(0);
});

test("the ways of giving parameters can be mixed; options count more than the file, and what is not offered is left out", async () => {
  const { run, read } = stage();
  const file = { GroupName: "from-file", GroupDescription: null, Tags: [{ Key: "a", Value: "b", Colour: "red" }], Other: 1 };
  const asked = ["vpc", "CreateSecurityGroup", "--cli-unfold-argument", "--cli-input-json", "file://-", "--GroupDescription=--x"];
  const fields = ["--filter", "SecurityGroup.[GroupName, GroupDescription, TagSet[0].Value]"];
  const made = await read(`\uFEFF${JSON.stringify(file)}`, ...asked, ...fields);
  expect(JSON.parse(made.stdout)).toEqual(["from-file", "--x", "b"]);
  expect(made.stderr).toBe("cpcli: --cli-input-json: left out what the client does not offer: Tags.0.Colour, Other\n");
  const given = ["--GroupName", "given", "--Tags.0.Key", "c", "--Tags.0.Value", "d"];
  const renamed = await read(JSON.stringify(file), ...asked, ...given, ...fields);
  expect(JSON.parse(renamed.stdout)).toEqual(["given", "--x", "d"]);
  for (const [parts, says] of [
    [["--Tags", "[]", "--Tags.0.Key", "a"], "cpcli: --Tags and --Tags.0.Key give the same parameter\n"],
    [["--Tags.0.Key", "a", "--Tags", "[]"], "cpcli: --Tags and --Tags.0.Key give the same parameter\n"],
    [["--GroupName", "a", "--GroupName", "b"], "cpcli: --GroupName is given twice\n"],
    [["--GroupName"], "cpcli: argument --GroupName: expected one argument\n"],
    [["--GroupName", "a", "b"], "cpcli: argument --GroupName: expected one argument, not 2\n"],
    [["--Tags.00.Key", "a"], "cpcli: Unknown options: --Tags.00.Key\n"],
  ] as const) {
    const { code, stderr } = await run("vpc", "CreateSecurityGroup", "--cli-unfold-argument", ...parts);
    expect([code, stderr]).toEqual([252, expect.stringContaining(says)]);
  }
});

test.each([
  ["input.json", "", /^cpcli: --cli-input-json takes file:\/\/<path>, or file:\/\/- /],
  ["file://missing.json", "", /^cpcli: --cli-input-json: missing\.json cannot be read: ENOENT/],
  ["file://-", '["hush"]', /^cpcli: --cli-input-json: - holds no JSON object\n--generate-cli-skeleton /],
  ["file://-", "{hush", /^cpcli: --cli-input-json: - holds no JSON object\n/],
])("an input file that cannot be used: %s %s", async (file, input, says) => {
  const { code, stdout, stderr } = await stage().read(input, "vpc", "CreateVpc", "--cli-input-json", file);
  expect([code, stdout]).toEqual([252, ""]);
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain("hush");
});

test("what a file holds is sent as it is: the platform refuses a skeleton that was not filled in", async () => {
  const { run, read } = stage();
  for (const call of ["vpc CreateVpc", "registry CreateNamespace", "cluster DescribeClusters"]) {
    const skeleton = (await run(...call.split(" "), "--generate-cli-skeleton")).stdout;
    const { code, stderr } = await read(skeleton, ...call.split(" "), "--cli-input-json", "file://-");
    expect([code, stderr]).toEqual([254, expect.stringMatching(/code:InvalidParameter(\.\w+)? /)]);
  }
  const { code, stderr } = await read("{}", "vpc", "CreateVpc", "--cli-input-json", "file://-");
  expect([code, stderr]).toEqual([254, expect.stringContaining("code:MissingParameter")]);
});

test("a filter that does not suit the answer says that the call was made", async () => {
  const { run, cloud } = stage();
  const { code, stdout, stderr } = await run("vpc", "CreateVpc", "--VpcName", "a", "--CidrBlock", "10.0.0.0/16", "--filter", "abs(Vpc)");
  expect([code, stdout]).toEqual([255, ""]);
  expect(stderr).toMatch(/^cpcli: Invalid jmespath expression: [^]*\nCreateVpc was carried out: request [0-9a-f-]{36}\n$/);
  expect((await cloud.call(describeVpcs, {})).totalCount).toBe(1);
});

test("cpcli list tells every operation, as lines and as data", async () => {
  const { run } = stage();
  // A line for each, and the empty text after the last line end.
  expect((await run("list")).stdout.split("\n")).toHaveLength(catalogue.length + 1);
  expect((await run("list", "compute")).stdout).toMatch(/^compute +DescribeInstances +2017-03-12 +public-api +Lists instances\.\n/);
  const { stdout } = await run("list", "audit", "--output", "json");
  expect(JSON.parse(stdout)).toEqual([{ product: "audit", action: "LookUpEvents", version: "2019-03-19", source: "specification" }]);
});
