import { expect, test } from "vitest";
import type { z } from "zod";
import { deleteCluster, deleteUserPermissions, describeUserPermissions, grantUserPermissions } from "../../../catalogue/cluster.ts";
import { putAccount, putSubAccount } from "../../accounts/accounts.ts";
import { putRole } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Item = NonNullable<z.input<typeof grantUserPermissions.input>["permissions"]>[number];
const user = "100000000002";

async function start() {
  const at = await stage();
  const clusterId = await at.running();
  const ofCluster = (roleName: string, given: Partial<Item> = {}): Item => ({ clusterId, roleName, roleType: "cluster", ...given });
  const ofNamespace = (roleName: string, namespace: string, given: Partial<Item> = {}): Item => ({
    clusterId,
    roleName,
    roleType: "namespace",
    namespace,
    ...given,
  });
  const grant = (permissions: Item[], targetUin = user) => at.cloud.call(grantUserPermissions, { targetUin, permissions });
  const revoke = (permissions: Item[]) => at.cloud.call(deleteUserPermissions, { targetUin: user, permissions });
  const granted = async (targetUin = user) =>
    (await at.cloud.call(describeUserPermissions, { targetUin })).permissions.map(({ roleName, namespace }) => `${roleName}@${namespace}`);
  return { ...at, clusterId, ofCluster, ofNamespace, grant, revoke, granted };
}

test("a grant replaces all permissions that a user has in the region", async () => {
  const { grant, granted, ofCluster, ofNamespace, cloud, clusterId } = await start();
  await grant([ofCluster("svc:ro", { isCustom: false }), ofNamespace("svc:ns:dev", "web")]);
  await grant([ofCluster("svc:admin")], "100000000003");
  expect(await cloud.call(describeUserPermissions, { targetUin: user })).toMatchObject({
    targetUin: user,
    permissions: [
      { clusterId, roleName: "svc:ro", roleType: "cluster", namespace: "" },
      { clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "web" },
    ],
  });
  await grant([ofNamespace("svc:ns:dev", "api"), ofCluster("svc:ro"), ofCluster("svc:ro", { namespace: "" })]);
  expect(await granted()).toEqual(["svc:ro@", "svc:ns:dev@api"]);
  expect(await granted("100000000003")).toEqual(["svc:admin@"]);
  await cloud.call(grantUserPermissions, { targetUin: user });
  expect(await granted()).toEqual([]);
});

test("permissions are removed one by one; to remove one that does not exist is no error", async () => {
  const { grant, revoke, granted, ofCluster, ofNamespace } = await start();
  await grant([ofCluster("svc:dev"), ofNamespace("svc:ns:ro", "web"), ofNamespace("svc:ns:ro", "api")]);
  await revoke([ofNamespace("svc:ns:ro", "web")]);
  await revoke([ofNamespace("svc:ns:ro", "web")]);
  expect(await granted()).toEqual(["svc:dev@", "svc:ns:ro@api"]);
  await expect(revoke([])).rejects.toMatchObject({ code: "MissingParameter" });
});

test("role, type and namespace have to go together", async () => {
  const { grant, granted, ofCluster, ofNamespace } = await start();
  const wrong: Item[] = [
    ofCluster("svc:ns:dev"),
    ofNamespace("svc:dev", "web"),
    ofNamespace("svc:ns:dev", ""),
    ofNamespace("svc:ns:dev", "We b"),
    ofCluster("svc:dev", { namespace: "web" }),
    ofCluster("svc:dev", { isCustom: true }),
    ofCluster("auditor", { isCustom: false }),
    ofCluster(""),
    ofCluster("toString"),
  ];
  for (const item of wrong) await expect(grant([item])).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(grant([ofCluster("svc:dev", { clusterId: "cls-00000000" })])).rejects.toMatchObject({ code: "ResourceNotFound" });
  expect(await granted()).toEqual([]);
});

test("a custom role has to exist in the cluster, and in the namespace for which it is granted", async () => {
  const { grant, granted, ofCluster, ofNamespace, world, region, clusterId } = await start();
  const invalid = { code: "InvalidParameter", message: expect.stringContaining("ClusterRole") };
  await expect(grant([ofCluster("auditor", { isCustom: true })])).rejects.toMatchObject(invalid);
  await putRole(world, { region, clusterId, name: "auditor" });
  await putRole(world, { region, clusterId, name: "deployer", namespace: "web" });
  await grant([ofCluster("auditor", { isCustom: true }), ofNamespace("auditor", "api"), ofNamespace("deployer", "web")]);
  expect(await granted()).toEqual(["auditor@", "auditor@api", "deployer@web"]);
  await expect(grant([ofNamespace("deployer", "api")])).rejects.toMatchObject(invalid);
  await expect(grant([ofCluster("deployer")])).rejects.toMatchObject(invalid);
  await expect(putRole(world, { region, clusterId: "cls-0", name: "a" })).rejects.toThrow("there is no cluster cls-0");
});

test("a user has 100 permissions at most; the main account is granted none", async () => {
  const { grant, granted, ofNamespace, world, platform } = await start();
  const many = (count: number) => Array.from({ length: count }, (_, index) => ofNamespace("svc:ns:ro", `n${index}`));
  await expect(grant(many(101))).rejects.toMatchObject({ code: "LimitExceeded", kind: "limit" });
  await grant(many(100));
  expect(await granted()).toHaveLength(100);
  for (const targetUin of [world.account, "alice", ""])
    await expect(grant([], targetUin)).rejects.toMatchObject({ code: "InvalidParameter" });
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
  const { grant, granted, ofCluster, cloud, clusterId, world, create } = await start();
  const other = await create("172.17.0.0/16");
  const there = ofCluster("svc:ro", { clusterId: other });
  await expect(grant([there])).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState" });
  world.advance(3000);
  await grant([there, ofCluster("svc:ro")]);
  await cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  await grant([there, ofCluster("svc:ro"), ofCluster("svc:dev", { clusterId: other })]);
  expect(await granted()).toHaveLength(3);
  await expect(grant([ofCluster("svc:admin")])).rejects.toMatchObject({ code: "ResourceUnavailable.ClusterState" });
  world.advance(1500);
  expect(await granted()).toEqual(["svc:ro@", "svc:dev@"]);
});
