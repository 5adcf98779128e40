import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { searchCredentials } from "../../config/credentials.ts";
import { HttpTransport } from "../http.ts";
import { listening } from "../listening.fixture.ts";
import { publicApi } from "../../wire-format/wire-format.ts";
import type { Environment } from "./keys.ts";
import { placesAround } from "./places.ts";
import { homeWith, Vendor } from "./vendor.fixture.ts";

let vendor: Vendor;
beforeEach(async () => {
  vendor = await Vendor.started();
});
afterEach(() => vi.useRealTimers());

/** Looks for credentials on a machine of the cloud. */
async function search(environment: Environment, files: Readonly<Record<string, string>> = {}) {
  const home = homeWith({ ".container-platform/none": "", ...files });
  const around = { environment, home, shared: join(home, "etc", "credentials"), sts: vendor.address, metadata: vendor.address };
  return { home, found: await searchCredentials({ environment, profile: "default", further: placesAround(around) }) };
}

async function sourceIn(environment: Environment, files: Readonly<Record<string, string>> = {}) {
  const { found, home } = await search(environment, files);
  if (!found.taken) throw new Error(JSON.stringify(found));
  return { home, place: found.taken.place.replace(home, "~"), source: found.taken.source };
}

const keys = { TENCENTCLOUD_SECRET_ID: "AKID1", TENCENTCLOUD_SECRET_KEY: "hush-AKID1" };
const own = { CONTAINER_PLATFORM_SECRET_ID: "own", CONTAINER_PLATFORM_SECRET_KEY: "hush-own" };
const pod = (home: string) => ({
  TKE_REGION: "ap-singapore",
  TKE_PROVIDER_ID: "cls-1",
  TKE_WEB_IDENTITY_TOKEN_FILE: join(home, "token"),
  TKE_ROLE_ARN: "qcs::cam::uin/1:roleName/pod",
});
const sdkFile = { ".tencentcloud/credentials": "[default]\nsecret_id = AKID2\nsecret_key = hush-AKID2\n" };
const sdk = (content: string) => ({ ".tencentcloud/credentials": content });
const clientFile = (content: unknown, profile = "default") => ({ [`.tccli/${profile}.credential`]: JSON.stringify(content) });
const clientKeys = { secretId: "AKID3", secretKey: "hush-AKID3", token: null };

test("the first place that has credentials is taken, and each before it says why it was not", async () => {
  const everything = { ...sdkFile, ...clientFile(clientKeys) };
  const all = { ...own, ...keys, ...pod(homeWith({ token: "t" })) };
  const { found } = await search(all, everything);
  expect(found.taken?.place).toBe("the environment (CONTAINER_PLATFORM_…)");
  expect(found.passed).toEqual([]);
  expect(found.left).toHaveLength(7);

  const ids = async (environment: Environment, files: Readonly<Record<string, string>>) =>
    (await (await sourceIn(environment, files)).source()).secretId;
  expect(await ids(keys, everything)).toBe("AKID1");
  expect(await ids({}, everything)).toBe("AKID2");
  expect(await ids({}, { "etc/credentials": "[default]\nsecret_id=AKID4\nsecret_key=hush-AKID4" })).toBe("AKID4");
  expect(await ids({ TCCLI_PROFILE: "work" }, clientFile(clientKeys, "work"))).toBe("AKID3");
  expect(vendor.heard).toEqual([]);

  const last = await search({ TKE_REGION: "ap-singapore" }, clientFile({ region: "eu-frankfurt" }));
  expect(last.found.taken?.place).toBe("the role of the instance");
  expect(last.found.passed.map(({ place, lacks }) => `${place.replaceAll(last.home, "~")}: ${lacks}`)).toEqual([
    "the environment (CONTAINER_PLATFORM_…): it has no secretId and secretKey, and no credentialProcess",
    "the configuration: it has no secretId and secretKey, and no credentialProcess",
    "the profile default: it has no secretId and secretKey, and no credentialProcess",
    "the environment (TENCENTCLOUD_…): TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY are not set",
    "the file ~/.tencentcloud/credentials or ~/etc/credentials: there is none",
    "the file ~/.tccli/default.credential: it has no secretId and secretKey",
    "the identity of the pod (TKE_…): TKE_PROVIDER_ID, TKE_WEB_IDENTITY_TOKEN_FILE, TKE_ROLE_ARN are not set",
  ]);
});

test.each(["TENCENTCLOUD_TOKEN", "TENCENTCLOUD_SESSION_TOKEN"])("the token can be spelt %s", async (name) => {
  const { source } = await sourceIn({ ...keys, [name]: "t1" });
  expect(await source()).toEqual({ secretId: "AKID1", secretKey: "hush-AKID1", token: "t1" });
});

