/** Only the real engine shows what programs make of pull servers and secrets, and how those who depend on a token get the next one. */
import { loginComplaintOf } from "@container-platform/sdk/local";
import { modifyInstanceToken } from "@container-platform/sdk/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

// The server of a registry is its public domain from the internet, and its access domain in a VPC. A way that is not open is refused.

const region = "eu-frankfurt";
const office = `publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] }`;
const inside = (dns: boolean) => `internalAccess: [{ vpcId, subnetId, dns: ${dns} }]`;

/** Two VPCs, and a registry with some access. `exports`: what is asked of it. */
const program = (access: readonly string[], exports: string, passwordVersion = "1") => `
import { Namespace, pullSecret, RegistryInstance, ServiceAccount, Subnet, Token, Vpc } from "@container-platform/pulumi";

const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
const other = new Vpc("other", { cidrBlock: "10.1.0.0/16" });
const registry = new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true, ${access.join(", ")} });
const { registryId } = registry;
const token = new Token("pull", { registryId });
const temp = new Token("temp", { registryId, tokenType: "temp" });
const { namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
const account = new ServiceAccount("nodes", {
  registryId,
  name: "nodes",
  permissions: [{ resource: namespaceName, actions: ["reg:PullRepository"] }],
  passwordVersion: "${passwordVersion}",
});
export const ids = { vpcId, other: other.vpcId };
export const { internalEndpoint } = registry;
export const { expTime } = temp;
${exports}
`;

const ways = `
export const publicServer = registry.pullServer("public");
export const vpcServer = registry.pullServer({ vpcId });
export const publicSecret = pullSecret({ registry, token, via: "public" });
export const vpcSecret = pullSecret({ registry, token, via: { vpcId } });
export const tempSecret = pullSecret({ registry, token: temp, via: { vpcId } });
export const accountSecret = pullSecret({ registry, token: account, via: { vpcId } });
`;

const outputsForm = z.object({
  ids: z.object({ vpcId: z.string(), other: z.string() }),
  internalEndpoint: z.string(),
  expTime: z.string(),
  publicServer: z.string(),
  vpcServer: z.string(),
  publicSecret: z.string(),
  vpcSecret: z.string(),
  tempSecret: z.string(),
  accountSecret: z.string(),
});
const dockerConfigForm = z.strictObject({
  auths: z.record(z.string(), z.strictObject({ username: z.string(), password: z.string(), auth: z.string() })),
});

/** The one server in a pull secret, and the user and password for it. */
function loginIn(content: string): { server: string; username: string; password: string } {
  const [[server, { username, password, auth }] = ["", { username: "", password: "", auth: "" }], ...others] = Object.entries(
    dockerConfigForm.parse(JSON.parse(content)).auths,
  );
  expect(others).toEqual([]);
  expect(Buffer.from(auth, "base64").toString()).toBe(`${username}:${password}`);
  return { server, username, password };
}

let stack: Stack;
let first: z.output<typeof outputsForm>;
beforeAll(async () => {
  stack = await Stack.create({ program: program([office, inside(true)], ways) });
  await stack.up();
  first = await exported();
});
afterAll(() => stack[Symbol.asyncDispose]());

async function exported(): Promise<z.output<typeof outputsForm>> {
  const { stdout } = await stack.ok("stack", "output", "--json", "--show-secrets");
  return outputsForm.parse(JSON.parse(stdout));
}

/** Why nobody can log in so; `undefined` if one can. Unless said otherwise, in the VPC. */
const complaint = (
  content: string,
  from: Parameters<typeof loginComplaintOf>[1]["from"] = { region, vpcId: first.ids.vpcId },
  server?: string,
) => loginComplaintOf(stack.world, { ...loginIn(content), ...(server !== undefined && { server }), from });
const outside = { clientIp: "203.0.113.7" };

