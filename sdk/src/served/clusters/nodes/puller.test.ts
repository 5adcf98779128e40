import { expect, onTestFinished, test } from "vitest";
import {
  createInstance,
  createInstanceToken,
  createInternalEndpointDns,
  createNamespace,
  createServiceAccount,
  describeInternalEndpoints,
  manageExternalEndpoint,
  manageInternalEndpoint,
  modifyInstanceToken,
} from "../../../catalogue/registry.ts";
import { createSubnet, createVpc } from "../../../catalogue/vpc.ts";
import { pushImage } from "../../registries/content.fixture.ts";
import { openStage, region } from "../../registries/stage.fixture.ts";
import { setRegistryStatus, putImage } from "../../../local/registry/out-of-band.ts";
import { Puller, type PullSecret } from "./puller.ts";

const domain = "acme-images-vpc.registry.container-platform.internal";
const image = `${domain}/team/web:v1`;

const secretFor = (server: string, username: string, password: string): PullSecret => ({
  name: "default/login",
  object: {
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": Buffer.from(JSON.stringify({ auths: { [server]: { username, password } } })).toString("base64") },
  },
});

/** A registry with an image, in a VPC that is not connected to it yet. */
async function registryWithImage() {
  const at = await openStage();
  onTestFinished(() => at.close());
  const { digest } = await pushImage(at.ask, "team/web", "v1");
  const { vpcId } = (await at.cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const place = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${region}-1` };
  const { subnetId } = (await at.cloud.call(createSubnet, place)).subnet;
  const { registryId } = at;
  const connect = async () => {
    await at.cloud.call(manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
    return (await at.cloud.call(describeInternalEndpoints, { registryId })).accessVpcSet[0]?.accessIp ?? "";
  };
  const resolve = (eniLbIp: string) => at.cloud.call(createInternalEndpointDns, { instanceId: registryId, vpcId, eniLbIp });
  const { context } = at.images.registry;
  const puller = new Puller(context);
  const pull = async (name: string, ...secrets: PullSecret[]) => {
    const pulled = await puller.pull(name, { region, vpcId }, secrets);
    return "complaint" in pulled ? pulled.complaint : (pulled.digest ?? "elsewhere");
  };
  return { ...at, vpcId, digest, connect, resolve, pull, login: secretFor(domain, at.username, at.token) };
}

async function connected() {
  const at = await registryWithImage();
  const address = await at.connect();
  await at.resolve(address);
  return { ...at, address };
}

test("access from the VPC of the nodes has to be enabled, with its name", async () => {
  const { pull, login, connect, resolve, digest, registryId, vpcId } = await registryWithImage();
  expect(await pull(image, login)).toBe(
    `access to registry acme-images (${registryId}) from ${vpcId}, where the node is, is not enabled: the registry is not connected to it (ManageInternalEndpoint)`,
  );
  const address = await connect();
  expect(await pull(image, login)).toBe(
    `${vpcId} does not resolve ${domain}: registry acme-images is connected to it, but its DNS is not (CreateInternalEndpointDns)`,
  );
  await resolve(address);
  expect(await pull(image, login)).toBe(digest);
});

test("the registry has to be Running", async () => {
  const { pull, login, world, registryId } = await connected();
  await setRegistryStatus(world, { region, registryId, status: "Deploying" });
  expect(await pull(image, login)).toBe("registry acme-images is Deploying; images are pulled from one that is Running");
});

test("a login has to be named, be there, and be for the server", async () => {
  const { pull, login, username, token, digest } = await connected();
  expect(await pull(image)).toMatch(/^unauthorized: authentication required: neither the pod nor its service account names a secret/);
  const pullWith = (object: PullSecret["object"]) => pull(image, { name: "default/login", object });
  expect(await pullWith(undefined)).toMatch(/there is no secret default\/login, which imagePullSecrets names$/);
  expect(await pullWith({ type: "Opaque", data: {} })).toMatch(/secret default\/login is of type Opaque/);
  expect(await pull(image, secretFor("acme-images.registry.container-platform.internal", username, token))).toMatch(
    /secret default\/login has log-ins for acme-images\.registry\.container-platform\.internal, and the image is at acme-images-vpc\./,
  );
  expect(await pull(image, secretFor("other.example", "a", "b"), login)).toBe(digest);
});

test("a login has to be valid, and may not be seen in a message", async () => {
  const { pull, login, username, cloud, registryId, world } = await connected();
  expect(await pull(image, secretFor(domain, username, "wrong-password"))).toBe(
    `unauthorized: the user name and secret are none of this registry's, or disabled, or expired (log-in as ${username}, of secret default/login)`,
  );
  const temporary = await cloud.call(createInstanceToken, { registryId, tokenType: "temp", desc: "" });
  const timed = secretFor(domain, temporary.username, temporary.token);
  expect(await pull(image, timed)).toMatch(/^sha256:/);
  world.advance(61 * 60_000);
  expect(await pull(image, timed)).toMatch(/or expired/);
  const lasting = await cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  const disabled = secretFor(domain, lasting.username, lasting.token);
  await cloud.call(modifyInstanceToken, { registryId, tokenId: lasting.tokenId, enable: false });
  expect(await pull(image, disabled)).toMatch(/or disabled/);
  // The next login that fits is tried.
  expect(await pull(image, disabled, login)).toMatch(/^sha256:/);
});

