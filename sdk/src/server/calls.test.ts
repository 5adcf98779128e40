import { expect, test } from "vitest";
import { lookUpEvents } from "../catalogue/audit.ts";
import { describeVpcs } from "../catalogue/vpc.ts";
import { accessKeyOf, putAccessKey, putSubAccount, setAccessKey } from "../local/accounts/accounts.ts";
import { Faults } from "../local/faults/faults.ts";
import { publicApi } from "../dialect/dialect.ts";
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
  const { url } = at.server;
  const key = accessKeyOf(at.world);
  return { ...at, url, key, call: (given = {}) => signedCall(url, { ...key, ...given }) };
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

test("a signature has to cover the host and the headers that define the call", async () => {
  const { url, call } = await start();
  const signed = ["content-type", "host", "x-cp-version", "x-cp-region"];
  expect(await sent(url, call({ signed }))).toEqual(refusal("AuthFailure.SignatureFailure", "the signature does not cover x-cp-action"));
  expect(await sent(url, call({ signed: ["content-type"] }))).toEqual(
    refusal("AuthFailure.SignatureFailure", "the signature does not cover host"),
  );
});

test("a timestamp may be five minutes off, either way", async () => {
  const { url, call } = await start();
  const now = Math.floor(Date.now() / 1000);
  expect(await sent(url, call({ timestamp: now - 290 }))).toEqual(success);
  expect(await sent(url, call({ timestamp: now + 290 }))).toEqual(success);
  expect(await sent(url, call({ timestamp: now - 310 }))).toEqual(refusal("AuthFailure.SignatureExpire"));
  expect(await sent(url, call({ timestamp: now + 310 }))).toEqual(refusal("AuthFailure.SignatureExpire"));
});

test("the world's clock does not count for signatures", async () => {
  const { url, call, world } = await start();
  world.advance(365 * 24 * 3_600_000);
  world.freeze();
  expect(await sent(url, call())).toEqual(success);
});

test("an unknown or disabled key, a wrong secret and a wrong token are refused", async () => {
  const { url, call, world, key } = await start();
  const unknown = refusal("AuthFailure.SecretIdNotFound", "there is no access key AKID0");
  expect(await sent(url, call({ secretId: "AKID0" }))).toEqual(unknown);
  expect(await sent(url, call({ secretKey: "other" }))).toEqual(refusal("AuthFailure.SignatureFailure"));
  expect(await sent(url, call({ headers: { "x-cp-token": "some" } }))).toEqual(refusal("AuthFailure.TokenFailure"));
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

test.each(["", "[]", "null", "7", "{", '{"a":1}}', "[".repeat(100_000), '{"a":'.repeat(100) + "1" + "}".repeat(100)])(
  "the body %.20j is refused",
  async (body) => {
    const { url, call } = await start();
    expect(await sent(url, call({ body }))).toEqual(refusal("InvalidParameter", "the body is not an object of JSON"));
  },
);

test("names of JavaScript's own properties are refused like other unknown names", async () => {
  const { url, call } = await start();
  const body = '{"__proto__": {"Limit": "1"}, "constructor": 1}';
  expect(await sent(url, call({ body }))).toEqual(refusal("InvalidParameter", "DescribeVpcs has no parameter __proto__, constructor"));
  expect(await sent(url, call({ action: "__proto__" }))).toEqual(refusal("InvalidAction"));
});

test("a call with a missing or unknown action, version, region, product or content type is refused", async () => {
  const { url, call } = await start();
  expect(await sent(url, call({ action: "" }))).toEqual(refusal("MissingParameter", "x-cp-action is required"));
  expect(await sent(url, call({ action: "DescribeVpc" }))).toEqual(refusal("InvalidAction", "vpc has no action DescribeVpc"));
  expect(await sent(url, call({ headers: { "x-cp-version": "2018-05-25" } }))).toEqual(refusal("NoSuchVersion"));
  expect(await sent(url, call({ headers: { "x-cp-region": "" } }))).toEqual(refusal("MissingParameter", "Region is required"));
  expect(await sent(url, call({ product: "nothing", action: "Nothing" }))).toEqual(
    refusal("InvalidAction", "no product has the action Nothing of the version 2017-03-12"),
  );
  expect(await sent(url, call({ headers: { "content-type": "text/plain" } }))).toEqual(refusal("UnsupportedProtocol"));
});

test("if a signature names no product, it is found by the action and version", async () => {
  const { url, call } = await start();
  expect(await sent(url, call({ product: "127" }))).toEqual(success);
});

test("it is found without a version too, unless two products have the action", async () => {
  const { url, call } = await start();
  const unversioned = (action: string) => call({ product: "127", action, headers: { "x-cp-version": "" } });
  expect(await sent(url, unversioned("DescribeVpcs"))).toEqual(success);
  const reason =
    "the signature is of 127, which is no product, and compute, registry have the action DescribeInstances: sign with the product's name";
  expect(await sent(url, unversioned("DescribeInstances"))).toEqual(refusal("InvalidAction", reason));
});

test("the public API's dialect is understood: its names, fewer signed headers, a host without its port", async () => {
  const { url, key } = await start();
  const plain = { dialect: publicApi, headers: { host: new URL(url).hostname }, signed: ["content-type", "host"] };
  expect(await sent(url, signedCall(url, { ...key, ...plain }))).toEqual(success);
  const zones = { ...plain, product: "cvm", action: "DescribeZones" };
  expect(await sent(url, signedCall(url, { ...key, ...zones }))).toMatchObject({ answer: { Response: { TotalCount: 4 } } });
});

test("a client of the public API may leave the body out of the signature, if it says so", async () => {
  const { url, key } = await start();
  const unsigned = "UNSIGNED-PAYLOAD";
  const callOf = (header: string) =>
    signedCall(url, { ...key, dialect: publicApi, headers: { [header]: unsigned }, signed: ["content-type", "host"], body: unsigned });
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

test("a fault without a code drops the connection", async () => {
  const { world, cloudWith } = await start();
  const cloud = await cloudWith();
  new Faults(world).add({ operation: describeVpcs, when: "before" });
  await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ code: "ConnectionLost", kind: "unreachable", requestId: "" });
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
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
