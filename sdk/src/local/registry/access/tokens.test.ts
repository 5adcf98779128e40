import { expect, test } from "vitest";
import {
  createInstanceToken,
  createInternalEndpointDns,
  createSecurityPolicy,
  createServiceAccount,
  deleteInstanceToken,
  deleteServiceAccount,
  describeInstanceToken,
  describeServiceAccounts,
  manageExternalEndpoint,
  manageInternalEndpoint,
  modifyInstanceToken,
  modifyServiceAccount,
} from "../../../catalogue/registry.ts";
import { loginComplaintOf } from "./container-client.ts";
import { stage } from "../stage.fixture.ts";

const hour = 60 * 60 * 1000;
const publicServer = "acme-images.registry.container-platform.internal";
const clientIp = "203.0.113.7";

async function opened() {
  const at = stage();
  const registryId = await at.withNamespace();
  await at.cloud.call(manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  const admit = () => at.cloud.call(createSecurityPolicy, { registryId, cidrBlock: `${clientIp}/32`, description: "" });
  const login = (user: { username: string; password: string }) =>
    loginComplaintOf(at.world, { server: publicServer, from: { clientIp }, ...user });
  const token = async (tokenType: "temp" | "longterm") => {
    const made = await at.cloud.call(createInstanceToken, { registryId, tokenType, desc: "of a test" });
    return { ...made, user: { username: made.username, password: made.token } };
  };
  const tokens = async () => (await at.cloud.call(describeInstanceToken, { registryId })).tokens;
  return { at, registryId, admit, login, token, tokens };
}

test("a temporary token is valid for one hour, and never listed", async () => {
  const { at, admit, login, token, tokens } = await opened();
  await admit();
  const { user, expTime, tokenId } = await token("temp");
  expect([expTime, tokenId]).toEqual([at.world.now() + hour, ""]);
  expect(login(user)).toBeUndefined();
  expect(await tokens()).toEqual([]);
  at.world.advance(hour - 1);
  expect(login(user)).toBeUndefined();
  at.world.advance(1);
  expect(login(user)).toBe("unauthorized");
});

test("a long-term token is listed, disabled, enabled, described and deleted", async () => {
  const { at, registryId, admit, login, token, tokens } = await opened();
  await admit();
  const { user, tokenId, expTime } = await token("longterm");
  expect(await tokens()).toEqual([
    { id: tokenId, desc: "of a test", registryId, enabled: true, createdAt: "2026-01-31T12:00:02Z", expiredAt: expTime },
  ]);
  const modify = (change: { enable?: boolean; desc?: string; modifyFlag?: 1 | 2 }) =>
    at.cloud.call(modifyInstanceToken, { registryId, tokenId, ...change });
  await modify({ enable: false });
  expect(login(user)).toBe("unauthorized");
  await modify({ enable: true, modifyFlag: 2 });
  expect(login(user)).toBeUndefined();
  await modify({ desc: "other", modifyFlag: 1 });
  expect(await tokens()).toMatchObject([{ desc: "other", enabled: true }]);
  await expect(modify({ desc: "other" })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(modify({ enable: true, modifyFlag: 1 })).rejects.toMatchObject({ code: "MissingParameter" });
  await at.cloud.call(deleteInstanceToken, { registryId, tokenId });
  expect(login(user)).toBe("unauthorized");
  const again = at.cloud.call(deleteInstanceToken, { registryId, tokenId });
  await expect(again).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" });
  await expect(modify({ enable: true })).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound" });
});

test("tokens are created in a running registry, and listed page by page", async () => {
  const at = stage();
  const registryId = await at.create();
  const early = at.cloud.call(createInstanceToken, { registryId });
  await expect(early).rejects.toMatchObject({ code: "ResourceInsufficient.ErrorInstanceNotRunning" });
  at.world.advance(2000);
  const ids: string[] = [];
  for (let index = 0; index < 3; index++)
    ids.push((await at.cloud.call(createInstanceToken, { registryId, tokenType: "longterm" })).tokenId);
  const page = await at.cloud.call(describeInstanceToken, { registryId, offset: 1, limit: 1 });
  expect([page.totalCount, page.tokens.map(({ id }) => id)]).toEqual([3, [ids[1]]]);
  await expect(at.cloud.call(describeInstanceToken, { registryId: "tcr-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("the public endpoint checks the whitelist before the token, and the token's secret is not stored", async () => {
  const { at, registryId, admit, login, token } = await opened();
  const { user } = await token("longterm");
  expect(login(user)).toBe("403");
  await admit();
  expect(login(user)).toBeUndefined();
  expect(login({ ...user, password: "x" })).toBe("unauthorized");
  await at.cloud.call(manageExternalEndpoint, { registryId, operation: "Delete" });
  expect(login(user)).toBe("timeout");
  const kept = ["registryTokens", "audit"].flatMap((name) => at.world.prepare(`SELECT data FROM "${name}"`).all());
  expect(JSON.stringify(kept)).not.toContain(user.password);
});

test("in a VPC the server is the dedicated domain, once it resolves there", async () => {
  const { at, registryId, token } = await opened();
  const { user } = await token("temp");
  const { vpcId, subnetId } = await at.network();
  const server = "acme-images-vpc.registry.container-platform.internal";
  const login = () => loginComplaintOf(at.world, { server, from: { region: at.region, vpcId }, ...user });
  await at.cloud.call(manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  at.world.advance(800);
  expect(login()).toBe("timeout");
  await at.cloud.call(createInternalEndpointDns, { instanceId: registryId, vpcId, eniLbIp: "10.0.0.2" });
  at.world.advance(300);
  expect(login()).toBeUndefined();
  expect(loginComplaintOf(at.world, { server: publicServer, from: { region: at.region, vpcId }, ...user })).toBe("timeout");
});

test("a service account logs in with its own name until it is disabled or expires", async () => {
  const { at, registryId, admit, login } = await opened();
  await admit();
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  const made = await at.cloud.call(createServiceAccount, { registryId, name: "ci", permissions, duration: 2 });
  expect(made).toMatchObject({ name: "reg$ci", expiresAt: at.world.now() + 48 * hour });
  const user = { username: made.name, password: made.password };
  expect(login(user)).toBeUndefined();
  const list = async (input = {}) => (await at.cloud.call(describeServiceAccounts, { registryId, ...input })).serviceAccounts;
  expect(await list()).toMatchObject([{ name: "reg$ci", disable: false, permissions: [] }]);
  expect(await list({ all: true, embedPermission: true, filters: [{ name: "ServiceAccountName", values: ["reg$ci"] }] })).toMatchObject([
    { permissions },
  ]);
  expect(await list({ limit: 1000 })).toHaveLength(1);
  await at.cloud.call(modifyServiceAccount, { registryId, name: "reg$ci", disable: true, description: "d" });
  expect(login(user)).toBe("unauthorized");
  await at.cloud.call(modifyServiceAccount, { registryId, name: "ci", disable: false });
  at.world.advance(48 * hour);
  expect(login(user)).toBe("unauthorized");
  await at.cloud.call(modifyServiceAccount, { registryId, name: "ci", expiresAt: -1 });
  expect(login(user)).toBeUndefined();
  const same = at.cloud.call(createServiceAccount, { registryId, name: "ci", permissions });
  await expect(same).rejects.toMatchObject({ code: "FailedOperation" });
  await at.cloud.call(deleteServiceAccount, { registryId, name: "ci" });
  const gone = at.cloud.call(deleteServiceAccount, { registryId, name: "ci" });
  await expect(gone).rejects.toMatchObject({ code: "ResourceNotFound.TcrResourceNotFound" });
});

test("a service account has permissions on existing namespaces only", async () => {
  const { at, registryId } = await opened();
  const actions = ["reg:PushRepository"];
  const wrong = [
    { permissions: [] },
    { permissions: [{ resource: "team", actions }] },
    { permissions: [{ resource: "other/", actions }] },
    { permissions: [{ resource: "team/", actions: ["reg:Everything"] }] },
    { permissions: [{ resource: "team/", actions: [] }] },
    { permissions: [{ resource: "team/", actions }], duration: 0 },
    { permissions: [{ resource: "team/", actions }], expiresAt: 5 },
    { permissions: [{ resource: "team/", actions }], name: "C I" },
  ];
  for (const input of wrong)
    await expect(at.cloud.call(createServiceAccount, { registryId, name: "ci", ...input })).rejects.toMatchObject({
      code: "InvalidParameter",
    });
});