test("a service account has to be allowed to pull there", async () => {
  const { pull, cloud, registryId } = await connected();
  const permissions = [{ resource: "other/", actions: ["reg:PullRepository"] }];
  const account = await cloud.call(createServiceAccount, { registryId, name: "puller", permissions, expiresAt: -1 });
  expect(await pull(image, secretFor(domain, account.name, account.password))).toMatch(/denied: .* may not pull in namespace team$/);
});

test("namespace, repository, tag and digest have to be there, with content", async () => {
  const { pull, login, world, registryId, digest } = await connected();
  expect(await pull(`${domain}/none/web:v1`, login)).toMatch(/^the registry has no namespace none/);
  expect(await pull(`${domain}/team/none:v1`, login)).toBe("there is no manifest team/none:v1");
  expect(await pull(`${domain}/team/web:v2`, login)).toBe("there is no manifest team/web:v2");
  expect(await pull(`${domain}/team/web`, login)).toBe("there is no manifest team/web:latest");
  expect(await pull(`${domain}/team/web@${digest}`, login)).toBe(digest);
  const other = `sha256:${"0".repeat(64)}`;
  expect(await pull(`${domain}/team/web@${other}`, login)).toBe(`there is no manifest team/web@${other}`);
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "v3" });
  expect(await pull(`${domain}/team/web:v3`, login)).toMatch(/it was put into the world without content$/);
  expect(await pull(`${domain}/Team/web:v1`, login)).toMatch(/is no name of a repository/);
});

test("a public namespace needs no login", async () => {
  const { pull, cloud, registryId, ask } = await connected();
  await cloud.call(createNamespace, { registryId, namespaceName: "open", isPublic: true });
  const { digest } = await pushImage(ask, "open/web", "v1");
  expect(await pull(`${domain}/open/web:v1`)).toBe(digest);
});

test("the internal endpoint is never the server", async () => {
  const { pull, username, token, address } = await connected();
  for (const host of [address, `${address}:443`])
    expect(await pull(`${host}/team/web:v1`, secretFor(host, username, token))).toMatch(
      /is the internal endpoint of registry acme-images, which shows that it is connected and is never the server of a pull/,
    );
});

test("over the internet, the public endpoint and its whitelist decide", async () => {
  const { pull, cloud, registryId, username, token, digest, address: served } = await registryWithImage();
  for (const host of ["acme-images.registry.container-platform.internal", served])
    expect(await pull(`${host}/team/web:v1`, secretFor(host, username, token))).toBe(digest);
  await cloud.call(manageExternalEndpoint, { registryId, operation: "Delete" });
  expect(await pull(`${served}/team/web:v1`, secretFor(served, username, token))).toMatch(
    /is not connected to it .*; and its public endpoint is Closed, which would have to be Opened to pull over the internet$/,
  );
  await cloud.call(createInstance, { registryName: "strict", registryType: "basic" });
  const strict = "strict.registry.container-platform.internal";
  expect(await pull(`${strict}/team/web:v1`, secretFor(strict, username, token))).toMatch(/its public endpoint is Closed/);
});

test("images of other registries count as pulled, but not those of a name that can only be the platform's", async () => {
  const { pull } = await connected();
  for (const name of ["nginx", "ghcr.io/acme/web:v1", "10.9.9.9:5000/web"]) expect(await pull(name)).toBe("elsewhere");
  expect(await pull("none-vpc.registry.container-platform.internal/team/web:v1")).toMatch(/no such host$/);
  expect(await pull("127.0.0.1:1/team/web:v1")).toMatch(/no such host$/);
});

test("without content, what the platform lists counts", async () => {
  const { world, images, vpcId, login, registryId } = await connected();
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "v3" });
  const puller = new Puller({ world, access: images.registry.context.access, content: undefined });
  const pull = (tag: string) => puller.pull(`${domain}/team/web:${tag}`, { region, vpcId }, [login]);
  expect(await pull("v3")).toMatchObject({ digest: expect.stringMatching(/^sha256:/) });
  expect(await pull("v4")).toEqual({ complaint: "there is no manifest team/web:v4" });
});
