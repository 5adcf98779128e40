/** Only the real engine shows that resources with a `Provider` of their own work where that says, in a process of its own. */

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { readRecord } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const program = `
import { Provider, Subnet, Vpc } from "@container-platform/pulumi";

const home = new Vpc("home", { cidrBlock: "10.0.0.0/16" });
const singapore = new Provider("singapore", {
  region: "ap-singapore",
  defaultTags: { team: "platform", stage: "test" },
  callsPerSecond: 50,
  record: "away.jsonl",
});
const away = new Vpc("away", { cidrBlock: "10.0.0.0/16", tags: { stage: "live", cost: "7" } }, { provider: singapore });
new Subnet("away", { vpcId: away.vpcId, cidrBlock: "10.0.0.0/24", zone: "ap-singapore-1" }, { provider: singapore });
`;

test("a Provider works in its own region, whatever the environment says, at the stack's endpoint, and adds its tags to what is made through it", async () => {
  const config = { "container-platform:defaultTags": '{"team":"network"}', "container-platform:recrod": "all.jsonl", "other:recrod": "a" };
  // As cpcli's users have it, who export a region.
  const env = { CONTAINER_PLATFORM_REGION: "eu-frankfurt" };
  await using stack = await Stack.create({ program, config, env });
  appendFileSync(join(stack.folder, "Pulumi.test.yaml"), "config:\n  pulumi:autonaming:\n    mode: verbatim\n");
  const { output } = await stack.up();
  expect(output).toContain(
    "warning: container-platform:recrod is not a setting, and has no effect; maybe you meant container-platform:record [Provider.Configuration]",
  );
  expect(output).not.toContain("other:recrod");
  expect(output).toContain("warning: pulumi:autonaming has no effect on resources of @container-platform/pulumi");
  const [home, away] = [stack.cloud("eu-frankfurt"), stack.cloud("ap-singapore")];
  const tagsOf = (set: readonly { readonly key: string; readonly value: string }[]) =>
    Object.fromEntries(set.flatMap(({ key, value }) => (key.startsWith("container-platform/") ? [] : [[key, value]])));

  const vpcsAtHome = (await home.call(vpc.describeVpcs, {})).vpcSet;
  expect(vpcsAtHome.map(({ tagSet }) => tagsOf(tagSet))).toEqual([{ team: "network" }]);
  const vpcsAway = (await away.call(vpc.describeVpcs, {})).vpcSet;
  expect(vpcsAway.map(({ tagSet }) => tagsOf(tagSet))).toEqual([{ team: "platform", stage: "live", cost: "7" }]);
  const subnetsAway = (await away.call(vpc.describeSubnets, {})).subnetSet;
  expect(subnetsAway.map(({ tagSet }) => tagsOf(tagSet))).toEqual([{ team: "platform", stage: "test" }]);
  expect((await home.call(vpc.describeSubnets, {})).subnetSet).toEqual([]);

  const recorded = readRecord(join(stack.folder, "away.jsonl")).map(({ action, region }) => `${action} in ${region}`);
  expect(recorded).toEqual(expect.arrayContaining(["CreateVpc in ap-singapore", "CreateSubnet in ap-singapore"]));
  expect(recorded.filter((call) => call.startsWith("CreateVpc"))).toHaveLength(1);

  stack.write(program.replace('stage: "test"', 'stage: "quality"'));
  expect(operationsOf(await stack.up("--refresh"))).toEqual({ "Subnet away": ["update"] });
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