test("a file of the SDKs has sections and comments, and may be named", async () => {
  const file = '; mine\n[other]\nsecret_id = no\n[ default ]\n# secret_id = no\nsecret_id=AKID5\nsecret_key = "a=b"\ntoken = t5\n';
  const home = homeWith({ mine: file });
  const { source, place } = await sourceIn({ TENCENTCLOUD_CREDENTIALS_FILE: join(home, "mine") }, sdkFile);
  expect(place).toBe(`the file ${join(home, "mine")}`);
  expect(await source()).toEqual({ secretId: "AKID5", secretKey: "a=b", token: "t5" });
});

test.each([
  ["colons", "[default]\nsecret_id: AKID6\nsecret_key: hush:=6\n"],
  ["names in upper case", "[default]\nSECRET_ID = AKID6\nSecret_Key=hush:=6\n"],
  ["a mark of its encoding, and lines of another system", "\uFEFF[default]\r\nsecret_id = AKID6\r\nsecret_key = hush:=6\r\n"],
])("a file of the SDKs is read as the vendor's Python client reads it: %s", async (_, file) => {
  const { source, place } = await sourceIn({}, { ".tencentcloud/credentials": file, ...clientFile(clientKeys) });
  expect(place).toBe("the file ~/.tencentcloud/credentials");
  expect(await source()).toMatchObject({ secretId: "AKID6", secretKey: "hush:=6" });
});

test("an empty file of the SDKs, and one of other sections, have no credentials", async () => {
  for (const file of ["", "; none yet\n", "[other]\nsecret_id = AKID7\nsecret_key = hush\n"]) {
    const { source } = await sourceIn({}, { ".tencentcloud/credentials": file, ...clientFile(clientKeys) });
    expect(await source()).toMatchObject({ secretId: "AKID3" });
  }
});

test.each<[string, Environment, Readonly<Record<string, string>>, RegExp]>([
  [
    "a file that is named and not there",
    { TENCENTCLOUD_CREDENTIALS_FILE: "/no/such" },
    sdkFile,
    /TENCENTCLOUD_CREDENTIALS_FILE.*\/no\/such/,
  ],
  ["a file without sections", {}, sdk("secret_id = AKID2\nsecret_key = hush\n"), /credentials cannot be read: line 1 is in no section/],
  ["a file that is something else", {}, sdk("hush{{{\u0000"), /credentials cannot be read: line 1 is/],
  ["a line that is nothing", {}, sdk("[default]\nsecret_id = AKID2\nhush\n"), /cannot be read: line 3 is neither/],
  ["an option without a name", {}, sdk("[default]\n= hush\n"), /cannot be read: line 2 is neither/],
  ["two keys", {}, sdk("[default]\nsecret_id=a\nsecret_key=hush\nSECRET_KEY=hush2\n"), /line 4 sets secret_key again/],
  ["two sections", {}, sdk("[default]\nsecret_id=a\n[default]\nsecret_key=hush2\n"), /line 3 begins \[default\] again/],
  ["a folder in its place", {}, { ".tencentcloud/credentials/x": "" }, /credentials cannot be read: EISDIR/],
  ["half of a key", { TENCENTCLOUD_SECRET_KEY: "hush" }, sdkFile, /TENCENTCLOUD_…\) has a secretKey, but no secretId/],
  ["half of a key in a file", {}, { ".tencentcloud/credentials": "[default]\nsecret_key = hush" }, /has a secretKey, but no secretId/],
  ["a blank in a key", { ...keys, TENCENTCLOUD_SECRET_KEY: "hush " }, {}, /has a secretKey with a blank in it$/],
  ["two tokens", { ...keys, TENCENTCLOUD_TOKEN: "hush", TENCENTCLOUD_SESSION_TOKEN: "hush2" }, {}, /differ, and mean the same/],
  ["a file that is no JSON", {}, { ".tccli/default.credential": "hush" }, /is not a file of tccli/],
  ["a length that is none", { ...keys, TENCENTCLOUD_ROLE_ARN: "r", TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION: "1d" }, {}, /1 to 43200/],
  ["a device without its code", { ...keys, TENCENTCLOUD_ROLE_ARN: "r", TENCENTCLOUD_ASSUME_ROLE_SERIAL_NUMBER: "d" }, {}, /takes both/],
])("%s is refused, and not passed by: the message has no secret", async (_, environment, files, sentence) => {
  const failed = await search(environment, files).catch(String);
  expect(failed).toMatch(/^ConfigurationError: /);
  expect(failed).toMatch(sentence);
  expect(failed).not.toContain("hush");
});

