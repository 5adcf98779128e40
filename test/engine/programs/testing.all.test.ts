/** Only the real engine, as `@container-platform/pulumi/testing` runs it, shows how that works in test runners, beside others, and for a folder. */
import { spawnSync } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cluster, getVpcs, Provider, Subnet, Vpc } from "@container-platform/pulumi";
import { deploy, TestStack } from "@container-platform/pulumi/testing";
import { describeVpcs, modifyVpcAttribute } from "@container-platform/sdk/vpc";
import { secret } from "@pulumi/pulumi";
import { expect, onTestFinished, test } from "vitest";
import { scratch } from "../../../sdk/src/scratch.fixture.ts";
import { root } from "../../support/compiler.ts";
import { quickEngine } from "../../support/stack.ts";

Object.assign(process.env, quickEngine);

/** A folder outside of the clone, in which its packages are found. */
function folder(): string {
  const made = scratch();
  symlinkSync(join(root, "node_modules"), join(made, "node_modules"));
  return made;
}

test("under node --test, a refused program fails its own test alone, and what nobody handles is still seen", () => {
  const place = folder();
  const own = (name: string, text: string) => `test(${JSON.stringify(name)}, async () => {${text}});`;
  const program = `
import assert from "node:assert/strict";
import { test } from "node:test";
import { Network } from "@container-platform/pulumi";
import { TestStack } from "@container-platform/pulumi/testing";
const refused = async (program, says) => {
  await using stack = await TestStack.create(program);
  await assert.rejects(stack.preview(), says);
};
`;
  const refusals = [
    own("output", `await refused(async () => ({ ids: new Network("x", { zones: 9 }).subnetIds.nodes }), /zones: 9 are asked for/);`),
    own("child", `await refused(async () => { new Network("x", { zones: ["eu-frankfurt-4"] }); }, /"eu-frankfurt-4" cannot be used/);`),
    own("program", `await refused(async () => { void Promise.reject(new Error("nobody handles this")); }, /nobody handles this/);`),
  ];
  writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(place, "refused.test.js"), program + refusals.join("\n"));
  const constructor = own(
    "constructor",
    `await refused(async () => { new Network("x", { zones: 0 }); }, /zones: 0 is no number of zones/);`,
  );
  const forgetful = `${constructor}\n${own("own", `void Promise.reject(new Error("the test's own"));`)}`;
  writeFileSync(join(place, "forgetful.test.js"), program + forgetful);
  const ran = (file: string) => spawnSync(process.execPath, ["--test", "--test-reporter", "tap", file], { cwd: place, encoding: "utf8" });
  const right = ran("refused.test.js");
  expect([right.status, right.stderr, right.stdout]).toEqual([0, "", expect.stringMatching(/^# pass 3$/m)]);
  expect(right.stdout).not.toContain("Warning");
  const wrong = ran("forgetful.test.js");
  expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining("the test's own")]);
});

test("two programs in one process have their own worlds, clocks and functions", async () => {
  const program = (cidrBlock: string) => async () => {
    const { vpcId } = new Vpc("demo", { cidrBlock });
    const { subnetId } = new Subnet("demo", { vpcId, zone: "eu-frankfurt-1", cidrBlock: cidrBlock.replace("/16", "/20") });
    new Cluster("demo", { vpcId, subnetId, clusterCidr: "172.16.0.0/16" });
    const provider = new Provider("away", { endpoint: "http://127.0.0.1:1", region: "na-ashburn" });
    const [before, away] = [await getVpcs(), await getVpcs({}, { provider })];
    return { before: before.map((vpc) => vpc.cidrBlock), away: away.length, hidden: secret("Planted-marker-1") };
  };
  await using one = await TestStack.create(program("10.1.0.0/16"), { timeScale: "realistic" });
  await using other = await TestStack.create(program("10.2.0.0/16"));
  await one.emulator.addFault({ resourceType: "cluster", endState: "Abnormal", reason: "no capacity" });
  const stuck = one.up();
  stuck.catch(() => undefined);
  expect((await other.up()).operations).toEqual({ "Vpc demo": ["create"], "Subnet demo": ["create"], "Cluster demo": ["create"] });
  await expect.poll(() => one.calls().map(({ action }) => action)).toContain("CreateCluster");
  await one.emulator.advance(31 * 60_000);
  await expect(stuck).rejects.toThrow("no capacity");

  expect((await other.up({ refresh: true, expectNoChanges: true })).operations).toEqual({});
  const [vpc] = (await other.cloud().call(describeVpcs, {})).vpcSet;
  await other.cloud().call(modifyVpcAttribute, { vpcId: vpc?.vpcId ?? "", vpcName: "elsewhere" });
  expect((await other.refresh()).operations).toEqual({ "Vpc demo": ["update"] });
  expect(await other.outputs()).toEqual({ before: ["10.2.0.0/16"], away: 0, hidden: "Planted-marker-1" });
  expect(one.calls().filter(({ action }) => action === "CreateVpc")).toMatchObject([{ parameters: { CidrBlock: "10.1.0.0/16" } }]);
});

test("the program of a folder is deployed without a change to the folder, and reaches only the stack's own platform", async () => {
  const place = folder();
  const nowhere = "http://127.0.0.1:1";
  const config = {
    "container-platform:endpoint": nowhere,
    "container-platform:profile": "of-nobody",
    "container-platform:region": "ap-singapore",
    size: 20,
  };
  writeFileSync(
    join(place, "Pulumi.yaml"),
    JSON.stringify({ name: "mine", runtime: "nodejs", main: "index.ts", backend: { url: "https://state.invalid" }, config }),
  );
  writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(
    join(place, "index.ts"),
    `import { Provider, Vpc } from "@container-platform/pulumi";
     import { Config } from "@pulumi/pulumi";
     const provider = new Provider("away", { endpoint: "${nowhere}", region: "na-ashburn" });
     new Vpc("home", { cidrBlock: \`10.0.0.0/\${new Config().require("size")}\` });
     new Vpc("away", { cidrBlock: "10.0.0.0/16" }, { provider });`,
  );
  const before = readdirSync(place);
  process.env["CONTAINER_PLATFORM_ENDPOINT"] = nowhere;
  process.env["PULUMI_BACKEND_URL"] = "https://state.invalid";
  onTestFinished(() => {
    for (const name of ["CONTAINER_PLATFORM_ENDPOINT", "PULUMI_BACKEND_URL"]) Reflect.deleteProperty(process.env, name);
  });

  await using stack = await deploy(place, { config: { "mine:size": "24" } });
  const created = stack.calls().filter(({ action }) => action === "CreateVpc");
  expect(created.map(({ region, parameters }) => [region, parameters]).sort()).toMatchObject([
    ["ap-singapore", { CidrBlock: "10.0.0.0/24" }],
    ["na-ashburn", { CidrBlock: "10.0.0.0/16" }],
  ]);
  stack.configure({ "mine:size": "28" });
  expect((await stack.preview()).operations).toEqual({ "Vpc home": ["delete-replaced", "replace", "create-replacement"] });
  expect(readdirSync(place)).toEqual(before);
  expect(process.env["CONTAINER_PLATFORM_ENDPOINT"]).toBe(nowhere);
  await expect(deploy(join(place, "node_modules"))).rejects.toThrow(/^there is no Pulumi\.yaml in .*: name the folder of a project, /);
});
