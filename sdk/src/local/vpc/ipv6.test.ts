import { expect, test } from "vitest";
import { carve, contains, overlaps, parseCidr } from "../../formats/addresses.ts";
import {
  assignIpv6CidrBlock,
  assignIpv6SubnetCidrBlock,
  createSubnet,
  createVpc,
  deleteSubnet,
  deleteVpc,
  describeSubnets,
  describeVpcs,
  unassignIpv6CidrBlock,
  unassignIpv6SubnetCidrBlock,
} from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

const region = "eu-frankfurt";

async function start(seed = "ipv6") {
  const world = World.open(":memory:", { pace: "instant", seed });
  const transport = new LocalPlatform(world);
  const cloud = new Cloud({ transport, region });
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const subnet = async (third: number) =>
    (await cloud.call(createSubnet, { vpcId, subnetName: "s", cidrBlock: `10.0.${third}.0/24`, zone: `${region}-1` })).subnet.subnetId;
  const assign = (subnetId: string, ipv6SubnetCidrBlock: string, clientToken?: string) =>
    cloud.call(assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock }], clientToken });
  return { world, transport, cloud, vpcId, subnet, assign };
}

test("a VPC gets one block, a /56 of the documentation addresses", async () => {
  const { cloud, vpcId } = await start();
  const { ipv6CidrBlock } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  expect(parseCidr(ipv6CidrBlock)).toMatchObject({ prefix: 56, canonical: ipv6CidrBlock });
  expect(contains("2001:db8::/32", ipv6CidrBlock)).toBe(true);
  const [vpc] = (await cloud.call(describeVpcs, { vpcIds: [vpcId] })).vpcSet;
  expect(vpc).toMatchObject({ ipv6CidrBlock, ipv6CidrBlockSet: [{ ipv6CidrBlock, addressType: "GUA" }] });
  await expect(cloud.call(assignIpv6CidrBlock, { vpcId })).rejects.toMatchObject({ code: "LimitExceeded.CidrBlock", kind: "limit" });
  await expect(cloud.call(assignIpv6CidrBlock, { vpcId: "vpc-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a unique local block comes from fd00::/8", async () => {
  const { cloud, vpcId } = await start();
  const { ipv6CidrBlock, addressType } = await cloud.call(assignIpv6CidrBlock, { vpcId, addressType: "ULA" });
  expect(addressType).toBe("ULA");
  expect(contains("fd00::/8", ipv6CidrBlock)).toBe(true);
});

test("blocks of VPCs do not overlap, in one region or two, and are the same for the same seed", async () => {
  const blocks = async (): Promise<string[]> => {
    const { transport, cloud } = await start("many");
    const made: string[] = [];
    for (const at of [cloud, new Cloud({ transport, region: "na-ashburn" })]) {
      for (let second = 1; second <= 20; second++) {
        const { vpc } = await at.call(createVpc, { vpcName: "v", cidrBlock: `10.${second}.0.0/16` });
        made.push((await at.call(assignIpv6CidrBlock, { vpcId: vpc.vpcId })).ipv6CidrBlock);
      }
    }
    return made;
  };
  const made = await blocks();
  for (const [index, one] of made.entries()) for (const other of made.slice(index + 1)) expect(overlaps(one, other)).toBe(false);
  expect(await blocks()).toEqual(made);
});

test("a dual-stack network is built and taken down in the order of the specification", async () => {
  const { cloud, vpcId, subnet, assign } = await start();
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const subnetId = await subnet(0);
  const part = carve(block, 64, 7);
  const { ipv6SubnetCidrBlockSet } = await assign(subnetId, part.toUpperCase());
  expect(ipv6SubnetCidrBlockSet).toEqual([{ subnetId, ipv6SubnetCidrBlock: part, ipv6CidrBlock: part }]);
  const [live] = (await cloud.call(describeSubnets, { filters: [{ name: "ipv6-cidr-block", values: [part] }] })).subnetSet;
  expect(live).toMatchObject({ subnetId, ipv6SubnetCidrBlock: part, ipv6CidrBlock: part });

  const blocked = cloud.call(unassignIpv6CidrBlock, { vpcId });
  await expect(blocked).rejects.toThrow(new RegExp(`${subnetId}.*ResourceInUse`));
  await cloud.call(unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock: part }] });
  expect((await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.ipv6SubnetCidrBlock).toBeUndefined();
  await cloud.call(unassignIpv6CidrBlock, { vpcId, ipv6CidrBlock: block });
  await expect(cloud.call(unassignIpv6CidrBlock, { vpcId })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a subnet's range is a /64 inside the VPC's block, and of this subnet alone", async () => {
  const { cloud, vpcId, subnet, assign } = await start();
  const [one, two] = [await subnet(1), await subnet(2)];
  await expect(assign(one, "2001:db8::/64")).rejects.toMatchObject({ code: "InvalidParameterValue.SubnetRange" });
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  for (const [range, code] of [
    [carve(block, 65, 0), "InvalidParameterValue.SubnetRange"],
    [carve(block, 60, 0), "InvalidParameterValue.SubnetRange"],
    ["2001:db9::/64", "InvalidParameterValue.SubnetRange"],
    [carve(block, 64, 0).replace("/64", "1/64"), "InvalidParameterValue.Malformed"],
    ["10.0.0.0/24", "InvalidParameterValue.Malformed"],
    ["block", "InvalidParameterValue.Malformed"],
  ] as const)
    await expect(assign(one, range)).rejects.toMatchObject({ code });
  await assign(one, carve(block, 64, 1));
  await expect(assign(one, carve(block, 64, 2))).rejects.toMatchObject({ code: "LimitExceeded.SubnetCidrBlock" });
  await expect(assign(two, carve(block, 64, 1))).rejects.toThrow(new RegExp(`${one}.*InvalidParameter.SubnetConflict`));
  await assign(two, carve(block, 64, 2));
});

test("a call assigns ranges to all of its subnets or to none, and names each once", async () => {
  const { cloud, vpcId, subnet } = await start();
  const [one, two] = [await subnet(1), await subnet(2)];
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const call = (...items: [string, number][]) =>
    cloud.call(assignIpv6SubnetCidrBlock, {
      vpcId,
      ipv6SubnetCidrBlocks: items.map(([subnetId, index]) => ({ subnetId, ipv6SubnetCidrBlock: carve(block, 64, index) })),
    });
  await expect(call()).rejects.toMatchObject({ code: "InvalidParameterValue.Empty" });
  await expect(call([one, 1], [one, 2])).rejects.toMatchObject({ code: "InvalidParameterValue.Duplicate" });
  await expect(call([one, 1], [two, 1])).rejects.toMatchObject({ code: "InvalidParameter.SubnetConflict" });
  await expect(call([one, 1], ["subnet-00000000", 2])).rejects.toMatchObject({ code: "ResourceNotFound" });
  expect((await call([one, 1], [two, 2])).ipv6SubnetCidrBlockSet).toHaveLength(2);
});

test("a subnet of another VPC is not found", async () => {
  const { cloud, subnet } = await start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.1.0.0/16" });
  const { ipv6CidrBlock } = await cloud.call(assignIpv6CidrBlock, { vpcId: vpc.vpcId });
  const items = [{ subnetId: await subnet(1), ipv6SubnetCidrBlock: carve(ipv6CidrBlock, 64, 0) }];
  const assigned = cloud.call(assignIpv6SubnetCidrBlock, { vpcId: vpc.vpcId, ipv6SubnetCidrBlocks: items });
  await expect(assigned).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a call with a client token is carried out once and answered again", async () => {
  const { cloud, vpcId, subnet, assign } = await start();
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const subnetId = await subnet(1);
  const first = await assign(subnetId, carve(block, 64, 1), "token-1");
  expect((await assign(subnetId, carve(block, 64, 1), "token-1")).ipv6SubnetCidrBlockSet).toEqual(first.ipv6SubnetCidrBlockSet);
  for (const token of ["token-2", undefined])
    await expect(assign(subnetId, carve(block, 64, 1), token)).rejects.toMatchObject({ code: "LimitExceeded.SubnetCidrBlock" });
  await expect(assign(subnetId, carve(block, 64, 1), "x".repeat(65))).rejects.toMatchObject({ code: "InvalidParameterValue.Malformed" });
});

test("a range is in use while a machine has an address of it; the message names the machine", async () => {
  const { cloud, world, vpcId, subnet, assign } = await start();
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const subnetId = await subnet(1);
  await assign(subnetId, carve(block, 64, 1));
  const id = await putInstance(world, { region, vpcId, subnetId, ipv6: true });
  const unassign = () => cloud.call(unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId }] });
  await expect(unassign()).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, region, id);
  await unassign();
  await expect(unassign()).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a range cannot be unassigned under another range's name", async () => {
  const { cloud, vpcId, subnet, assign } = await start();
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const subnetId = await subnet(1);
  await assign(subnetId, carve(block, 64, 1));
  const items = [{ subnetId, ipv6SubnetCidrBlock: carve(block, 64, 2) }];
  await expect(cloud.call(unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: items })).rejects.toMatchObject({
    code: "ResourceNotFound",
  });
  await expect(cloud.call(unassignIpv6CidrBlock, { vpcId, ipv6CidrBlock: "2001:db9::/56" })).rejects.toMatchObject({
    code: "ResourceNotFound",
  });
});

