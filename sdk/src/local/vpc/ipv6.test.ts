import { expect, test } from "vitest";
import { cidrSubnet, contains, overlaps, parseCidr } from "../../formats/addresses.ts";
import * as vpcs from "../../catalogue/vpc.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { refused, region, stage } from "../stage.fixture.ts";

async function start(seed = "ipv6") {
  const at = stage(seed);
  return { ...at, vpcId: (await at.vpc()).vpcId };
}

/** A VPC that has its block, of which `part` makes ranges, and two subnets without one. */
async function withBlock() {
  const at = await start();
  const { cloud, vpcId, subnet } = at;
  const [one, two] = [(await subnet(vpcId, "10.0.1.0/24")).subnetId, (await subnet(vpcId, "10.0.2.0/24")).subnetId];
  const { ipv6CidrBlock: block } = await cloud.call(vpcs.assignIpv6CidrBlock, { vpcId });
  const part = (index: number, prefix = 64) => cidrSubnet(block, prefix, index);
  const assign = (subnetId: string, ipv6SubnetCidrBlock: string, clientToken?: string) =>
    cloud.call(vpcs.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock }], clientToken });
  return { ...at, block, part, one, two, assign };
}

test("a VPC gets one block, a /56 of the documentation addresses", async () => {
  const { cloud, vpcId } = await start();
  const { ipv6CidrBlock } = await cloud.call(vpcs.assignIpv6CidrBlock, { vpcId });
  expect(parseCidr(ipv6CidrBlock)).toMatchObject({ prefix: 56, canonical: ipv6CidrBlock });
  expect(contains("2001:db8::/32", ipv6CidrBlock)).toBe(true);
  const [vpc] = (await cloud.call(vpcs.describeVpcs, { vpcIds: [vpcId] })).vpcSet;
  expect(vpc).toMatchObject({ ipv6CidrBlock, ipv6CidrBlockSet: [{ ipv6CidrBlock, addressType: "GUA" }] });
  await refused(cloud.call(vpcs.assignIpv6CidrBlock, { vpcId }), "LimitExceeded.CidrBlock", { kind: "limit" });
  await refused(cloud.call(vpcs.assignIpv6CidrBlock, { vpcId: "vpc-00000000" }), "ResourceNotFound");
});

test("a unique local block comes from fd00::/8", async () => {
  const { cloud, vpcId } = await start();
  const { ipv6CidrBlock, addressType } = await cloud.call(vpcs.assignIpv6CidrBlock, { vpcId, addressType: "ULA" });
  expect(addressType).toBe("ULA");
  expect(contains("fd00::/8", ipv6CidrBlock)).toBe(true);
});

test("blocks of VPCs do not overlap, in one region or two, and are the same for the same seed", async () => {
  const blocks = async (): Promise<string[]> => {
    const { cloud, cloudIn } = await start("many");
    const made: string[] = [];
    for (const at of [cloud, cloudIn("na-ashburn")]) {
      for (let second = 1; second <= 20; second++) {
        const { vpc } = await at.call(vpcs.createVpc, { vpcName: "v", cidrBlock: `10.${second}.0.0/16` });
        made.push((await at.call(vpcs.assignIpv6CidrBlock, { vpcId: vpc.vpcId })).ipv6CidrBlock);
      }
    }
    return made;
  };
  const made = await blocks();
  for (const [index, one] of made.entries()) for (const other of made.slice(index + 1)) expect(overlaps(one, other)).toBe(false);
  expect(await blocks()).toEqual(made);
});

test("a dual-stack network is built and taken down in the order of the specification", async () => {
  const { cloud, vpcId, block, part, one: subnetId, assign } = await withBlock();
  const range = part(7);
  const { ipv6SubnetCidrBlockSet } = await assign(subnetId, range.toUpperCase());
  expect(ipv6SubnetCidrBlockSet).toEqual([{ subnetId, ipv6SubnetCidrBlock: range, ipv6CidrBlock: range }]);
  const [live] = (await cloud.call(vpcs.describeSubnets, { filters: [{ name: "ipv6-cidr-block", values: [range] }] })).subnetSet;
  expect(live).toMatchObject({ subnetId, ipv6SubnetCidrBlock: range, ipv6CidrBlock: range });

  await expect(cloud.call(vpcs.unassignIpv6CidrBlock, { vpcId })).rejects.toThrow(new RegExp(`${subnetId}.*ResourceInUse`));
  await cloud.call(vpcs.unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock: range }] });
  expect((await cloud.call(vpcs.describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.ipv6SubnetCidrBlock).toBeUndefined();
  await cloud.call(vpcs.unassignIpv6CidrBlock, { vpcId, ipv6CidrBlock: block });
  await refused(cloud.call(vpcs.unassignIpv6CidrBlock, { vpcId }), "ResourceNotFound");
});

