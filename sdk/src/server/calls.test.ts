import { expect, test } from "vitest";
import { lookUpEvents } from "../catalogue/audit.ts";
import { describeVpcs } from "../catalogue/vpc.ts";
import { putAccessKey, putSubAccount, setAccessKey } from "../local/accounts/accounts.ts";
import { publicApi } from "../wire-format/wire-format.ts";
import { sent, signedCall, stage } from "./stage.fixture.ts";

const refusal = (code: string, message: unknown = expect.any(String)) => ({
  status: 200,
  type: "application/json",
  answer: { Response: { Error: { Code: code, Message: message }, RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
});
const success = {
  status: 200,
  type: "application/json",
  answer: { Response: { TotalCount: 0, VpcSet: [], RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
};

async function start() {
  const at = await stage();
  return { ...at, call: (given = {}) => signedCall(at.url, { ...at.key, ...given }) };
}

test("a signed call is answered in the documented form", async () => {
  const { url, call } = await start();
  expect(await sent(url, call())).toEqual(success);
  expect(await sent(url, call({ headers: { "content-type": "application/json; charset=utf-8" } }))).toEqual(success);
});

test("a call that was changed after it was signed is refused", async () => {
  const { url, call } = await start();
  const right = call();
  const changed = (headers: Record<string, string>) => ({ ...right, headers: { ...right.headers, ...headers } });
  const now = Math.floor(Date.now() / 1000);
  const wrong = refusal("AuthFailure.SignatureFailure");
  expect(await sent(url, { ...right, body: '{"Limit": "1"}' })).toEqual(wrong);
  expect(await sent(url, changed({ "x-cp-action": "DescribeSubnets" }))).toEqual(wrong);
  expect(await sent(url, changed({ "x-cp-region": "ap-singapore" }))).toEqual(wrong);
  expect(await sent(url, changed({ "content-type": "application/json; charset=utf-8" }))).toEqual(wrong);
  expect(await sent(url, changed({ "x-cp-timestamp": String(now - 1) }))).toEqual(wrong);
  expect(await sent(url, changed({ "x-cp-timestamp": String(now - 301) }))).toEqual(refusal("AuthFailure.SignatureExpire"));
  expect(await sent(url, changed({ "x-cp-timestamp": "now" }))).toEqual(refusal("MissingParameter"));
  const { authorization } = right.headers;
  const last = authorization.endsWith("0") ? "1" : "0";
  expect(await sent(url, changed({ authorization: authorization.slice(0, -1) + last }))).toEqual(wrong);
  expect(await sent(url, changed({ authorization: authorization.replace("/vpc/", "/compute/") }))).toEqual(wrong);
});

type Given = Omit<Parameters<typeof signedCall>[1], "secretId" | "secretKey">;

const uncovered = (header: string) => refusal("AuthFailure.SignatureFailure", `the signature does not cover ${header}`);
const expired = refusal("AuthFailure.SignatureExpire");
const noObject = refusal("InvalidParameter", "the body is not an object of JSON");
const noParameter = refusal("InvalidParameter", "DescribeVpcs has no parameter __proto__, constructor");
const noProduct = refusal("InvalidAction", "no product has the action Nothing of the version 2017-03-12");
const ambiguous =
  "the signature is of 127, which is no product, and compute, registry have the action DescribeInstances: sign with the product's name";
const seconds = (off: number) => Math.floor(Date.now() / 1000) + off;

test.each<[what: string, given: () => Given & { readonly secretId?: string; readonly secretKey?: string }, answer: object]>([
  ["a signature without the action", () => ({ signed: ["content-type", "host", "x-cp-version", "x-cp-region"] }), uncovered("x-cp-action")],
  ["a signature without the host", () => ({ signed: ["content-type"] }), uncovered("host")],
  ["a timestamp almost five minutes ago", () => ({ timestamp: seconds(-290) }), success],
  ["a timestamp almost five minutes ahead", () => ({ timestamp: seconds(290) }), success],
  ["a timestamp more than five minutes ago", () => ({ timestamp: seconds(-310) }), expired],
  ["a timestamp more than five minutes ahead", () => ({ timestamp: seconds(310) }), expired],
  ["an unknown key", () => ({ secretId: "AKID0" }), refusal("AuthFailure.SecretIdNotFound", "there is no access key AKID0")],
  ["a wrong secret", () => ({ secretKey: "other" }), refusal("AuthFailure.SignatureFailure")],
  ["a token for a key without one", () => ({ headers: { "x-cp-token": "some" } }), refusal("AuthFailure.TokenFailure")],
  ["no body", () => ({ body: "" }), noObject],
  ["a list", () => ({ body: "[]" }), noObject],
  ["null", () => ({ body: "null" }), noObject],
  ["a number", () => ({ body: "7" }), noObject],
  ["an object without an end", () => ({ body: "{" }), noObject],
  ["an object with two ends", () => ({ body: '{"a":1}}' }), noObject],
  ["a list without an end, 100,000 deep", () => ({ body: "[".repeat(100_000) }), noObject],
  ["an object 100 deep", () => ({ body: '{"a":'.repeat(100) + "1" + "}".repeat(100) }), noObject],
  ["parameters named as JavaScript's own", () => ({ body: '{"__proto__": {"Limit": "1"}, "constructor": 1}' }), noParameter],
  ["an action named as JavaScript's own", () => ({ action: "__proto__" }), refusal("InvalidAction")],
  ["no action", () => ({ action: "" }), refusal("MissingParameter", "x-cp-action is required")],
  ["an unknown action", () => ({ action: "DescribeVpc" }), refusal("InvalidAction", "vpc has no action DescribeVpc")],
  ["another version", () => ({ headers: { "x-cp-version": "2018-05-25" } }), refusal("NoSuchVersion")],
  ["no region", () => ({ headers: { "x-cp-region": "" } }), refusal("MissingParameter", "Region is required")],
  ["an unknown product", () => ({ product: "nothing", action: "Nothing" }), noProduct],
  ["another type of content", () => ({ headers: { "content-type": "text/plain" } }), refusal("UnsupportedProtocol")],
  ["no product, but the action and version of one", () => ({ product: "127" }), success],
  ["no product and no version, but the action of one", () => ({ product: "127", headers: { "x-cp-version": "" } }), success],
  [
    "no product and no version, and the action of two",
    () => ({ product: "127", action: "DescribeInstances", headers: { "x-cp-version": "" } }),
    refusal("InvalidAction", ambiguous),
  ],
])("a call with %s is answered, or refused with the reason", async (_, given, answer) => {
  const { url, call } = await start();
  expect(await sent(url, call(given()))).toEqual(answer);
});

test("the world's clock does not count for signatures", async () => {
  const { url, call, world } = await start();
  world.advance(365 * 24 * 3_600_000);
  world.freeze();
  expect(await sent(url, call())).toEqual(success);
});

test("a disabled key is refused", async () => {
  const { url, call, world, key } = await start();
  await setAccessKey(world, key.secretId, { disabled: true });
  expect(await sent(url, call())).toEqual(refusal("AuthFailure.SecretIdNotFound", `the access key ${key.secretId} is disabled`));
});

test("a temporary key is valid with its token, until it expires by the world's clock", async () => {
  const { url, call, world } = await start();
  const temporary = await putAccessKey(world, { temporary: true, expiresAt: world.now() + 3_600_000 });
  const headers = { "x-cp-token": temporary.token };
  expect(await sent(url, call({ ...temporary, headers }))).toEqual(success);
  expect(await sent(url, call(temporary))).toEqual(refusal("AuthFailure.TokenFailure"));
  world.advance(3_600_000);
  expect(await sent(url, call({ ...temporary, headers }))).toEqual(
    refusal("AuthFailure.TokenFailure", `the access key ${temporary.secretId} has expired`),
  );
});

test.each(["", "Basic abc", "CP3-HMAC-SHA256 Credential=x", "CP3-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=__proto__, Signature=0"])(
  "the authorization %j is refused",
  async (authorization) => {
    const { url, call } = await start();
    const { headers, body } = call();
    expect(await sent(url, { headers: { ...headers, authorization }, body })).toEqual(refusal("AuthFailure.InvalidAuthorization"));
  },
);

test("the public API's wire format is understood: its names, fewer signed headers, a host without its port", async () => {
  const { url, key } = await start();
  const plain = { wireFormat: publicApi, headers: { host: new URL(url).hostname }, signed: ["content-type", "host"] };
  expect(await sent(url, signedCall(url, { ...key, ...plain }))).toEqual(success);
  const zones = { ...plain, product: "cvm", action: "DescribeZones" };
  expect(await sent(url, signedCall(url, { ...key, ...zones }))).toMatchObject({ answer: { Response: { TotalCount: 4 } } });
});

test("a client of the public API may leave the body out of the signature, if it says so", async () => {
  const { url, key } = await start();
  const unsigned = "UNSIGNED-PAYLOAD";
  const callOf = (header: string) =>
    signedCall(url, { ...key, wireFormat: publicApi, headers: { [header]: unsigned }, signed: ["content-type", "host"], body: unsigned });
  expect(await sent(url, { ...callOf("x-tc-content-sha256"), body: '{"Limit": "1"}' })).toEqual(success);
  expect(await sent(url, { ...callOf("x-tc-other"), body: "{}" })).toEqual(refusal("AuthFailure.SignatureFailure"));
  const neutral = signedCall(url, { ...key, headers: { "x-cp-content-sha256": unsigned }, body: unsigned });
  expect(await sent(url, { ...neutral, body: "{}" })).toEqual(refusal("AuthFailure.SignatureFailure"));
});

test.each(["HmacSHA1", "HmacSHA256"])(
  "the public API's older way of signing, %s, is refused, and what to sign with is said",
  async (method) => {
    const { url } = await start();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ Action: "DescribeVpcs", SecretId: "a", SignatureMethod: method, Signature: "hush" }).toString();
    const reason = `the call is signed with ${method}; clients of the public API have to sign with TC3-HMAC-SHA256: set their signMethod to that`;
    expect(await sent(url, { headers, body })).toEqual(refusal("AuthFailure.InvalidAuthorization", reason));
  },
);

test("other methods and paths are answered with what a call is", async () => {
  const { url } = await start();
  const got = await fetch(url);
  expect([got.status, await got.json()]).toEqual([200, refusal("UnsupportedProtocol").answer]);
  const elsewhere = await fetch(`${url}/somewhere`, { method: "POST", body: "{}" });
  expect([elsewhere.status, await elsewhere.text()]).toEqual([404, "a call is a POST of /\n"]);
});

test("calls that are refused before they are carried out are in the audit log of their key's account", async () => {
  const { url, call, world, cloudWith, key } = await start();
  const uin = await putSubAccount(world, { name: "user", allow: ["vpc:*"] });
  const other = await putAccessKey(world, { uin });
  await sent(url, call({ ...other, secretKey: "wrong" }));
  await sent(url, call({ secretId: "AKID0" }));
  await sent(url, call({ ...other, body: "[]" }));
  await sent(url, call(other));
  const cloud = await cloudWith(key);
  const now = Math.floor(Date.now() / 1000);
  const { events } = await cloud.call(lookUpEvents, { startTime: now - 60, endTime: now + 60 });
  expect(events.map(({ eventName, username, apiErrorCode }) => [eventName, username, apiErrorCode])).toEqual([
    ["DescribeVpcs", "user", ""],
    ["DescribeVpcs", "user", "InvalidParameter"],
    ["DescribeVpcs", "user", "AuthFailure.SignatureFailure"],
  ]);
});

test("an error of the platform itself is reported to the server's owner, and the server goes on", async () => {
  const mistakes: unknown[] = [];
  const { world, server, cloudWith } = await stage({ report: (mistake) => mistakes.push(mistake) });
  const cloud = await cloudWith();
  world.prepare("INSERT INTO vpcs (id, account, region, parent, data) VALUES ('vpc-1', ?, 'eu-frankfurt', '', '{}')").run(world.account);
  await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ code: "InternalError", kind: "transient" });
  expect(mistakes).toHaveLength(1);
  world.prepare("DELETE FROM vpcs").run();
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});
