import { Cloud, type Reply, type Request, type Transport } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { LocalPlatform } from "@container-platform/sdk/local";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type Grant, ledgerOf } from "../../../../provider/src/resources/cluster/permissions/grants.ts";
import { usersInLog } from "../../../../provider/src/resources/cluster/permissions/permission-events.ts";
import { makeCluster, makeNetwork, makeRole } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { region } from "../../stage/stage.ts";
import { ToldOtherwise } from "../../stage/told-otherwise.ts";

/** One operation sets all permissions of a user. Whoever adds or removes one must not touch those of others. */

const stage = await sharedStage();

const { vpcId, subnetIds } = await makeNetwork(stage);
const clusterId = await makeCluster(stage, vpcId, subnetIds);
await makeRole(stage, clusterId, "deployer");

const user = "100000000002";
const inside = (namespace: string): Grant => ({ clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace });
/** The permissions that were given by hand before. */
const byHand: readonly Grant[] = [
  { clusterId, roleName: "svc:ro", roleType: "cluster" },
  { clusterId, roleName: "svc:ns:ro", roleType: "namespace", namespace: "by-hand" },
  { clusterId, roleName: "deployer", roleType: "namespace", namespace: "by-hand" },
];

function describeGrant({ roleName, namespace = "" }: Grant): string {
  return `${roleName} ${namespace}`.trim();
}

async function grantsOf(targetUin: string): Promise<string[]> {
  const { permissions } = await stage.cloud.call(cluster.describeUserPermissions, { targetUin });
  return permissions.map(describeGrant).toSorted();
}

/** Adds permissions as somebody with another tool would: by setting all that exist and these. */
async function addByHand(targetUin: string, ...grants: readonly Grant[]): Promise<void> {
  const { permissions } = await stage.cloud.call(cluster.describeUserPermissions, { targetUin });
  const there = permissions.map(({ namespace, ...grant }) => ({ ...grant, ...(namespace !== "" && { namespace }) }));
  await stage.cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [...there, ...grants] });
}

afterEach(async () => {
  await stage.cloud.call(cluster.grantUserPermissions, { targetUin: user, permissions: [] });
});

function desiredGrant(targetUin: string, grant: Grant) {
  return { one: stage.deployment("UserPermission", `${targetUin}-${describeGrant(grant)}`), args: { targetUin, ...grant } };
}