test("each way has its server, and the secret for it logs in from there, and from nowhere else", async () => {
  const { ids, internalEndpoint, publicServer, vpcServer, publicSecret, vpcSecret, tempSecret, accountSecret } = first;
  const { outputs } = await stack.resource("RegistryInstance images");
  expect(publicServer).toBe(outputs?.["publicDomain"]);
  expect(publicServer).toMatch(/^acme-images\./);
  expect(vpcServer).toBe(publicServer.replace("acme-images.", "acme-images-vpc."));
  // The address of the internal access shows that the VPC is connected, but nobody pulls from it.
  expect(internalEndpoint).toMatch(/^10\.0\.\d+\.\d+$/);
  expect([publicSecret, vpcSecret, accountSecret].map((content) => loginIn(content).server)).toEqual([publicServer, vpcServer, vpcServer]);
  expect(loginIn(accountSecret).username).toBe("reg$nodes");

  expect(complaint(publicSecret, outside)).toBeUndefined();
  expect(complaint(publicSecret, { clientIp: "198.51.100.7" })).toBe("403");
  for (const content of [vpcSecret, tempSecret, accountSecret]) expect(complaint(content)).toBeUndefined();
  expect(complaint(vpcSecret, { region, vpcId: ids.other })).toBe("timeout");
  expect(complaint(vpcSecret, outside)).toBe("timeout");
  for (const from of [undefined, outside]) expect(complaint(vpcSecret, from, internalEndpoint)).toBe("timeout");

  const { stdout } = await stack.ok("stack", "output", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ publicServer, publicSecret: "[secret]", vpcSecret: "[secret]", accountSecret: "[secret]" });
});

const newFirst = ["create-replacement", "replace", "delete-replaced"];

test("an expired token is replaced, and one that was disabled by hand is enabled, and what depends on them works again", async () => {
  stack.world.advance(60 * 60_000);
  const [registryId = "", tokenId = ""] = ((await stack.resource("Token pull")).id ?? "").split("/");
  await stack.cloud().call(modifyInstanceToken, { registryId, tokenId, enable: false });
  for (const content of [first.tempSecret, first.vpcSecret]) expect(complaint(content)).toBe("unauthorized");
  const why = `the token ended at ${first.expTime}, and \`up\` makes a new one`;
  const renewed = await stack.up("--refresh");
  expect(operationsOf(renewed)).toEqual({ "Token temp": newFirst, "Token pull": ["update"] });
  expect(renewed.output).toContain(why);
  const second = await exported();
  expect(second.vpcSecret).toEqual(first.vpcSecret);
  for (const content of [second.tempSecret, second.vpcSecret]) expect(complaint(content)).toBeUndefined();
  expect(loginIn(second.tempSecret).password).not.toBe(loginIn(first.tempSecret).password);
  expect(Date.parse(second.expTime)).toBeGreaterThan(Date.parse(first.expTime));
});

test("a way that is closed is refused", async () => {
  stack.write(program([inside(false)], "export const refused = pullSecret({ registry, token, via: { vpcId } });"));
  expect((await stack.failingUp()).output).toContain(
    `registry acme-images cannot be pulled from in ${first.ids.vpcId}: ${first.ids.vpcId} is not connected, or does not resolve its domain`,
  );
  // The program has failed, and not the registry.
  expect((await stack.resource("RegistryInstance images")).initErrors).toBeUndefined();
});

test("opened again, all ways work again, with another password and another token, which is made before the old one is deleted", async () => {
  stack.write(program([office, inside(true)], ways, "2"));
  const { urn } = await stack.resource("Token pull");
  const before = stack.calls().length;
  const drawn = await stack.up("--diff", "--replace", urn);
  const does = { "RegistryInstance images": ["update"], "ServiceAccount nodes": ["update"], "Token pull": newFirst };
  expect(operationsOf(drawn)).toEqual(does);
  const ofToken = stack.writesSince(before).filter((action) => action.endsWith("InstanceToken"));
  expect(ofToken).toEqual(["CreateInstanceToken", "DeleteInstanceToken", "ModifyInstanceToken"]);
  const { publicSecret, vpcSecret, accountSecret } = await exported();
  expect(complaint(publicSecret, outside)).toBeUndefined();
  for (const content of [vpcSecret, accountSecret]) expect(complaint(content)).toBeUndefined();
  for (const content of [first.vpcSecret, first.accountSecret]) expect(complaint(content)).toBe("unauthorized");
  for (const { password } of [first.accountSecret, accountSecret].map(loginIn))
    for (const told of [drawn.output, drawn.log]) expect(told.includes(password)).toBe(false);
});
