import * as cluster from "@container-platform/sdk/cluster";
import { putRole } from "@container-platform/sdk/local";
import * as vpc from "@container-platform/sdk/vpc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Programs and people give permissions to the same users at the same time. Nobody removes what another has given. */

const region = "eu-frankfurt";
const users = ["100000000002", "100000000003", "100000000004", "100000000005"] as const;

/** A program that gives each of the users a permission in each of these namespaces. */
const program = (clusterId: string, namespaces: readonly string[]) => `
import { UserPermission } from "@container-platform/pulumi";

for (const targetUin of ${JSON.stringify(users)})
  for (const namespace of ${JSON.stringify(namespaces)})
    new UserPermission(\`\${namespace}-\${targetUin}\`, {
      targetUin,
      clusterId: "${clusterId}",
      roleName: "svc:ns:dev",
      roleType: "namespace",
      namespace,
    });
`;

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

let first: Stack;
let clusterId: string;
/** The permissions that were given by hand before. */
let byHand: Readonly<
  Record<string, readonly { readonly roleName: string; readonly roleType: cluster.RoleType; readonly namespace?: string }[]>
>;

beforeAll(async () => {
  first = await Stack.create({ program: "export {};" });
  const cloud = first.cloud();
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "by-hand", cidrBlock: "10.0.0.0/16" })).vpc;
  const asked = { vpcId, subnetName: "by-hand", cidrBlock: "10.0.0.0/20", zone: `${region}-1` };
  const { subnetId } = (await cloud.call(vpc.createSubnet, asked)).subnet;
  const made = await cloud.call(cluster.createCluster, {
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: { clusterName: "by-hand", vpcId, subnetId },
  });
  clusterId = made.clusterId;
  await putRole(first.world, { region, clusterId, name: "deployer" });
  byHand = {
    [users[0]]: [{ roleName: "svc:ro", roleType: "cluster" }],
    [users[1]]: [{ roleName: "svc:ns:ro", roleType: "namespace", namespace: "by-hand" }],
    [users[2]]: [{ roleName: "deployer", roleType: "namespace", namespace: "by-hand" }],
    [users[3]]: [],
  };
});
afterAll(() => first[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const [targetUin, grants] of Object.entries(byHand)) {
    const permissions = grants.map((grant) => ({ clusterId, ...grant }));
    await first.cloud().call(cluster.grantUserPermissions, { targetUin, permissions });
  }
});

/** All grants of the four users, in words. */
async function grants(): Promise<string[]> {
  const found = users.map(async (targetUin) => {
    const { permissions } = await first.cloud().call(cluster.describeUserPermissions, { targetUin });
    return permissions.map(({ roleName, namespace }) => `${targetUin} ${roleName} ${namespace}`);
  });
  return (await Promise.all(found)).flat().toSorted();
}

/** The permissions that were given by hand, and one of each user in each of these namespaces. */
function byHandAnd(namespaces: readonly string[]): string[] {
  const given = Object.entries(byHand).flatMap(([uin, permissions]) =>
    permissions.map(({ roleName, namespace = "" }) => `${uin} ${roleName} ${namespace}`),
  );
  return [...given, ...users.flatMap((uin) => namespaces.map((namespace) => `${uin} svc:ns:dev ${namespace}`))].toSorted();
}

function makeBusy(times: number): void {
  // With a different `nth` each, so that the platform is busy now and then.
  for (let nth = 1; nth <= times; nth++)
    first.faults.add({ operation: cluster.grantUserPermissions, when: "before", code: "ResourceInUse", nth });
}

test("forty permissions of four users are given 32 at a time, one is removed alone, and destroy leaves those given by hand", async () => {
  const ten = named("team", 10);
  first.write(program(clusterId, ten));
  makeBusy(3);
  await first.up("--parallel", "32");
  expect(await grants()).toEqual(byHandAnd(ten));
  await first.up("--refresh", "--expect-no-changes", "--parallel", "32");

  const nine = ten.filter((name) => name !== "team-4");
  first.write(program(clusterId, nine));
  expect(operationsOf(await first.up("--parallel", "32"))).toEqual(
    Object.fromEntries(users.map((uin) => [`UserPermission team-4-${uin}`, ["delete"]])),
  );
  expect(await grants()).toEqual(byHandAnd(nine));

  await first.destroy("--parallel", "32");
  expect(await grants()).toEqual(byHandAnd([]));
});

test("two stacks give permissions to the same users at the same time on a busy platform, and none is lost, nor those given by hand", async () => {
  const [ours, theirs] = [named("ours", 5), named("theirs", 5)];
  await using second = await Stack.create({
    program: program(clusterId, theirs),
    config: { "container-platform:endpoint": `local:${first.worldFile}` },
  });
  first.write(program(clusterId, ours));
  const before = first.calls().length;
  makeBusy(6);
  await Promise.all([first.up("--parallel", "32"), second.up("--parallel", "32")]);
  expect(await grants()).toEqual(byHandAnd([...ours, ...theirs]));
  const refused = first
    .calls()
    .slice(before)
    .filter(({ code }) => code === "ResourceInUse");
  expect(refused).toHaveLength(6);

  // One stack is destroyed while the other is deployed.
  const more = [...theirs, ...named("more", 3)];
  second.write(program(clusterId, more));
  makeBusy(3);
  await Promise.all([first.destroy("--parallel", "32"), second.up("--parallel", "32")]);
  expect(await grants()).toEqual(byHandAnd(more));
  await second.destroy();
  expect(await grants()).toEqual(byHandAnd([]));
});
