import { carve } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import type { Props } from "../../support/structs.ts";
import { makeBlock, makeNetwork, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The IPv6 ranges of subnets lie in the block of their VPC, and do not overlap: or the preview refuses them. */

const stage = await sharedStage();
const {
  vpcId,
  subnetIds: [first],
} = await makeNetwork(stage);
const bare = await makeVpc(stage, "10.1.0.0/16");
const own = await makeVpc(stage, "10.2.0.0/16");
const block = await makeBlock(stage, own);
const zone = "eu-frankfurt-1";

const nextRun = () => stage.host.restart("SIGINT");
const urnOf = (name: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:Subnet::${name}`;
const subnet = (name: string, options: Props = {}) => stage.deployment("Subnet", name, options);
/** A subnet with a part of the block. */
const part = (index: number, range: number) => ({
  vpcId: own,
  zone,
  cidrBlock: `10.2.${index}.0/24`,
  ipv6SubnetCidrBlock: carve(block, 64, range),
});

test("on the platform: a range of another subnet, outside of the block, and of a VPC without one", async () => {
  const { ipv6SubnetCidrBlock: taken } = (await stage.cloud.call(vpc.describeSubnets, { subnetIds: [first] })).subnetSet[0] ?? {};
  const args = { vpcId, zone, cidrBlock: "10.0.9.0/24" };
  await expect(subnet("one").preview({ ...args, ipv6SubnetCidrBlock: taken })).rejects.toThrow(
    `ipv6SubnetCidrBlock: ${taken} overlaps ipv6SubnetCidrBlock ${taken} of ${first}. It is not of this stack. Take another ipv6SubnetCidrBlock`,
  );
  await expect(subnet("one").preview({ ...args, ipv6SubnetCidrBlock: carve(block, 64, 0) })).rejects.toThrow(
    /^ipv6SubnetCidrBlock: \S+ is not inside \S+\/56, the IPv6 block of vpc-\w+$/,
  );
  await expect(
    subnet("one").preview({ ...args, vpcId: bare, cidrBlock: "10.1.0.0/24", ipv6SubnetCidrBlock: carve(block, 64, 0) }),
  ).rejects.toThrow(`${bare} has no IPv6 block: make an Ipv6Block, and take its subnetCidrBlock(0)`);
  await nextRun();
});

test("in one program; and a range that is given up in place is for what comes after it", async () => {
  expect(await subnet("one").preview(part(1, 1))).toBe("create");
  await expect(subnet("two").preview(part(2, 1))).rejects.toThrow('"one" and "two" of this program cannot both exist with the same vpcId');
  await nextRun();

  await using one = subnet("one");
  await using two = subnet("two");
  await one.up(part(1, 1));
  await two.up(part(2, 2));
  await nextRun();
  // As long as the other one keeps it, and where it is changed at the same time.
  await expect(one.preview(part(1, 2))).rejects.toThrow("of this same stack has it");
  await nextRun();
  await two.preview(part(2, 3));
  await expect(one.preview(part(1, 2))).rejects.toThrow("Or have this one come after it, by dependsOn");
  await nextRun();
  const later = subnet("one", { __after: [urnOf("two")] });
  later.state = one.state;
  expect(await two.up(part(2, 3))).toBe("update");
  expect(await later.up(part(1, 2))).toBe("update");
  one.state = later.state;
  // A new one cannot stand beside the old one with the same range.
  expect(await one.preview({ ...part(1, 2), zone: "eu-frankfurt-2", cidrBlock: "10.2.7.0/24" })).toBe("delete-replace");
  await nextRun();
});
