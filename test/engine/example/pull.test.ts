import { loginComplaintOf } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** The server of a registry is its public domain from the internet, and its access domain in a VPC. A way that is not open is refused with a sentence. */

const region = "eu-frankfurt";
const office = `publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] }`;
const inside = (dns: boolean) => `internalAccess: [{ vpcId, subnetId, dns: ${dns} }]`;

/** Two VPCs, and a registry with some access. `exports`: what is asked of it. */
const program = (access: readonly string[], exports: string, passwordVersion = "1") => `
import { Namespace, pullSecret, RegistryInstance, ServiceAccount, Subnet, Token, Vpc } from "@container-platform/pulumi";
import { runtime } from "@pulumi/pulumi";

const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
const other = new Vpc("other", { cidrBlock: "10.1.0.0/16" });
const registry = new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true, ${access.join(", ")} });
const { registryId } = registry;
const token = new Token("pull", { registryId });
const { namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
const account = new ServiceAccount("nodes", {
  registryId,
  name: "nodes",
  permissions: [{ resource: namespaceName, actions: ["reg:PullRepository"] }],
  passwordVersion: "${passwordVersion}",
});
// What the plugin has in place of methods, for any language.
const { registryName, publicDomain, publicAccess, internalDomains } = registry;
const invoked = (name, args) => runtime.invokeOutput("container-platform:index:" + name, args);
const ofRegistry = { registryName, publicDomain, publicAccess, internalDomains, internalEndpoint: registry.internalEndpoint };
const nativeServer = (from) => invoked("pullServer", { ...ofRegistry, ...from }).server;
const nativeSecret = (password, from) =>
  invoked("pullSecret", { username: password === token.token ? token.username : account.username, password, server: nativeServer(from) })
    .dockerConfigJson;
export const ids = { vpcId, other: other.vpcId };
export const { internalEndpoint } = registry;
${exports}
`;

const ways = `
export const publicServer = registry.pullServer("public");
export const vpcServer = registry.pullServer({ vpcId });
export const publicSecret = pullSecret({ registry, token, via: "public" });
export const vpcSecret = pullSecret({ registry, token, via: { vpcId } });
export const accountSecret = pullSecret({ registry, token: account, via: { vpcId } });
`;

/** The same ways with the functions of the plugin. Pulumi's own SDK writes what functions answer into its debug log. */
const waysOfPlugin = `
export const natively = {
  publicServer: nativeServer({}),
  vpcServer: nativeServer({ vpcId }),
  publicSecret: nativeSecret(token.token, {}),
  vpcSecret: nativeSecret(token.token, { vpcId }),
  accountSecret: nativeSecret(account.password, { vpcId }),
};
`;

