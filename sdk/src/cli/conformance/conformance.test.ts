import { text } from "node:stream/consumers";
import { request as exchange } from "undici";
import { expect, test } from "vitest";
import { createCluster, describeClusters, describeUserPermissions, grantUserPermissions } from "../../catalogue/cluster.ts";
import { describeInstances } from "../../catalogue/registry.ts";
import { createSubnet, createVpc, describeSecurityGroups, describeSubnets, describeVpcs } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { LocalPlatform } from "../../local/platform.ts";
import { served } from "../../server/stage.fixture.ts";
import { listening } from "../../transport/listening.fixture.ts";
import { endOf, keyIn, ownWorld, User } from "../user.fixture.ts";
import type { Tried } from "./trial.ts";

type Answer = Record<string, unknown>;
/** Changes the answer of an action on its way. */
type Change = (action: string, answer: Answer) => void;

interface Report {
  readonly steps: readonly string[];
  readonly findings: readonly string[];
  readonly left: readonly string[];
  readonly calls: readonly Tried[];
}

/** A platform that is served in the public form, behind a gateway that changes its answers, and a user who has its key. */
async function stage(change: Change = () => undefined) {
  const { world, url, key } = await served();
  const platform = new LocalPlatform(world);
  const gateway = await listening((request, response) => {
    void (async () => {
      const body = await text(request);
      const answer = await exchange(url, { method: "POST", headers: request.headers, body });
      const told = (await answer.body.json()) as { Response: Answer };
      change(String(request.headers["x-tc-action"]), told.Response);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told));
    })().catch(() => response.destroy());
  });
  const user = new User({ ...ownWorld, ...keyIn(key), CONTAINER_PLATFORM_ENDPOINT: `public:${gateway}`, CONTAINER_PLATFORM_RETRIES: "0" });
  const tried = async (...args: readonly string[]) => {
    const ended = await user.run("conformance", ...args, "--yes");
    return { ...ended, report: JSON.parse(ended.stdout) as Report };
  };
  const cloud = new Cloud({ transport: platform, region: "eu-frankfurt" });
  const remains = async () => ({
    vpcs: (await cloud.call(describeVpcs, {})).totalCount,
    subnets: (await cloud.call(describeSubnets, {})).totalCount,
    groups: (await cloud.call(describeSecurityGroups, {})).totalCount,
    clusters: (await cloud.call(describeClusters, {})).totalCount,
    registries: (await cloud.call(describeInstances, {})).totalCount,
  });
  return { user, tried, remains, platform, cloud };
}

const nothing = { vpcs: 0, subnets: 0, groups: 0, clusters: 0, registries: 0 };
const named = (report: Report, action: string) => report.calls.find((call) => call.action === action);

test("without --yes, it tells what the steps do and cost, and calls nothing", async () => {
  const heard: string[] = [];
  const { user } = await stage((action) => heard.push(action));
  const { code, stdout, stderr } = await user.run("conformance", "--through", "cluster", "--subAccount", "100000000002");
  expect([code, stdout, heard]).toEqual([0, "", []]);
  expect(stderr).toMatch(
    /^cpcli: reads: .* Costs nothing.*\ncpcli: network: .*\ncpcli: namespace: .*\ncpcli: cluster: .*100000000002.*\n.*give --yes\n$/,
  );
});

test("from reads to a cluster: every answer is as the catalogue says, the meaning of grants is found out, and nothing remains", async () => {
  const { tried, remains, cloud } = await stage();
  const { code, stdout, stderr, report } = await tried("--through", "cluster", "--subAccount", "100000000002");
  expect([code, report.left], stderr).toEqual([0, []]);
  const differing = report.calls.filter(({ missing = [], fresh = [], odd = [] }) => [missing, fresh, odd].some(({ length }) => length > 0));
  expect(differing).toEqual([]);
  expect(report.findings).toEqual([
    "GrantUserPermissions of [ro, ops] after [ro, dev] leaves [ops, ro]: it replaces what the user has",
    "DeleteUserPermissions of [ops] from [ops, ro] leaves [ro]: its list is what is removed",
  ]);
  expect(await remains()).toEqual(nothing);
  expect((await cloud.call(describeUserPermissions, { targetUin: "100000000002" })).permissions).toEqual([]);
  // A report is sent to others: it has no value of an answer.
  expect(stdout).not.toMatch(/apiVersion|10\.255\.0/);
});

test("a field that an answer lacks is told, and one that is new, and one of another type", async () => {
  const { tried } = await stage((action, answer) => {
    if (action === "DescribeZones")
      for (const zone of answer["ZoneSet"] as Answer[]) Object.assign(zone, { ZoneState: undefined, Colour: "hush" });
    if (action === "DescribeVpcs") Object.assign(answer, { TotalCount: "hush", VpcSet: null });
  });
  const { code, stdout, stderr, report } = await tried();
  expect(code).toBe(0);
  expect(named(report, "DescribeZones")).toMatchObject({ missing: ["ZoneSet[].ZoneState"], fresh: ["ZoneSet[].Colour"], odd: [] });
  expect(named(report, "DescribeVpcs")).toMatchObject({ missing: [], empty: ["VpcSet"], odd: ["TotalCount"] });
  expect(stderr).toContain("compute DescribeZones 2017-03-12: missing: ZoneSet[].ZoneState; new: ZoneSet[].Colour\n");
  expect(stdout + stderr).not.toContain("hush");
});

test("a step that is refused ends the run, and what was made before is removed", async () => {
  const { tried, remains, platform } = await stage();
  platform.faults.add({ operation: { action: "CreateSecurityGroup" }, when: "before", code: "LimitExceeded", reason: "no more" });
  const { code, stderr, report } = await tried("--through", "namespace");
  expect(code).toBe(254);
  expect(stderr).toContain("code:LimitExceeded message:no more");
  expect(named(report, "CreateSecurityGroup")).toMatchObject({ code: "LimitExceeded", reason: "no more" });
  expect([report.left, await remains()]).toEqual([[], nothing]);
});

