import { expect } from "vitest";
import type { z } from "zod";
import { createSecurityGroup, createSubnet, createVpc } from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import type { TimeScale } from "./time.ts";
import { LocalPlatform } from "./platform.ts";
import { World } from "./store/world.ts";

export const region = "eu-frankfurt";

type Given<Input extends z.ZodType> = Partial<z.input<Input>>;

/** A world where everything is done at once unless given, and its root account's calls, which are not tried again. */
export function stage(seed = "local", timeScale: TimeScale = "instant") {
  const world = World.open(":memory:", { timeScale, seed });
  const transport = new LocalPlatform(world);
  const cloudIn = (place: string, by = transport) =>
    new Cloud({ transport: by, region: place, retries: { attempts: 1, pause: 0, longest: 0 } });
  const cloud = cloudIn(region);
  const vpc = async (cidrBlock = "10.0.0.0/16", given: Given<typeof createVpc.input> = {}) =>
    (await cloud.call(createVpc, { vpcName: "a", cidrBlock, ...given })).vpc;
  const subnet = async (vpcId: string, cidrBlock = "10.0.0.0/24", given: Given<typeof createSubnet.input> = {}) =>
    (await cloud.call(createSubnet, { vpcId, subnetName: "s", cidrBlock, zone: `${region}-1`, ...given })).subnet;
  const group = async (groupName = "g", groupDescription = "") =>
    (await cloud.call(createSecurityGroup, { groupName, groupDescription })).securityGroup.securityGroupId;
  return { world, transport, cloud, cloudIn, vpc, subnet, group };
}

export function refused(call: Promise<unknown>, code: string, also: object = {}): Promise<void> {
  return expect(call).rejects.toMatchObject({ code, ...also });
}
