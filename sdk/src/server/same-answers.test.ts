import { expect, test } from "vitest";
import { lookUpEvents } from "../catalogue/audit.ts";
import { createInstance, createInstanceToken, describeInstances } from "../catalogue/registry.ts";
import { createSecurityGroup, createVpc, deleteVpc, describeSecurityGroups, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { PlatformError } from "../operation/errors.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { region, stage } from "./stage.fixture.ts";

const moment = Date.UTC(2026, 0, 31, 12);

/** The answers to some calls, including refused ones, with a placeholder for request ids, which differ between worlds. */
async function answersTo(cloud: Cloud): Promise<string[]> {
  const told: string[] = [];
  const tell = async (asked: Promise<object>) => {
    const answer = await asked.catch((error: unknown) =>
      error instanceof PlatformError ? [error.code, error.kind, error.reason] : [String(error)],
    );
    told.push(JSON.stringify(answer).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<request>"));
  };
  await tell(cloud.call(createVpc, { vpcName: "ä€😀", cidrBlock: "10.0.0.0/16" }));
  await tell(cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.0.0.0/16" }));
  await tell(cloud.call(deleteVpc, { vpcId: "vpc-1" }));
  await tell(cloud.call(createSecurityGroup, { groupName: "a", groupDescription: "b" }));
  await tell(cloud.call(describeSecurityGroups, { securityGroupIds: ["sg-1"] }));
  const { registryId } = await cloud.call(createInstance, { registryName: "acme-images", registryType: "basic" });
  await tell(cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "a" }));
  await tell(cloud.call(describeInstances, {}));
  await tell(cloud.call(describeVpcs, {}));
  await tell(cloud.call(lookUpEvents, { startTime: 0, endTime: 4e9 }));
  return told;
}

test("in process and over HTTP the same calls have the same answers", async () => {
  const world = World.open(":memory:", { pace: "instant", seed: "server" });
  world.freeze(moment);
  const inProcess = await answersTo(new Cloud({ transport: new LocalPlatform(world), region }));
  const served = await stage();
  served.world.freeze(moment);
  const cloud = await served.cloudWith();
  expect(await answersTo(cloud)).toEqual(inProcess);
  expect(inProcess.join()).toContain("VpcCidrConflict");
  expect(inProcess.join()).toContain("ä€😀");
  // Each answer has the time of the platform's clock.
  expect(Math.abs(cloud.now() - moment)).toBeLessThan(10_000);
  world.close();
});
