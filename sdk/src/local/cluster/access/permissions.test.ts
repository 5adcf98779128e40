import { expect, test } from "vitest";
import type { z } from "zod";
import { deleteCluster, deleteUserPermissions, describeUserPermissions, grantUserPermissions } from "../../../catalogue/cluster.ts";
import { putAccount, putSubAccount } from "../../accounts/accounts.ts";
import { putRole } from "../out-of-band.ts";
import { clusterStage, codeOf } from "../stage.fixture.ts";

type Item = NonNullable<z.input<typeof grantUserPermissions.input>["permissions"]>[number];
const user = "100000000002";

async function start() {
  const { clusterId, ...at } = await clusterStage();
  const ofCluster = (roleName: string, given: Partial<Item> = {}): Item => ({ clusterId, roleName, roleType: "cluster", ...given });
  const ofNamespace = (roleName: string, namespace: string): Item => ({ clusterId, roleName, roleType: "namespace", namespace });
  const grant = (permissions: Item[], targetUin = user) => at.call(grantUserPermissions, { targetUin, permissions });
  const revoke = (permissions: Item[]) => at.call(deleteUserPermissions, { targetUin: user, permissions });
  const granted = async (targetUin = user) =>
    (await at.call(describeUserPermissions, { targetUin })).permissions.map(({ roleName, namespace }) => `${roleName}@${namespace}`);
  return { ...at, clusterId, ofCluster, ofNamespace, grant, revoke, granted };
}

test("a grant replaces all permissions that a user has in the region", async () => {
  const { grant, granted, ofCluster, ofNamespace, call, clusterId } = await start();
  await grant([ofCluster("svc:ro", { isCustom: false }), ofNamespace("svc:ns:dev", "web")]);
  await grant([ofCluster("svc:admin")], "100000000003");
  expect(await call(describeUserPermissions, { targetUin: user })).toMatchObject({
    targetUin: user,
    permissions: [
      { clusterId, roleName: "svc:ro", roleType: "cluster", namespace: "" },
      { clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "web" },
    ],
  });
  await grant([ofNamespace("svc:ns:dev", "api"), ofCluster("svc:ro"), ofCluster("svc:ro", { namespace: "" })]);
  expect(await granted()).toEqual(["svc:ro@", "svc:ns:dev@api"]);
  expect(await granted("100000000003")).toEqual(["svc:admin@"]);
  await call(grantUserPermissions, { targetUin: user });
  expect(await granted()).toEqual([]);
});

test("a role and a namespace have names that Kubernetes takes, and a cluster that there is", async () => {
  const { grant, revoke, granted, ofCluster, ofNamespace, world, region, clusterId } = await start();
  const wrong = [ofNamespace("svc:ns:dev", "We b"), ofCluster("auditor", { isCustom: false }), ofCluster(""), ofCluster("toString")];
  for (const item of wrong) expect(await codeOf(grant([item]))).toBe("InvalidParameter");
  expect(await codeOf(revoke([]))).toBe("MissingParameter");
  expect(await codeOf(grant([ofCluster("svc:dev", { clusterId: "cls-00000000" })]))).toBe("ResourceNotFound");
  expect(await granted()).toEqual([]);
  const unknown = { code: "InvalidParameter", message: expect.stringContaining("ClusterRole") };
  await expect(grant([ofCluster("auditor", { isCustom: true })])).rejects.toMatchObject(unknown);
  await putRole(world, { region, clusterId, name: "auditor" });
  await grant([ofCluster("auditor", { isCustom: true }), { ...ofNamespace("auditor", "web"), isCustom: true }]);
  expect(await granted()).toEqual(["auditor@", "auditor@web"]);
  await expect(putRole(world, { region, clusterId: "cls-0", name: "a" })).rejects.toThrow("there is no cluster cls-0");
});

test("a user has 100 permissions at most; the main account is granted none", async () => {
  const { grant, granted, ofNamespace, world, platform } = await start();
  const many = (count: number) => Array.from({ length: count }, (_, index) => ofNamespace("svc:ns:ro", `n${index}`));
  await expect(grant(many(101))).rejects.toMatchObject({ code: "LimitExceeded", kind: "limit" });
  await grant(many(100));
  expect(await granted()).toHaveLength(100);
  for (const targetUin of [world.account, "alice", ""]) expect(await codeOf(grant([], targetUin))).toBe("InvalidParameter");
  platform.faults.add({ operation: grantUserPermissions, when: "before", code: "ResourceInUse" });
  await expect(grant([])).rejects.toMatchObject({ code: "ResourceInUse", kind: "inUse" });
  expect(await granted()).toHaveLength(100);
});

test("a user that the account does not have is refused, in a world that knows its users", async () => {
  const { grant, granted, ofCluster, world } = await start();
  await grant([ofCluster("svc:ro")], "100000000099");
  const uin = await putSubAccount(world, { name: "ann" });
  await putSubAccount(world, { name: "bob", uin: "100123456789" });
  await putSubAccount(world, { name: "eve", uin: "100123456795", account: await putAccount(world, { name: "other" }) });
  await grant([ofCluster("svc:ro")], uin);
  await grant([ofCluster("svc:ro")], "100123456789");
  for (const other of ["100000000098", "100123456795"])
    await expect(grant([ofCluster("svc:ro")], other)).rejects.toMatchObject({
      code: "InvalidParameter",
      reason: `TargetUin is ${other}, but account ${world.account} has no such sub-account`,
    });
  // What was granted before stays, and can be read and taken away.
  expect(await granted("100000000099")).toEqual(["svc:ro@"]);
  await grant([], "100000000099");
  await expect(putSubAccount(world, { name: "bob", uin: "100123456789" })).rejects.toThrow("there is an account 100123456789 already");
  await expect(putSubAccount(world, { name: "bob", uin: "bob" })).rejects.toThrow("bob is no uin");
});

test("a new permission needs a running cluster; permissions are deleted with their cluster, and do not hinder other grants before", async () => {
  const { grant, granted, ofCluster, call, clusterId, world, create } = await start();
  const other = await create("172.17.0.0/16");
  const there = ofCluster("svc:ro", { clusterId: other });
  expect(await codeOf(grant([there]))).toBe("ResourceUnavailable.ClusterState");
  world.advance(3000);
  await grant([there, ofCluster("svc:ro")]);
  await call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await grant([there, ofCluster("svc:ro"), ofCluster("svc:dev", { clusterId: other })]);
  expect(await granted()).toHaveLength(3);
  expect(await codeOf(grant([ofCluster("svc:admin")]))).toBe("ResourceUnavailable.ClusterState");
  world.advance(1500);
  expect(await granted()).toEqual(["svc:ro@", "svc:dev@"]);
});
