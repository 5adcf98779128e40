import { expect, test } from "vitest";
import type { z } from "zod";
import { describeClusterAuthenticationOptions, modifyClusterAuthenticationOptions } from "../../../catalogue/cluster.ts";
import { setReachable } from "../out-of-band.ts";
import { clusterStage, codeOf } from "../stage.fixture.ts";

async function start() {
  const { clusterId, ...at } = await clusterStage();
  const read = () => at.call(describeClusterAuthenticationOptions, { clusterId });
  const modify = (input: Omit<z.input<typeof modifyClusterAuthenticationOptions.input>, "clusterId">) =>
    at.call(modifyClusterAuthenticationOptions, { clusterId, ...input });
  /** Asks for a change, and tells how it ended: its state, whether the default is used, and its task's state and reason. */
  const ends = async (serviceAccounts = own) => {
    await modify({ serviceAccounts });
    at.world.advance(800);
    const { latestOperationState, serviceAccounts: now } = await read();
    const task = await at.taskOf(clusterId, "modify_authentication_options");
    return [latestOperationState, now.useServiceDefault, task?.lifeState, task?.lastError];
  };
  return { ...at, clusterId, read, modify, ends };
}

const own = { useServiceDefault: false, issuer: "https://issuer.example.org", jwksUri: "https://issuer.example.org/jwks" };

test("a change is Updating, then Success; until then the old options are in effect", async () => {
  const { read, modify, world, taskOf, clusterId } = await start();
  expect((await read()).serviceAccounts).toMatchObject({ autoCreateDiscoveryAnonymousAuth: false });
  expect((await read()).latestOperationState).toBeUndefined();
  await modify({ serviceAccounts: own });
  expect(await read()).toMatchObject({ latestOperationState: "Updating", serviceAccounts: { useServiceDefault: true } });
  await expect(modify({ serviceAccounts: own })).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState", kind: "transient" });
  world.advance(800);
  expect(await read()).toMatchObject({ latestOperationState: "Success", serviceAccounts: own });
  expect(await taskOf(clusterId, "modify_authentication_options")).toMatchObject({ lifeState: "done" });
});

test.each(["Failed", "TimeOut"])("a change that ends in %s has no effect, and its task says why", async (end) => {
  const { platform, ends } = await start();
  platform.faults.add({ resourceType: "authentication", endState: end, reason: "the API server did not come back" });
  expect(await ends()).toEqual([end, true, "aborted", "the API server did not come back"]);
  expect(await ends()).toEqual(["Success", false, "done", ""]);
});

test("a change fails with an unreachable issuer, and with a wrong JWKSURI", async () => {
  const { world, region, ends } = await start();
  const jwksUri = "http://issuer.example.org/jwks";
  await setReachable(world, { region, address: own.issuer, reachable: false });
  expect(await ends()).toEqual(["Failed", true, "aborted", `Issuer ${own.issuer} cannot be reached`]);
  await setReachable(world, { region, address: own.issuer, reachable: true });
  expect(await ends({ ...own, jwksUri })).toEqual(["Failed", true, "aborted", `JWKSURI ${jwksUri} is no https address`]);
  expect(await ends()).toEqual(["Success", false, "done", ""]);
});

test("a cluster that is being created takes no change", async () => {
  const { create, call } = await start();
  const change = { clusterId: await create("172.17.0.0/16"), serviceAccounts: own };
  expect(await codeOf(call(modifyClusterAuthenticationOptions, change))).toBe("ResourceUnavailable.ClusterState");
});
