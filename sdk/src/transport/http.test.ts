import { createServer } from "node:http";
import { connect as dial, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { putAccessKey, putSubAccount } from "../local/accounts/accounts.ts";
import { serve } from "../server/server.ts";
import { served } from "../server/stage.fixture.ts";
import { connect } from "./connect.ts";
import { HttpTransport, type HttpOptions } from "./http.ts";
import { listening } from "./listening.fixture.ts";

const region = "eu-frankfurt";
const key = { secretId: "AKID1", secretKey: "secret" };
const quick = { attempts: 3, pause: 1, longest: 1 };

async function platform(options: HttpOptions = {}) {
  const { world, url, key } = await served();
  return { world, url, key, cloudWith: (credentials = key) => cloudAt(url, options, credentials) };
}

function cloudAt(
  url: string,
  options: HttpOptions = {},
  credentials: { secretId: string; secretKey: string; token?: string | undefined } = key,
) {
  const transport = new HttpTransport(new URL(url), () => Promise.resolve({ token: undefined, ...credentials }), options);
  onTestFinished(() => transport.close());
  return new Cloud({ transport, region, retries: quick });
}

test("connections are used again, and there are never too many", async () => {
  let connections = 0;
  const { url, key } = await platform();
  const { port } = new URL(url);
  const relay = createTcpServer((incoming) => {
    connections++;
    const outgoing = dial(Number(port), "127.0.0.1");
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) socket.on("error", () => undefined);
  });
  const cloud = cloudAt(await listening(relay), {}, key);
  for (let call = 0; call < 20; call++) await cloud.call(describeVpcs, {});
  // The next call may come a moment before the connection of the previous one is free again.
  expect(connections).toBeLessThanOrEqual(2);
  await Promise.all(Array.from({ length: 500 }, () => cloud.call(describeVpcs, {})));
  expect(connections).toBeLessThanOrEqual(64);
});

test("who calls, and when it is there", async () => {
  const { world, cloudWith } = await platform();
  world.freeze(Date.UTC(2030, 0, 1));
  const uin = await putSubAccount(world, { name: "user" });
  const cloud = cloudWith(await putAccessKey(world, { uin }));
  expect(await cloud.account()).toBe(world.account);
  expect(Math.abs(cloud.now() - Date.UTC(2030, 0, 1))).toBeLessThan(5000);
});

test("temporary keys send their token, and a refusal has the id of the call", async () => {
  const { world, cloudWith } = await platform();
  const temporary = await putAccessKey(world, { temporary: true });
  expect(await cloudWith(temporary).call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
  const refused = cloudWith({ ...temporary, token: "other" }).call(describeVpcs, {});
  await expect(refused).rejects.toMatchObject({
    code: "AuthFailure.TokenFailure",
    kind: "unauthorized",
    message: expect.stringMatching(/\(AuthFailure\.TokenFailure, request [0-9a-f-]{36}\)$/),
  });
});

test("what answers may repeat the token of a call; no error does", async () => {
  const url = await listening((request, response) => {
    const refusal = { Code: "AuthFailure.TokenFailure", Message: `no such session: ${JSON.stringify(request.headers)}` };
    response.end(JSON.stringify({ Response: { Error: refusal, RequestId: "r-1" } }));
  });
  const refused: unknown = await cloudAt(url, {}, { ...key, token: "hush-token" })
    .transport.whoAmI()
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "AuthFailure.TokenFailure", message: expect.stringContaining("no such session: ") });
  expect(JSON.stringify([refused, String(refused)])).not.toMatch(/hush-token|Signature=[0-9a-f]/);
});

test.each([
  ["behind", -3_600_000],
  ["ahead", 3_600_000],
])("a clock that is %s is found out by the first call", async (_, difference) => {
  let calls = 0;
  const { cloudWith, world } = await platform({ clock: () => (calls++, Date.now() + difference) });
  const cloud = cloudWith();
  await cloud.call(describeVpcs, {});
  const before = calls;
  await cloud.call(describeVpcs, {});
  expect(calls - before).toBe(1);
  const codes = world.prepare("SELECT data ->> '$.code' AS code FROM audit ORDER BY seq").all();
  expect(codes.map(({ code }) => code)).toEqual(["AuthFailure.SignatureExpire", "", ""]);
});

test("calls of the same moment, all signed with a wrong clock, are all repeated", async () => {
  const { cloudWith } = await platform({ clock: () => Date.now() + 3_600_000 });
  const cloud = cloudWith();
  await expect(
    Promise.all(["10.0.0.0/16", "10.1.0.0/16"].map((cidrBlock) => cloud.call(createVpc, { vpcName: "a", cidrBlock }))),
  ).resolves.toHaveLength(2);
});