test("a role is assumed with what is found, with an external id and a second factor", async () => {
  const { source, place } = await sourceIn({
    ...keys,
    TENCENTCLOUD_ASSUME_ROLE_ARN: "qcs::cam::uin/1:roleName/deploy",
    TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME: "nightly",
    TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION: "3600",
    TENCENTCLOUD_ASSUME_ROLE_EXTERNAL_ID: "partner",
    TENCENTCLOUD_ASSUME_ROLE_SERIAL_NUMBER: "qcs::cam:uin/1::mfa/softToken",
    TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE: "123456",
  });
  expect(place).toBe("the environment (TENCENTCLOUD_…), with the role qcs::cam::uin/1:roleName/deploy");
  expect(vendor.heard).toEqual([]);
  expect(await Promise.all([source(), source()])).toEqual(Array(2).fill({ secretId: "tmp1", secretKey: "hush-tmp1", token: "token1" }));
  expect(vendor.heard).toEqual([
    {
      path: "/",
      action: "AssumeRole",
      signedBy: "AKID1",
      token: undefined,
      body: {
        RoleArn: "qcs::cam::uin/1:roleName/deploy",
        RoleSessionName: "nightly",
        DurationSeconds: 3600,
        ExternalId: "partner",
        SerialNumber: "qcs::cam:uin/1::mfa/softToken",
        TokenCode: "123456",
      },
    },
  ]);
});

test("a profile of the vendor's client has a role, which that of the environment replaces", async () => {
  const profile = clientFile({ ...clientKeys, token: "base", "role-arn": "qcs::cam::uin/1:roleName/a", "role-session-name": "me" });
  await (await sourceIn({}, profile)).source();
  await (await sourceIn({ TENCENTCLOUD_ROLE_ARN: "qcs::cam::uin/1:roleName/b" }, profile)).source();
  expect(vendor.heard).toMatchObject([
    { signedBy: "AKID3", token: "base", body: { RoleArn: "qcs::cam::uin/1:roleName/a", RoleSessionName: "me" } },
    { signedBy: "AKID3", token: "base", body: { RoleArn: "qcs::cam::uin/1:roleName/b", RoleSessionName: "container-platform" } },
  ]);
});

test.each([{ "use-cvm-role": true }, { "use-cvm-role": "True" }, { type: "cvm-role" }])(
  "a profile of the vendor's client with %o is the instance's role",
  async (content) => {
    const { source, place } = await sourceIn({}, clientFile(content));
    expect(place).toBe("the file ~/.tccli/default.credential");
    expect(await source()).toMatchObject({ secretId: "tmp2", token: "token2" });
  },
);

test("a log-in in the browser ends, unless the vendor's client has renewed it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000_000 });
  const login = { ...clientKeys, token: "t", type: "oauth", expiresAt: 1_000_003_600 };
  const { source, home } = await sourceIn({}, clientFile(login));
  expect(await source()).toMatchObject({ token: "t" });
  vi.setSystemTime(1_000_003_601_000);
  await expect(source()).rejects.toThrow("has expired: log in again with `tccli auth login`");
  writeFileSync(join(home, ".tccli", "default.credential"), JSON.stringify({ ...login, token: "t2", expiresAt: 1_000_009_000 }));
  expect(await source()).toMatchObject({ token: "t2" });
});

test("a log-in at the vendor's portal ends, and is renewed with another command", async () => {
  const login = { ...clientKeys, token: "t", type: "sso", expiresAt: 1_000_000_000 };
  const { source } = await sourceIn({}, clientFile(login));
  await expect(source()).rejects.toThrow("has expired: log in again with `tccli sso login`");
});

test("a pod's token is exchanged, without a signature, and read anew each time", async () => {
  const home = homeWith({ token: "web1\n" });
  vi.useFakeTimers({ toFake: ["Date"] });
  const { source, place } = await sourceIn(pod(home));
  expect(place).toBe("the identity of the pod (TKE_…)");
  await source();
  writeFileSync(join(home, "token"), "web2\n");
  vi.setSystemTime(Date.now() + 7000_000);
  expect(await source()).toMatchObject({ secretId: "tmp2" });
  expect(vendor.heard.map(({ action, signedBy, body }) => [action, signedBy, body["WebIdentityToken"], body["ProviderId"]])).toEqual([
    ["AssumeRoleWithWebIdentity", "SKIP", "web1", "cls-1"],
    ["AssumeRoleWithWebIdentity", "SKIP", "web2", "cls-1"],
  ]);
});

test.each([
  ["does not exist", {}],
  ["is empty", { token: "\n" }],
])("a pod's token file that %s is told with the variable that names it", async (lacks, files) => {
  const home = homeWith({ none: "", ...files });
  const { source } = await sourceIn(pod(home));
  await expect(source()).rejects.toThrow(`TKE_WEB_IDENTITY_TOKEN_FILE names ${join(home, "token")}, which ${lacks}`);
  expect(vendor.heard).toEqual([]);
});

