import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { putAccessKey } from "@container-platform/sdk/local";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../sdk/src/operation/codec.ts";
import { Meddler, type Sent } from "../../support/meddler.ts";
import { Stack } from "../../support/stack.ts";

/** `pulumi up` in the form of the public API, where one answer is not what the platform has told: its next run ends well. */

const program = `
import { SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";

const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Subnet("one", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
new Subnet("two", { vpcId, cidrBlock: "10.0.16.0/20", zone: "eu-frankfurt-2" });
new SecurityGroup("guard", { ingress: [{ protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }] });
`;
const made = { vpcs: 1, subnets: 2, securityGroups: 1 };

/** A stack whose platform is served, with keys that a program prints, and something in between. */
async function start() {
  const stack = await Stack.create({ program, served: true, env: { CONTAINER_PLATFORM_SECRET_ID: "", CONTAINER_PLATFORM_SECRET_KEY: "" } });
  const meddler = await Meddler.before(stack.url);
  const keys = join(stack.folder, "keys.json");
  const write = async () => {
    const key = await putAccessKey(stack.world, { temporary: true });
    writeFileSync(keys, JSON.stringify(key));
    return key;
  };
  const first = await write();
  stack.configure({
    "container-platform:endpoint": `public:${meddler.url}`,
    "container-platform:credentialProcess": `"${process.execPath}" -p "fs.readFileSync('${keys}', 'utf8')"`,
  });
  const end = () => stack.world.prepare("UPDATE accessKeys SET expires = ? WHERE id = ?").run(stack.world.now() - 1, first.secretId);
  const close = async () => {
    await stack[Symbol.asyncDispose]();
    await meddler[Symbol.asyncDispose]();
  };
  return { stack, meddler, renewKeys: write, endKeys: end, [Symbol.asyncDispose]: close };
}

/** Nothing is made twice, nothing is lost, and nothing differs in the end. */
async function expectEndsWell(stack: Stack, others: Readonly<Record<string, number>> = {}): Promise<void> {
  await stack.up("--refresh");
  for (const [table, count] of Object.entries(made)) expect([table, stack.count(table)]).toEqual([table, count + (others[table] ?? 0)]);
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toMatchObject(others);
  for (const table of Object.keys(made)) expect([table, stack.count(table)]).toEqual([table, others[table] ?? 0]);
}

const response = (told: JsonObject): Sent => ({ text: JSON.stringify({ Response: told }) });
const page = { headers: { "content-type": "text/html" }, text: "<html>please log in</html>" };

test.each<[what: string, action: string, instead: (told: JsonObject) => Sent, says: RegExp | undefined]>([
  ["5xx after a write took effect", "CreateVpc", () => ({ ...page, status: 502 }), /HTTP status 502[^]*pulumi up --refresh/],
  ["5xx after a second one of two took effect", "CreateSubnet", () => ({ ...page, status: 503 }), /HTTP status 503[^]*pulumi up --refresh/],
  ["a list that is cut short", "DescribeSubnets", (told) => response({ ...told, SubnetSet: [] }), undefined],
  ["a page in the place of an answer", "CreateSecurityGroup", () => page, /not a platform's: it is not JSON[^]*pulumi up --refresh/],
])("%s: nothing is made twice or lost, and the next run ends well", { timeout: 600_000 }, async (_, action, instead, says) => {
  await using started = await start();
  const { stack, meddler } = started;
  meddler.meddling = { action, nth: 1, instead };
  const outcome = await stack.start("up", "--yes", "--skip-preview").ended;
  expect(meddler.hasMeddled).toBe(true);
  expect([outcome.code === 0, outcome.output]).toEqual([says === undefined, expect.stringMatching(says ?? /created/)]);
  await expectEndsWell(stack);
});

test("the id of somebody else's VPC in the answer to a creation: it is not touched", { timeout: 600_000 }, async () => {
  await using started = await start();
  const { stack, meddler } = started;
  const { vpcId } = (await stack.cloud().call(vpc.createVpc, { vpcName: "theirs", cidrBlock: "172.16.0.0/16" })).vpc;
  const before = (await stack.cloud().call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet;
  const instead = (told: JsonObject) => response({ ...told, Vpc: { ...Object(told["Vpc"]), VpcId: vpcId, VpcName: "theirs" } });
  meddler.meddling = { action: "CreateVpc", nth: 1, instead };
  await stack.start("up", "--yes", "--skip-preview").ended;
  expect(meddler.hasMeddled).toBe(true);
  expect((await stack.resources()).map(({ id }) => id)).not.toContain(vpcId);
  await expectEndsWell(stack, { vpcs: 1 });
  expect((await stack.cloud().call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet).toEqual(before);
});

test("keys that end in mid-run are asked for anew", { timeout: 600_000 }, async () => {
  await using started = await start();
  const { stack, meddler, renewKeys, endKeys } = started;
  let renewed: Promise<unknown> | undefined;
  meddler.meddling = {
    action: "CreateVpc",
    nth: 1,
    instead: (told) => {
      endKeys();
      renewed = renewKeys();
      return response(told);
    },
  };
  await stack.up();
  await renewed;
  expect(renewed).toBeDefined();
  await expectEndsWell(stack);
});

test("keys that end in mid-run, and that nobody renews, are told with their source", { timeout: 600_000 }, async () => {
  await using started = await start();
  const { stack, meddler, renewKeys, endKeys } = started;
  const instead = (told: JsonObject) => {
    endKeys();
    return response(told);
  };
  meddler.meddling = { action: "CreateVpc", nth: 1, instead };
  const { output } = await stack.failingUp();
  expect(output).toMatch(/has expired; it was signed with the keys of the configuration \(\w+: AuthFailure\.TokenFailure, request /);
  expect(stack.count("vpcs")).toBe(1);
  await renewKeys();
  await expectEndsWell(stack);
});