test("a write that never got there is repeated: nothing of it was sent", async () => {
  const closed = createTcpServer();
  const url = await listening(closed);
  closed.close();
  const { world, key } = await platform();
  const cloud = cloudAt(url, {}, key);
  const asked = cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  await expect(asked).rejects.toMatchObject({ code: "NotConnected", kind: "unsent", reason: expect.stringContaining(new URL(url).host) });
  const late = new Cloud({ transport: cloud.transport, region, retries: { attempts: 5, pause: 100, longest: 100 } });
  const waiting = late.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  await sleep(50);
  await using server = await serve(world, { port: Number(new URL(url).port) });
  expect((await waiting).vpc.vpcName).toBe("a");
  expect(server.url).toBe(url);
});

test("an answer that does not come is waited for so long", async () => {
  const url = await listening(() => undefined);
  const cloud = cloudAt(url, { timeouts: { connect: 500, answer: 300 } });
  const begun = performance.now();
  await expect(cloud.transport.whoAmI()).rejects.toMatchObject({ code: "NoAnswer", kind: "unreachable" });
  expect(performance.now() - begun).toBeLessThan(3000);
});

test("an answer that stops in the middle", async () => {
  const url = await listening((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"Resp');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(cloudAt(url).transport.whoAmI()).rejects.toMatchObject({ code: "ConnectionLost", kind: "unreachable" });
});

test("a call that is given up is given up at once, and with the reason", async () => {
  const url = await listening(() => undefined);
  const cloud = cloudAt(url);
  const stop = new AbortController();
  const asked = cloud.call(describeVpcs, {}, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await expect(asked).rejects.toThrow("enough");
  await expect(cloud.call(describeVpcs, {}, { signal: stop.signal })).rejects.toThrow("enough");
});

const answers: readonly (readonly [status: number, body: string, error: object])[] = [
  [429, "", { code: "HttpStatus.429", kind: "throttled" }],
  [500, "<html>", { code: "HttpStatus.500", kind: "unreachable" }],
  [503, "<html>", { code: "HttpStatus.503", kind: "unreachable" }],
  [403, "<html>", { code: "HttpStatus.403", kind: "failed" }],
  [
    302,
    "",
    { code: "HttpStatus.302", kind: "failed", reason: expect.stringMatching(/ HTTP status 302, .* leads to http:\/\/127\.0\.0\.1:\d+$/) },
  ],
  [200, "<html>", { code: "UnreadableAnswer", kind: "failed", reason: "the endpoint's answer is not a platform's: it is not JSON" }],
  [200, "[]", { code: "UnreadableAnswer", kind: "failed" }],
  [200, '{"Response": 1}', { code: "UnreadableAnswer", kind: "failed" }],
  [200, '{"Response": {"RequestId": "r-1"}}', { code: "UnreadableAnswer", requestId: "r-1" }],
  [200, '{"Response": {"AccountId": "", "RequestId": "r-1"}}', { code: "UnreadableAnswer", requestId: "r-1" }],
  [200, '{"Response": {"Error": {"Code": "Some.Thing", "Message": "no"}, "RequestId": "r-1"}}', { code: "Some.Thing", requestId: "r-1" }],
  [200, '{"Response": {"Error": {}}}', { code: "InternalError", requestId: "" }],
];

test.each(answers)("the answer %d %s is no platform's, or a refusal", async (status, body, error) => {
  const url = await listening((_, response) => void response.writeHead(status, { location: "/" }).end(body));
  await expect(cloudAt(url).transport.whoAmI()).rejects.toMatchObject(error);
});

test("a proxy of the environment is used, but not for this machine", async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url = "" }: { url?: string }, socket: { end: (text: string) => void }) => {
    asked.push(url);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  const url = await listening(proxy);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const name of ["http_proxy", "https_proxy"]) vi.stubEnv(name, url);
  vi.stubEnv("no_proxy", "");
  await expect(cloudAt("https://platform.example:8443/").transport.whoAmI()).rejects.toMatchObject({ kind: "failed" });
  expect(asked).toEqual(["platform.example:8443"]);
  const { cloudWith } = await platform();
  expect(await cloudWith().call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
});

test.each(["http://user:hush@host", "https://host?token=hush", "https://host#hush", "https://", "http:"])(
  "the endpoint %s is refused, and what may be a secret is not told",
  async (endpoint) => {
    const refused = connect(endpoint, { credentials: key }).catch((error: unknown) => String(error));
    expect(await refused).toContain("the endpoint is no address of a platform: it takes http:// or https://, a host");
    expect(await refused).not.toContain("hush");
  },
);

test.each([
  ["https://platform.example", 15],
  ["http://127.0.0.1:4577", Infinity],
  ["http://localhost:4577", Infinity],
])("%s is called %d times a second and product unless told otherwise", async (endpoint, callsPerSecond) => {
  const transport = await connect(endpoint, { credentials: { secretId: "one", secretKey: "two" } });
  expect(transport.callsPerSecond).toBe(callsPerSecond);
  await transport.close();
});