test("a subnet's range is a /64 inside the VPC's block, and of this subnet alone", async () => {
  const { part, one, two, assign } = await withBlock();
  for (const [range, code] of [
    [part(0, 65), "InvalidParameterValue.SubnetRange"],
    [part(0).replace("/64", "1/64"), "InvalidParameterValue.Malformed"],
    ["10.0.0.0/24", "InvalidParameterValue.Malformed"],
    ["block", "InvalidParameterValue.Malformed"],
  ] as const)
    await refused(assign(one, range), code);
  await assign(one, part(1));
  await expect(assign(two, part(1))).rejects.toThrow(new RegExp(`${one}.*InvalidParameter.SubnetConflict`));
  await assign(two, part(2));
});

test("a call assigns ranges to all of its subnets or to none, and names each once", async () => {
  const { cloud, vpcId, part, one, two } = await withBlock();
  const call = (...items: [string, number][]) =>
    cloud.call(vpcs.assignIpv6SubnetCidrBlock, {
      vpcId,
      ipv6SubnetCidrBlocks: items.map(([subnetId, index]) => ({ subnetId, ipv6SubnetCidrBlock: part(index) })),
    });
  await refused(call(), "InvalidParameterValue.Empty");
  await refused(call([one, 1], [one, 2]), "InvalidParameterValue.Duplicate");
  await refused(call([one, 1], [two, 1]), "InvalidParameter.SubnetConflict");
  await refused(call([one, 1], ["subnet-00000000", 2]), "ResourceNotFound");
  expect((await call([one, 1], [two, 2])).ipv6SubnetCidrBlockSet).toHaveLength(2);
});

test("a subnet of another VPC is not found", async () => {
  const { cloud, vpc, one } = await withBlock();
  const { vpcId } = await vpc("10.1.0.0/16");
  const { ipv6CidrBlock } = await cloud.call(vpcs.assignIpv6CidrBlock, { vpcId });
  const items = [{ subnetId: one, ipv6SubnetCidrBlock: cidrSubnet(ipv6CidrBlock, 64, 0) }];
  await refused(cloud.call(vpcs.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: items }), "ResourceNotFound");
});

test("a call with a client token is carried out once and answered again", async () => {
  const { part, one: subnetId, assign } = await withBlock();
  const first = await assign(subnetId, part(1), "token-1");
  expect((await assign(subnetId, part(1), "token-1")).ipv6SubnetCidrBlockSet).toEqual(first.ipv6SubnetCidrBlockSet);
  for (const token of ["token-2", undefined]) await refused(assign(subnetId, part(1), token), "LimitExceeded.SubnetCidrBlock");
  await refused(assign(subnetId, part(1), "x".repeat(65)), "InvalidParameterValue.Malformed");
});

test("a range is in use while a machine has an address of it; the message names the machine", async () => {
  const { cloud, world, vpcId, part, one: subnetId, assign } = await withBlock();
  await assign(subnetId, part(1));
  const id = await putInstance(world, { region, vpcId, subnetId, ipv6: true });
  const unassign = () => cloud.call(vpcs.unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId }] });
  await expect(unassign()).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, region, id);
  await unassign();
  await refused(unassign(), "ResourceNotFound");
});

test("a range cannot be unassigned under another range's name", async () => {
  const { cloud, vpcId, part, one: subnetId, assign } = await withBlock();
  await assign(subnetId, part(1));
  const items = [{ subnetId, ipv6SubnetCidrBlock: part(2) }];
  await refused(cloud.call(vpcs.unassignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: items }), "ResourceNotFound");
  await refused(cloud.call(vpcs.unassignIpv6CidrBlock, { vpcId, ipv6CidrBlock: "2001:db9::/56" }), "ResourceNotFound");
});

test("the range of a deleted subnet can be given to another one", async () => {
  const { cloud, part, one: first, two: second, assign } = await withBlock();
  const ipv6CidrBlock = part(1);
  await assign(first, ipv6CidrBlock);
  await refused(assign(second, ipv6CidrBlock), "InvalidParameter.SubnetConflict");
  await cloud.call(vpcs.deleteSubnet, { subnetId: first });
  await assign(second, ipv6CidrBlock);
  expect((await cloud.call(vpcs.describeSubnets, {})).subnetSet).toMatchObject([{ subnetId: second, ipv6CidrBlock }]);
});

test("the block of a deleted VPC can be given to another one", async () => {
  const { world, cloud, vpc, vpcId } = await start();
  const other = (await vpc("10.1.0.0/16")).vpcId;
  const clock = world.clock();
  /** A block for which the world draws the same as for the others. */
  const drawn = async (id: string) => {
    world.resetClock(clock);
    return (await cloud.call(vpcs.assignIpv6CidrBlock, { vpcId: id })).ipv6CidrBlock;
  };
  const block = await drawn(vpcId);
  expect(await drawn(other)).not.toBe(block);
  await cloud.call(vpcs.unassignIpv6CidrBlock, { vpcId: other });
  await cloud.call(vpcs.deleteVpc, { vpcId });
  expect(await drawn(other)).toBe(block);
});