const waysForm = {
  publicServer: z.string(),
  vpcServer: z.string(),
  publicSecret: z.string(),
  vpcSecret: z.string(),
  accountSecret: z.string(),
};
const outputsForm = z.object({
  ids: z.object({ vpcId: z.string(), other: z.string() }),
  internalEndpoint: z.string(),
  ...waysForm,
  natively: z.strictObject(waysForm).optional(),
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
beforeAll(async () => {
  stack = await Stack.create({ program: program([office, inside(true)], ways + waysOfPlugin), plugin: true });
});
afterAll(() => stack[Symbol.asyncDispose]());

/** What is exported, secrets in clear. */
async function exported(): Promise<z.output<typeof outputsForm>> {
  const { stdout } = await stack.ok("stack", "output", "--json", "--show-secrets");
  return outputsForm.parse(JSON.parse(stdout));
}

test("each way has its server, and the secret for it logs in from there, and from nowhere else", async () => {
  await stack.up();
  const { ids, internalEndpoint, natively, ...all } = await exported();
  expect(natively).toEqual(all);
  const { publicServer, vpcServer, publicSecret, vpcSecret, accountSecret } = all;
  const { outputs } = await stack.resource("RegistryInstance images");
  expect(publicServer).toBe(outputs?.["publicDomain"]);
  expect(publicServer).toMatch(/^acme-images\./);
  expect(vpcServer).toBe(publicServer.replace("acme-images.", "acme-images-vpc."));
  // The address of the internal access shows that the VPC is connected, but nobody pulls from it.
  expect(internalEndpoint).toMatch(/^10\.0\.\d+\.\d+$/);

  const [fromOutside, fromInside, ofAccount] = [loginIn(publicSecret), loginIn(vpcSecret), loginIn(accountSecret)];
  expect([fromOutside.server, fromInside.server, ofAccount.server]).toEqual([publicServer, vpcServer, vpcServer]);
  expect(ofAccount.username).toBe("reg$nodes");
  const { world } = stack;
  const { vpcId, other } = ids;
  expect(loginComplaintOf(world, { ...fromOutside, from: { clientIp: "203.0.113.7" } })).toBeUndefined();
  expect(loginComplaintOf(world, { ...fromOutside, from: { clientIp: "198.51.100.7" } })).toBe("403");
  for (const login of [fromInside, ofAccount]) expect(loginComplaintOf(world, { ...login, from: { region, vpcId } })).toBeUndefined();
  expect(loginComplaintOf(world, { ...fromInside, from: { region, vpcId: other } })).toBe("timeout");
  expect(loginComplaintOf(world, { ...fromInside, from: { clientIp: "203.0.113.7" } })).toBe("timeout");
  for (const from of [{ region, vpcId }, { clientIp: "203.0.113.7" }])
    expect(loginComplaintOf(world, { ...fromInside, server: internalEndpoint, from })).toBe("timeout");

  const told = outputsForm.parse(JSON.parse((await stack.ok("stack", "output", "--json")).stdout));
  expect([told.publicServer, told.publicSecret, told.vpcSecret]).toEqual([publicServer, "[secret]", "[secret]"]);
  expect(told.accountSecret).toBe("[secret]");
  expect(told.natively).toMatchObject({ publicSecret: "[secret]", vpcSecret: "[secret]", accountSecret: "[secret]" });
  const state = await stack.exported();
  for (const { password } of [fromOutside, ofAccount])
    for (const word of [password, Buffer.from(password).toString("base64"), "auths"]) expect(state).not.toContain(word);
});

const closed = "registry acme-images cannot be pulled from over the internet: its public endpoint is closed; set publicAccess";
const unconnected = (vpc: string) => `registry acme-images cannot be pulled from in ${vpc}: `;
const refusals: readonly {
  of: string;
  access: readonly string[];
  asks: string;
  says: (ids: { vpcId: string; other: string }) => string;
}[] = [
  { of: "the public way while it is closed", access: [inside(true)], asks: `registry.pullServer("public")`, says: () => closed },
  {
    of: "a secret for the public way while it is closed",
    access: [inside(true)],
    asks: `pullSecret({ registry, token, via: "public" })`,
    says: () => closed,
  },
  {
    of: "the plugin's public way while it is closed",
    access: [inside(true)],
    asks: "nativeServer({})",
    says: () => closed,
  },
  {
    of: "the plugin's way from a VPC that does not resolve the domain",
    access: [office, inside(false)],
    asks: "nativeSecret(token.token, { vpcId })",
    says: ({ vpcId }) =>
      `${unconnected(vpcId)}${vpcId} is not connected, or does not resolve its domain; name it in internalAccess, with dns`,
  },
  {
    of: "a VPC that is not connected",
    access: [office, inside(true)],
    asks: `registry.pullServer({ vpcId: other.vpcId })`,
    says: ({ other }) =>
      `${unconnected(other)}${other} is not connected, or does not resolve its domain; name it in internalAccess, with dns`,
  },
  {
    of: "a VPC that is connected, but does not resolve the domain",
    access: [office, inside(false)],
    asks: `pullSecret({ registry, token, via: { vpcId } })`,
    says: ({ vpcId }) =>
      `${unconnected(vpcId)}${vpcId} is not connected, or does not resolve its domain; name it in internalAccess, with dns`,
  },
  {
    of: "a VPC while none is connected",
    access: [office],
    asks: `registry.pullServer({ vpcId })`,
    says: ({ vpcId }) => `${unconnected(vpcId)}it is not Running, or no VPC is connected; wait for it, and name the VPC in internalAccess`,
  },
];

test.each(refusals)("$of is refused", async ({ access, asks, says }) => {
  stack.write(program(access, `export const refused = ${asks};`));
  const { output } = await stack.failingUp();
  const ids = { vpcId: (await stack.resource("Vpc platform")).id ?? "", other: (await stack.resource("Vpc other")).id ?? "" };
  expect(output).toContain(says(ids));
  // The program has failed, and not the registry.
  expect((await stack.resource("RegistryInstance images")).initErrors).toBeUndefined();
});

test("opened again, all ways work again; a new password changes the secret with it; and nothing is left in the end", async () => {
  stack.write(program([office, inside(true)], ways));
  await stack.up();
  const { ids, publicSecret, vpcSecret, accountSecret } = await exported();
  expect(loginComplaintOf(stack.world, { ...loginIn(publicSecret), from: { clientIp: "203.0.113.7" } })).toBeUndefined();
  expect(loginComplaintOf(stack.world, { ...loginIn(vpcSecret), from: { region, vpcId: ids.vpcId } })).toBeUndefined();
  const complaint = (content: string) => loginComplaintOf(stack.world, { ...loginIn(content), from: { region, vpcId: ids.vpcId } });
  expect(complaint(accountSecret)).toBeUndefined();
  stack.write(program([office, inside(true)], ways, "2"));
  const drawn = await stack.up("--diff");
  expect(operationsOf(drawn)).toEqual({ "ServiceAccount nodes": ["update"] });
  const after = await exported();
  expect([complaint(accountSecret), complaint(after.accountSecret)]).toEqual(["unauthorized", undefined]);
  for (const content of [accountSecret, after.accountSecret])
    for (const told of [drawn.output, drawn.log]) expect(told.includes(loginIn(content).password)).toBe(false);
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
