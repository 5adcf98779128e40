import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { served } from "../server/stage.fixture.ts";
import { keyIn, ownWorld, User } from "./user.fixture.ts";

/** A user whose environment has a key of the public API's clients. Nobody listens at the proxy: no call leaves this machine. */
const vendorUser = (environment: Readonly<Record<string, string>> = { HTTPS_PROXY: "http://127.0.0.1:9" }) =>
  new User({ ...environment, TENCENTCLOUD_SECRET_ID: "AKID1", TENCENTCLOUD_SECRET_KEY: "hush" });
const told = (user: User, endpoint: string) => user.run("whoami", "--endpoint", endpoint, "--region", "ap-singapore", "--retries", "0");

test("it tells the platform, the place of the credentials, why others were not taken, and the account", async () => {
  const { world, url, key } = await served();
  const user = vendorUser({ CONTAINER_PLATFORM_ENDPOINT: url });
  mkdirSync(user.at(".container-platform"));
  writeFileSync(user.at(".container-platform", "credentials.yaml"), JSON.stringify({ default: key }));
  const { code, stdout, stderr } = await user.run("whoami");
  expect([code, stderr]).toEqual([0, ""]);
  // Keys of the public API's clients are for its own hosts: they are not even named here.
  expect(stdout).toBe(`endpoint       ${url} (CONTAINER_PLATFORM_ENDPOINT)
region         none
credentials    the profile default
not taken      the environment (CONTAINER_PLATFORM_…): it has no secretId and secretKey, and no credentialProcess
not taken      the configuration: it has no secretId and secretKey, and no credentialProcess
account        ${world.account}
caller         ${world.account}
`);
  Object.assign(user.env, keyIn());
  const unused = (option: string) => `not taken      the environment (CONTAINER_PLATFORM_…): ${option} is given, and wins over it\n`;
  const ofProfile = await user.run("whoami", "--profile", "default");
  expect(ofProfile.stdout).toContain(`credentials    the profile default (--profile)\n${unused("--profile")}account `);
  const ofOptions = await user.run("whoami", "--secretId", "a", "--secretKey", "b");
  const place = "the command line (--secretId and --secretKey)";
  expect(ofOptions.stdout).toContain(`credentials    ${place}\n${unused("--secretId")}not looked at  the profile default\n`);
  expect(ofOptions.stderr).toContain(`it was signed with the keys of ${place} `);
});

test("at the public API's own hosts, it tells the places of that API's clients, too, and no secret", async () => {
  const user = vendorUser();
  const { code, stdout, stderr } = await told(user, "public");
  expect(stdout).toBe(`endpoint       public (--endpoint)
region         ap-singapore
credentials    the environment (TENCENTCLOUD_…)
not taken      the environment (CONTAINER_PLATFORM_…): it has no secretId and secretKey, and no credentialProcess
not taken      the configuration: it has no secretId and secretKey, and no credentialProcess
not taken      the profile default: it has no secretId and secretKey, and no credentialProcess
not looked at  the file ${user.at(".tencentcloud", "credentials")} or /etc/tencentcloud/credentials
not looked at  the file ${user.at(".tccli", "default.credential")}
not looked at  the identity of the pod (TKE_…)
not looked at  the role of the instance
`);
  expect(code).toBe(255);
  expect(stderr).toContain("there is no connection to sts.tencentcloudapi.com");
  expect(stderr).not.toContain("hush");
});

test.each(["public:internal.example.com", "public:http://127.0.0.1:9"])(
  "at %s, the keys of the public API's clients are not used, which is said",
  async (endpoint) => {
    const { code, stdout, stderr } = await told(vendorUser(), endpoint);
    const lacks = `its keys sign calls of tencentcloudapi.com alone, not of ${endpoint}: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY if they are meant for it`;
    expect(stdout).toContain(`not taken      the environment (TENCENTCLOUD_…): ${lacks}\n`);
    expect([code, stderr]).toEqual([253, expect.stringContaining(`- the environment (TENCENTCLOUD_…): ${lacks}\n`)]);
    expect(stdout + stderr).not.toContain("hush");
  },
);

test("where no project says which world is meant by local, the file is named", async () => {
  const user = new User({ CONTAINER_PLATFORM_ENDPOINT: "local", CONTAINER_PLATFORM_REGION: "eu-frankfurt" });
  const file = user.at(".local", "state", "container-platform", "world.db");
  expect(await user.run("vpc", "DescribeVpcs")).toMatchObject({ code: 0, stderr: `cpcli: no Pulumi.yaml here or above: using ${file}\n` });
  writeFileSync(user.at("Pulumi.yaml"), "name: mine\nruntime: nodejs\n");
  expect(await user.run("vpc", "DescribeVpcs")).toMatchObject({ code: 0, stderr: "" });
});

test("keys that are given beside a local endpoint are not used, which is said", async () => {
  const user = new User(ownWorld);
  const { stdout, stderr } = await user.run("whoami");
  expect(stderr).toBe("");
  expect(stdout).toContain("credentials    none: calls of this endpoint are not signed\n");
  const given = await user.run("vpc", "DescribeVpcs", "--secretId", "AKID1", "--secretKey", "hush");
  expect(given.code).toBe(0);
  expect(given.stderr).toContain("cpcli: warning: the credentials of --secretId and --secretKey are not used: calls of a local endpoint");
  Object.assign(user.env, keyIn());
  expect((await user.run("vpc", "DescribeVpcs")).stderr).toBe(
    "cpcli: warning: the credentials of the environment (CONTAINER_PLATFORM_…) are not used: calls of a local endpoint are not signed, and are made by its first account; `cpcli serve` checks them\n",
  );
});
