import { connect as dial } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import * as registry from "../../catalogue/registry.ts";
import { transferComplaintOf } from "../../local/registry/access/container-client.ts";
import { createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { begin, expected, pushBlob, pushImage, refusal } from "./content.fixture.ts";
import { askerAt, basic, region, stageOfTest } from "./stage.fixture.ts";

async function start() {
  const stage = await stageOfTest();
  const robot = async (...actions: string[]) => {
    const { registryId, cloud } = stage;
    const permissions = [{ resource: "team/", actions }];
    const given = { registryId, name: `robot-${actions.length}`, permissions, duration: 1 };
    const { name, password } = await cloud.call(registry.createServiceAccount, given);
    return { name, ask: askerAt(stage.address, basic(name, password)), authorization: basic(name, password) };
  };
  /** Logs in at the realm, as image clients do. */
  const session = async (scope?: string, authorization: string | undefined = basic(stage.username, stage.token)) => {
    const query = scope === undefined ? "" : `?service=x&scope=${encodeURIComponent(scope)}`;
    const { json } = expected(await askerAt(stage.address, authorization)("GET", `/service/token${query}`), 200);
    return askerAt(stage.address, `Bearer ${(json as { token: string }).token}`);
  };
  return { ...stage, robot, session, nobody: askerAt(stage.address) };
}

test("a service account may do what its permissions say, in its namespaces only, and changes of them hold at once", async () => {
  const { ask, robot, cloud, registryId } = await start();
  const { digest } = await pushImage(ask, "team/web", "v1");
  await pushImage(ask, "other/web", "v1");
  const puller = await robot("reg:PullRepository");
  const pull = (name: string) => puller.ask("GET", `/v2/${name}/manifests/v1`);
  const push = () => puller.ask("POST", "/v2/team/web/blobs/uploads/");
  const remove = () => puller.ask("DELETE", `/v2/team/web/manifests/${digest}`);
  expect((await pull("team/web")).status).toBe(200);
  for (const refused of [await pull("other/web"), await push(), await remove()]) expect(await refusal(refused)).toEqual([403, "DENIED"]);
  const grant = (...actions: string[]) =>
    cloud.call(registry.modifyServiceAccount, { registryId, name: puller.name, permissions: [{ resource: "team/", actions }] });
  await grant("reg:PushRepository");
  expect([(await pull("team/web")).status, (await push()).status, (await remove()).status]).toEqual([403, 202, 403]);
  await grant("reg:DeleteRepository");
  expect((await remove()).status).toBe(202);
});

test("a login that is disabled, deleted or expired is unauthorized at once, and so is a session that it has begun", async () => {
  const { cloud, registryId, ask, session, robot, world, username, address } = await start();
  await pushImage(ask, "team/web", "v1");
  const { tokenId, token } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  const account = await robot("reg:PullRepository");
  const scope = "repository:team/web:pull";
  const asTokens = [askerAt(address, basic(username, token)), await session(scope, basic(username, token))];
  const asAccount = [account.ask, await session(scope, account.authorization)];
  const statuses = (those: typeof asTokens) =>
    Promise.all(those.map(async (each) => (await each("GET", "/v2/team/web/manifests/v1")).status));
  expect(await statuses([...asTokens, ...asAccount])).toEqual([200, 200, 200, 200]);
  await cloud.call(registry.modifyInstanceToken, { registryId, tokenId, enable: false });
  expect(await statuses(asTokens)).toEqual([401, 401]);
  await cloud.call(registry.modifyInstanceToken, { registryId, tokenId, enable: true });
  expect(await statuses(asTokens)).toEqual([200, 200]);
  await cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
  expect(await statuses(asTokens)).toEqual([401, 401]);
  await cloud.call(registry.modifyServiceAccount, { registryId, name: account.name, disable: true });
  expect(await statuses(asAccount)).toEqual([401, 401]);
  await cloud.call(registry.modifyServiceAccount, { registryId, name: account.name, disable: false });
  world.advance(25 * 3_600_000);
  expect(await statuses(asAccount)).toEqual([401, 401]);
});

test("a session may do what it was asked for; for more the client is told what to ask for", async () => {
  const { ask, session, address } = await start();
  await pushImage(ask, "team/web", "v1");
  const puller = await session("repository:team/web:pull");
  expect((await puller("GET", "/v2/team/web/manifests/v1")).status).toBe(200);
  expect((await puller("GET", "/v2/")).status).toBe(200);
  const refused = await puller("POST", "/v2/team/web/blobs/uploads/");
  expect(await refusal(refused)).toEqual([401, "UNAUTHORIZED"]);
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer realm="http://${address}/service/token",service="${address}",scope="repository:team/web:pull,push",error="insufficient_scope"`,
  );
  const pusher = await session("repository:team/web:pull,push repository:team/copy:*");
  for (const name of ["team/web", "team/copy"]) await begin(pusher, name);
});

test("a mount takes the right to pull from the source: a session is told both, and who has none uploads", async () => {
  const { ask, session, robot } = await start();
  const { digest } = await pushBlob(ask, "other/web");
  const path = `/v2/team/web/blobs/uploads/?mount=${digest}&from=other/web`;
  const refused = await (await session("repository:team/web:pull,push"))("POST", path);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain('scope="repository:other/web:pull repository:team/web:pull,push"');
  const both = await session("repository:other/web:pull repository:team/web:pull,push");
  expect((await both("POST", path)).status).toBe(201);
  const account = await robot("reg:PushRepository", "reg:PullRepository");
  expect((await account.ask("POST", path.replaceAll("team/web", "team/more"))).status).toBe(202);
});

test("everyone may pull from a public namespace, also with an anonymous token; nobody else may push there", async () => {
  const { ask, nobody, address, cloud, registryId } = await start();
  await pushImage(ask, "team/web", "v1");
  const pull = "/v2/team/web/manifests/v1";
  const { json } = expected(await nobody("GET", "/service/token?scope=repository:team/web:pull"), 200);
  const anonymous = askerAt(address, `Bearer ${(json as { token: string }).token}`);
  expect([(await nobody("GET", pull)).status, (await anonymous("GET", pull)).status]).toEqual([401, 401]);
  await cloud.call(registry.modifyNamespace, { registryId, namespaceName: "team", isPublic: true });
  expect([(await nobody("GET", pull)).status, (await anonymous("GET", pull)).status]).toEqual([200, 200]);
  for (const refused of [
    await anonymous("POST", "/v2/team/web/blobs/uploads/"),
    await anonymous("GET", "/v2/"),
    await anonymous("DELETE", pull),
  ])
    expect(refused.status).toBe(401);
});

test("a log-in in the form of OAuth 2 is taken, too", async () => {
  const { nobody, username, token, address } = await start();
  const login = (password: string) =>
    nobody("POST", "/service/token", {
      body: new URLSearchParams({
        grant_type: "password",
        username,
        password,
        service: "x",
        scope: "repository:team/web:pull,push",
      }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const { json } = expected(await login(token), 200);
  await begin(askerAt(address, `Bearer ${(json as { access_token: string }).access_token}`), "team/web");
  expect((await login("wrong")).status).toBe(401);
});

test("an address that is not in the whitelist is denied, and a closed endpoint does not answer", async () => {
  const { ask, nobody, cloud, registryId } = await start();
  await cloud.call(registry.deleteSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32" });
  for (const denied of [await ask("GET", "/v2/"), await nobody("GET", "/v2/"), await ask("GET", "/service/token")])
    expect([denied.status, denied.json]).toEqual([
      403,
      { errors: [{ code: "DENIED", message: "requested access to the resource is denied: 127.0.0.1 is not in the whitelist" }] },
    ]);
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" });
  await expect(ask("GET", "/v2/")).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
});

test("each VPC that a registry is connected to has a port of its own, which answers once the VPC resolves a name of the registry", async () => {
  const { cloud, registryId, images, username, token, address, ask, world } = await start();
  await pushImage(ask, "team/web", "v1");
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const given = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${region}-1` };
  const { subnetId } = (await cloud.call(createSubnet, given)).subnet;
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  await images.ports.look();
  const ports = await images.ports.all();
  expect(ports).toMatchObject([
    { registryId, registryName: "acme-images", standpoint: "internet", address },
    { registryId, registryName: "acme-images", standpoint: vpcId },
  ]);
  const inside = askerAt(ports[1]?.address ?? "", basic(username, token));
  const pull = () => inside("GET", "/v2/team/web/manifests/v1");
  await expect(pull()).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  const { accessVpcSet } = await cloud.call(registry.describeInternalEndpoints, { registryId });
  await cloud.call(registry.createInternalEndpointDns, { instanceId: registryId, vpcId, eniLbIp: accessVpcSet[0]?.accessIp ?? "" });
  expect((await pull()).status).toBe(200);
  // For who stands in the VPC, as a pod does, each address stands for the registry's names.
  const image = { user: { username, password: token }, doing: "pull", namespace: "team", repository: "web", version: "v1" } as const;
  for (const server of [address, ports[1]?.address ?? ""])
    expect(transferComplaintOf(world, { ...image, server, from: { region, vpcId } })).toBeUndefined();
  expect(transferComplaintOf(world, { ...image, server: address, from: { region, vpcId: "vpc-00000000" } })).toBe("timeout");
  // The whitelist is that of the internet.
  await cloud.call(registry.deleteSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32" });
  expect((await pull()).status).toBe(200);
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Delete", vpcId, subnetId });
  await images.ports.look();
  expect(await images.ports.all()).toHaveLength(1);
});

test("a namespace that there is not is unknown, and a repository without a namespace is no name", async () => {
  const { ask, cloud, registryId } = await start();
  const push = (name: string) => refusal(ask("POST", `/v2/${name}/blobs/uploads/`));
  expect(await push("absent/web")).toEqual([404, "NAME_UNKNOWN"]);
  expect(await push("team")).toEqual([400, "NAME_INVALID"]);
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "absent", isPublic: false });
  await begin(ask, "absent/web");
});