test("an instance's metadata is asked last, and only once until it is about to expire", async () => {
  const { source } = await sourceIn({});
  await source();
  expect(await source()).toEqual({ secretId: "tmp2", secretKey: "hush-tmp2", token: "token2" });
  expect(vendor.actions).toEqual(["/latest/meta-data/cam/security-credentials/", "/latest/meta-data/cam/security-credentials/builder"]);
});

test.each<[string, () => void, string]>([
  ["has no role", () => (vendor.role = undefined), "the instance has no role"],
  ["does not answer", () => (vendor.silent = true), "did not answer within a second"],
  ["is another page", () => (vendor.role = "<html>"), "the answer is no name of a role"],
])("metadata that %s is no place of credentials", async (_, arrange, reason) => {
  arrange();
  const { found } = await search({});
  expect(found.taken).toBeUndefined();
  expect(found.passed.at(-1)).toEqual({ place: "the role of the instance", lacks: expect.stringContaining(reason) });
});

test("temporary credentials are renewed before they end, by the clock of who gave them", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vendor.ahead = 3_600_000;
  vendor.lasts = 1000;
  const { source } = await sourceIn({ ...keys, TENCENTCLOUD_ROLE_ARN: "r" });
  const idAfter = async (seconds: number) => {
    vi.setSystemTime(Date.now() + seconds * 1000);
    return (await source()).secretId;
  };
  expect([await idAfter(0), await idAfter(890), await idAfter(15), await idAfter(600)]).toEqual(["tmp1", "tmp1", "tmp2", "tmp2"]);
});

test("a renewal that fails leaves the old ones until their end", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vendor.lasts = 1000;
  const { source } = await sourceIn({ ...keys, TENCENTCLOUD_ROLE_ARN: "r" });
  await source();
  vendor.refusal = { Code: "InternalError", Message: "later" };
  vi.setSystemTime(Date.now() + 950_000);
  expect((await source()).secretId).toBe("tmp1");
  vi.setSystemTime(Date.now() + 60_000);
  await expect(source()).rejects.toMatchObject({ name: "PlatformError", kind: "unsent", code: "InternalError" });
});

test("a code of a second factor is not sent twice", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vendor.lasts = 1000;
  const mfa = { TENCENTCLOUD_ASSUME_ROLE_SERIAL_NUMBER: "d", TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE: "123456" };
  const { source } = await sourceIn({ ...keys, ...mfa, TENCENTCLOUD_ROLE_ARN: "r" });
  await source();
  vi.setSystemTime(Date.now() + 950_000);
  expect((await source()).secretId).toBe("tmp1");
  vi.setSystemTime(Date.now() + 60_000);
  await expect(source()).rejects.toThrow("set a new TENCENTCLOUD_ASSUME_ROLE_TOKEN_CODE");
  expect(vendor.actions).toEqual(["AssumeRole"]);
});

test("a role that is refused is a failure of the configuration, never of the call", async () => {
  const { source } = await sourceIn({ ...keys, TENCENTCLOUD_ROLE_ARN: "r" });
  vendor.refusal = { Code: "ResourceNotFound.RoleNotFound", Message: "role not exist" };
  const failed = await source().catch(String);
  expect(failed).toBe(
    "ConfigurationError: no temporary credentials: AssumeRole of sts: role not exist (ResourceNotFound.RoleNotFound, request r-1)",
  );
});

test("what a refusal repeats of the proof for a role is not told", async () => {
  const home = homeWith({ token: "hush-web-token\n" });
  const { source } = await sourceIn(pod(home));
  vendor.refusal = { Code: "InvalidParameter.WebIdentityTokenError", Message: "hush-web-token has expired" };
  const failed = await source().catch(String);
  expect(failed).toContain("AssumeRoleWithWebIdentity of sts: [secret] has expired");
  expect(failed).not.toContain("hush");
});

test("calls of one long run are signed with renewed credentials", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vendor.lasts = 1000;
  const signers: unknown[] = [];
  const url = await listening((request, response) => {
    signers.push(request.headers["x-tc-token"]);
    response.end(JSON.stringify({ Response: { RequestId: "r" } }));
  });
  const { source } = await sourceIn({});
  const transport = new HttpTransport(new URL(url), source, { wireFormat: publicApi });
  onTestFinished(() => transport.close());
  for (const seconds of [0, 600, 600, 950]) {
    vi.setSystemTime(Date.now() + seconds * 1000);
    await transport.send({ product: "vpc", action: "DescribeVpcs", version: "2017-03-12", region: "eu-frankfurt", body: {} });
  }
  expect(signers).toEqual(["token2", "token2", "token4", "token6"]);
});
