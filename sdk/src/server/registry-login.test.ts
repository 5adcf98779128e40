import { expect, test } from "vitest";
import {
  createInstance,
  createInstanceToken,
  createSecurityPolicy,
  createServiceAccount,
  createNamespace,
  describeInstances,
  manageExternalEndpoint,
} from "../catalogue/registry.ts";
import { Cloud } from "../client/client.ts";
import { putAccount } from "../local/accounts/accounts.ts";
import { LocalPlatform } from "../local/platform.ts";
import type { ServeOptions } from "./server.ts";
import { ask, region, stage } from "./stage.fixture.ts";

const domain = "acme-images.registry.container-platform.internal";

/** Its parts; `from` is the client's own address. */
type Exchange = Readonly<Partial<Record<"path" | "host" | "authorization" | "from", string>>>;

/** Opens registries to 127.0.0.1, and makes requests of container clients to them. */
async function start(options: ServeOptions = {}) {
  const { world, url } = await stage(options);
  const { port } = new URL(url);
  const cloudOf = (uin: string) => new Cloud({ transport: new LocalPlatform(world, { uin }), region });
  const cloud = cloudOf(world.account);
  const exchange = async ({ path = "/v2/", host = domain, authorization, from: localAddress = "127.0.0.1" }: Exchange = {}) => {
    const headers = { host: `${host}:${port}`, ...(authorization !== undefined && { authorization }) };
    const { status, headers: told, body } = await ask(url, path, { headers, localAddress });
    return { status, challenge: told["www-authenticate"], body: JSON.parse(body) as unknown };
  };
  const open = async (at = cloud, registryName = "acme-images") => {
    const { registryId } = await at.call(createInstance, { registryName, registryType: "basic" });
    await at.call(manageExternalEndpoint, { registryId, operation: "Create" });
    await at.call(createSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32", description: "" });
    return registryId;
  };
  return { world, cloud, cloudOf, exchange, open, port };
}

const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
const unauthorized = { errors: [{ code: "UNAUTHORIZED", message: expect.stringMatching(/^unauthorized: /) }] };
const hungUp = { code: "ECONNRESET" };

test("a client that is not logged in gets the address of the token realm, which logs it in; the server's own address does not answer", async () => {
  const { cloud, exchange, open, port } = await start();
  const registryId = await open();
  const realm = `Bearer realm="http://${domain}:${port}/service/token",service="${domain}"`;
  expect(await exchange()).toEqual({ status: 401, challenge: realm, body: unauthorized });
  expect(await exchange({ host: domain.toUpperCase() })).toMatchObject({ status: 401, challenge: realm });
  const { username, token } = await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  expect(await exchange({ authorization: basic(username, token) })).toEqual({ status: 200, challenge: undefined, body: {} });

  const session = await exchange({ path: `/service/token?service=${domain}&account=${username}`, authorization: basic(username, token) });
  expect(session).toMatchObject({ status: 200, body: { token: expect.any(String), expires_in: 300 } });
  const { token: bearer } = session.body as { token: string };
  expect(await exchange({ authorization: `Bearer ${bearer}` })).toMatchObject({ status: 200, body: {} });
  expect(await exchange({ authorization: `Bearer ${bearer}`, path: "/v2/team/web/tags/list" })).toMatchObject({
    status: 404,
    body: { errors: [{ code: "UNSUPPORTED" }] },
  });
  expect(await exchange({ path: "/v2/team/web/tags/list" })).toMatchObject({ status: 401 });
  expect(await exchange({ from: "127.0.0.2" })).toMatchObject({ status: 403, body: { errors: [{ code: "DENIED" }] } });
  await expect(exchange({ host: "127.0.0.1" })).rejects.toMatchObject(hungUp);
});

test.each(["Basic", "Basic !", basic("", ""), basic("100000000001", "wrong"), "Bearer", "Bearer wrong", "Digest x"])(
  "%j is unauthorized, and gets no session",
  async (authorization) => {
    const { exchange, open } = await start();
    await open();
    expect(await exchange({ authorization })).toMatchObject({ status: 401, body: unauthorized });
    expect(await exchange({ authorization, path: "/service/token" })).toMatchObject({ status: 401, body: unauthorized });
  },
);

test("a service account logs in too, and a session is valid at its registry only", async () => {
  const { cloud, exchange, open } = await start();
  const [registryId] = [await open(), await open(cloud, "other-images")];
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  const { name, password } = await cloud.call(createServiceAccount, { registryId, name: "robot", permissions, duration: 1 });
  const { body } = await exchange({ path: "/service/token", authorization: basic(name, password) });
  const authorization = `Bearer ${(body as { token: string }).token}`;
  expect(await exchange({ authorization })).toMatchObject({ status: 200 });
  expect(await exchange({ authorization, host: domain.replace("acme", "other") })).toMatchObject({ status: 401 });
});

test("registries of other main accounts are served too", async () => {
  const { world, cloudOf, exchange, open } = await start();
  await open(cloudOf(await putAccount(world, { name: "other" })), "other-images");
  expect(await exchange({ host: domain.replace("acme", "other") })).toMatchObject({ status: 401 });
});

test("a server that serves images does so at the domains of its registries, too, and tells their own addresses", async () => {
  const { cloud, exchange, open } = await start({ images: {} });
  const registryId = await open();
  const { registries } = await cloud.call(describeInstances, { registryIds: [registryId] });
  expect(registries).toMatchObject([{ publicDomain: expect.stringMatching(/^127\.0\.0\.1:\d+$/) }]);
  const { username, token } = await cloud.call(createInstanceToken, { registryId, tokenType: "temp" });
  const list = await exchange({ path: "/v2/_catalog", authorization: basic(username, token) });
  expect(list).toMatchObject({ status: 200, body: { repositories: [] } });
  await expect(exchange({ host: "other.registry.container-platform.internal" })).rejects.toMatchObject(hungUp);
});
