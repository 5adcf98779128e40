import { expect, test } from "vitest";
import type { z } from "zod";
import { describeClusterAuthenticationOptions, modifyClusterAuthenticationOptions } from "../../../catalogue/cluster.ts";
import { setReachable } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

async function start() {
  const at = await stage();
  const clusterId = await at.running();
  const read = () => at.cloud.call(describeClusterAuthenticationOptions, { clusterId });
  const modify = (input: Omit<z.input<typeof modifyClusterAuthenticationOptions.input>, "clusterId">) =>
    at.cloud.call(modifyClusterAuthenticationOptions, { clusterId, ...input });
  return { ...at, clusterId, read, modify };
}

const own = { useServiceDefault: false, issuer: "https://issuer.example.org", jwksUri: "https://issuer.example.org/jwks" };

test("a new cluster has the platform's issuer and no OIDC", async () => {
  const { read, clusterId } = await start();
  const issuer = `https://eu-frankfurt-oidc.container-platform.internal/id/${clusterId}`;
  expect(await read()).toMatchObject({
    serviceAccounts: { useServiceDefault: true, issuer, jwksUri: `${issuer}/openid/v1/jwks`, autoCreateDiscoveryAnonymousAuth: false },
    oidcConfig: {},
  });
  expect((await read()).latestOperationState).toBeUndefined();
});

test("a change is Updating, then Success; until then the old options are in effect", async () => {
  const { read, modify, world, taskOf, clusterId } = await start();
  await modify({ serviceAccounts: own });
  expect(await read()).toMatchObject({ latestOperationState: "Updating", serviceAccounts: { useServiceDefault: true } });
  await expect(modify({ serviceAccounts: own })).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  world.advance(800);
  expect(await read()).toMatchObject({ latestOperationState: "Success", serviceAccounts: own });
  expect(await taskOf(clusterId, "modify_authentication_options")).toMatchObject({ lifeState: "done" });
});

test("options that are not given stay; an empty OIDCConfig removes OIDC", async () => {
  const { read, modify, world } = await start();
  const oidcConfig = { autoCreateOidcConfig: true, autoCreateClientId: ["kubernetes"], autoInstallPodIdentityWebhookAddon: true };
  await modify({ serviceAccounts: own });
  world.advance(800);
  await modify({ oidcConfig });
  world.advance(800);
  expect(await read()).toMatchObject({ serviceAccounts: own, oidcConfig });
  await modify({ oidcConfig: {} });
  world.advance(800);
  expect((await read()).oidcConfig).toEqual({});
  expect(await read()).toMatchObject({ serviceAccounts: own });
  await modify({ serviceAccounts: { useServiceDefault: true } });
  world.advance(800);
  expect((await read()).serviceAccounts).toMatchObject({
    useServiceDefault: true,
    issuer: expect.stringContaining("container-platform.internal"),
  });
});

test.each(["Failed", "TimeOut"])("a change that ends in %s has no effect, and its task says why", async (end) => {
  const { read, modify, world, platform, taskOf, clusterId } = await start();
  platform.faults.add({ thing: "authentication", end, reason: "the API server did not come back" });
  await modify({ serviceAccounts: own });
  world.advance(800);
  expect(await read()).toMatchObject({ latestOperationState: end, serviceAccounts: { useServiceDefault: true } });
  expect(await taskOf(clusterId, "modify_authentication_options")).toMatchObject({
    lifeState: "aborted",
    lastError: "the API server did not come back",
  });
  await modify({ serviceAccounts: own });
  world.advance(800);
  expect(await read()).toMatchObject({ latestOperationState: "Success", serviceAccounts: own });
});

test("a change fails with an unreachable issuer, and with a wrong JWKSURI", async () => {
  const { read, modify, world, region, taskOf, clusterId } = await start();
  const ends = async (serviceAccounts: typeof own) => {
    await modify({ serviceAccounts });
    world.advance(800);
    return [(await read()).latestOperationState, (await taskOf(clusterId, "modify_authentication_options"))?.lastError];
  };
  await setReachable(world, { region, address: own.issuer, reachable: false });
  expect(await ends(own)).toEqual(["Failed", `Issuer ${own.issuer} cannot be reached`]);
  await setReachable(world, { region, address: own.issuer, reachable: true });
  expect(await ends({ ...own, jwksUri: "http://issuer.example.org/jwks" })).toEqual([
    "Failed",
    "JWKSURI http://issuer.example.org/jwks is no https address",
  ]);
  expect(await ends(own)).toEqual(["Success", ""]);
});

test("contradictions are refused", async () => {
  const { modify, create, cloud } = await start();
  await expect(modify({ serviceAccounts: { ...own, useServiceDefault: true } })).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  await expect(modify({ serviceAccounts: { useServiceDefault: false } })).rejects.toMatchObject({ code: "InvalidParameter.Param" });
  const creating = await create("172.17.0.0/16");
  await expect(cloud.call(modifyClusterAuthenticationOptions, { clusterId: creating, serviceAccounts: own })).rejects.toMatchObject({
    code: "ResourceUnavailable.ClusterState",
  });
});
