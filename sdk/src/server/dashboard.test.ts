import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createClusterEndpoint, createNodePool, describeClusterKubeconfig } from "../catalogue/cluster.ts";
import { createInstanceToken, createServiceAccount } from "../catalogue/registry.ts";
import { describeVpcs } from "../catalogue/vpc.ts";
import { makeEverything } from "../cli/everything.fixture.ts";
import { Cloud } from "../client/client.ts";
import { putAccessKey } from "../local/accounts/accounts.ts";
import { LocalControl } from "../local/control/control.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { scratch } from "../scratch.fixture.ts";
import { type PlatformServer, serve } from "./server.ts";
import { ask, type Asked, heardOn, region, served, stage } from "./stage.fixture.ts";

const pageFolder = join(import.meta.dirname, "..", "served", "dashboard", "page");

function tokenOf(server: PlatformServer): string {
  return new URL(server.dashboardUrl ?? "").hash.replace("#token=", "");
}

function withToken(server: PlatformServer): { authorization: string } {
  return { authorization: `Bearer ${tokenOf(server)}` };
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("a browser gets the page and its files, which load nothing from elsewhere and are framed by nobody", async () => {
  const { server } = await stage({ dashboard: true });
  const page = await ask(server.url, "/", { headers: browser });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers).toMatchObject({
    "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  const files = readdirSync(pageFolder).filter((name) => /\.(js|css)$/.test(name));
  for (const name of files) {
    const { status, body } = await ask(server.url, `/dashboard/${name}`);
    expect([name, status, /https?:\/\/(?!\$)/.test(body)]).toEqual([name, 200, false]);
  }
  expect(page.body).not.toMatch(/https?:/);
});

test("the token is 24 random bytes, in the fragment of the address, and another one for each server", async () => {
  const [one, other] = [(await stage({ dashboard: true })).server, (await stage({ dashboard: true })).server];
  expect(one.dashboardUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
  expect(tokenOf(one)).not.toBe(tokenOf(other));
  expect((await ask(other.url, "/dashboard/world", { headers: withToken(one) })).status).toBe(401);
});

test("without the token nothing of the world is told", async () => {
  const { server } = await stage({ dashboard: true });
  const error = { error: "the token is not that of this server: open the address that it has printed" };
  for (const authorization of [undefined, "", "Bearer", "Bearer ", `Bearer ${tokenOf(server).slice(1)}`, `Basic ${tokenOf(server)}`])
    for (const [path, method] of [
      ["/dashboard/world", "GET"],
      ["/dashboard/control/advance", "POST"],
      ["/dashboard/control/snapshot", "POST"],
    ] as const) {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, body } = await ask(server.url, path, { method, headers, ...(method === "POST" && { body: "{}" }) });
      expect([authorization, path, status, JSON.parse(body)]).toEqual([authorization, path, 401, error]);
    }
  expect((await ask(server.url, `/dashboard/world?token=${tokenOf(server)}`)).status).toBe(401);
});

test.each<[what: string, headers: Readonly<Record<string, string>>, says: string]>([
  ["a name that leads to this machine", { host: "evil.example:80" }, "the dashboard is for this machine alone"],
  ["a name that begins like it", { host: "127.0.0.1.evil.example" }, "not 127.0.0.1.evil.example"],
  ["another site", { origin: "https://evil.example" }, "the dashboard takes no requests of https://evil.example"],
  ["another server of this machine", { origin: "http://127.0.0.1:1" }, "the dashboard takes no requests of http://127.0.0.1:1"],
  ["a page without an origin", { origin: "null" }, "the dashboard takes no requests of null"],
  ["another site, by its own mark", { "sec-fetch-site": "cross-site" }, "the dashboard takes no requests of other sites"],
  ["another port, by its own mark", { "sec-fetch-site": "same-site" }, "the dashboard takes no requests of other sites"],
])("%s is refused, even with the token", async (_, headers, says) => {
  const { server, world } = await stage({ dashboard: true });
  await world.transaction(() => world.freeze(1000));
  const paths =
    headers["sec-fetch-site"] === undefined ? ["/", "/dashboard/page.js", "/dashboard/world"] : ["/dashboard/page.js", "/dashboard/world"];
  for (const path of paths) {
    const { status, body } = await ask(server.url, path, { headers: { ...browser, ...withToken(server), ...headers } });
    expect([path, status]).toEqual([path, 403]);
    expect(body).toContain(says);
  }
  const moved = { method: "POST", headers: { ...withToken(server), ...headers }, body: '{"milliseconds":1}' };
  expect((await ask(server.url, "/dashboard/control/advance", moved)).status).toBe(403);
  expect(world.now()).toBe(1000);
});

test("a request without a host is refused", async () => {
  const { socketTo } = await stage({ dashboard: true });
  const socket = socketTo();
  socket.write("GET / HTTP/1.0\r\naccept: text/html\r\n\r\n");
  expect(await heardOn(socket)).toMatch(/^HTTP\/1\.1 403 [^]*its host is localhost, 127\.0\.0\.1 or \[::1\]/);
});

test("names of this machine are taken, with any port: it may be forwarded", async () => {
  const { server } = await stage({ dashboard: true });
  for (const host of ["localhost:8080", "127.0.0.1", "[::1]:4577", "LOCALHOST"]) {
    const headers = { ...withToken(server), host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    expect([host, (await ask(server.url, "/dashboard/world", { headers })).status]).toEqual([host, 200]);
  }
  // A link to the page may stand on any site: the page alone says nothing.
  expect((await ask(server.url, "/", { headers: { ...browser, "sec-fetch-site": "cross-site" } })).status).toBe(200);
});

test("what is not there, and what is asked for in another way, is refused", async () => {
  const { server } = await stage({ dashboard: true });
  const status = async (path: string, asked: Asked = {}) =>
    (await ask(server.url, path, { ...asked, headers: { ...browser, ...withToken(server), ...asked.headers } })).status;
  expect(await status("/dashboard/none.js")).toBe(404);
  expect(await status("/dashboard/tsconfig.json")).toBe(404);
  expect(await status("/dashboard/..%2fdashboard.ts")).toBe(404);
  expect(await status("/dashboard/../dashboard.js")).toBe(404);
  expect(await status("/dashboard/page.js", { method: "POST" })).toBe(405);
  expect(await status("/dashboard/world", { method: "POST" })).toBe(405);
  expect(await status("/dashboard/control/advance")).toBe(405);
});

test("the page stops and moves the clock and sets the time scale, and can do nothing else", async () => {
  const { server, world } = await stage({ dashboard: true });
  const control = async (command: string, input: object | string) => {
    const body = typeof input === "string" ? input : JSON.stringify(input);
    const answer = await ask(server.url, `/dashboard/control/${command}`, { method: "POST", headers: withToken(server), body });
    return { status: answer.status, told: z.record(z.string(), z.unknown()).parse(JSON.parse(answer.body)) };
  };
  expect(await control("freeze", {})).toMatchObject({ status: 200, told: { clock: { isFrozen: true, timeScale: "instant" } } });
  const before = world.now();
  expect(await control("advance", { milliseconds: 60_000 })).toMatchObject({ told: { clock: { time: before + 60_000 } } });
  expect(await control("setTimeScale", { timeScale: "realistic" })).toMatchObject({ told: { clock: { timeScale: "realistic" } } });
  expect(await control("unfreeze", {})).toMatchObject({ told: { clock: { isFrozen: false } } });
  expect(await control("advance", { milliseconds: -1 })).toEqual({
    status: 400,
    told: { error: "milliseconds is -1; it takes 0 or more: set the time to go back" },
  });
  expect(await control("setTimeScale", { timeScale: "slow" })).toMatchObject({ status: 400 });
  expect(await control("advance", "not JSON")).toEqual({ status: 400, told: { error: "the body is not JSON" } });
  for (const command of ["snapshot", "restore", "reset", "status", "addFault", "clearFaults", "setTime", ""])
    expect([command, await control(command, {})]).toEqual([
      command,
      { status: 404, told: { error: `the page has no command ${command}; it has advance, freeze, unfreeze, setTimeScale` } },
    ]);
});

test("a call that is sent as a GET is told what a call is, and a server without a dashboard has none", async () => {
  const { server } = await stage({ dashboard: true });
  expect((await ask(server.url, "/")).body).toContain("a call is a POST, not a GET");
  const bare = await stage();
  expect(bare.server.dashboardUrl).toBeUndefined();
  expect((await ask(bare.server.url, "/", { headers: browser })).body).toContain("a call is a POST, not a GET");
  expect((await ask(bare.server.url, "/dashboard/world")).status).toBe(404);
});

test("calls are answered beside it", async () => {
  const { server, cloudWith } = await stage({ dashboard: true });
  const cloud = await cloudWith();
  expect((await cloud.call(describeVpcs, {})).vpcSet).toEqual([]);
  expect((await ask(server.url, "/dashboard/world", { headers: withToken(server) })).body).toContain("DescribeVpcs");
});

test.each(["0.0.0.0", "::", "192.0.2.1", "example.com"])("it is not served at %s, which other machines reach", async (host) => {
  const world = World.open(":memory:");
  onTestFinished(() => world.close());
  await expect(serve(world, { host, dashboard: true })).rejects.toThrow(
    `the dashboard is for this machine alone: it is not served at ${host}`,
  );
});

/** The values of all fields that are secret by their names, at any depth. */
function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret && value !== "" ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, isSecret || /^(secret|token|privateKey|certificate|fingerprint|password|publicKey|seed)$/i.test(name)),
  );
}

