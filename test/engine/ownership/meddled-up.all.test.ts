/** Only the real engine shows what its state has after an `up` in the form of the public API in which an answer is about another resource. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { putAccessKey } from "@container-platform/sdk/local";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../sdk/src/operation/codec.ts";
import { Meddler } from "../../support/meddler.ts";
import { Stack } from "../../support/stack.ts";

const program = `
import { SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";

const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Subnet("one", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
new Subnet("two", { vpcId, cidrBlock: "10.0.16.0/20", zone: "eu-frankfurt-2" });
new SecurityGroup("guard", { ingress: [{ protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }] });
`;

test("the id of somebody else's VPC in the answer to a creation: it is not touched, and the next run ends well", async () => {
  await using stack = await Stack.create({
    program,
    served: true,
    env: { CONTAINER_PLATFORM_SECRET_ID: "", CONTAINER_PLATFORM_SECRET_KEY: "" },
  });
  await using meddler = await Meddler.before(stack.url);
  const keys = join(stack.folder, "keys.json");
  writeFileSync(keys, JSON.stringify(await putAccessKey(stack.world, { temporary: true })));
  stack.configure({
    "container-platform:endpoint": `public:${meddler.url}`,
    "container-platform:credentialProcess": `"${process.execPath}" -p "fs.readFileSync('${keys}', 'utf8')"`,
  });
  const { vpcId } = (await stack.cloud().call(vpc.createVpc, { vpcName: "theirs", cidrBlock: "172.16.0.0/16" })).vpc;
  const theirs = async () => (await stack.cloud().call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet;
  const before = await theirs();
  const instead = (told: JsonObject) => ({
    text: JSON.stringify({ Response: { ...told, Vpc: { ...Object(told["Vpc"]), VpcId: vpcId, VpcName: "theirs" } } }),
  });
  meddler.meddling = { action: "CreateVpc", nth: 1, instead };
  await stack.start("up", "--yes", "--skip-preview").ended;
  expect(meddler.hasMeddled).toBe(true);
  expect((await stack.resources()).map(({ id }) => id)).not.toContain(vpcId);
  await stack.up("--refresh");
  expect(stack.leftovers()).toMatchObject({ vpcs: 2, subnets: 2, securityGroups: 1 });
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect([stack.count("vpcs"), stack.count("subnets"), stack.count("securityGroups")]).toEqual([1, 0, 0]);
  expect(await theirs()).toEqual(before);
}, 600_000);