test("the repositories of a registry are listed for who may pull from them", async () => {
  const { ask, nobody, robot } = await start();
  for (const name of ["team/web", "other/web", "team/app"]) await pushImage(ask, name, "v1");
  expect((await ask("GET", "/v2/_catalog?n=2")).json).toEqual({ repositories: ["other/web", "team/app"] });
  expect((await (await robot("reg:PullRepository")).ask("GET", "/v2/_catalog")).json).toEqual({ repositories: ["team/app", "team/web"] });
  expect((await nobody("GET", "/v2/_catalog")).status).toBe(401);
});

test("what is no request of the protocol's is answered all the same, and harms nothing", async () => {
  const { address, ask, mistakes } = await start();
  const { port } = new URL(`http://${address}`);
  for (const line of [
    "GET // HTTP/1.1",
    "GET http://[ HTTP/1.1",
    "GET /v2/%zz HTTP/1.1",
    "GET /v2/?%zz=%ff HTTP/1.1",
    "OPTIONS * HTTP/1.1",
  ]) {
    const socket = dial(Number(port), "127.0.0.1");
    socket.write(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect([line, await text(socket)]).toEqual([line, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)]);
  }
  expect((await ask("GET", "/v2/")).status).toBe(200);
  expect(mistakes).toEqual([]);
});