test("no answer has a secret of the world in it", async () => {
  const folder = scratch();
  const file = join(folder, "world.db");
  const place = await makeEverything(file);
  const world = World.open(file);
  const { server } = await served(world, { dashboard: true, images: {} });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const { registryId, clusterId } = place;
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  const token = await cloud.call(createInstanceToken, { registryId, tokenType: "temp" });
  const { password } = await cloud.call(createServiceAccount, { registryId, name: "seeded", permissions });
  const { kubeconfig } = await cloud.call(describeClusterKubeconfig, { clusterId });
  await putAccessKey(world, { uin: place.uin, temporary: true });
  // Refused calls, whose parameters are secrets or nonsense.
  const settings = { nodePoolId: "np-00000000", loginSettings: { password: "seeded-Passw0rd!" } };
  await expect(cloud.transport.send({ ...createNodePool, region, body: { ClusterId: clusterId, ...settings } })).rejects.toThrow();
  await expect(cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, domain: "" })).rejects.toThrow();
  const encoded = [...kubeconfig.matchAll(/-data: (\S+)/g)].map(([, data = ""]) => data);
  const snapshot = await new LocalControl(world).snapshot();
  const secrets = [...new Set([...secretsIn(snapshot), ...secretsIn(token), password, "seeded-Passw0rd!", ...encoded])];
  expect(secrets.length).toBeGreaterThan(20);

  const files = ["/", ...readdirSync(pageFolder).map((name) => `/dashboard/${name}`)];
  const commands = {
    advance: '{"milliseconds":1}',
    freeze: "{}",
    unfreeze: "{}",
    setTimeScale: '{"timeScale":"fast"}',
    snapshot: "{}",
    status: "{}",
  };
  const headers = withToken(server);
  const asked: readonly [string, Asked][] = [
    ...files.map((path): [string, Asked] => [path, { headers: browser }]),
    ["/dashboard/world", { headers }],
    ["/dashboard/world", {}],
    ...Object.entries(commands).map(([name, body]): [string, Asked] => [`/dashboard/control/${name}`, { method: "POST", headers, body }]),
  ];
  for (const [path, how] of asked) {
    const { body } = await ask(server.url, path, how);
    const lines = [body, ...secrets.filter((secret) => body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1)))];
    expect([path, lines.slice(1)]).toEqual([path, []]);
  }
  expect((await ask(server.url, "/dashboard/world", { headers: withToken(server) })).body).toContain("acme-images");
});