test.each([
  ["", undefined],
  [", also after Control-C", "CreateSubnet"],
])("what cannot be removed is named%s", async (_, interrupted) => {
  const { user, platform } = await stage((action) => {
    if (action === interrupted) child.kill("SIGINT");
  });
  platform.faults.add({ operation: { action: "DeleteVpc" }, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth", reason: "no" });
  const child = user.start("conformance", "--through", "network", "--yes");
  const { code, stderr } = await endOf(child);
  expect(code, stderr).toBe(255);
  expect(stderr).toMatch(/cpcli: not removed, and perhaps billed: VPC vpc-[0-9a-f]{8}: DeleteVpc: no \(/);
});

test("a platform that does not answer is no success, and no refusal", async () => {
  const { user, tried } = await stage();
  // Nobody listens there.
  user.env["CONTAINER_PLATFORM_ENDPOINT"] = "public:http://127.0.0.1:9";
  const { code, stderr, report } = await tried();
  expect(code).toBe(255);
  expect(report.calls.length).toBeGreaterThan(5);
  expect(report.calls.filter(({ unanswered }) => unanswered !== true)).toEqual([]);
  expect(stderr).toMatch(/identity GetCallerIdentity [-0-9]+: no answer: /);
  expect(stderr).not.toContain("refused");
  expect(stderr).toMatch(new RegExp(`cpcli: ${report.calls.length} of ${report.calls.length} calls were not answered: `));
});

test("one read that is not answered does not end the others, and is a failure at the end", async () => {
  const { tried, platform } = await stage();
  platform.faults.add({ operation: { action: "DescribeVpcs" }, when: "after" });
  const { code, stderr, report } = await tried();
  expect(code, stderr).toBe(255);
  expect(report.calls.filter(({ unanswered }) => unanswered).map(({ action }) => action)).toEqual(["DescribeVpcs"]);
  expect(stderr).toContain(`cpcli: 1 of ${report.calls.length} calls were not answered: `);
});

test("fields that the public form does not have are no differences", async () => {
  const { tried, cloud } = await stage();
  await clusterIn(cloud);
  const { stderr, report } = await tried();
  expect(named(report, "DescribeClusters"), stderr).toMatchObject({ missing: [], empty: [], fresh: [], odd: [] });
});

test("a sub-account that is none is refused before anything is made", async () => {
  const { tried, remains } = await stage();
  const { code, stderr, report } = await tried("--through", "cluster", "--subAccount", "abc");
  expect([code, report.calls.map(({ action }) => action)], stderr).toEqual([254, ["DescribeUserPermissions"]]);
  expect(await remains()).toEqual(nothing);
});

test("Control-C ends the run, and what was made is removed", async () => {
  const { user, remains } = await stage((action) => {
    if (action === "CreateSubnet") child.kill("SIGINT");
  });
  const child = user.start("conformance", "--through", "cluster", "--yes");
  const { code, stderr } = await endOf(child);
  expect([code, await remains()]).toEqual([130, nothing]);
  expect(stderr).toContain("cpcli: interrupted: all that was made is removed");
});

async function clusterIn(cloud: Cloud): Promise<string> {
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "own", cidrBlock: "10.0.0.0/16" })).vpc;
  const place = { vpcId, subnetName: "own", cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" };
  const { subnetId } = (await cloud.call(createSubnet, place)).subnet;
  const settings = { clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, clusterBasicSettings: { clusterName: "own" } };
  return (await cloud.call(createCluster, { vpcId, subnetId, ...settings })).clusterId;
}

test.each([
  ["are not told", (answer: Answer) => delete answer["Permissions"]],
  ["are told in part", (answer: Answer) => (answer["Permissions"] = [...(answer["Permissions"] as unknown[]), null])],
])("permissions that %s are not written back: the user keeps them", async (_, change) => {
  const { user, cloud } = await stage((action, answer) => {
    if (action === "DescribeUserPermissions") change(answer);
  });
  const targetUin = "100000000002";
  const permissions = [{ clusterId: await clusterIn(cloud), roleName: "svc:ro", roleType: "cluster" as const }];
  await cloud.call(grantUserPermissions, { targetUin, permissions });
  const { code, stderr } = await user.run("conformance", "--through", "cluster", "--subAccount", "100000000002", "--yes");
  expect(code).toBe(255);
  expect(stderr).toContain("DescribeUserPermissions does not tell all permissions of 100000000002");
  expect((await cloud.call(describeUserPermissions, { targetUin })).permissions.map(({ roleName }) => roleName)).toEqual(["svc:ro"]);
});

test.each([
  ["whose answer is lost", (platform: LocalPlatform) => platform.faults.add({ operation: { action: "CreateVpc" }, when: "after" })],
  ["that is answered without an id", () => undefined],
])("something %s may be there: its name is told at the end", async (_, prepare) => {
  const { user, remains, platform } = await stage((action, answer) => {
    if (action === "CreateVpc") answer["Vpc"] = {};
  });
  prepare(platform);
  const { code, stdout, stderr } = await user.run("conformance", "--through", "network", "--yes");
  expect(code).toBe(255);
  expect(await remains()).toMatchObject({ vpcs: 1 });
  const maybe = "what CreateVpc may have made, called cpcli-conformance: its answer did not tell";
  expect((JSON.parse(stdout) as Report).left).toEqual([maybe]);
  expect(stderr).toContain(`cpcli: not removed, and perhaps billed: ${maybe}`);
});