test("a custom role that is not in the cluster is refused, and grants of the same moment are not affected", async () => {
  const good = [inside("a"), { clusterId, roleName: "deployer", roleType: "cluster" } as const, inside("b")].map((grant) =>
    desiredGrant(user, grant),
  );
  const bad = desiredGrant(user, { clusterId, roleName: "nobody", roleType: "cluster" });
  const outcomes = await Promise.allSettled([bad, ...good].map(({ one, args }) => one.up(args)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(String(Reflect.get(outcomes[0] ?? {}, "reason"))).toMatch(
    new RegExp(
      `creating UserPermission: cluster ${clusterId} has no ClusterRole nobody; .* \\(GrantUserPermissions: InvalidParameter, request [0-9a-f-]{36}\\)\\. Grants are for sub-accounts, and a custom role has to be in the cluster before: make the Role or ClusterRole first$`,
    ),
  );
  expect(bad.one.state).toBeUndefined();
  expect(await grantsOf(user)).toEqual(["deployer", "svc:ns:dev a", "svc:ns:dev b"]);
  await Promise.all(good.map(({ one }) => one.destroy()));
});

test("more than 100 permissions of one user are refused with what to do, and the others stay", async () => {
  const hundred = Array.from({ length: 100 }, (_, index) => inside(`n${index}`));
  await addByHand(user, ...hundred);
  const { one, args } = desiredGrant(user, inside("team"));
  await expect(one.up(args)).rejects.toThrow(
    /Permissions has 101 entries; a user has 100 at most \(GrantUserPermissions: LimitExceeded, request [0-9a-f-]{36}\)\. A user has at most 100 grants in a region: give a role that covers several of them$/,
  );
  expect(one.state).toBeUndefined();
  expect(await grantsOf(user)).toEqual(hundred.map(describeGrant).toSorted());
});

type Change = () => Promise<unknown>;

/** The platform, and somebody who is always quicker: each of their changes is made right before the next list is written. */
class QuickerColleague implements Transport {
  readonly #platform = new LocalPlatform(stage.world);
  readonly #changes: Change[];

  constructor(changes: readonly Change[]) {
    this.#changes = [...changes];
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    if (request.action === "GrantUserPermissions") await this.#changes.shift()?.();
    return this.#platform.send(request, signal);
  }

  whoAmI = () => this.#platform.whoAmI();
  close = () => Promise.resolve();
}

/** Gives or takes a permission as the resource does, while others make a change before each of its writes. */
function whileOthersChange(grant: Grant, given: boolean, ...changes: readonly Change[]): Promise<boolean> {
  return ledgerOf(new Cloud({ transport: new QuickerColleague(changes), region }), user).set(grant, given);
}

test("permissions that are not told are not written over", async () => {
  await addByHand(user, inside("before"));
  const cloud = ToldOtherwise.by(stage.world, { DescribeUserPermissions: (body) => ({ ...body, Permissions: null }) });
  const writes = await stage.writes(() =>
    expect(ledgerOf(cloud, user).set(inside("team"), true)).rejects.toThrow(
      /the answer is not what DescribeUserPermissions answers: Permissions.*request /,
    ),
  );
  expect(writes).toEqual([]);
  expect(await grantsOf(user)).toEqual(["svc:ns:dev before"]);
});

test("an audit log that cannot be read keeps no permission from being given", async () => {
  await addByHand(user, inside("before"));
  const cutShort = (name: string, value: unknown) => (name === "CloudAuditEvent" ? "cut short {" : value);
  const cloud = ToldOtherwise.by(stage.world, {
    LookUpEvents: (body) => z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(body, cutShort))),
  });
  expect(await ledgerOf(cloud, user).set(inside("team"), true)).toBe(true);
  await whileOthersChange(inside("team-2"), true, () => addByHand(user, inside("meanwhile")));
  expect(await grantsOf(user)).toEqual(["before", "meanwhile", "team", "team-2"].map((name) => `svc:ns:dev ${name}`).toSorted());
  expect(await usersInLog(cloud)).toEqual([]);
});

const adds = (name: string) => () => addByHand(user, inside(name));
const removes = (name: string) => () => stage.cloud.call(cluster.deleteUserPermissions, { targetUin: user, permissions: [inside(name)] });

test.each([
  {
    of: "what is given by hand between the provider's read and its write stays",
    changes: [adds("meanwhile")],
    left: ["leaver", "meanwhile", "team"],
  },
  { of: "what is removed by hand between them stays removed", changes: [removes("leaver")], left: ["team"] },
  {
    of: "what others change before the write that takes a permission away stays as they want it",
    given: false,
    changes: [adds("meanwhile"), removes("leaver")],
    left: ["meanwhile"],
  },
  {
    of: "changes by hand while the provider repairs its write stay, too",
    changes: [adds("first"), adds("second"), removes("first")],
    left: ["leaver", "second", "team"],
  },
])("$of", async ({ given = true, changes, left }) => {
  await addByHand(user, ...byHand, inside("leaver"), ...(given ? [] : [inside("team")]));
  expect(await whileOthersChange(inside("team"), given, ...changes)).toBe(true);
  expect(await grantsOf(user)).toEqual([...byHand, ...left.map(inside)].map(describeGrant).toSorted());
});

// The first write is theirs, the second ours, and the third repairs ours.
test.each([
  ["writes", [2]],
  ["repairs its write", [3, 3, 3]],
])("nothing is lost if the platform is busy when the provider %s", async (_, busy) => {
  await addByHand(user, inside("before"));
  for (const nth of busy) stage.faults.add({ operation: cluster.grantUserPermissions, when: "before", code: "ResourceInUse", nth });
  await whileOthersChange(inside("team"), true, () => addByHand(user, inside("meanwhile")));
  expect(await grantsOf(user)).toEqual(["svc:ns:dev before", "svc:ns:dev meanwhile", "svc:ns:dev team"]);
});