test("the range of a deleted subnet can be given to another one", async () => {
  const { cloud, vpcId, subnet, assign } = await start();
  const { ipv6CidrBlock: block } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const [first, second] = [await subnet(1), await subnet(2)];
  const ipv6CidrBlock = carve(block, 64, 1);
  await assign(first, ipv6CidrBlock);
  await expect(assign(second, ipv6CidrBlock)).rejects.toMatchObject({ code: "InvalidParameter.SubnetConflict" });
  await cloud.call(deleteSubnet, { subnetId: first });
  await assign(second, ipv6CidrBlock);
  expect((await cloud.call(describeSubnets, {})).subnetSet).toMatchObject([{ subnetId: second, ipv6CidrBlock }]);
});

test("the block of a deleted VPC can be given to another one", async () => {
  const { world, cloud, vpcId } = await start();
  const other = (await cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.1.0.0/16" })).vpc.vpcId;
  const clock = world.clock();
  /** A block for which the world draws the same as for the others. */
  const drawn = async (id: string) => {
    world.resetClock(clock);
    return (await cloud.call(assignIpv6CidrBlock, { vpcId: id })).ipv6CidrBlock;
  };
  const block = await drawn(vpcId);
  expect(await drawn(other)).not.toBe(block);
  await cloud.call(unassignIpv6CidrBlock, { vpcId: other });
  await cloud.call(deleteVpc, { vpcId });
  expect(await drawn(other)).toBe(block);
});
